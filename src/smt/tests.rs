//! Failures outside smalti: fake solvers that misbehave. Each gives a failure in time and leaves no
//! process or file. Also tests the real solvers.

use super::find::{found, is_hidden};
use super::*;
use crate::process::testing::{gone_soon, retried};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A program that says it is Z3 4.13.3 and then does what `script` says.
struct Fake(crate::process::testing::Fake);

impl Fake {
    fn new(script: &str) -> Fake {
        Fake::of_version("Z3 version 4.13.3 - 64 bit", script)
    }

    fn of_version(version: &str, script: &str) -> Fake {
        Fake(crate::process::testing::Fake::new("solver", version, script))
    }

    fn solver(&self) -> Process {
        retried(|| found(Some(&self.0.path())))
    }

    fn ask(&self) -> Result<Answer, Failure> {
        self.ask_for(Duration::from_secs(20))
    }

    fn ask_for(&self, time: Duration) -> Result<Answer, Failure> {
        self.solver().ask(&script(), Instant::now() + time)
    }
}

/// Listens to everything up to the first question.
const LISTEN: &str = "while read -r line; do case $line in '(check-sat'*) break ;; esac; done\n";

/// `a[i] == 7` and `i > 3`, and a comparison that does not matter.
fn script() -> Script {
    let assertions =
        [("cell", "(= (select a i) #x07)"), ("index", "(bvugt i #x00000003)"), ("other", "(bvult j #x00000009)")];
    Script {
        declarations: vec![
            "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))".into(),
            "(declare-const i (_ BitVec 32))".into(),
            "(declare-const j (_ BitVec 32))".into(),
        ],
        assertions: assertions.map(|(name, term)| (name.to_owned(), term.to_owned())).into(),
        values: vec!["i".into(), "(select a i)".into(), "(= (select a i) #x07)".into()],
        core: true,
    }
}

fn core(names: &[&str]) -> Answer {
    Answer::Unsatisfiable(names.iter().map(|&name| name.to_owned()).collect())
}

#[test]
fn a_conversation_ends_with_an_answer() {
    let fake = Fake::new(&format!(
        "{LISTEN}echo unsat; read -r line; echo \"$line\" > $here/said; echo '(cell)'; read -r line; echo \"$line\" >> $here/said"
    ));
    assert_eq!(fake.ask().unwrap(), core(&["cell"]));
    assert_eq!(fs::read_to_string(fake.0.folder().join("said")).unwrap(), "(get-unsat-core)\n(exit)\n");
}

#[test]
fn a_process_that_hangs_is_killed_in_time_with_its_children() {
    let wait = "trap '' TERM INT HUP; (sleep 1000) & echo $! > $here/pid; while :; do sleep 1; done";
    for before in ["", "echo sat; ", "echo unsat; printf '(cell'; ", "exec 0<&-; "] {
        let fake = Fake::new(&format!("{before}{wait}"));
        let start = Instant::now();
        assert_eq!(fake.ask_for(Duration::from_millis(700)), Err(Failure::Late), "{before}");
        assert!(start.elapsed() < Duration::from_secs(5));
        assert!(gone_soon(fake.0.pid()));
    }
}

#[test]
fn a_process_that_does_not_end_after_its_answer_is_killed_and_not_believed() {
    let wait = "trap '' TERM INT HUP; (sleep 1000) & echo $! > $here/pid; while :; do sleep 1; done";
    for said in ["echo unsat; echo '(cell)'", "echo nonsense", "echo '(error \"no\")'"] {
        let fake = Fake::new(&format!("{said}; exec >&-; {wait}"));
        let start = Instant::now();
        assert!(matches!(fake.ask(), Err(Failure::Broken(_) | Failure::Rejected(_))), "{said}");
        assert!(start.elapsed() < Duration::from_secs(8), "{said}");
        assert!(gone_soon(fake.0.pid()), "{said}");
    }
    // The fake solver prints an error and then goes on. The failure must come before the time is
    // over.
    let fake = Fake::new(&format!("echo '(error \"no\")'; {wait}"));
    let start = Instant::now();
    assert_eq!(fake.ask(), Err(Failure::Rejected("`no`".into())));
    assert!(start.elapsed() < Duration::from_secs(8));
    assert!(gone_soon(fake.0.pid()));
}

#[test]
fn children_that_outlive_the_process_are_killed() {
    let fake = Fake::new("sleep 1000 > /dev/null & echo $! > $here/pid; echo unsat; echo '(cell)'");
    assert_eq!(fake.ask(), Ok(core(&["cell"])));
    assert!(gone_soon(fake.0.pid()));
    // The child keeps the output open, so the answer has no end.
    let fake = Fake::new("sleep 1000 & echo $! > $here/pid; echo unsat; echo '(cell)'");
    let start = Instant::now();
    assert_eq!(fake.ask(), Ok(core(&["cell"])));
    assert!(start.elapsed() < Duration::from_secs(8));
    assert!(gone_soon(fake.0.pid()));
}

#[test]
fn a_crash_is_a_failure() {
    for said in ["", "echo unsat; ", "echo unsat; echo '(cell)'; "] {
        let fake = Fake::new(&format!("{said}echo 'assertion violation' >&2; kill -SEGV $$"));
        let Err(Failure::Broken(how)) = fake.ask() else { panic!("an answer") };
        assert!(how.contains("signal 11") && how.contains("assertion violation"), "{how}");
        let fake = Fake::new(&format!("{said}exit 3"));
        let Err(Failure::Broken(how)) = fake.ask() else { panic!("an answer") };
        assert!(how.contains("exit status 3"), "{how}");
    }
}

#[test]
fn half_an_answer_is_a_failure() {
    for half in ["", "sa", "sat", "unsat", "unsat (", "unsat (cell", "sat ((i #x0000", "unknown (:reason-unknown"] {
        assert!(matches!(Fake::new(&format!("printf '%s' '{half}'")).ask(), Err(Failure::Broken(_))), "{half}");
    }
}

#[test]
fn nonsense_is_a_failure() {
    for said in ["hello", "(unsat)", "'UNSAT'", "unsat sat", "unsat (cell) (cell)", "unsat (celle)", "unsat ()", ")"] {
        let said = said.trim_matches('\'');
        let failure = Fake::new(&format!("echo '{said}'")).ask();
        assert!(matches!(failure, Err(Failure::Broken(_) | Failure::Mismatch(_))), "{said}");
    }
}

#[test]
fn endless_output_is_cut_off() {
    for script in [
        "yes",
        "yes '(' | tr -d '\\n'",
        "printf '\"'; yes",
        "echo unsat; printf '('; yes cell",
        "head -c 100000000 /dev/zero",
        "printf 'unsat ('; head -c 100000000 /dev/zero | tr '\\0' ' '; echo 'cell)'",
        "yes >&2",
    ] {
        let start = Instant::now();
        let fake = Fake::new(script);
        assert!(fake.ask_for(Duration::from_secs(3)).is_err(), "{script}");
        assert!(start.elapsed() < Duration::from_secs(10), "{script}");
    }
    let fake = Fake::new("echo unsat; echo '(cell)'; yes");
    assert!(matches!(fake.ask(), Err(Failure::TooMuch(_) | Failure::Broken(_))));
}

#[test]
fn a_script_longer_than_a_pipe_reaches_a_process_that_complains_about_each_line() {
    let fake = Fake::new("while read -r line; do echo '(error \"what?\")'; done");
    let declarations = (0..50_000).map(|n| format!("(declare-const x{n} Bool)")).collect();
    let asked = Script { declarations, ..script() };
    let answer = fake.solver().ask(&asked, Instant::now() + Duration::from_secs(20));
    assert_eq!(answer, Err(Failure::Rejected("`what?`".into())));
}

#[test]
fn what_it_does_not_know_is_an_answer_with_its_reason() {
    let fake = Fake::new(&format!("{LISTEN}echo unknown; read -r line; echo '(:reason-unknown \"(incomplete)\")'"));
    assert_eq!(fake.ask(), Ok(Answer::Unknown("(incomplete)".into())));
}

#[test]
fn memory_that_runs_out_is_told_apart() {
    for script in [
        "echo '(error \"out of memory\")'; exit 101",
        "echo \"terminate called after throwing an instance of 'std::bad_alloc'\" >&2; kill -ABRT $$",
        "echo unsat; kill -KILL $$",
    ] {
        assert!(matches!(Fake::new(script).ask(), Err(Failure::Memory(_))), "{script}");
    }
}

#[test]
fn the_time_that_the_solver_itself_has_is_told_apart() {
    assert_eq!(Fake::new("echo timeout").ask(), Err(Failure::Late));
    assert_eq!(Fake::new("echo 'cvc5 interrupted by timeout.' >&2; kill -ABRT $$").ask(), Err(Failure::Late));
    let late = Fake::new("echo started > $here/started").solver();
    assert_eq!(late.ask(&script(), Instant::now()), Err(Failure::Late));
    assert!(!late.program().with_file_name("started").exists());
}

#[test]
fn a_script_that_is_none_is_not_asked() {
    let fake = Fake::new("echo started > $here/started");
    let wrong = Script { assertions: vec![("a".into(), "true) (assert false".into())], ..script() };
    assert!(matches!(fake.solver().ask(&wrong, Instant::now() + Duration::from_secs(5)), Err(Failure::Unasked(_))));
    assert!(!fake.0.folder().join("started").exists());
}

#[test]
fn an_old_version_is_refused() {
    for (version, old, oldest) in [
        ("Z3 version 4.7.1 - 64 bit", "4.7 is too old", "4.8"),
        ("This is cvc5 version 0.0.12", "0.0 is too old", "1.0"),
    ] {
        let why = found(Some(&Fake::of_version(version, "exit 0").0.path())).unwrap_err().to_string();
        assert!(why.contains(old) && why.contains(oldest), "{why}");
    }
}

#[test]
fn what_does_not_say_a_version_is_refused() {
    for version in ["", "hello", "6.4.0 (cbmc-6.4.0)", "Z3 version four"] {
        assert!(found(Some(&Fake::of_version(version, "exit 0").0.path())).is_err(), "{version}");
    }
    let why = found(Some(Path::new("/nonexistent/z3"))).unwrap_err().to_string();
    assert!(why.contains("--solver /nonexistent/z3") && why.contains("no such file"), "{why}");
}

#[test]
fn arguments_and_commands_follow_the_solver() {
    let of = |version: &str| {
        let solver = Fake::of_version(version, "exit 0").solver();
        let arguments = solver.arguments(Duration::from_millis(2500));
        let arguments: Vec<_> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let command = |core| {
            let text = solver.text(&Script { core, ..Script::default() });
            text.lines().last().unwrap().to_owned()
        };
        (solver.kind(), arguments.join(" "), command(true), command(false))
    };
    let plain = || "(check-sat)".to_owned();
    let tactic = || "(check-sat-using qfaufbv)".to_owned();
    let z3 = (Kind::Z3, "-in -T:3".to_owned(), tactic(), tactic());
    assert_eq!(of("Z3 version 4.8.12 - 64 bit"), z3);
    let cvc5 = (Kind::Cvc5, "--lang=smt2 --tlimit=2500".to_owned(), plain(), plain());
    assert_eq!(of("This is cvc5 version 1.0.3"), cvc5);
}

/// The solvers of this machine and of this checkout; none if they are hidden.
fn real() -> Vec<Process> {
    if is_hidden() { Vec::new() } else { crate::fuzz::solvers() }
}

fn really(solver: &Process, script: &Script) -> Result<Answer, Failure> {
    solver.ask(script, Instant::now() + Duration::from_secs(60))
}

#[test]
fn the_real_one_finds_a_model() {
    for solver in real() {
        let Answer::Satisfiable(values) = really(&solver, &script()).unwrap() else { panic!("no model") };
        assert!(values[0] > 3 && values[0] >> 32 == 0, "{values:?}");
        assert_eq!(values[1..], [7, 1]);
        // All forms of values, and cells with unknown contents.
        let all = Script {
            declarations: vec![
                "(declare-const a (Array (_ BitVec 64) (_ BitVec 128)))".into(),
                "(declare-const b (Array (_ BitVec 64) Bool))".into(),
                "(define-fun next ((n (_ BitVec 64))) (_ BitVec 64) (bvadd n (_ bv1 64)))".into(),
                "(declare-fun f ((_ BitVec 64)) (_ BitVec 3))".into(),
            ],
            assertions: vec![
                ("last".into(), format!("(= (select a (next (_ bv4 64))) (_ bv{} 128))", u128::MAX)),
                ("set".into(), "(select b #x0000000000000007)".into()),
                ("one".into(), "(= (f #x0000000000000001) #b101)".into()),
            ],
            values: vec![
                "(select a (_ bv5 64))".into(),
                "(select b (_ bv7 64))".into(),
                "(let ((z (_ bv1 64))) (f z))".into(),
                "(select a (_ bv99 64))".into(),
                "(select b (_ bv99 64))".into(),
            ],
            core: false,
        };
        let Answer::Satisfiable(values) = really(&solver, &all).unwrap() else { panic!("no model") };
        assert_eq!((&values[..3], values.len()), (&[u128::MAX, 1, 5][..], 5));
    }
}

#[test]
fn the_real_one_finds_the_assertions_that_matter() {
    for solver in real() {
        // b is a with 7 at i, so b[k] != a[k] leaves only k = i, where b is 7.
        let assertions = [
            ("noise", "(bvult n #x00000064)"),
            ("write", "(= b (store a i #x07))"),
            ("read", "(= v (select b k))"),
            ("differs", "(not (= v (select a k)))"),
            ("more_noise", "(= (select a #x00000001) #x01)"),
            ("value", "(not (= v #x07))"),
            ("last_noise", "(= (select b #x00000002) #x02)"),
        ];
        let arrays = ["a", "b"].map(|x| format!("(declare-const {x} (Array (_ BitVec 32) (_ BitVec 8)))"));
        let words = ["i", "k", "n"].map(|x| format!("(declare-const {x} (_ BitVec 32))"));
        let mut asked = Script {
            declarations: arrays.into_iter().chain(words).chain(["(declare-const v (_ BitVec 8))".into()]).collect(),
            assertions: assertions.map(|(name, term)| (name.to_owned(), term.to_owned())).into(),
            values: vec!["v".into()],
            core: true,
        };
        assert_eq!(really(&solver, &asked), Ok(core(&["write", "read", "differs", "value"])));
        asked.assertions.remove(5);
        assert_eq!(really(&solver, &asked), Ok(Answer::Satisfiable(vec![7])));
        // An assertion that is false by itself is a core.
        asked.assertions.push(("never".into(), "false".into()));
        assert_eq!(really(&solver, &asked), Ok(core(&["never"])));
        asked.core = false;
        assert!(
            matches!(really(&solver, &asked), Ok(Answer::Unsatisfiable(all)) if all.len() == asked.assertions.len())
        );
    }
}

/// `b[i] = a[i] + 1; a[i] = 3 * b[i];` for `i` from 0 to `rounds`, where `a[1]` is not 3 times the
/// old one plus 1 in the end.
fn rounds(rounds: u32) -> Script {
    let mut script = Script { core: true, ..Script::default() };
    let mut assert = |name: String, term: String| script.assertions.push((name, term));
    assert("start".into(), "(= i0 #x00000000)".into());
    for k in 0..rounds {
        let next = k + 1;
        assert(format!("set_b{k}"), format!("(= b{next} (store b{k} i{k} (bvadd (select a{k} i{k}) #x00000001)))"));
        assert(format!("set_a{k}"), format!("(= a{next} (store a{k} i{k} (bvmul (select b{next} i{k}) #x00000003)))"));
        assert(format!("set_i{k}"), format!("(= i{next} (bvadd i{k} #x00000001))"));
        assert(format!("less{k}"), format!("(bvslt i{k} #x{rounds:08x})"));
    }
    assert("end".into(), format!("(not (bvslt i{rounds} #x{rounds:08x}))"));
    let expected = "(bvmul #x00000003 (bvadd #x00000001 (select a0 #x00000001)))";
    assert("wrong".into(), format!("(not (= (select a{rounds} #x00000001) {expected}))"));
    for k in 0..=rounds {
        script.declarations.push(format!("(declare-const i{k} (_ BitVec 32))"));
        for array in ["a", "b"] {
            script.declarations.push(format!("(declare-const {array}{k} (Array (_ BitVec 32) (_ BitVec 32)))"));
        }
    }
    script
}

#[test]
fn the_real_one_follows_a_loop_and_its_core_holds_what_counts() {
    for solver in real() {
        let Answer::Unsatisfiable(core) = really(&solver, &rounds(60)).unwrap() else { panic!("a model") };
        // These alone contradict each other, without the conditions of the loop.
        assert!(core.contains("set_b1") && core.contains("wrong"), "{core:?}");
        assert!(core.iter().all(|name| !name.starts_with("less")), "{core:?}");
        let mut alone = rounds(60);
        alone.assertions.retain(|(name, _)| core.contains(name));
        assert!(matches!(really(&solver, &alone), Ok(Answer::Unsatisfiable(_))));
        // Without one of them there is a model.
        let mut possible = rounds(60);
        possible.assertions.retain(|(name, _)| name != "set_b1");
        possible.values.push("(select a60 #x00000001)".into());
        assert!(matches!(really(&solver, &possible).unwrap(), Answer::Satisfiable(_)));
    }
}

/// `b` is `a` after `a[k] = 1`, and `a` is 0 everywhere.
fn constant_array(core: bool, claim: &str) -> Script {
    let sort = "(Array (_ BitVec 64) (_ BitVec 32))";
    let arrays = ["a", "b"].map(|x| format!("(declare-const {x} {sort})"));
    let words = ["i", "k"].map(|x| format!("(declare-const {x} (_ BitVec 64))"));
    let assertions = [
        ("zero", format!("(= a ((as const {sort}) (_ bv0 32)))")),
        ("write", "(= b (store a k #x00000001))".to_owned()),
        ("other", "(not (= i k))".to_owned()),
        ("claim", claim.to_owned()),
    ];
    Script {
        declarations: arrays.into_iter().chain(words).collect(),
        assertions: assertions.map(|(name, term)| (name.to_owned(), term)).into(),
        values: vec!["(select b i)".into(), "(select b k)".into()],
        core,
    }
}

#[test]
fn the_real_ones_understand_constant_arrays() {
    for solver in real() {
        for wanted in [true, false] {
            let answer = really(&solver, &constant_array(wanted, "(not (= (select b i) #x00000000))"));
            assert_eq!(answer, Ok(core(&["zero", "write", "other", "claim"])), "{solver:?}");
            let answer = really(&solver, &constant_array(wanted, "(= (select b i) #x00000000)"));
            assert_eq!(answer, Ok(Answer::Satisfiable(vec![0, 1])), "{solver:?}");
        }
    }
}

#[test]
fn the_real_one_is_believed_only_about_scripts_that_it_understands() {
    for solver in real() {
        let unknown = Script { assertions: vec![("a".into(), "(= nobody #x00)".into())], ..script() };
        let Err(Failure::Rejected(how)) = really(&solver, &unknown) else { panic!("an answer") };
        assert!(how.contains("nobody"), "{how}");
        // The solver still finds a model of the rest.
        let mut half = script();
        half.declarations.push("(declare-const z Nothing)".into());
        assert!(matches!(really(&solver, &half), Err(Failure::Rejected(_))));
        let array = Script { values: vec!["a".into()], ..script() };
        assert!(matches!(really(&solver, &array), Err(Failure::Mismatch(_))));
    }
}

#[test]
fn the_real_one_is_ended_in_time() {
    for solver in real() {
        // Factors of a 128-bit number.
        let factors = Script {
            declarations: ["x", "y"].map(|x| format!("(declare-const {x} (_ BitVec 128))")).into(),
            assertions: vec![
                ("product".into(), "(= (bvmul x y) (_ bv170141183460469231722567801800623612943 128))".into()),
                ("x_range".into(), "(and (bvugt x (_ bv1 128)) (bvult x (_ bv18446744073709551616 128)))".into()),
                ("y_range".into(), "(and (bvugt y (_ bv1 128)) (bvult y (_ bv18446744073709551616 128)))".into()),
            ],
            values: vec!["x".into()],
            core: true,
        };
        let start = Instant::now();
        assert_eq!(solver.ask(&factors, start + Duration::from_millis(1500)), Err(Failure::Late));
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    for solver in real() {
        for n in [5, 20, 60, 150] {
            let start = Instant::now();
            let answer = really(&solver, &rounds(n));
            let size = if let Ok(Answer::Unsatisfiable(core)) = &answer { core.len() } else { 0 };
            println!("{n} rounds: {size} of {} in {:?}", rounds(n).assertions.len(), start.elapsed());
        }
    }
}
