//! Sets of numbers, as formulas: `x \in {a, b}` is `x == a || x == b`.

use super::resolve::{Logic, span};
use super::syntax::{Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::program::{BinaryOp, Formula, Term};

impl Lowerer<'_> {
    /// Whether a number is in a set.
    pub(super) fn is_among(&mut self, element: &Term, set: &Node, logic: &mut Logic) -> Lowered<Formula> {
        let compare = |op, a: &Term, b: &Term| Formula::Compare(op, a.clone(), b.clone());
        match &set.kind {
            NodeKind::Set(all) => self.is_among_all(element, all, true, logic),
            NodeKind::Call(name, _, all) if name == "\\union" => self.is_among_all(element, all, true, logic),
            NodeKind::Call(name, _, all) if name == "\\inter" && !all.is_empty() => {
                self.is_among_all(element, all, false, logic)
            }
            NodeKind::All => Ok(Formula::Constant(true)),
            NodeKind::Range(low, high) => {
                let mut formula = Formula::Constant(true);
                for (end, is_low) in [(low, true), (high, false)] {
                    if matches!(end.kind, NodeKind::All) {
                        continue;
                    }
                    let (end, _) = self.term_of(end, logic)?;
                    let side = match is_low {
                        true => compare(BinaryOp::LessEqual, &end, element),
                        false => compare(BinaryOp::LessEqual, element, &end),
                    };
                    formula = match formula {
                        Formula::Constant(true) => side,
                        other => Formula::And(Box::new(other), Box::new(side)),
                    };
                }
                Ok(formula)
            }
            _ => {
                // Any other term stands for the set that has nothing else.
                let (only, _) = self.term_of(set, logic)?;
                Ok(compare(BinaryOp::Equal, element, &only))
            }
        }
    }

    /// Whether a number is in one of the sets, or in all of them.
    fn is_among_all(&mut self, element: &Term, sets: &[Node], one: bool, logic: &mut Logic) -> Lowered<Formula> {
        let mut found: Option<Formula> = None;
        for set in sets {
            let next = self.is_among(element, set, logic)?;
            found = Some(match found {
                None => next,
                Some(others) if one => Formula::Or(Box::new(others), Box::new(next)),
                Some(others) => Formula::And(Box::new(others), Box::new(next)),
            });
        }
        Ok(found.unwrap_or(Formula::Constant(!one)))
    }

    /// `\subset(a, b)`, if `a` lists its elements.
    pub(super) fn is_subset(&mut self, a: &Node, b: &Node, logic: &mut Logic) -> Lowered<Formula> {
        let mut elements = Vec::new();
        let mut open = vec![a];
        while let Some(set) = open.pop() {
            match &set.kind {
                NodeKind::Set(all) => open.extend(all.iter().rev()),
                NodeKind::Call(name, _, all) if name == "\\union" => open.extend(all.iter().rev()),
                NodeKind::Range(..) | NodeKind::All | NodeKind::Call(..) => {
                    return self.unsupported(span(set), "a set that does not list its elements is not supported here");
                }
                _ => elements.push(set),
            }
        }
        let mut all = Formula::Constant(true);
        for element in elements {
            let (element, _) = self.term_of(element, logic)?;
            let one = self.is_among(&element, b, logic)?;
            all = match all {
                Formula::Constant(true) => one,
                others => Formula::And(Box::new(others), Box::new(one)),
            };
        }
        Ok(all)
    }
}
