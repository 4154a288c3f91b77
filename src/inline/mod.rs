//! Replaces calls by the bodies of the functions called.
