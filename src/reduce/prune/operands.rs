//! What expressions and lvalues of a loop read and write, in terms of its counter.

use super::super::Refusal;
use super::build::{Builder, FAR, ReachingDefinitions};
use super::model::{Operand, Path, Target, Use};
use super::terms::{constant, displaced};
use crate::program::{Base, BinaryOp, Expr, ExprKind, IntKind, Lvalue, Step, Type};
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The target that a written scalar lvalue denotes.
    pub(super) fn target(&mut self, l: &Lvalue) -> Result<Target, Refusal> {
        Ok(match self.operand(l)? {
            Operand::Scalar(s) => Target::Scalar(s),
            Operand::Cell(a, c) => Target::Cell(a, c),
            Operand::Fixed(a, k) => Target::Fixed(a, k),
        })
    }

    /// The targets that an lvalue of any type denotes when it is written as a whole.
    pub(super) fn targets(&mut self, l: &Lvalue) -> Result<Vec<Target>, Refusal> {
        if matches!(l.ty, Type::Int(_)) {
            return Ok(vec![self.target(l)?]);
        }
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(l.location, "it does not support pointers"));
        };
        if !l.path.is_empty() {
            return Err(Refusal::at(l.location, "part of a variable is written as a whole"));
        }
        Ok(vec![Target::Whole(v)])
    }

    pub(super) fn counter(&self, e: &Expr) -> bool {
        let counter = self.within.as_ref().map(|w| w.counter);
        matches!(&e.kind, ExprKind::Load(l) if l.as_var().is_some() && l.as_var() == counter)
    }

    /// The offset, in places, of an expression that is the counter plus a constant in every
    /// iteration. Unless `exactly` is set, only the iterations count in which its value may be an
    /// index.
    pub(super) fn counter_plus(&self, e: &Expr, exactly: bool) -> Option<i128> {
        let sum = displaced(e, self.data);
        let within = self.within.as_ref()?;
        if !self.counter(sum.base) || sum.offset.abs() > FAR {
            return None;
        }
        let kind = sum.base.ty.as_int()?;
        let in_range = sum.wraps.iter().filter(|(wraps, _)| exactly || !wraps.is_signed()).all(|(wraps, offset)| {
            // The least and the greatest value of the counter in the loop.
            let (mut low, mut high) = (within.first * self.sign, within.last * self.sign);
            if self.sign < 0 {
                std::mem::swap(&mut low, &mut high);
            }
            if within.symbolic {
                // The counter is below the bound, which is a value of the counter's type.
                high = kind.max(self.data) + within.last.min(0);
            }
            let kind = *wraps;
            low + offset >= IntKind::min(kind, self.data) && high + offset <= IntKind::max(kind, self.data)
        });
        in_range.then_some(sum.offset * self.sign)
    }

    /// What a scalar lvalue reads or writes.
    pub(super) fn operand(&mut self, l: &Lvalue) -> Result<Operand, Refusal> {
        let at = l.location;
        let Base::Var(v) = l.base else {
            return Err(Refusal::at(at, "it does not support pointers"));
        };
        if !matches!(l.ty, Type::Int(_)) {
            return Err(Refusal::at(at, "a value is not an integer"));
        }
        if self.counters.contains(&v) {
            return Err(Refusal::at(at, "a loop's counter is used as a value"));
        }
        let along = self.along.get(&v).copied();
        let (mut path, mut index) = (Vec::with_capacity(l.path.len()), None);
        for (n, step) in l.path.iter().enumerate() {
            match step {
                Step::Field(id, _) if self.program.structure(*id).is_union => {
                    return Err(Refusal::at(at, "it does not support unions"));
                }
                Step::Field(id, field) => path.push(Step::Field(*id, *field)),
                Step::Index(e) => {
                    let value = match constant(e, self.data) {
                        Some(k) if k.abs() > FAR => return Err(Refusal::at(at, "an index is too large")),
                        Some(k) => Ok(k),
                        None => Err(self.counter_plus(e, false)),
                    };
                    match value {
                        Ok(k) if along == Some(n) => {
                            index = Some(Err(k * self.sign));
                            path.push(Step::Index(None));
                        }
                        Ok(k) => path.push(Step::Index(Some(k))),
                        Err(Some(c)) if along == Some(n) => {
                            index = Some(Ok(c));
                            path.push(Step::Index(None));
                        }
                        Err(_) => {
                            let reason = if self.within.is_some() {
                                "an index in a loop is not its counter plus a constant"
                            } else {
                                "an index outside loops is not a constant"
                            };
                            return Err(Refusal::at(e.location, reason));
                        }
                    }
                }
            }
        }
        let path = Path { variable: v, path };
        Ok(match index {
            None => Operand::Scalar(self.scalars.id(path)),
            Some(Ok(c)) => Operand::Cell(self.arrays.id(path), c),
            Some(Err(k)) => {
                self.fixed = Some(self.fixed.map_or(k, |f| f.max(k)));
                Operand::Fixed(self.arrays.id(path), k)
            }
        })
    }

    pub(super) fn uses(&mut self, e: &Expr, known: &ReachingDefinitions) -> Result<Vec<Use>, Refusal> {
        let mut found = Vec::new();
        self.read(e, known, &mut found)?;
        Ok(found)
    }

    pub(super) fn read(&mut self, e: &Expr, known: &ReachingDefinitions, found: &mut Vec<Use>) -> Result<(), Refusal> {
        let at = e.location;
        if !matches!(e.ty, Type::Int(_)) {
            return Err(Refusal::at(at, "a value is not an integer"));
        }
        if self.counts(e) {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Int(_) => {}
            ExprKind::Load(l) => {
                let operand = self.operand(l)?;
                let (reach, entry) = known.get(&operand).cloned().unwrap_or((BTreeSet::new(), true));
                found.push(Use { operand, reach, entry, at });
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.read(a, known, found)?,
            ExprKind::Binary(op, a, b) => {
                // Arithmetic is total here. An operation without a value in C for some operands
                // could have any value in CBMC.
                match (op, constant(b, self.data)) {
                    (BinaryOp::Div | BinaryOp::Rem, None | Some(0)) => {
                        return Err(Refusal::at(at, "a divisor is not a constant"));
                    }
                    (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, amount) => {
                        let width = e.ty.as_int().map_or(0, |kind| i128::from(kind.width(self.data)));
                        if !amount.is_some_and(|n| 0 <= n && n < width) {
                            return Err(Refusal::at(at, "a shift is not by a constant below the width"));
                        }
                    }
                    (BinaryOp::PointerAdd | BinaryOp::PointerDiff, _) => {
                        return Err(Refusal::at(at, "it does not support pointers"));
                    }
                    _ => {}
                }
                self.read(a, known, found)?;
                self.read(b, known, found)?;
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.read(a, known, found)?;
                self.read(b, known, found)?;
            }
            ExprKind::Conditional(c, a, b) => {
                for part in [c, a, b] {
                    self.read(part, known, found)?;
                }
            }
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => {
                return Err(Refusal::at(at, "a value is not an integer"));
            }
        }
        Ok(())
    }

    /// Whether the value of an expression depends on the counter alone, and only on its residue or
    /// on its side of a constant. Then the iterations that the theorem identifies agree on it. The
    /// residue goes into Θ, the constant into K^c.
    pub(super) fn counts(&mut self, e: &Expr) -> bool {
        let ExprKind::Binary(op, a, b) = &e.kind else { return false };
        if self.sign < 0 {
            return false;
        }
        if *op == BinaryOp::Rem
            && let (Some(c), Some(m)) = (self.counter_plus(a, true), constant(b, self.data))
        {
            // The remainder of a negative number is not its residue.
            let positive = self.within.as_ref().is_some_and(|w| w.first + c >= 0);
            if positive && m > 0 && m < FAR {
                self.moduli.insert(m);
                return true;
            }
        }
        if op.is_comparison() {
            let side = match (self.counter_plus(a, true), constant(b, self.data)) {
                (Some(c), Some(k)) => Some(k - c),
                _ => match (constant(a, self.data), self.counter_plus(b, true)) {
                    (Some(k), Some(c)) => Some(k - c),
                    _ => None,
                },
            };
            // A wider type on both sides gives the same answer as the counter's own type.
            if let Some(side) = side.filter(|s| s.abs() < FAR) {
                self.threshold = Some(self.threshold.map_or(side, |t| t.max(side)));
                return true;
            }
        }
        false
    }
}
