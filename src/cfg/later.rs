//! What may run after a statement, across calls.

use super::{Action, Cfg, CfgConfig};
use crate::program::{Callee, FunctionId, Program, SiteId, StmtKind};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use std::collections::{BTreeSet, HashSet};

/// A node of the graph of a function.
type Place = (usize, NodeIndex);

/// What may run after statements of a program: the graphs of all functions, and which of them call
/// which.
pub struct Later<'p> {
    /// Whether control may go on in any function that has called `setjmp`.
    comes_back: bool,
    /// `None` for a function without a body.
    of: Vec<Option<Cfg<'p>>>,
    /// Where calls of each function come back to.
    backs: Vec<Vec<Place>>,
    /// Where calls come back to that may lead to any function whose address is taken.
    unknown: Vec<Place>,
    /// The functions whose address is taken.
    taken: BTreeSet<FunctionId>,
    /// Whether a call of a function may come back.
    returns: Vec<bool>,
}

/// What a statement calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Called {
    One(usize),
    /// Any function whose address is taken.
    Any,
    Nothing,
}

impl<'p> Later<'p> {
    /// Builds the graphs.
    pub fn new(program: &'p Program) -> Later<'p> {
        let config = CfgConfig { peel: 0, ..CfgConfig::default() };
        let functions = (0..program.functions.len()).map(|n| FunctionId(n as u32));
        let graph = |f| program.function(f).body.is_some().then(|| Cfg::of_function(program, f, &config));
        let count = program.functions.len();
        let mut graphs = Later {
            comes_back: program.comes_back(),
            of: functions.map(graph).collect(),
            backs: vec![Vec::new(); count],
            unknown: Vec::new(),
            taken: program.address_taken_functions(),
            returns: program.functions.iter().map(|f| f.body.is_none()).collect(),
        };
        for f in 0..count {
            let calls: Vec<(Called, NodeIndex)> =
                graphs.edges(f).map(|(action, to)| (graphs.called(action), to)).collect();
            for (called, to) in calls {
                match called {
                    Called::One(g) => graphs.backs[g].push((f, to)),
                    Called::Any => graphs.unknown.push((f, to)),
                    Called::Nothing => {}
                }
            }
        }
        graphs.find_returns();
        graphs
    }

    /// The sites of all statements that may run after one at these sites has begun, itself
    /// included; `None` if that is not known.
    ///
    /// More are among them than there are such runs: each way in the graph of a function counts as
    /// one that a run goes, and each call comes back to all its callers.
    pub fn after(&self, from: &BTreeSet<SiteId>) -> Option<BTreeSet<SiteId>> {
        if self.comes_back {
            return None;
        }
        let (mut found, mut starts) = (BTreeSet::new(), Vec::new());
        for (f, cfg) in self.of.iter().enumerate().filter_map(|(f, cfg)| Some((f, cfg.as_ref()?))) {
            let loops = cfg.loops.values().flatten().map(|l| (l.stmt.site, l.before));
            let others = cfg.occurrences.iter().flat_map(|(site, all)| all.iter().map(|o| (*site, o.before)));
            for (site, before) in loops.chain(others).filter(|(site, _)| from.contains(site)) {
                found.insert(site);
                starts.push((f, before));
            }
        }
        (found.len() == from.len()).then(|| self.after_places(starts))
    }

    /// What the statement on an edge calls. Code that is not there may call back.
    fn called(&self, action: Action<'_>) -> Called {
        let Action::Stmt(stmt) = action else { return Called::Nothing };
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Function(f), .. } if self.of[f.0 as usize].is_some() => {
                Called::One(f.0 as usize)
            }
            StmtKind::Call { .. } | StmtKind::HavocReachable(_) => Called::Any,
            _ => Called::Nothing,
        }
    }

    fn edges(&self, f: usize) -> impl Iterator<Item = (Action<'p>, NodeIndex)> {
        let edges = self.of[f].iter().flat_map(|cfg| cfg.graph.edge_references());
        edges.map(|edge| (edge.weight().action, edge.target()))
    }

    /// Finds the functions of which a call may come back: the least solution, since a call that
    /// never ends does not.
    fn find_returns(&mut self) {
        let mut open: Vec<usize> = (0..self.of.len()).collect();
        while let Some(f) = open.pop() {
            if !self.returns[f] && self.comes_to_exit(f) {
                self.returns[f] = true;
                open.extend(self.backs[f].iter().map(|(caller, _)| *caller));
            }
        }
    }

    fn comes_to_exit(&self, f: usize) -> bool {
        let Some(cfg) = &self.of[f] else { return true };
        let (mut seen, mut open) = (HashSet::from([cfg.entry]), vec![cfg.entry]);
        while let Some(node) = open.pop() {
            if node == cfg.exit {
                return true;
            }
            let edges = cfg.graph.edges(node).filter(|edge| self.goes_on(edge.weight().action));
            open.extend(edges.map(|edge| edge.target()).filter(|to| seen.insert(*to)));
        }
        false
    }

    /// Whether control may come to the end of an edge.
    fn goes_on(&self, action: Action<'_>) -> bool {
        match self.called(action) {
            Called::One(g) => self.returns[g],
            Called::Any | Called::Nothing => true,
        }
    }

    fn after_places(&self, mut open: Vec<Place>) -> BTreeSet<SiteId> {
        let (mut sites, mut seen) = (BTreeSet::new(), open.iter().copied().collect::<HashSet<Place>>());
        while let Some((f, node)) = open.pop() {
            let Some(cfg) = &self.of[f] else { continue };
            let mut next: Vec<Place> = Vec::new();
            if node == cfg.exit {
                next.extend(&self.backs[f]);
                if self.taken.contains(&FunctionId(f as u32)) {
                    next.extend(&self.unknown);
                }
            }
            for edge in cfg.graph.edges(node) {
                let action = edge.weight().action;
                match action {
                    Action::Skip => {}
                    Action::Stmt(stmt) | Action::Branch { stmt, .. } => _ = sites.insert(stmt.site),
                }
                let entry = |g: usize| self.of[g].as_ref().map(|cfg| (g, cfg.entry));
                match self.called(action) {
                    Called::One(g) => next.extend(entry(g)),
                    Called::Any => next.extend(self.taken.iter().filter_map(|g| entry(g.0 as usize))),
                    Called::Nothing => {}
                }
                if self.goes_on(action) {
                    next.push((f, edge.target()));
                }
            }
            open.extend(next.into_iter().filter(|place| seen.insert(*place)));
        }
        sites
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, load_text};
    use std::collections::BTreeMap;

    /// After the statement on the line with `// from`, the lines that end in `later` may run, and
    /// no others.
    fn check(text: &str) {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()));
        let lines_with = |mark: &str| -> BTreeSet<u32> {
            (1..).zip(text.lines()).filter(|(_, line)| line.contains(mark)).map(|(n, _)| n).collect()
        };
        let (mut from, mut lines) = (None, BTreeMap::new());
        program.each_stmt(|s| {
            lines.insert(s.site, s.location.line);
            if lines_with("// from").contains(&s.location.line) && from.is_none() {
                from = Some(s.site);
            }
        });
        let sites = Later::new(&program).after(&from.into_iter().collect()).expect("known");
        let found: BTreeSet<u32> = sites.iter().map(|site| lines[site]).collect();
        for line in lines_with(";") {
            let text = text.lines().nth(line as usize - 1).unwrap_or_default();
            assert_eq!(found.contains(&line), text.ends_with("later"), "{text}\n{found:?}");
        }
    }

    #[test]
    fn calls_come_back_to_all_callers_unless_the_run_ends_in_them() {
        check(
            "int g, *p;
             void exit(int);
             static void usage(void) {
                 g = *p; // from, later
                 exit(1); // later
             }
             static int f(int n) {
                 if (n) usage();
                 g++;
                 return g;
             }
             int main(void) {
                 f(1);
                 g = 3;
                 return 0;
             }",
        );
        check(
            "int g, *p;
             static void inner(void) {
                 g = *p; // from, later
             }
             static void h(void) {
                 g = 7; // later
             }
             static int f(int n) {
                 if (n) inner(); // later
                 g++; // later
                 return g; // later
             }
             int main(void) {
                 g = 1;
                 while (g < 3) { // later
                     f(1); // later
                 }
                 g = 4; // later
                 h(); // later
                 return 0; // later
             }",
        );
    }

    #[test]
    fn code_that_is_not_there_may_call_back() {
        check(
            "int g, *p;
             void register_it(void (*)(void));
             void unknown(void);
             static void handed(void) {
                 g = 5; // later
             }
             static void other(void) {
                 g = 6;
             }
             int main(void) {
                 other();
                 register_it(handed);
                 g = *p; // from, later
                 unknown(); // later
                 return 0; // later
             }",
        );
    }

    #[test]
    fn control_that_comes_back_may_go_on_anywhere() {
        let text = "typedef long jmp_buf[25]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); jmp_buf b; int g;
            static void f(void) { g = 1; longjmp(b, 1); }
            int main(void) { if (setjmp(b) == 0) f(); g = 2; return 0; }";
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", text, &options).unwrap_or_else(|e| panic!("{}", e.message()));
        let mut sites = Vec::new();
        program.each_stmt(|s| sites.push(s.site));
        let later = Later::new(&program);
        assert!(sites.into_iter().all(|site| later.after(&BTreeSet::from([site])).is_none()));
    }
}
