//! Checks that accesses lie inside their arrays, as far as this is visible.
//!
//! The bound's proof does not need this: it considers a run only up to its first access out of
//! range. But if nothing keeps a loop inside its array (`int a[10]; for (i = 0; i < n; i++) ...`),
//! a proof would rest on that alone, and it is refused.

use super::super::Refusal;
use super::model::{Model, ModelPart, Operand, Target};
use crate::program::{Length, Program, Type};

/// Refuses programs in which a loop may leave an array of constant length.
pub(super) fn check(program: &Program, model: &Model) -> Result<(), Refusal> {
    for part in &model.parts {
        let ModelPart::Loop(l) = part else { continue };
        let uses = l.code.defs.iter().flat_map(|d| &d.uses).chain(l.code.conds.iter().flat_map(|c| &c.uses));
        let uses = uses.chain(l.code.looks.iter().flat_map(|k| &k.uses));
        let read = uses.filter_map(|u| match u.operand {
            Operand::Cell(a, c) => Some((a, c, u.at)),
            _ => None,
        });
        let written = l.code.defs.iter().filter_map(|d| match d.target {
            Target::Cell(a, c) => Some((a, c, d.at)),
            _ => None,
        });
        for (a, c, at) in read.chain(written) {
            let v = model.arrays[a].variable;
            let mut ty = &program.variable(v).ty;
            for _ in 0..model.along.get(&v).copied().unwrap_or(0) {
                if let Type::Array(element, _) = ty {
                    ty = element;
                }
            }
            let Type::Array(_, Length::Constant(length)) = ty else { continue };
            let ends = [(l.first + c) * model.sign, (l.last + c) * model.sign];
            let inside = |place: &i128| (0..i128::from(*length)).contains(place);
            if model.symbol.is_some() || !ends.iter().all(inside) {
                return Err(Refusal::at(at, "the loop may leave the array"));
            }
        }
    }
    Ok(())
}
