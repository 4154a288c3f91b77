//! What is known of scalars wherever a run comes to the test of one loop.

use super::layout::{BlockId, Home, Meaning};
use super::{AnalysisConfig, Error, Solved};
use crate::inline::inline;
use crate::program::{LoopId, Program, Type, VarId};
use smalti_core::{Constraint, Lattice, Memory, Relation, Var};

/// The sum of the products and the constant, compared with 0, over the mathematical integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarFact {
    /// Integer variables and their factors.
    pub terms: Vec<(VarId, i128)>,
    /// What is added.
    pub constant: i128,
    /// The comparison.
    pub relation: Relation,
}

/// What holds each time a run without undefined behaviour comes to the test of a loop of the entry function. `None` if no run comes there.
///
/// # Errors
/// The stack cannot be had.
pub fn facts_at_loop(program: &Program, id: LoopId, config: &AnalysisConfig) -> Result<Option<Vec<ScalarFact>>, Error> {
    let inlined = inline(program);
    let solved = Solved::new(&inlined, config)?;
    let mut nodes = solved.cfg.loops.get(&id).into_iter().flatten().flat_map(|l| l.peeled.iter().chain([&l.head]));
    let Some(first) = nodes.next() else { return Ok(None) };
    let mut state = solved.solution.state(*first).clone();
    nodes.for_each(|n| state.join_with(solved.solution.state(*n)));
    let facts = state.memory.facts();
    if facts.unreachable || state.is_bottom() {
        return Ok(None);
    }
    let variable = |v: Var| {
        let layout = &solved.model.layout;
        let Meaning::Leaf(leaf) = *layout.meanings.get(usize::try_from(v.0).ok()?)? else { return None };
        let leaf = layout.leaf(leaf);
        match (leaf.block, &leaf.ty) {
            (BlockId::Variable(id), Type::Int(_)) if leaf.path.is_empty() && leaf.home == Home::Scalar(v) => Some(id),
            _ => None,
        }
    };
    let fact = |c: &Constraint| {
        let terms = c.expr.terms().iter().map(|&(v, factor)| Some((variable(v)?, factor))).collect::<Option<_>>()?;
        Some(ScalarFact { terms, constant: c.expr.constant_part(), relation: c.relation })
    };
    Ok(Some(facts.scalars.iter().filter_map(fact).collect()))
}
