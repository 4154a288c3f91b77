//! What stands in functions that nothing calls: no run comes there, and CBMC leaves such functions out of its answer.

use crate::program::{
    AssertionId, Block, Callee, ExprKind, FunctionId, ObligationKey, Program, SiteId, StmtKind, each_expr, each_stmt,
};
use std::collections::{BTreeSet, HashSet};

/// The statements of functions that no chain of calls from the entry comes to. A function whose address is taken counts as
/// called where that is done.
#[derive(Debug, Default)]
pub(super) struct Uncalled {
    sites: HashSet<SiteId>,
    assertions: HashSet<AssertionId>,
}

impl Uncalled {
    pub(super) fn new(program: &Program) -> Uncalled {
        let mut called = BTreeSet::from([program.entry]);
        called.extend(mentioned(&program.initialisers));
        let mut open: Vec<FunctionId> = called.iter().copied().collect();
        while let Some(f) = open.pop() {
            let inside = program.function(f).body.as_ref().map(mentioned).unwrap_or_default();
            open.extend(inside.into_iter().filter(|g| called.insert(*g)));
        }
        let mut uncalled = Uncalled::default();
        let functions = (0..).map(FunctionId).zip(&program.functions);
        for body in functions.filter(|(f, _)| !called.contains(f)).filter_map(|(_, f)| f.body.as_ref()) {
            each_stmt(body, &mut |s| {
                uncalled.sites.insert(s.site);
                match &s.kind {
                    StmtKind::Assert(_, id) => _ = uncalled.assertions.insert(*id),
                    StmtKind::Claim(claim) => uncalled.assertions.extend(claim.role.assertion()),
                    _ => {}
                }
            });
        }
        uncalled
    }

    pub(super) fn contains(&self, key: ObligationKey) -> bool {
        match key {
            ObligationKey::Assertion(id) => self.assertions.contains(&id),
            ObligationKey::Check(site, _) => self.sites.contains(&site),
        }
    }
}

/// The functions that a block calls, or whose address it takes.
fn mentioned(block: &Block) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee: Callee::Function(f), .. } = s.kind {
            found.insert(f);
        }
        each_expr(s, &mut |e| {
            if let ExprKind::FunctionAddress(f) = e.kind {
                found.insert(f);
            }
        });
    });
    found
}
