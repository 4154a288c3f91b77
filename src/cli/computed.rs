//! What loops compute, for the verbs that show it.

use super::input::Input;
use crate::clock;
use crate::program::Program;
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::report::SummaryView;
use crate::summary::Summary;
use std::time::Instant;

/// What the loops of a program compute, in words. At `until`, values become unknowns.
pub(super) fn computed(program: &Program, input: &Input, until: Instant) -> SummaryView {
    let function = program.function(program.analysed());
    let mut view = SummaryView {
        files: input.names(),
        function: function.shown().into_owned(),
        function_at: Some(function.location),
        assumptions: program.assumptions.iter().map(|a| a.text.clone()).collect(),
        ..SummaryView::default()
    };
    let inlined = Inlined::new(program);
    let late = move || clock::now() >= until;
    let computed = Summary::of(&inlined, late).and_then(|computed| Ok(computed.describe(inlined.parts()?.0)));
    match computed {
        Ok(points) => view.points = points,
        Err(why) => view.notes.push(refusal(program, &why)),
    }
    view
}

/// A refusal as a sentence.
pub(super) fn refusal(program: &Program, why: &Refusal) -> String {
    format!("there is no summary, because {}", why.describe(program))
}
