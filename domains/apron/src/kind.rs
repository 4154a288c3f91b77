//! The domains by name.

/// One of APRON's domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Octagons over doubles that round upwards: the fast ones.
    Octagon,
    /// Octagons over rationals: exact, and 10 to 25 times slower. For comparison in tests.
    OctagonMpq,
    /// Boxes over rationals. (APRON 0.9.10 has boxes over doubles too; they are not sound, see the
    /// crate's documentation.)
    Box,
    /// Convex polyhedra over rationals, topologically closed.
    Polyhedra,
}

impl Kind {
    /// All of them, in the order of their names.
    pub const ALL: [Kind; 4] = [Kind::Box, Kind::Octagon, Kind::OctagonMpq, Kind::Polyhedra];

    /// The name in a stack.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Box => "apron-box",
            Kind::Octagon => "apron-octagon",
            Kind::OctagonMpq => "apron-octagon-mpq",
            Kind::Polyhedra => "apron-polyhedra",
        }
    }

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub(crate) fn is_double(self) -> bool {
        self == Kind::Octagon
    }

    pub(crate) fn is_box(self) -> bool {
        self == Kind::Box
    }

    pub(crate) fn is_octagon(self) -> bool {
        matches!(self, Kind::Octagon | Kind::OctagonMpq)
    }
}
