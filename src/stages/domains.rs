//! The stage `domains`: abstract interpretation.

use super::CheckConfig;
use super::board::Board;
use crate::analysis::{self, AnalysisConfig};
use crate::program::{Assumption, Program};
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::time::Instant;

/// What the domains say beside verdicts.
pub(super) struct Facts {
    pub(super) assumptions: Vec<Assumption>,
    pub(super) configuration: BTreeMap<String, String>,
}

/// Analyses the program and decides what the invariants prove.
pub(super) fn run(
    program: &Program,
    config: &CheckConfig,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Facts, analysis::Error> {
    let analysis = AnalysisConfig { deadline: Some(deadline), ..config.analysis.clone() };
    board.working("abstract interpretation");
    let found = analysis::analyse(program, &board.open(), &analysis)?;
    for (key, finding) in found.findings {
        match finding.verdict {
            verdict @ (Verdict::Proved | Verdict::Unreachable) => board.decide(key, verdict, finding.detail, None),
            // An invariant that says "always fails" is no run that does.
            Verdict::Unknown | Verdict::Violated => board.leave(key, finding.detail),
        }
    }
    board.leave_unless_told(&board.open(), "the analysis says nothing about it");
    board.statistics.extend(found.statistics);
    Ok(Facts { assumptions: found.assumptions, configuration: BTreeMap::new() })
}
