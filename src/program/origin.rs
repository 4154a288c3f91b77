//! Where names come from: the source, or smalti itself.

use super::{Function, FunctionId, Member, VarId, Variable};
use std::borrow::Cow;

/// Where a variable, a function or a member of a struct comes from.
///
/// Only the origin tells what smalti has made: a name of its own may also be a name of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Origin {
    /// The source declares it.
    #[default]
    Source,
    /// A pass over the program made it. Readers see its name as they see those of the source.
    Pass,
    /// A pass made it of the memory whose address this variable of the source receives.
    Block(VarId),
    /// It keeps a value between two steps of one expression or statement.
    Temporary,
    /// It holds the characters of a string literal.
    StringLiteral,
    /// It is the object of a compound literal that is made once in its lifetime.
    Literal,
    /// It is the object of a compound literal that may be made again in its lifetime.
    KeptLiteral,
    /// It is an object whose lifetime ends with an expression (C11 6.2.4 p8).
    Passing,
    /// It holds the length of an array of variable length.
    Length,
    /// It determines the array that arguments of the entry point to: it is the arbitrary length, or
    /// the pointer to an array that several arguments share.
    OfArgument,
    /// It is arbitrary: the number of the element that an argument of the entry points to, in an
    /// array that may have elements before.
    OffsetOfArgument,
    /// It holds the value that a variable had earlier, for an annotation.
    Old,
    /// It holds the result of the current function, for its contract.
    Result,
    /// It holds the result of an inlined call of this function.
    ResultOf(FunctionId),
    /// It holds an arbitrary truth value, by which a slice, or the caller of the entry, chooses
    /// where to go on.
    Choice,
    /// It is the function that calls the entry with any arguments that its contract allows.
    Start,
    /// It is a function without a body, and what it does here is what its contract says.
    Contract,
    /// It is a parameter or member to which the source gives no name.
    Unnamed,
}

impl Origin {
    /// Whether the source does not know it: no text of the source names it, and results about the
    /// source leave it out.
    pub fn is_hidden(self) -> bool {
        !matches!(self, Origin::Source | Origin::Pass | Origin::Block(_))
    }

    /// Whether it keeps a value between two steps of one expression or statement.
    pub fn is_temporary(self) -> bool {
        self == Origin::Temporary
    }

    /// Whether it holds the result of a function.
    pub fn is_result(self) -> bool {
        matches!(self, Origin::Result | Origin::ResultOf(_))
    }

    /// The origin of what a pass makes from such a variable, such as its value at another time.
    #[must_use]
    pub fn derived(self) -> Origin {
        if self == Origin::Source { Origin::Pass } else { self }
    }
}

impl Variable {
    /// Whether the source does not know the variable.
    pub fn is_hidden(&self) -> bool {
        self.origin.is_hidden()
    }

    /// The name for readers who also see names of the source. One that the source does not know
    /// begins with `$`.
    pub fn shown(&self) -> Cow<'_, str> {
        shown(self.origin, &self.name)
    }
}

impl Function {
    /// The name for readers who also see names of the source. One that the source does not know
    /// begins with `$`.
    pub fn shown(&self) -> Cow<'_, str> {
        shown(self.origin, &self.name)
    }
}

impl Member {
    /// Whether the source gives the member no name.
    pub fn is_unnamed(&self) -> bool {
        self.origin == Origin::Unnamed
    }

    /// Whether the source gives both members the same name, or no name.
    pub fn has_name_of(&self, other: &Member) -> bool {
        (&self.name, self.origin) == (&other.name, other.origin)
    }
}

fn shown(origin: Origin, name: &str) -> Cow<'_, str> {
    if origin.is_hidden() { format!("${name}").into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Storage, Type, testing};

    #[test]
    fn only_the_origin_tells_what_is_hidden() {
        let mut b = testing::build();
        let own = b.hidden("t1", Origin::Temporary, Type::INT);
        let of_source = b.var("$t1", Type::INT, Storage::Local);
        let (own, of_source) = (b.program.variable(own).clone(), b.program.variable(of_source));
        assert!(own.is_hidden() && own.origin.is_temporary() && own.shown() == "$t1");
        assert!(!of_source.is_hidden() && !of_source.origin.is_temporary());
        assert_eq!([Origin::Source.derived(), Origin::Old.derived()], [Origin::Pass, Origin::Old]);
        assert!(!Origin::Pass.is_hidden());
    }
}
