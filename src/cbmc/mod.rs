//! The external model checker CBMC.
