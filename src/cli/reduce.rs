//! The verb `reduce`: what a reduction makes of a program, for people.

use super::arguments::{Reduce, ReductionArgument};
use super::progress::ProgressLine;
use super::{Deadline, Stop, status, verbs};
use crate::cbmc;
use crate::program::{
    AssertionId, Location, LoopId, Obligation, ObligationKey, ObligationKind, Program, obligations, print,
};
use crate::reduce::accelerate;
use crate::reduce::normal::{nest, normalise};
use crate::reduce::prune::prune;
use crate::stages::{self, Shrinking};

/// A reduced program, and why it stands for the program.
struct Reduced {
    /// None where nothing is left to run.
    program: Option<Program>,
    why: Vec<String>,
}

/// The text, and the exit status: 3 if the reduction does not apply to all that was asked for.
pub(super) fn reduce(arguments: &Reduce, deadline: Deadline, progress: &ProgressLine) -> Result<(String, u8), Stop> {
    let program = verbs::load(&arguments.input, deadline, progress)?;
    let all = obligations(&program, &[ObligationKind::Assertion]);
    let chosen: Vec<&Obligation> = match &arguments.assert {
        Some(id) => all.iter().filter(|o| o.id == *id).collect(),
        None => all.iter().collect(),
    };
    if chosen.is_empty() {
        let known: Vec<&str> = all.iter().map(|o| o.id.as_str()).collect();
        return Err(verbs::wrong(match &arguments.assert {
            Some(id) if known.is_empty() => format!("there is no assertion `{id}`: the program has none"),
            Some(id) => format!("there is no assertion `{id}`; there are {}", known.join(", ")),
            None => "the program has no assertion".to_owned(),
        }));
    }
    let (mut text, mut status) = (String::new(), status::TRUE);
    for (n, obligation) in chosen.into_iter().enumerate() {
        let ObligationKey::Assertion(_) = obligation.key else { continue };
        progress.say(&obligation.id);
        if n > 0 {
            text.push('\n');
        }
        let place = program.sources.describe(obligation.location);
        text += &format!("// {place}: {} ({})\n", obligation.condition, obligation.id);
        match reduced(&program, obligation, arguments, deadline) {
            Ok(all) => {
                for reduced in all {
                    reduced.why.iter().for_each(|line| text += &format!("// {line}\n"));
                    if let Some(program) = reduced.program {
                        text += &print::to_c(&program, &mut print::Plain);
                    }
                }
            }
            Err(why) => {
                status = status::UNKNOWN;
                text += &format!("// does not apply, because {why}\n");
            }
        }
    }
    Ok((text, status))
}

/// The reduced programs: one for each place where the assertion stands, or one for all.
fn reduced(
    program: &Program,
    obligation: &Obligation,
    arguments: &Reduce,
    deadline: Deadline,
) -> Result<Vec<Reduced>, String> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err("it is no assertion".to_owned());
    };
    match arguments.by {
        ReductionArgument::Prune => {
            let pruned = normalise(program, assertion).and_then(|normal| prune(&normal, assertion));
            let pruned = pruned.map_err(|why| why.describe(program))?;
            let mut why =
                vec!["pruned: where the program fails, this one fails, if signed arithmetic wraps around".to_owned()];
            why.extend(pruned.explanation.lines(&pruned.program));
            Ok(vec![Reduced { program: Some(pruned.program), why }])
        }
        ReductionArgument::Shrink => shrunk(program, obligation, assertion, arguments, deadline),
    }
}

fn shrunk(
    program: &Program,
    obligation: &Obligation,
    assertion: AssertionId,
    arguments: &Reduce,
    deadline: Deadline,
) -> Result<Vec<Reduced>, String> {
    if nest(program, assertion).and_then(|nest| accelerate::prove(&nest)).is_ok() {
        let why = "shrunk to no iteration: all values that the assertion reads have closed forms, and these prove it";
        return Ok(vec![Reduced { program: None, why: vec![why.to_owned()] }]);
    }
    let cbmc = cbmc::find(arguments.cbmc.as_deref()).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    for Shrinking { form, k, .. } in stages::shrinkings(program, obligation, &cbmc, deadline.work)? {
        let place = |at| program.sources.describe(at);
        let list = |loops: &[(LoopId, Location)]| loops.iter().map(|l| place(l.1)).collect::<Vec<_>>().join(", ");
        let mut why = vec![format!("shrunk to k = {k}: every sequence of {} iterations is {k}-shrinkable", k + 1)];
        why.push(format!("the loop: {}; the property: {}", list(&form.loops), form.property));
        if !form.dropped.is_empty() {
            why.push(format!("loops before it that count as arbitrary values: {}", list(&form.dropped)));
        }
        why.push("no run of these iterations fails, so none of the program does".to_owned());
        let residual = form.residual(assertion, k).map_err(|why| why.describe(program))?;
        all.push(Reduced { program: Some(residual.program), why });
    }
    Ok(all)
}
