//! The parts of stacks: one line for each numeric domain, one line for each way to put arrays on
//! top of it.

use crate::{AnyDomain, AnyNumeric};
use smalti_apron::{ApronDomain, Kind};
use smalti_box::BoxDomain;
use smalti_core::NumericDomain;
use smalti_factored::FactoredDomain;
use smalti_octagon::OctagonDomain;
use smalti_partition::PartitionDomain;
use smalti_smash::{ScalarsDomain, SmashDomain};
use std::sync::Arc;

/// A numeric domain.
#[derive(Clone)]
pub(crate) struct NumericPart {
    pub(crate) name: String,
    /// A short description.
    pub(crate) about: String,
    /// Whether it is there on every machine.
    pub(crate) native: bool,
    /// Puts layers on it, unless it is missing on this machine.
    pub(crate) put: Arc<dyn Fn(&Layers) -> Result<AnyDomain, String> + Send + Sync>,
}

/// The numeric domains that smalti brings, in the order in which they are listed.
pub(crate) fn numerics() -> Vec<NumericPart> {
    let native = |name, about, put: fn(&Layers) -> Result<AnyDomain, String>| NumericPart {
        name: String::from(name),
        about: String::from(about),
        native: true,
        put: Arc::new(put),
    };
    let of_apron = |name, about, put| NumericPart { native: false, ..native(name, about, put) };
    vec![
        native("box", "intervals; native, always there", |l| put(l, Ok(BoxDomain))),
        native("octagon", "octagons over the integers: +-x +-y <= c; native, always there", |l| {
            put(l, Ok(OctagonDomain))
        }),
        of_apron("apron-octagon", "APRON's octagons over doubles: +-x +-y <= c", |l| put(l, apron(Kind::Octagon))),
        of_apron("apron-octagon-mpq", "APRON's octagons over rationals: exact, slow", |l| {
            put(l, apron(Kind::OctagonMpq))
        }),
        of_apron("apron-box", "APRON's intervals over rationals", |l| put(l, apron(Kind::Box))),
        of_apron("apron-polyhedra", "APRON's convex polyhedra over rationals", |l| {
            put(l, apron(Kind::Polyhedra).map(FactoredDomain::new))
        }),
    ]
}

fn apron(kind: Kind) -> Result<ApronDomain, String> {
    ApronDomain::new(kind).map_err(|error| error.to_string())
}

/// Makes a domain for arrays of any numeric domain.
pub(crate) type Over = dyn Fn(AnyNumeric) -> AnyDomain + Send + Sync;

/// The layers of a stack.
#[derive(Clone)]
pub(crate) enum Layers {
    /// Layers that smalti brings. They know the type of the numeric domain below.
    Own(Own),
    /// Layers from outside.
    Added(Arc<Over>),
}

layers! {
    Scalars "": "scalars only; arrays have arbitrary contents" => ScalarsDomain::new,
    Partition "partition": "groups of cells that need not be contiguous" => PartitionDomain::new,
    Relation "relation/partition": "the same, and which groups indexes point into" => smalti_relation::over,
    Smash "smash": "one summary for all cells of an array" => SmashDomain::new,
}

/// From `variant name: about => constructor`, the list of layers and the function that puts layers
/// on a numeric domain. A macro, because each layer is a generic function and so cannot be an entry
/// of a table.
macro_rules! layers {
    ($($variant:ident $name:literal: $about:literal => $new:path,)*) => {
        /// Layers that smalti brings.
        #[derive(Clone, Copy)]
        pub(crate) enum Own {
            $($variant,)*
        }

        /// The layers that smalti brings, with their names and what they are.
        pub(crate) const OWN: &[(Own, &str, &str)] = &[$((Own::$variant, $name, $about)),*];

        /// Puts layers on a numeric domain.
        ///
        /// # Errors
        /// The numeric domain is missing: why, and how to get it.
        pub(crate) fn put<D: NumericDomain + 'static>(
            layers: &Layers,
            numeric: Result<D, String>,
        ) -> Result<AnyDomain, String> {
            let numeric = numeric?;
            Ok(match layers {
                $(Layers::Own(Own::$variant) => AnyDomain::new($new(numeric)),)*
                Layers::Added(over) => over(AnyNumeric::new(numeric)),
            })
        }
    };
}
use layers;
