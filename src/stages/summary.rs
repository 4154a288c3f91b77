//! The stage `summary`: proves assertions by the exact values that loops compute.
//!
//! The values are those of runs without undefined behaviour, so a proof needs a run that reaches
//! the assertion. It says nothing of the checks of operations, which such values presume.

use super::arrivals::{Arrivals, Need};
use super::board::Board;
use crate::program::Program;
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::summary::Summary;
use crate::verdict::Reason;
use std::cell::LazyCell;
use std::time::Instant;

pub(super) fn run(
    program: &Program,
    inlined: &Inlined,
    arrivals: &mut Arrivals<'_>,
    deadline: Instant,
    board: &mut Board<'_>,
) {
    let summary = LazyCell::new(|| summarised(inlined));
    board.each_assertion(deadline, |obligation, assertion, _, board| {
        board.working("what the loops compute");
        let summary = summary.as_ref().map_err(|why| {
            log::info!("there is no summary, because {}", why.describe(program));
            Reason::from(why.clone())
        })?;
        if !summary.holds(assertion) {
            return Err(Reason::Undecided("the values that the loops leave do not show it".to_owned()));
        }
        // One run may reach all assertions.
        arrivals.vouch(obligation.key, Need::Run, deadline)?;
        Ok("by closed forms".to_owned())
    });
}

fn summarised(inlined: &Inlined) -> Result<Summary, Refusal> {
    let (program, body) = inlined.parts()?;
    let refused = |at| Refusal::at(at, "a jump leads backward or into a loop");
    let summary = Summary::new(program, body).map_err(refused)?;
    for one in &summary.unsolved {
        let (at, name) = (program.sources.describe(one.at), &program.variable(one.region.variable).name);
        log::debug!("{at}: `{name}` has no closed form after this loop: {:?}", one.why);
    }
    for one in &summary.asserted {
        let known: Vec<String> = one.given.iter().map(|t| summary.context.show(*t)).collect();
        let facts = smalti_terms::Facts::new(&summary.context).with_all(&one.given);
        let goal = facts.simplify(one.condition);
        log::debug!("assertion {:?}: {} if {}", one.assertion, summary.context.show(goal), known.join(" and "));
    }
    Ok(summary)
}
