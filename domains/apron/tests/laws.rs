//! The laws of numeric domains, for each of APRON's.

use apron_sys::Library;
use smalti_apron::{ApronDomain, Kind};
use smalti_core::laws;

fn obeys_the_laws(kind: Kind) {
    if Library::for_test().is_none() {
        return;
    }
    let mut config = laws::Config::default();
    if kind == Kind::OctagonMpq {
        // The same code as over doubles, but so slow that it would take ten seconds.
        config.cases = config.cases.div_ceil(5);
    }
    laws::check_numeric(&ApronDomain::new(kind).unwrap(), config).unwrap();
}

#[test]
fn boxes_obey_the_laws() {
    obeys_the_laws(Kind::Box);
}

#[test]
fn octagons_obey_the_laws() {
    obeys_the_laws(Kind::Octagon);
}

#[test]
fn rational_octagons_obey_the_laws() {
    obeys_the_laws(Kind::OctagonMpq);
}

#[test]
fn polyhedra_obey_the_laws() {
    obeys_the_laws(Kind::Polyhedra);
}
