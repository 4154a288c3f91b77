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

/// Analyses the program with one stack after the other, and decides what the invariants prove. Each stack is given half of the
/// time that is left, the last one all of it: the first stacks are the fast ones.
pub(super) fn run(
    program: &Program,
    config: &CheckConfig,
    deadline: Instant,
    board: &mut Board<'_>,
) -> Result<Facts, analysis::Error> {
    let mut facts = Facts { assumptions: Vec::new(), configuration: BTreeMap::new() };
    let mut ran: Vec<String> = Vec::new();
    for (n, stack) in config.stacks.iter().enumerate() {
        let open = board.open();
        let now = Instant::now();
        if open.is_empty() || n > 0 && now >= deadline {
            break;
        }
        let left = deadline.saturating_duration_since(now);
        let until = if n + 1 == config.stacks.len() { deadline } else { now + left / 2 };
        let analysis = AnalysisConfig { stack: Some(stack.clone()), deadline: Some(until), ..config.analysis.clone() };
        board.working(&format!("abstract interpretation with {stack}"));
        let found = analysis::analyse(program, &open, &analysis)?;
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
        for (name, number) in found.statistics {
            *board.statistics.entry(name).or_default() += number;
        }
        found.notes.iter().for_each(|sentence| board.note(sentence));
        facts.assumptions.extend(found.assumptions);
        ran.push(found.stack);
    }
    board.leave_unless_told(&board.open(), "the analysis says nothing about it");
    let settings = [
        ("stack", ran.join(" ")),
        ("widening_delay", config.analysis.widening_delay.to_string()),
        ("descending", config.analysis.descending.to_string()),
        ("peel", config.analysis.peel.to_string()),
    ];
    facts.configuration.extend(settings.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Ok(facts)
}
