//! Precision does not depend on how a program is written: of what is proved of a program, nearly
//! all is proved of its variants, too.

#[path = "../parallel/mod.rs"]
mod parallel;
mod partition;
mod summary;
mod syntax;
mod templates;
