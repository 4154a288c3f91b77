//! Turns reasons into sentences for people.

use super::{Decided, Late, NoArrival, Reason, Unconfirmed, Verdict};
use crate::program::{Location, SourceMap};

impl Decided {
    /// The evidence for the verdict, or why the obligation is open: one line.
    pub fn detail(&self, sources: &SourceMap) -> String {
        if self.verdict != Verdict::Unknown {
            return self.evidence.detail.clone();
        }
        if let Some(reason) = &self.obligation.unsupported {
            return reason.clone();
        }
        let told = self.told(sources);
        if told.is_empty() {
            return "no stage was asked to decide it".to_owned();
        }
        let lines: Vec<String> = told.iter().map(|(text, stages)| format!("{}: {text}", stages.join(", "))).collect();
        lines.join("; ")
    }

    /// The reasons of the stages that left the obligation open: each sentence once, with the stages
    /// that gave it.
    pub fn told(&self, sources: &SourceMap) -> Vec<(String, Vec<String>)> {
        let mut told: Vec<(String, Vec<String>)> = Vec::new();
        for left in &self.evidence.reasons {
            let (text, stage) = (left.reason.in_words(sources), left.stage.to_string());
            match told.iter_mut().find(|(t, _)| *t == text) {
                Some((_, stages)) => stages.push(stage),
                None => told.push((text, vec![stage])),
            }
        }
        told
    }
}

impl Reason {
    /// The text that a report prints after the name of the stage and a colon.
    pub fn in_words(&self, sources: &SourceMap) -> String {
        let place = |at: Location| sources.describe(at);
        match self {
            Reason::Time(late) => of_time(late),
            Reason::Memory(doing) => format!("the memory limit was reached{}", doing_what(doing)),
            Reason::Interrupted(doing) => format!("a signal ended the work{}", doing_what(doing)),
            Reason::Missing(why) | Reason::Undecided(why) => why.clone(),
            Reason::Failed { tool, how } => format!("{tool} {how}"),
            Reason::Refused { what, place: None } => format!("it does not apply, because {what}"),
            Reason::Refused { what, place: Some(at) } => format!("it does not apply, because {what} ({})", place(*at)),
            Reason::OnlyAssertions => "this stage decides only assertions".to_owned(),
            Reason::NotItsKind => "this stage decides no obligations of this kind".to_owned(),
            Reason::Uncalled => "nothing calls its function".to_owned(),
            Reason::SeveralRuns => "the program depends on its environment, so it has several runs".to_owned(),
            Reason::FailsElsewhere => "the failing run that was found fails at another place first".to_owned(),
            Reason::Unconfirmed { only, why } => {
                let run = if *only { "the only run of the program" } else { "the failing run that was found" };
                format!("{run} {}", unconfirmed(sources, why))
            }
            Reason::Doubtful(doubt) => format!("a run fails, but the program may not have this run: {doubt}"),
            Reason::NoArrival(NoArrival::Ends(what, at)) => {
                format!("it holds in every run that reaches it, but no such run was found: runs {what} ({})", place(*at))
            }
            Reason::NoArrival(NoArrival::Doubt) => "it holds in every run that reaches it, but no such run was found, and operations before it may be undefined"
                .to_owned(),
            Reason::NoArrival(NoArrival::Abstraction) => {
                "it holds in an abstraction, but no run of the program that reaches it was found".to_owned()
            }
            Reason::NoArrival(NoArrival::Reduced) => "no run of the smaller program reaches it".to_owned(),
            Reason::Undefined => "every run that reaches it has undefined behaviour before".to_owned(),
            Reason::Unfollowed => {
                "its function is also called by recursion or through a function pointer, and the domains do not follow such calls".to_owned()
            }
            Reason::Unproved => "the domains cannot prove it".to_owned(),
            Reason::Searched { size, then } => {
                format!("no failing run with sizes up to {size}{}", beyond(sources, then.as_deref()))
            }
            Reason::Unwound { iterations, then } => {
                format!("not every loop ends within {iterations} unwindings{}", beyond(sources, then.as_deref()))
            }
            Reason::Of(what, reason) => format!("{what}: {}", reason.in_words(sources)),
            Reason::GivenBack => {
                "it did not start, because earlier stages had decided nothing for a long time"
                    .to_owned()
            }
            Reason::Obstacle(what) => format!("nothing can be proved this way, because {what}"),
        }
    }
}

fn beyond(sources: &SourceMap, then: Option<&Reason>) -> String {
    then.map(|then| format!("; beyond that, {}", then.in_words(sources))).unwrap_or_default()
}

fn doing_what(doing: &str) -> String {
    if doing.is_empty() { String::new() } else { format!(" ({doing})") }
}

fn of_time(late: &Late) -> String {
    match late {
        Late::Unbegun => "the time limit was reached before this stage began".to_owned(),
        Late::Share => "it used up its share of the time limit".to_owned(),
        Late::Asking(tool) => format!("{tool} did not answer within its share of the time limit"),
        Late::Arriving => {
            "it holds in every run, but no run that reaches it was found within the time limit".to_owned()
        }
        Late::CutOff(doing) => format!("the time limit ended the work{}", doing_what(doing)),
    }
}

/// Why a run shows nothing, as the end of a sentence about it.
fn unconfirmed(sources: &SourceMap, why: &Unconfirmed) -> String {
    let place = |at: Location| sources.describe(at);
    match why {
        Unconfirmed::Undefined(kind, at) => format!("has undefined behaviour first ({kind}, {})", place(*at)),
        Unconfirmed::Breaks(assumption, at) => format!("breaks an assumption first ({assumption}, {})", place(*at)),
        Unconfirmed::Unsupported(what, at) => format!("cannot be replayed ({what}, {})", place(*at)),
        Unconfirmed::Ends(at) => {
            let at = at.map(|at| format!(" ({})", place(at))).unwrap_or_default();
            format!("ends at an assumption that does not hold{at}")
        }
        Unconfirmed::TooMuch(what) => format!("takes too much {what} to replay"),
        Unconfirmed::Late => "takes too much time to replay".to_owned(),
        Unconfirmed::Outside => "takes a value from outside the program".to_owned(),
        Unconfirmed::Passes => "does not fail when it is replayed".to_owned(),
        Unconfirmed::Unknown => "depends on values that code outside the program has written".to_owned(),
    }
}
