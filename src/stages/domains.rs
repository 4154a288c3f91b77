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
            verdict @ (Verdict::Proved | Verdict::Unreachable) => {
                let detail = if finding.detail.is_empty() { found.stack.clone() } else { finding.detail };
                board.decide(key, verdict, detail, None);
            }
            // An invariant that says "always fails" is no run that does.
            Verdict::Unknown | Verdict::Violated => board.leave(key, finding.detail),
        }
    }
    board.leave_unless_told(&board.open(), "the analysis says nothing about it");
    board.statistics.extend(found.statistics);
    found.notes.iter().for_each(|sentence| board.note(sentence));
    let settings = [
        ("stack", found.stack),
        ("widening_delay", analysis.widening_delay.to_string()),
        ("descending", analysis.descending.to_string()),
        ("peel", analysis.peel.to_string()),
    ];
    let configuration = settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Facts { assumptions: found.assumptions, configuration })
}
