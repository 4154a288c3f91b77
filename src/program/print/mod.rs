//! Turns a program back into C: single expressions and conditions for people, whole programs for
//! gcc, CBMC and people.
//!
//! [`expr`], [`lvalue`] and [`check`] write for readers: source names, no suffixes on constants, no
//! conversions that change nothing. [`to_c`] writes exactly: every identifier is unique, every
//! constant has its type, and what the text means to a C compiler is what the program means.

mod check;
mod defined;
mod dialect;
mod expressions;
mod formulas;
mod harness;
mod layout;
mod names;
mod statements;
#[cfg(test)]
mod tests;
mod types;

pub use dialect::{Dialect, Plain};
pub use harness::{Harness, gcc_harness, gcc_harness_of_many};
pub use layout::Placement;

use super::{
    AccessPath, Block, Check, Claim, ClaimRole, Entered, Expr, Formula, FunctionId, LabelId, Lvalue, Program, Step,
    StructId, Type, VarId,
};
use expressions::Writer;
use layout::Layout;
use names::CNames;
use std::cell::Cell;

/// The condition of a check, as a reader would write it in C, without the guards.
pub fn check(program: &Program, check: &Check<'_>) -> String {
    check::describe(program, check)
}

/// An expression, as a reader would write it in C.
pub fn expr(program: &Program, expr: &Expr) -> String {
    Writer { program, exact: None }.expr(expr)
}

/// An lvalue, as a reader would write it in C.
pub fn lvalue(program: &Program, lvalue: &Lvalue) -> String {
    Writer { program, exact: None }.lvalue(lvalue)
}

/// A path, as a reader would write it in C; `index` writes the indices.
pub fn path<I>(program: &Program, path: &AccessPath<I>, index: impl FnMut(&I) -> String) -> String {
    let variable = program.variable(path.variable);
    format!("{}{}", variable.shown(), steps(program, &variable.ty, &path.path, index))
}

/// The steps of a path in an object of type `root`: `.cells[3]`. They end where they do not fit the
/// type.
pub fn steps<I>(program: &Program, root: &Type, path: &[Step<I>], mut index: impl FnMut(&I) -> String) -> String {
    let mut text = |entered| match entered {
        Entered::Member(_, member) => format!(".{}", member.name),
        Entered::Element(i, ..) => format!("[{}]", index(i)),
    };
    program.entered(root, path).map_while(|entered| entered.map(&mut text)).collect()
}

/// A claim, as ACSL: `assert a[k] > 0;`.
pub fn claim(program: &Program, claim: &Claim) -> String {
    let word = match claim.role {
        ClaimRole::Assume | ClaimRole::Follows => "assume",
        ClaimRole::Assert(_) => "assert",
        ClaimRole::Check(_) => "check",
    };
    format!("{word} {};", formula(program, &claim.formula))
}

/// A formula, as ACSL.
pub fn formula(program: &Program, formula: &Formula) -> String {
    formulas::formula(program, formula)
}

/// The whole program as one C file. The dialect decides how inputs, assumptions, assertions and
/// storage are written.
pub fn to_c<D: Dialect>(program: &Program, dialect: &mut D) -> String {
    let mut printer = Printer::new(program, dialect.prefix());
    printer.opaque = dialect.opaque();
    statements::program(&printer, dialect)
}

/// How the storage of each variable of the program is written.
pub fn placements(program: &Program) -> Vec<Placement> {
    Layout::new(program).placements
}

/// What a [`Dialect`] needs to write C: exact text for the parts of a program, and unique names.
pub struct Printer<'p> {
    program: &'p Program,
    names: CNames,
    layout: Layout,
    fresh: Cell<u32>,
    opaque: bool,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, prefix: &str) -> Printer<'p> {
        let layout = Layout::new(program);
        let names = CNames::new(program, &layout, prefix);
        Printer { program, names, layout, fresh: Cell::new(0), opaque: false }
    }

    fn writer(&self) -> Writer<'_> {
        Writer { program: self.program, exact: Some(self) }
    }

    /// The program that is printed.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The C name of a variable.
    pub fn variable(&self, id: VarId) -> &str {
        &self.names.variables[id.0 as usize]
    }

    /// The C name of a function.
    pub fn function(&self, id: FunctionId) -> &str {
        &self.names.functions[id.0 as usize]
    }

    /// The C name of a label.
    pub fn label(&self, id: LabelId) -> &str {
        self.names.labels.get(&id).map_or("smalti_missing_label", String::as_str)
    }

    /// How the storage of a variable is written.
    pub fn placement(&self, id: VarId) -> Placement {
        self.layout.placements[id.0 as usize]
    }

    /// An expression, exactly; its parts keep their C types. Not in parentheses.
    pub fn expr(&self, expr: &Expr) -> String {
        self.writer().expr(expr)
    }

    /// An expression as an operand of a postfix or unary operator or a cast: in parentheses where
    /// needed.
    pub fn operand(&self, expr: &Expr) -> String {
        self.writer().operand(expr)
    }

    /// An lvalue, exactly, as it is written to the left of `=`.
    pub fn lvalue(&self, lvalue: &Lvalue) -> String {
        self.writer().lvalue(lvalue)
    }

    /// The address of the object that an lvalue denotes, of type `T *` for an object of type `T`.
    pub fn address(&self, lvalue: &Lvalue) -> String {
        self.writer().address(lvalue)
    }

    /// The name of a type, as a cast writes it.
    pub fn type_name(&self, ty: &Type) -> String {
        types::declarator(self, ty, "")
    }

    /// The declaration of `name` with that type, without `;`.
    pub fn declarator(&self, ty: &Type, name: &str) -> String {
        types::declarator(self, ty, name)
    }

    /// The statement that assigns: `lvalue = value;`.
    pub fn assignment(&self, lvalue: &Lvalue, value: &str) -> String {
        format!("{} = {value};", self.lvalue(lvalue))
    }

    /// The name of a member of a struct or union.
    pub fn member(&self, id: StructId, field: u32) -> String {
        self.writer().member(id, field)
    }

    /// The name and the parameters of a function, as its declaration has them.
    pub fn signature(&self, id: FunctionId) -> String {
        statements::signature(self, id)
    }

    /// The guards of a check as one C condition: the check applies if it is not 0. `None` without
    /// guards.
    pub fn guards(&self, check: &Check<'_>) -> Option<String> {
        let parts: Vec<String> = check
            .guards
            .iter()
            .map(|g| if g.holds { self.operand(g.condition) } else { format!("!{}", self.operand(g.condition)) })
            .collect();
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    /// An identifier that nothing else in the text has, for a temporary of the dialect.
    pub fn fresh(&self, stem: &str) -> String {
        let n = self.fresh.get() + 1;
        self.fresh.set(n);
        format!("smalti_{stem}_{n}")
    }
}

/// Whether a block is empty, or does nothing.
fn does_nothing(block: &Block) -> bool {
    block.iter().all(|s| matches!(s.kind, super::StmtKind::Skip))
}
