//! Facts about scalars that hold each time a run reaches the test of one loop.

use super::layout::{BlockId, Home, Meaning};
use super::{AnalysisConfig, Error, Solved};
use crate::inline::inline;
use crate::program::{BinaryOp, Expr, IntKind, Location, LoopId, Lvalue, Program, Type, VarId};
use smalti_core::{Constraint, Lattice, Memory, Relation, Var};

/// The type that sums are computed in.
const WIDE: Type = Type::Int(IntKind::LongLong);
/// No factor of a variable is larger.
const LARGEST_FACTOR: i128 = 1 << 20;
/// The most variables in one sum, so that sums stay below 2^62.
const MOST_TERMS: usize = 16;
/// No constant is larger.
const LARGEST_CONSTANT: i128 = 1 << 60;

/// The sum of the products and the constant, compared with 0, over the mathematical integers.
struct Fact {
    /// Integer variables and their factors.
    terms: Vec<(VarId, i128)>,
    /// What is added.
    constant: i128,
    /// The comparison.
    relation: Relation,
}

/// Conditions that hold each time a run without undefined behaviour reaches the test of a loop of
/// the entry function. They are about its scalars, and their evaluation does not overflow. `None`
/// if no run reaches the test.
///
/// # Errors
/// The stack is not available.
pub fn facts_at_loop(program: &Program, id: LoopId, config: &AnalysisConfig) -> Result<Option<Vec<Expr>>, Error> {
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
        Some(Fact { terms, constant: c.expr.constant_part(), relation: c.relation })
    };
    let at = program.function(program.entry).location;
    Ok(Some(facts.scalars.iter().filter_map(fact).filter_map(|f| condition(program, &f, at)).collect()))
}

/// The fact as a condition whose evaluation does not overflow.
fn condition(program: &Program, fact: &Fact, at: Location) -> Option<Expr> {
    if fact.constant.abs() > LARGEST_CONSTANT || fact.terms.is_empty() || fact.terms.len() > MOST_TERMS {
        return None;
    }
    let mut narrow = Vec::new();
    // One term of 64 bits stands alone on its side: no sum is made with it.
    let mut alone: Option<(VarId, i128)> = None;
    for &(v, factor) in &fact.terms {
        let kind = program.variable(v).ty.as_int()?;
        if kind.width(program.data_model) <= 32 {
            if factor.abs() > LARGEST_FACTOR {
                return None;
            }
            narrow.push((v, factor));
        } else if kind.is_signed() && factor.abs() == 1 && alone.is_none() {
            alone = Some((v, factor));
        } else {
            return None;
        }
    }
    let op = match fact.relation {
        Relation::NonNegative => BinaryOp::GreaterEqual,
        Relation::Zero => BinaryOp::Equal,
        Relation::NonZero => BinaryOp::NotEqual,
    };
    let negated = |terms: &[(VarId, i128)]| terms.iter().map(|(v, factor)| (*v, -factor)).collect::<Vec<_>>();
    let (left, right) = match alone {
        Some((v, 1)) => (sum(program, &[(v, 1)], 0, at), sum(program, &negated(&narrow), -fact.constant, at)),
        Some((v, _)) => (sum(program, &narrow, fact.constant, at), sum(program, &[(v, 1)], 0, at)),
        None => {
            let (more, less): (Vec<_>, Vec<_>) = narrow.iter().partition(|(_, factor)| *factor > 0);
            let (up, down) = (fact.constant.max(0), (-fact.constant).max(0));
            (sum(program, &more, up, at), sum(program, &negated(&less), down, at))
        }
    };
    Some(Expr::binary(op, left, right, Type::INT))
}

/// The sum of products and a constant, in 64 bits.
fn sum(program: &Program, products: &[(VarId, i128)], constant: i128, at: Location) -> Expr {
    let number = |n: i128| Expr::int(n, IntKind::LongLong, at);
    let mut sum = None;
    for &(v, factor) in products {
        let value = Expr::load(Lvalue::var(program, v, at)).cast(WIDE);
        let product = |factor: i128| match factor {
            1 => value.clone(),
            _ => Expr::binary(BinaryOp::Mul, number(factor), value.clone(), WIDE),
        };
        sum = Some(match sum {
            None => product(factor),
            Some(sum) if factor < 0 => Expr::binary(BinaryOp::Sub, sum, product(-factor), WIDE),
            Some(sum) => Expr::binary(BinaryOp::Add, sum, product(factor), WIDE),
        });
    }
    match sum {
        None => number(constant),
        Some(sum) if constant == 0 => sum,
        Some(sum) if constant < 0 => Expr::binary(BinaryOp::Sub, sum, number(-constant), WIDE),
        Some(sum) => Expr::binary(BinaryOp::Add, sum, number(constant), WIDE),
    }
}
