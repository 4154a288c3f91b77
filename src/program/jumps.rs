//! Where the jumps of a function lead.

use super::{Block, LabelId, Stmt, StmtKind, Visit};
use std::collections::HashMap;

/// Where jumps lead.
#[derive(Clone, Copy, Default, Debug)]
pub struct Jumps {
    /// Whether one goes to an earlier label.
    pub lead_back: bool,
    /// Whether one goes into a loop that it is not in.
    pub enter_loops: bool,
}

impl Jumps {
    /// The jumps in a body.
    pub fn of(body: &Block) -> Jumps {
        let mut walk = Walk::default();
        walk.block(body);
        walk.found
    }
}

#[derive(Default)]
struct Walk {
    /// The loops around, outermost first, by their numbers.
    around: Vec<usize>,
    loops: usize,
    /// The labels so far, with the loops around them.
    passed: HashMap<LabelId, Vec<usize>>,
    /// Jumps to labels that come later, and the loops around the jumps.
    open: Vec<(LabelId, Vec<usize>)>,
    found: Jumps,
}

impl<'p> Visit<'p> for Walk {
    fn stmt(&mut self, s: &'p Stmt) {
        match &s.kind {
            StmtKind::Goto(label) => match self.passed.get(label) {
                Some(to) => {
                    self.found.lead_back = true;
                    self.found.enter_loops |= !self.around.starts_with(to);
                }
                None => self.open.push((*label, self.around.clone())),
            },
            StmtKind::Label(label, _) => {
                self.passed.insert(*label, self.around.clone());
                let enters = |(to, from): &(LabelId, Vec<usize>)| to == label && !from.starts_with(&self.around);
                self.found.enter_loops |= self.open.iter().any(enters);
            }
            _ => {}
        }
        let is_loop = matches!(s.kind, StmtKind::Loop(_));
        if is_loop {
            self.loops += 1;
            self.around.push(self.loops);
        }
        s.blocks().for_each(|b| self.block(b));
        if is_loop {
            self.around.pop();
        }
    }
}
