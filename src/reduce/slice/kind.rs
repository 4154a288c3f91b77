//! The kinds of slices.

/// What a slice keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// What decides the values, and whether the obligation is reached.
    Backward,
    /// What decides the values.
    Value,
    /// What the values are computed from.
    Thin,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Backward => "backward",
            Kind::Value => "value",
            Kind::Thin => "thin",
        }
    }
}
