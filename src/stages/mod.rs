//! Decides obligations: the domains first, then what is left by stronger means.
