//! Whether a concrete state lies in an abstract one.
