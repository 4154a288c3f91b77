//! The laws of memory domains, for stacks as users get them: opened by name, their types erased.

use apron_sys::Library;
use smalti_core::laws;

/// `share`: a slow stack gets one case in `share`: APRON is slower than the native domains, and the
/// tests of `domains/partition` try groups of cells with all cases. `scripts/soak --checks` tries
/// three times as many.
fn obeys_the_laws(name: &str, share: u32) {
    if name.contains("apron") && Library::for_test().is_none() {
        return;
    }
    let domain = smalti_stack::open(name).unwrap_or_else(|error| panic!("{error}"));
    laws::memory_in_part(&domain, share);
}

#[test]
fn box_obeys_the_laws() {
    obeys_the_laws("box", 1);
}

#[test]
fn smash_box_obeys_the_laws() {
    obeys_the_laws("smash/box", 1);
}

#[test]
fn apron_octagon_obeys_the_laws() {
    obeys_the_laws("apron-octagon", 6);
}

#[test]
fn smash_apron_octagon_obeys_the_laws() {
    obeys_the_laws("smash/apron-octagon", 12);
}

#[test]
fn smash_apron_polyhedra_obeys_the_laws() {
    obeys_the_laws("smash/apron-polyhedra", 15);
}

#[test]
fn smash_apron_box_obeys_the_laws() {
    obeys_the_laws("smash/apron-box", 15);
}

#[test]
fn octagon_obeys_the_laws() {
    obeys_the_laws("octagon", 1);
}

#[test]
fn smash_octagon_obeys_the_laws() {
    obeys_the_laws("smash/octagon", 1);
}

#[test]
fn partition_box_obeys_the_laws() {
    obeys_the_laws("partition/box", 4);
}

#[test]
fn partition_octagon_obeys_the_laws() {
    obeys_the_laws("partition/octagon", 6);
}

#[test]
fn partition_apron_octagon_obeys_the_laws() {
    obeys_the_laws("partition/apron-octagon", 24);
}
