//! What proposals are made of: comparisons and names.

use crate::program::{BinaryOp, Block, Expr, ExprKind, Formula, Lvalue, Root, StmtKind, Type, VarId, Visit, each_stmt};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The greatest number of variables of a loop at which stretches end.
pub(super) const MOST_ENDS: usize = 4;
/// A variable with more values is no flag.
const MOST_VALUES: usize = 3;

/// A part of a formula that the source claims.
pub(super) struct Claimed {
    pub(super) formula: Formula,
    /// Whether an assertion says so, and not the check of an operation.
    pub(super) is_asserted: bool,
}

/// A cell of an array: the variable and the number of which its index is the sum.
pub(super) struct Cell {
    pub(super) array: Lvalue,
    pub(super) index: VarId,
    pub(super) offset: i128,
}

/// Between which numbers the elements of arrays are, as the source assumes.
pub(super) type Bounds = HashMap<VarId, (Option<i128>, Option<i128>)>;

/// A variable that only ever holds a few constants.
pub(super) struct Flag {
    pub(super) variable: VarId,
    pub(super) values: BTreeSet<i128>,
}

impl Flag {
    /// The flag that a variable is, if all that a body does with it is to assign constants.
    pub(super) fn of(variable: VarId, body: &Block) -> Option<Flag> {
        let (mut values, mut others) = (BTreeSet::new(), false);
        each_stmt(body, &mut |s| match &s.kind {
            StmtKind::Assign(to, e) if to.as_var() == Some(variable) => match e.without_integer_casts().as_int() {
                Some(n) => _ = values.insert(n),
                None => others = true,
            },
            StmtKind::Zero(to) if to.as_var() == Some(variable) => _ = values.insert(0),
            StmtKind::Input(to, _) | StmtKind::Havoc(to) => others |= to.as_var() == Some(variable),
            _ => {}
        });
        (!others && (2..=MOST_VALUES).contains(&values.len())).then_some(Flag { variable, values })
    }
}

/// The variables that a formula or an expression names.
#[derive(Default)]
pub(super) struct Names {
    pub(super) found: HashSet<VarId>,
}

impl<'p> Visit<'p> for Names {
    fn variable(&mut self, v: &'p VarId) {
        self.found.insert(*v);
    }

    fn ty(&mut self, _: &'p Type) {}
}

/// Whether a formula reads more than plain variables.
pub(super) fn reads_elements(f: &Formula) -> bool {
    let mut found = false;
    f.each_place(&mut |place| found |= !place.steps.is_empty() || !matches!(place.root, Root::Variable(_)));
    found
}

/// The comparisons of integers in a condition.
pub(super) fn comparisons(e: &Expr, f: &mut impl FnMut(BinaryOp, &Expr, &Expr)) {
    match &e.kind {
        ExprKind::And(a, b) | ExprKind::Or(a, b) => {
            comparisons(a, f);
            comparisons(b, f);
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => comparisons(a, f),
        ExprKind::Binary(op, a, b) if op.is_comparison() && matches!(a.ty, Type::Int(_)) => f(*op, a, b),
        _ => {}
    }
}
