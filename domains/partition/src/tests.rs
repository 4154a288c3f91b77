use super::*;
use apron_sys::Library;
use smalti_apron::{ApronDomain, Kind};
use smalti_box::BoxDomain;
use smalti_core::laws::{self, Config, ExplicitDomain};

#[test]
fn the_laws_hold_over_boxes() {
    laws::memory(&PartitionDomain::new(BoxDomain));
}

#[test]
fn the_laws_hold_over_a_relational_domain() {
    laws::memory(&PartitionDomain::new(ExplicitDomain));
}

fn laws_over_apron(kind: Kind, share: u32) {
    if Library::for_test().is_none() {
        return;
    }
    let domain = PartitionDomain::new(ApronDomain::new(kind).unwrap());
    let config = Config::default();
    laws::check_memory(&domain, Config { cases: config.cases / share, ..config }).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_laws_hold_over_octagons() {
    laws_over_apron(Kind::Octagon, 4);
}

#[test]
fn the_laws_hold_over_polyhedra() {
    laws_over_apron(Kind::Polyhedra, 10);
}
