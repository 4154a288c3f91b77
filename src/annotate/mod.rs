//! What annotations can say at loops and at ends of functions: where these are in a program whose
//! calls are inlined, what names mean there ([`scopes`]), and what a loop may change ([`assigns`]).

mod assigns;
pub(crate) mod scopes;

pub(crate) use assigns::assigns;
