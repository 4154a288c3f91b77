//! Finds statements in functions that nothing calls. No run reaches them, and the text for CBMC
//! leaves such functions out.

use crate::program::{AssertionId, FunctionId, ObligationKey, Program, SiteId, StmtKind, each_stmt};
use std::collections::HashSet;

/// The statements of functions that no chain of calls from the entry reaches. A function counts as
/// called by the functions that take its address.
#[derive(Debug, Default)]
pub(super) struct Uncalled {
    sites: HashSet<SiteId>,
    assertions: HashSet<AssertionId>,
}

impl Uncalled {
    pub(super) fn new(program: &Program) -> Uncalled {
        let called = program.called_functions();
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
