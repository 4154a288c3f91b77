use super::*;
use smalti_box::BoxDomain;
use smalti_core::laws::{self, ExplicitDomain};

#[test]
fn the_laws_hold_over_boxes() {
    laws::memory(&PartitionDomain::new(BoxDomain));
}

#[test]
fn the_laws_hold_over_a_relational_domain() {
    laws::memory(&PartitionDomain::new(ExplicitDomain));
}
