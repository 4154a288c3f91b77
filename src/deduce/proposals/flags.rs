//! Proposals under conditions on flags: variables that only ever hold a few constants.
//!
//! Where a loop notes in a flag what it has met, more may be known of the elements while the flag
//! has one of its values: `swapped == 0 ==> \forall integer k; 1 <= k < i ==> a[k - 1] <= a[k]`.

use super::finder::{Finder, Found};
use crate::program::{BinaryOp, Formula, Term};

impl Finder<'_> {
    /// Between which constants the flags are, and the proposals so far, under the condition that a
    /// flag has one value.
    pub(super) fn of_flags(&self, found: &mut Found<'_>) {
        let is_plain = |f: &&Formula| matches!(f, Formula::ForAll(_) | Formula::Compare(BinaryOp::LessEqual, ..));
        let plain: Vec<Formula> = found.all().iter().filter(is_plain).cloned().collect();
        for flag in &self.flags {
            let value = || self.variable(flag.variable);
            for (op, n) in [(BinaryOp::GreaterEqual, flag.values.first()), (BinaryOp::LessEqual, flag.values.last())] {
                found.extend(n.map(|n| Formula::Compare(op, value(), Term::Int(*n))));
            }
            for n in &flag.values {
                let condition = Formula::Compare(BinaryOp::Equal, value(), Term::Int(*n));
                let under = |f: &Formula| Formula::Implies(Box::new(condition.clone()), Box::new(f.clone()));
                found.extend(plain.iter().map(under));
            }
        }
    }
}
