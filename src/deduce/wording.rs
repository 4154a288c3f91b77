//! Invariants that were found, in words: as in ACSL.

use super::candidates::Guess;
use super::state::Part;
use crate::program::{BinaryOp, Formula, Origin, Program, Term, VarId, print};

/// A guess as in ACSL; `None` if it is about something that the source does not name.
pub(super) fn shown(guess: &Guess, program: &Program) -> Option<String> {
    let name = |v: VarId| program.known_as(v).name.clone();
    let plus = |t: String, n: i128| match n {
        0 => t,
        _ if n < 0 => format!("{t} - {}", -n),
        _ => format!("{t} + {n}"),
    };
    match guess {
        Guess::Moved(v, up) => {
            let order = if *up { ">=" } else { "<=" };
            Some(format!("{0} {order} \\at({0}, LoopEntry)", name(*v)))
        }
        Guess::Ordered(a, b, slack) => {
            Some(format!("{} <= {}", print::expr(program, a), plus(print::expr(program, b), *slack)))
        }
        Guess::Proposed(formula) => Some(print::formula(program, &plain(formula))),
        Guess::Kept { region: (v, parts), below, counter, before, offset, included } => {
            let [Part::Elements] = parts[..] else { return None };
            let index = if *before { format!("\\at({}, LoopEntry)", name(*counter)) } else { name(*counter) };
            let order = if *included { "<=" } else { "<" };
            let index = plus(index, *offset);
            let outside = if *below { format!("k {order} {index}") } else { format!("{index} {order} k") };
            Some(format!("\\forall integer k; {outside} ==> {0}[k] == \\at({0}[k], LoopEntry)", name(*v)))
        }
    }
}

/// The formula without the guards that a quantifier's range repeats.
fn plain(formula: &Formula) -> Formula {
    let mut formula = formula.clone();
    if let Formula::ForAll(all) = &mut formula
        && let Formula::Implies(guard, then) = &all.body
    {
        let k = Term::Bound(all.bound);
        let from = Formula::Compare(BinaryOp::LessEqual, all.low.clone(), k.clone());
        let to = Formula::Compare(BinaryOp::Less, k, all.high.clone());
        if **guard == Formula::And(Box::new(from), Box::new(to)) {
            all.body = plain(then);
        }
    }
    formula
}

/// The program with the names of the source: what a pointer points to has the name of the pointer.
pub(super) fn with_names_of_source(program: &Program) -> Program {
    let mut named = program.clone();
    for variable in &mut named.variables {
        if let Origin::Block(pointer) = variable.origin {
            variable.name.clone_from(&program.variable(pointer).name);
        }
    }
    named
}
