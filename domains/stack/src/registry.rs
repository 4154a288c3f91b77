//! What there is: one line for each numeric domain, one line for each way to put arrays on top of it.

use crate::AnyDomain;
use crate::error::{StackError, StackErrorKind, nearest};
use smalti_apron::{ApronDomain, Kind};
use smalti_box::BoxDomain;
use smalti_core::NumericDomain;
use smalti_factored::FactoredDomain;
use smalti_octagon::OctagonDomain;
use smalti_partition::PartitionDomain;
use smalti_smash::{ScalarsDomain, SmashDomain};

/// The numeric domains, in the order in which they are listed.
const NUMERICS: &[Numeric] = &[
    Numeric("box", "intervals; native, always there", |layers| put(layers, Ok(BoxDomain))),
    Numeric("octagon", "octagons over the integers: +-x +-y <= c; native, always there", |l| put(l, Ok(OctagonDomain))),
    Numeric("apron-octagon", "APRON's octagons over doubles: +-x +-y <= c", |layers| put(layers, apron(Kind::Octagon))),
    Numeric("apron-octagon-mpq", "APRON's octagons over rationals: exact, slow", |l| put(l, apron(Kind::OctagonMpq))),
    Numeric("apron-box", "APRON's intervals over rationals", |layers| put(layers, apron(Kind::Box))),
    Numeric("apron-polyhedra", "APRON's convex polyhedra over rationals", |layers| {
        put(layers, apron(Kind::Polyhedra).map(FactoredDomain::new))
    }),
];

layers! {
    "": "scalars alone: nothing is kept of arrays" => ScalarsDomain::new,
    "partition": "groups of cells that need not be contiguous" => PartitionDomain::new,
    "relation/partition": "the same, and which groups indexes point into" => smalti_relation::over,
    "smash": "one summary for all cells of an array" => SmashDomain::new,
}

/// The stacks to try one after the other when none is named, from cheap to dear. The first one
/// decides most obligations of most programs in a hundredth of the time of the second; the third
/// knows linear relations of more than two variables.
const DEFAULTS: [&str; 3] = ["smash/octagon", DEFAULT, "partition/apron-polyhedra"];

/// The strongest of the stacks that are always there.
const DEFAULT: &str = "relation/partition/octagon";

/// A numeric domain: its name, what it is, and how to put the named layers on it.
struct Numeric(&'static str, &'static str, fn(&str) -> Result<AnyDomain, String>);

/// From `name: about => constructor`, the list of layers and the function that puts them on a numeric domain. A macro, because
/// each layer is a generic function and so cannot be an entry of a table.
macro_rules! layers {
    ($($name:literal: $about:literal => $new:path,)*) => {
        /// What can be put on a numeric domain.
        const LAYERS: &[(&str, &str)] = &[$(($name, $about)),*];

        /// The layers, whose name is one of [`LAYERS`], on a numeric domain, unless that is missing.
        fn put<D: NumericDomain + 'static>(layers: &str, numeric: Result<D, String>) -> Result<AnyDomain, String> {
            let numeric = numeric?;
            Ok(match layers {
                $($name => AnyDomain::new($new(numeric)),)*
                _ => unreachable!("layers are looked up in the table first"),
            })
        }
    };
}
use layers;

fn apron(kind: Kind) -> Result<ApronDomain, String> {
    ApronDomain::new(kind).map_err(|error| error.to_string())
}

/// One part that stacks are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackInfo {
    /// The name in a stack.
    pub name: &'static str,
    /// Which part of a stack it can be.
    pub part: Part,
    /// What it is, in a few words.
    pub about: &'static str,
    /// If it cannot be used on this machine: why, and how to get it.
    pub missing: Option<String>,
}

/// The two parts of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A domain for arrays, on top of a numeric one.
    Layer,
    /// A numeric domain, at the bottom.
    Numeric,
}

/// All parts, layers first, those that are missing on this machine included.
pub fn available() -> Vec<StackInfo> {
    let layers = LAYERS.iter().filter(|(name, _)| !name.is_empty());
    let layers = layers.map(|(name, about)| StackInfo { name, part: Part::Layer, about, missing: None });
    let numerics = NUMERICS.iter().map(|Numeric(name, about, make)| StackInfo {
        name,
        part: Part::Numeric,
        about,
        missing: make("").err(),
    });
    layers.chain(numerics).collect()
}

/// The names of all stacks, whether or not this machine has their numeric domain.
pub fn stack_names() -> Vec<String> {
    let join = |layers: &str, numeric: &str| match layers {
        "" => numeric.to_string(),
        _ => format!("{layers}/{numeric}"),
    };
    LAYERS.iter().flat_map(|(layers, _)| NUMERICS.iter().map(move |n| join(layers, n.0))).collect()
}

/// The stack of a name.
///
/// # Errors
///
/// When a part of the name is unknown (the message lists what is there, and suggests the nearest name), or when its numeric
/// domain is missing on this machine (the message says how to get it).
pub fn open(name: &str) -> Result<AnyDomain, StackError> {
    let (layers, numeric) = name.rsplit_once('/').unwrap_or(("", name));
    let known_layers = LAYERS.iter().any(|(known, _)| *known == layers) && !name.starts_with('/');
    match NUMERICS.iter().find(|n| n.0 == numeric) {
        Some(Numeric(_, _, make)) if known_layers => make(layers)
            .map_err(|reason| StackError::new(StackErrorKind::Missing, format!("stack {name} is missing: {reason}"))),
        found => {
            let wrong = match found {
                None => format!("no numeric domain is called '{numeric}'"),
                Some(_) => format!("no layers are called '{layers}'"),
            };
            let names = stack_names();
            let nearest = nearest(name, names.iter().map(String::as_str));
            let suggestion = nearest.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            let list = |part: Part| {
                let of_part = available().into_iter().filter(|info| info.part == part);
                of_part.map(|info| info.name).collect::<Vec<_>>().join(", ")
            };
            let message = format!(
                "unknown stack '{name}': {wrong}{suggestion} (a stack is a numeric domain: {}; or layers/numeric, with layers: {})",
                list(Part::Numeric),
                list(Part::Layer),
            );
            Err(StackError::new(StackErrorKind::Unknown, message))
        }
    }
}

/// The strongest of [`default_stacks`] that needs no library.
pub fn default_stack() -> &'static str {
    DEFAULT
}

/// Whether a stack needs no library that may be missing.
pub fn is_native(name: &str) -> bool {
    !name.contains("apron")
}

/// Of stacks that are tried one after the other, how many stand before the first that is not
/// native; at least one, if there is any. They are fast enough to come before other engines.
pub fn native_first<S: AsRef<str>>(stacks: &[S]) -> usize {
    stacks.iter().take_while(|s| is_native(s.as_ref())).count().max(1).min(stacks.len())
}

/// The stacks to try one after the other, for what is still open, when none is named: those that are there. Never empty.
pub fn default_stacks() -> Vec<&'static str> {
    DEFAULTS.into_iter().filter(|name| open(name).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_core::{Lattice, MemoryDomain};

    #[test]
    fn every_stack_opens_by_its_name_or_says_how_to_get_it() {
        for name in stack_names() {
            match open(&name) {
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
        let names = stack_names();
        assert_eq!(names.len(), LAYERS.len() * NUMERICS.len());
        for name in [
            "box",
            "smash/box",
            "octagon",
            "smash/octagon",
            "apron-octagon",
            "smash/apron-octagon",
            "smash/apron-polyhedra",
        ] {
            assert!(names.iter().any(|n| n == name), "{name} is not among {names:?}");
        }
    }

    #[test]
    fn unknown_names_are_explained() {
        let message = |name: &str| {
            let error = open(name).map(|domain| domain.name()).unwrap_err();
            assert_eq!(error.kind(), StackErrorKind::Unknown);
            error.to_string()
        };
        assert_eq!(
            message("smash/bxo"),
            "unknown stack 'smash/bxo': no numeric domain is called 'bxo'; did you mean smash/box? (a stack is a numeric \
             domain: box, octagon, apron-octagon, apron-octagon-mpq, apron-box, apron-polyhedra; or layers/numeric, \
             with layers: partition, relation/partition, smash)"
        );
        assert!(message("smsh/box").contains("no layers are called 'smsh'; did you mean smash/box? ("));
        assert!(message("zonotopes").contains("no numeric domain is called 'zonotopes' ("));
        for odd in ["", "/", "/box", "smash", "smash/", "smash//box", "smash/smash/box", "box/smash", "BOX"] {
            message(odd);
        }
    }

    #[test]
    fn parts_are_listed_even_where_they_are_missing() {
        let all = available();
        assert!(all.iter().any(|info| info.name == "smash" && info.part == Part::Layer));
        let numeric = |name: &str| all.iter().find(|info| info.name == name && info.part == Part::Numeric).unwrap();
        assert_eq!(numeric("box").missing, None);
        assert_eq!(numeric("apron-octagon").missing.is_none(), open("apron-octagon").is_ok());
    }

    #[test]
    fn the_default_needs_nothing_that_may_be_missing() {
        assert!(is_native(default_stack()) && open(default_stack()).is_ok());
        let defaults = default_stacks();
        assert_eq!(defaults[native_first(&defaults) - 1], default_stack());
    }
}
