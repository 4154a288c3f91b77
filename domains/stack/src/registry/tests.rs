use super::*;
use smalti_box::BoxDomain;
use smalti_core::{Constraint, Lattice, LinearExpr, Memory, Var, laws};
use smalti_smash::SmashDomain;

/// The domains of smalti, and one of each kind from outside.
fn extended() -> Registry {
    let mut registry = Registry::default();
    registry.numeric("mine", BoxDomain).unwrap();
    registry.array("own/cells", SmashDomain::<AnyNumeric>::new).unwrap();
    registry
}

#[test]
fn every_stack_opens_by_its_name_or_says_how_to_get_it() {
    let registry = extended();
    for name in registry.stack_names() {
        match registry.open(&name) {
            Ok(domain) => {
                assert_eq!(domain.name(), name);
                assert!(domain.bottom().is_bottom() && !domain.top().is_bottom());
            }
            Err(error) => {
                assert_eq!(error.kind(), StackErrorKind::Missing);
                assert!(name.contains("apron"), "{error}");
                assert!(error.to_string().starts_with(&format!("stack {name} is missing: ")), "{error}");
            }
        }
    }
}

#[test]
fn stack_names_are_layers_times_numerics() {
    let registry = extended();
    let names = registry.stack_names();
    assert_eq!(names.len(), (OWN.len() + 1) * (parts::numerics().len() + 1));
    for name in [
        "box",
        "smash/box",
        "octagon",
        "smash/octagon",
        "apron-octagon",
        "smash/apron-octagon",
        "smash/apron-polyhedra",
        "mine",
        "relation/partition/mine",
        "own/cells/octagon",
        "own/cells/mine",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} is not among {names:?}");
    }
}

#[test]
fn unknown_names_are_explained() {
    let message = |registry: &Registry, name: &str| {
        let error = registry.open(name).map(|domain| domain.name()).unwrap_err();
        assert_eq!(error.kind(), StackErrorKind::Unknown);
        error.to_string()
    };
    let (plain, extended) = (Registry::default(), extended());
    assert_eq!(
        message(&plain, "smash/bxo"),
        "unknown stack 'smash/bxo': no numeric domain is called 'bxo'; did you mean smash/box? (a stack is a numeric \
         domain: box, octagon, apron-octagon, apron-octagon-mpq, apron-box, apron-polyhedra; or layers/numeric, \
         with layers: partition, relation/partition, smash)"
    );
    assert_eq!(
        message(&extended, "smash/mnie"),
        "unknown stack 'smash/mnie': no numeric domain is called 'mnie'; did you mean smash/mine? (a stack is a numeric \
         domain: box, octagon, apron-octagon, apron-octagon-mpq, apron-box, apron-polyhedra, mine; or layers/numeric, \
         with layers: partition, relation/partition, smash, own/cells)"
    );
    assert!(message(&extended, "own/cell/box").contains("did you mean own/cells/box?"));
    assert!(message(&plain, "smsh/box").contains("no layers are called 'smsh'; did you mean smash/box? ("));
    assert!(message(&plain, "zonotopes").contains("no numeric domain is called 'zonotopes' ("));
    assert!(message(&plain, "mine").contains("no numeric domain is called 'mine' ("));
    for odd in ["", "/", "/box", "smash", "smash/", "smash//box", "smash/smash/box", "box/smash", "BOX"] {
        message(&plain, odd);
    }
}

#[test]
fn names_that_cannot_be_are_refused() {
    let mut registry = extended();
    let mut numeric = |name| registry.numeric(name, BoxDomain).unwrap_err();
    assert_eq!(numeric("box").to_string(), "no domain from outside can be called 'box': there is one already");
    for bad in ["", "a/b", "a b", "a,b", "mine"] {
        assert_eq!(numeric(bad).kind(), StackErrorKind::Name, "{bad}");
    }
    for bad in ["", "/", "a/", "/a", "a//b", "a,b", "smash", "own/cells"] {
        let error = registry.array(bad, SmashDomain::<AnyNumeric>::new).unwrap_err();
        assert_eq!(error.kind(), StackErrorKind::Name, "{bad}");
    }
    assert_eq!(format!("{registry:?}"), format!("{:?}", extended()), "what is refused is not added");
}

#[test]
fn parts_are_listed_even_where_they_are_missing() {
    let mut registry = extended();
    let missing = || Err::<BoxDomain, _>("put it into a drawer".to_owned());
    registry.numeric_from("lost", "a domain that nobody has", missing).unwrap();
    let all = registry.available();
    assert!(all.iter().any(|info| info.name == "smash" && info.part == StackPart::Layer));
    assert!(all.iter().any(|info| info.name == "own/cells" && info.part == StackPart::Layer));
    let numeric = |name: &str| all.iter().find(|info| info.name == name && info.part == StackPart::Numeric).unwrap();
    assert_eq!((&numeric("box").missing, &numeric("mine").missing), (&None, &None));
    assert_eq!(numeric("apron-octagon").missing.is_none(), registry.open("apron-octagon").is_ok());
    assert_eq!(numeric("lost").about, "a domain that nobody has");
    let error = registry.open("smash/lost").map(|domain| domain.name()).unwrap_err();
    assert_eq!(error.to_string(), "stack smash/lost is missing: put it into a drawer");
}

#[test]
fn the_default_needs_nothing_that_may_be_missing() {
    let registry = extended();
    assert!(registry.is_native(DEFAULT_STACK) && registry.open(DEFAULT_STACK).is_ok());
    let defaults = registry.default_stacks();
    assert_eq!(defaults[registry.native_first(&defaults) - 1], DEFAULT_STACK);
    assert!(registry.is_native("own/cells/mine") && !registry.is_native("own/cells/apron-box"));
}

#[test]
fn a_domain_for_arrays_from_outside_keeps_what_the_numeric_domain_knows() {
    let domain = extended().open("own/cells/octagon").unwrap();
    let (x, y) = (LinearExpr::var(Var::scalar(0)), LinearExpr::var(Var::scalar(1)));
    let mut state = domain.top();
    state.assume(&Constraint::le(&x, &y).unwrap());
    assert!(state.entails(&Constraint::le(&x, &y).unwrap()));
    assert!(!state.entails(&Constraint::lt(&x, &y).unwrap()));
}

#[test]
fn domains_from_outside_obey_the_laws() {
    let registry = extended();
    for stack in ["own/cells/octagon", "own/cells/mine", "partition/mine"] {
        let usual = laws::Config::default();
        let config = laws::Config { cases: usual.cases / 4, ..usual };
        laws::check_memory(&registry.open(stack).unwrap(), config).unwrap_or_else(|e| panic!("{e}"));
    }
}
