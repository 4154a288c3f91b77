//! The laws of numeric domains, over domains whose widening depends on what its operands mean.

use apron_sys::Library;
use smalti_apron::{ApronDomain, Kind};
use smalti_box::BoxDomain;
use smalti_core::laws;
use smalti_factored::FactoredDomain;

#[test]
fn boxes_in_factors_obey_the_laws() {
    laws::numeric(&FactoredDomain::new(BoxDomain));
}

#[test]
fn polyhedra_in_factors_obey_the_laws() {
    if Library::for_test().is_some() {
        laws::numeric(&FactoredDomain::new(ApronDomain::new(Kind::Polyhedra).unwrap()));
    }
}
