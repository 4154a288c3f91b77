//! Failures outside smalti: fake CBMCs that misbehave. Each costs one query and leaves no process
//! or file.

use super::*;
use crate::process::testing::{gone_soon, retried};
use crate::program::DataModel;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A program that says it is CBMC 6.4.0 and then does what `script` says.
struct Fake(crate::process::testing::Fake);

impl Fake {
    fn new(script: &str) -> Fake {
        Fake::of_version("6.4.0 (cbmc-6.4.0)", script)
    }

    fn of_version(version: &str, script: &str) -> Fake {
        Fake(crate::process::testing::Fake::new("cbmc", version, script))
    }

    fn run(&self) -> Result<Answer, Failure> {
        self.run_for(Duration::from_secs(20))
    }

    fn run_for(&self, time: Duration) -> Result<Answer, Failure> {
        let cbmc = retried(|| find(Some(&self.0.path())));
        cbmc.run(&query(), Instant::now() + time)
    }
}

fn query() -> Query {
    Query {
        source: "int main(void) { __CPROVER_assert(1, \"a\"); }".into(),
        properties: BTreeSet::from(["a".to_owned()]),
        data_model: DataModel::Lp64,
        big_endian: false,
        unwind: 3,
        unwinding_assertions: true,
        stop_at_failure: false,
        tuning: Tuning::Plain,
    }
}

const GOOD: &str = r#"[{"result":[{"description":"a","property":"main.assertion.1","status":"SUCCESS"}]},{"cProverStatus":"success"}]"#;

#[test]
fn a_whole_document_is_an_answer_whatever_its_exit_status_says_about_success() {
    for code in [0, 10] {
        let answer = Fake::new(&format!("echo '{GOOD}'; exit {code}")).run().unwrap();
        assert_eq!(answer.properties["a"], PropertyAnswer::Holds);
        assert!(answer.complete);
    }
}

#[test]
fn a_process_that_hangs_is_killed_in_time_with_its_children() {
    let fake = Fake::new("trap '' TERM INT HUP; (sleep 1000) & echo $! > $here/pid; while :; do sleep 1; done");
    let start = Instant::now();
    assert_eq!(fake.run_for(Duration::from_millis(500)), Err(Failure::Late));
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(gone_soon(fake.0.pid()));
}

#[test]
fn children_that_outlive_the_process_are_killed() {
    let fake = Fake::new(&format!("sleep 1000 & echo $! > $here/pid; echo '{GOOD}'; exit 0"));
    let start = Instant::now();
    assert!(fake.run().is_ok());
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(gone_soon(fake.0.pid()));
}

#[test]
fn a_crash_is_a_failure() {
    let fake = Fake::new("echo 'invariant violated' >&2; kill -SEGV $$");
    let Err(Failure::Broken(how)) = fake.run() else { panic!("an answer") };
    assert!(how.contains("signal 11") && how.contains("invariant violated"), "{how}");
}

#[test]
fn success_without_properties_is_a_failure() {
    let fake = Fake::new(r#"echo '[{"result":[]},{"cProverStatus":"success"}]'"#);
    assert!(matches!(fake.run(), Err(Failure::Mismatch(_))));
    let fake = Fake::new("echo 'VERIFICATION SUCCESSFUL'; exit 0");
    assert!(matches!(fake.run(), Err(Failure::Broken(_))));
    let fake = Fake::new("exit 0");
    assert!(matches!(fake.run(), Err(Failure::Broken(_))));
}

#[test]
fn a_whole_document_of_a_run_that_broke_down_is_a_failure() {
    let fake = Fake::new(&format!("echo '{GOOD}'; exit 6"));
    assert!(matches!(fake.run(), Err(Failure::Broken(_))));
    let fake =
        Fake::new(r#"echo '[{"result":[{"description":"a","property":"main.assertion.1","status":"SUCCESS"}]}]'"#);
    assert!(matches!(fake.run(), Err(Failure::Broken(_))));
}

#[test]
fn half_a_document_is_a_failure() {
    for end in [1, GOOD.len() / 2, GOOD.len() - 1] {
        let fake = Fake::new(&format!("printf '%s' '{}'", &GOOD[..end]));
        assert!(matches!(fake.run(), Err(Failure::Broken(_))), "{end} bytes");
    }
}

#[test]
fn endless_output_is_cut_off() {
    for script in ["yes", r#"printf '[{"messageText":"'; yes | tr -d '\n'"#, "yes >&2"] {
        let start = Instant::now();
        assert!(Fake::new(script).run_for(Duration::from_secs(3)).is_err());
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn what_cbmc_complains_about_is_said() {
    let fake = Fake::new(r#"echo '[{"messageText":"conflicting types for x","messageType":"ERROR"}]'; exit 6"#);
    let Err(Failure::Broken(how)) = fake.run() else { panic!("an answer") };
    assert!(how.contains("conflicting types for x"), "{how}");
}

#[test]
fn memory_that_runs_out_is_told_apart() {
    let fake = Fake::new("echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; kill -ABRT $$");
    assert!(matches!(fake.run(), Err(Failure::Memory(_))));
}

#[test]
fn the_folder_of_a_query_is_removed() {
    for end in ["exit 0", "kill -9 $$", "sleep 1000"] {
        let fake = Fake::new(&format!("pwd > $here/folder; cat query.i > $here/copy; {end}"));
        assert!(fake.run_for(Duration::from_millis(700)).is_err());
        let folder = fs::read_to_string(fake.0.folder().join("folder")).unwrap();
        assert!(!Path::new(folder.trim()).exists());
        assert_eq!(fs::read_to_string(fake.0.folder().join("copy")).unwrap(), query().source);
    }
}

#[test]
fn an_old_version_is_refused() {
    let fake = Fake::of_version("5.11 (cbmc-5.11)", "exit 0");
    let why = find(Some(&fake.0.path())).unwrap_err().to_string();
    assert!(why.contains("5.11 is too old") && why.contains("5.12"), "{why}");
}

#[test]
fn what_does_not_say_a_version_is_refused() {
    for version in ["", "hello", "six.four"] {
        assert!(find(Some(&Fake::of_version(version, "exit 0").0.path())).is_err());
    }
    let why = find(Some(Path::new("/nonexistent/cbmc"))).unwrap_err().to_string();
    assert!(why.contains("--cbmc /nonexistent/cbmc") && why.contains("no such file"), "{why}");
}

#[test]
fn flags_follow_the_version() {
    let arguments = |version: &str, query: &Query| {
        let cbmc = find(Some(&Fake::of_version(version, "exit 0").0.path())).unwrap();
        cbmc.arguments(query).iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    };
    let bounded = Query { unwinding_assertions: false, data_model: DataModel::Ilp32, ..query() };
    assert_eq!(arguments("5.12 (cbmc-5.12)", &bounded), "query.i --json-ui --32 --little-endian --unwind 3");
    assert_eq!(
        arguments("5.95.1 (n/a)", &query()),
        "query.i --json-ui --64 --little-endian --unwind 3 --unwinding-assertions --object-bits 12"
    );
    assert_eq!(
        arguments("6.6.0 (cbmc-6.6.0)", &query()),
        "query.i --json-ui --no-standard-checks --no-malloc-may-fail --64 --little-endian --unwind 3 --unwinding-assertions --object-bits 12"
    );
    assert_eq!(
        arguments("6.6.0 (cbmc-6.6.0)", &bounded),
        "query.i --json-ui --no-standard-checks --no-malloc-may-fail --32 --little-endian --unwind 3 --no-unwinding-assertions"
    );
}

#[test]
fn the_real_one_answers_if_it_is_there() {
    let Some(cbmc) = testing::checker() else { return };
    let source = r#"
        int main(void) {
            int smalti_n, s = 0;
            __CPROVER_assume(0 <= smalti_n && smalti_n <= 5);
            for (int i = 0; i < smalti_n; i++) s += 2;
            __CPROVER_assert(s % 2 == 0, "even");
            __CPROVER_assert(s != 6, "not six");
        }"#;
    let properties = BTreeSet::from(["even".to_owned(), "not six".to_owned()]);
    let ask = |unwind| {
        let query = Query { source: source.into(), properties: properties.clone(), unwind, ..query() };
        cbmc.run(&query, Instant::now() + Duration::from_secs(60)).unwrap()
    };
    let answer = ask(6);
    assert!(answer.complete);
    assert_eq!(answer.properties["even"], PropertyAnswer::Holds);
    let PropertyAnswer::Fails(trace) = &answer.properties["not six"] else { panic!("{answer:?}") };
    let last = trace.steps.last().unwrap();
    assert_eq!((&*last.target, &last.value), ("smalti_n", &TraceValue::Bits(3)));
    assert!(!ask(3).complete);
}
