//! The verb `reduce`: what a reduction makes of a program, for people.

use super::arguments::{Reduce, ReductionArgument};
use super::progress::ProgressLine;
use super::{Deadline, Stop, status, verbs};
use crate::program::{Obligation, ObligationKey, ObligationKind, Program, obligations, print};
use crate::reduce::Refusal;
use crate::reduce::normal::normalise;
use crate::reduce::prune::prune;

/// A reduced program, and why it stands for the program.
struct Reduced {
    program: Program,
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
        match reduced(&program, obligation, arguments.by) {
            Ok(reduced) => {
                reduced.why.iter().for_each(|line| text += &format!("// {line}\n"));
                text += &print::to_c(&reduced.program, &mut print::Plain);
            }
            Err(why) => {
                status = status::UNKNOWN;
                text += &format!("// does not apply, because {}\n", why.describe(&program));
            }
        }
    }
    Ok((text, status))
}

fn reduced(program: &Program, obligation: &Obligation, by: ReductionArgument) -> Result<Reduced, Refusal> {
    let ObligationKey::Assertion(assertion) = obligation.key else {
        return Err(Refusal::of_all("it is no assertion"));
    };
    match by {
        ReductionArgument::Prune => {
            let pruned = prune(&normalise(program, assertion)?, assertion)?;
            let mut why =
                vec!["pruned: where the program fails, this one fails, if signed arithmetic wraps around".to_owned()];
            why.extend(pruned.explanation.lines(&pruned.program));
            Ok(Reduced { program: pruned.program, why })
        }
    }
}
