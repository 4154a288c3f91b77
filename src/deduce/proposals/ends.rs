//! The ends of stretches of arrays that a loop goes through.

use super::finder::Finder;
use super::parts::{MOST_ENDS, Names, comparisons};
use crate::deduce::candidates::moved;
use crate::program::exact::term_of;
use crate::program::{Block, Loop, Root, Stmt, StmtKind, Term, TermOp, Visit, each_stmt};

impl Finder<'_> {
    /// Whether a stretch with these ends has other elements as the loop goes on.
    pub(super) fn moves(&self, low: &Term, high: &Term) -> bool {
        let mut names = Names::default();
        names.term(low);
        names.term(high);
        self.moved.iter().any(|v| names.found.contains(v))
    }

    /// 0, variables that the loop moves, and the same plus 1, what they begin with, and what the
    /// conditions of the loop, and of loops inside, compare.
    pub(super) fn stretch_ends(&self, body: &Block, s: &Stmt, l: &Loop) -> Vec<Term> {
        let mut found = vec![Term::Int(0)];
        let mut add = |t: Term| {
            let t = self.in_one_form(t);
            if !found.iter().any(|other| other.is_same(&t)) {
                found.push(t);
            }
        };
        for v in self.moved.iter().take(MOST_ENDS) {
            add(self.variable(*v));
            add(self.sum(*v, 1));
        }
        let mut compared = Vec::new();
        let mut look = |l: &Loop| comparisons(&l.condition, &mut |_, a, b| compared.extend([a.clone(), b.clone()]));
        look(l);
        for block in s.blocks() {
            each_stmt(block, &mut |s| {
                if let StmtKind::Loop(l) = &s.kind {
                    look(l);
                }
            });
        }
        each_stmt(body, &mut |s| {
            if let StmtKind::Assign(to, e) = &s.kind
                && to.as_var().is_some_and(|v| self.moved.iter().take(MOST_ENDS).any(|m| *m == v))
            {
                compared.push(e.clone());
            }
        });
        for e in compared {
            if let Some(n) = e.without_integer_casts().as_int() {
                add(Term::Int(n));
            } else if let Some((v, n)) = moved(&e) {
                if !self.moved.contains(&v) && !self.declared.contains(&v) {
                    add(self.sum(v, n));
                    add(self.sum(v, n + 1));
                }
            } else if let Some(sum) = term_of(self.program, &e).filter(|t| self.is_sum(t)) {
                add(sum.clone().plus(1));
                add(sum);
            }
        }
        found
    }

    /// Whether a term mentions what only lives inside the loop.
    pub(super) fn is_inside(&self, t: &Term) -> bool {
        let mut names = Names::default();
        names.term(t);
        names.found.iter().any(|v| self.declared.contains(v))
    }

    /// Whether a term is a sum or a difference of constants and of variables from outside the loop.
    fn is_sum(&self, t: &Term) -> bool {
        match t {
            Term::Int(_) => true,
            Term::Read(place) => match &place.root {
                Root::Variable(l) => place.steps.is_empty() && l.as_var().is_some_and(|v| !self.declared.contains(&v)),
                _ => false,
            },
            Term::Binary(TermOp::Add | TermOp::Sub, a, b) => self.is_sum(a) && self.is_sum(b),
            _ => false,
        }
    }
}
