//! The JUnit XML report of a run: a test case for each program, a test suite for each folder.

use super::outcome::{Answer, Outcome};
use super::text::{block, counts};
use crate::report::Paint;
use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The XML document.
///
/// # Errors
/// Errors of the XML writer.
pub(super) fn junit(outcomes: &[Outcome]) -> Result<String, SerializeError> {
    let mut folders: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        let folder = Path::new(&outcome.name).parent().map(|p| p.display().to_string()).filter(|p| !p.is_empty());
        folders.entry(folder.unwrap_or_else(|| ".".to_owned())).or_default().push(outcome);
    }
    let mut report = Report::new("smalti test");
    let mut whole = Duration::ZERO;
    for (folder, outcomes) in folders {
        let mut suite = TestSuite::new(folder.clone());
        let mut time = Duration::ZERO;
        for outcome in outcomes {
            let name =
                Path::new(&outcome.name).file_name().map_or(outcome.name.clone(), |n| n.to_string_lossy().into_owned());
            let mut case = TestCase::new(name, status(outcome));
            case.set_classname(folder.clone()).set_time(outcome.time);
            time += outcome.time;
            suite.add_test_case(case);
        }
        suite.set_time(time);
        whole += time;
        report.add_test_suite(suite);
    }
    report.set_time(whole);
    report.to_string()
}

fn status(outcome: &Outcome) -> TestCaseStatus {
    let (kind, of, message) = match &outcome.answer {
        Answer::Same { .. } => return TestCaseStatus::success(),
        Answer::Changed { changes, .. } => {
            let weight = changes.first().map_or("change", |c| c.weight.word());
            (NonSuccessKind::Failure, weight, counts(changes))
        }
        Answer::New(_) => (NonSuccessKind::Failure, "new", "no snapshot is stored".to_owned()),
        Answer::Stale => (NonSuccessKind::Failure, "stale", "its program is gone".to_owned()),
        Answer::Refused(why) => (NonSuccessKind::Error, "refused", why.reason.clone()),
        Answer::Failed(why) => (NonSuccessKind::Error, "failed", why.clone()),
        Answer::Unreadable(_) => (NonSuccessKind::Error, "broken", "its snapshot cannot be read".to_owned()),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(of).set_message(message);
    let description = block(outcome, Paint::PLAIN);
    if !description.is_empty() {
        status.set_description(description.trim().to_owned());
    }
    status
}
