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

/// Declares constants of one sort.
fn constants<const N: usize>(script: &mut Script, names: [&str; N], sort: &Sort) -> [Term; N] {
    names.map(|name| script.declarations.constant(Symbol::new(name), sort.clone()))
}

fn named<const N: usize>(assertions: [(&str, Term); N]) -> Vec<(Symbol, Term)> {
    assertions.map(|(name, term)| (Symbol::new(name), term)).into()
}

fn below(a: &Term, b: &Term) -> Term {
    a.clone().bit_order(Order::Less, Signedness::Unsigned, b.clone())
}

fn equal(a: &Term, b: &Term) -> Term {
    a.clone().equals(b.clone())
}

fn differ(a: &Term, b: &Term) -> Term {
    equal(a, b).negated()
}

fn cell(array: &Term, index: &Term) -> Term {
    array.clone().select(index.clone())
}

fn word(value: u128) -> Term {
    Term::bits(value, 32)
}

fn byte(value: u128) -> Term {
    Term::bits(value, 8)
}

/// Arrays of bytes, with indexes of 32 bits.
fn bytes() -> Sort {
    Sort::array(Sort::Bits(32), Sort::Bits(8))
}

/// `a[i] == 7` and `i > 3`, and a comparison that does not matter.
fn script() -> Script {
    let mut script = Script { core: true, ..Script::default() };
    let [a] = constants(&mut script, ["a"], &bytes());
    let [i, j] = constants(&mut script, ["i", "j"], &Sort::Bits(32));
    let seven = equal(&cell(&a, &i), &byte(7));
    script.assertions =
        named([("cell", seven.clone()), ("index", below(&word(3), &i)), ("other", below(&j, &word(9)))]);
    script.values = vec![i.clone(), cell(&a, &i), seven];
    script
}

fn core(names: &[&str]) -> Answer {
    Answer::Unsatisfiable(names.iter().map(|name| Symbol::new(name)).collect())
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
    let mut asked = script();
    for n in 0..50_000 {
        asked.declarations.constant(Symbol::new(&format!("x{n}")), Sort::Bool);
    }
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
    let wrong = Script { assertions: named([("a", Term::bool(true)), ("a", Term::bool(false))]), ..script() };
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
        let arguments = solver.arguments(Duration::from_millis(2500), None);
        let arguments: Vec<_> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
        let command = |core, logic| {
            let text = solver.text(&Script { core, logic, ..Script::default() });
            text.lines().last().unwrap().to_owned()
        };
        let commands = [(true, Logic::QfAufbv), (false, Logic::QfAufbv), (true, Logic::QfLia)];
        (solver.kind(), arguments.join(" "), commands.map(|(core, logic)| command(core, logic)))
    };
    let plain = "(check-sat)".to_owned();
    let tactic = "(check-sat-using qfaufbv)".to_owned();
    let z3 = (Kind::Z3, "-in -T:3".to_owned(), [tactic.clone(), tactic, plain.clone()]);
    assert_eq!(of("Z3 version 4.8.12 - 64 bit"), z3);
    let cvc5 = (Kind::Cvc5, "--lang=smt2 --tlimit=2500".to_owned(), [plain.clone(), plain.clone(), plain]);
    assert_eq!(of("This is cvc5 version 1.0.3"), cvc5);
    // Of two limits on the work, the lower one counts.
    let solver = Fake::new("exit 0").solver();
    let last = |own, asked| {
        let all = solver.clone().bounded(own).arguments(Duration::from_secs(1), asked);
        all.last().map(|a| a.to_string_lossy().into_owned())
    };
    let limited = |n| Some(format!("rlimit={n}"));
    assert_eq!([last(Some(7), None), last(None, Some(8))], [limited(7), limited(8)]);
    assert_eq!([last(Some(7), Some(8)), last(Some(9), Some(8))], [limited(7), limited(8)]);
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
        assert!(values[0].bits().is_some_and(|i| i > 3 && i >> 32 == 0), "{values:?}");
        assert_eq!(values[1..], [Value::Bits(7), Value::Bool(true)]);
        // All forms of values, and cells with unknown contents.
        let mut all = Script::default();
        let [a] = constants(&mut all, ["a"], &Sort::array(Sort::Bits(64), Sort::Bits(128)));
        let [b] = constants(&mut all, ["b"], &Sort::array(Sort::Bits(64), Sort::Bool));
        let long = |value| Term::bits(value, 64);
        let next = all.declarations.define(Symbol::new("next"), long(4).bit_op(BitOp::Add, long(1)));
        let f = all.declarations.function(Symbol::new("f"), [Sort::Bits(64)], Sort::Bits(3));
        all.assertions = named([
            ("last", equal(&cell(&a, &next), &Term::bits(u128::MAX, 128))),
            ("set", cell(&b, &long(7))),
            ("one", equal(&f.apply([long(1)]), &Term::bits(5, 3))),
        ]);
        all.values =
            vec![cell(&a, &long(5)), cell(&b, &long(7)), f.apply([long(1)]), cell(&a, &long(99)), cell(&b, &long(99))];
        let Answer::Satisfiable(values) = really(&solver, &all).unwrap() else { panic!("no model") };
        let expected = [Value::Bits(u128::MAX), Value::Bool(true), Value::Bits(5)];
        assert_eq!((&values[..3], values.len()), (&expected[..], 5));
    }
}

/// A script of one logic, and its answer.
fn of_integers(logic: Logic) -> (Script, Answer) {
    let mut script = Script { logic, core: true, ..Script::default() };
    let [n, m] = constants(&mut script, ["n", "m"], &Sort::Int);
    let int = Term::int;
    let (op, order) = (|a: &Term, op, b: Term| a.clone().int_op(op, b), |a: Term, o, b| a.int_order(o, b));
    script.values = vec![n.clone(), m.clone()];
    let (assertions, answer) = match logic {
        Logic::QfAufbv => unreachable!("it has no integers"),
        // The remainder is never negative.
        Logic::QfLia => (
            named([
                ("quotient", equal(&op(&n, IntOp::Div, int(4)), &int(-2))),
                ("remainder", equal(&op(&n, IntOp::Mod, int(4)), &int(3))),
                ("other", equal(&m, &op(&n, IntOp::Sub, int(1)))),
            ]),
            Answer::Satisfiable(vec![Value::Int(-5), Value::Int(-6)]),
        ),
        Logic::QfNia | Logic::QfUfnia => (
            named([
                ("product", equal(&op(&n, IntOp::Mul, m.clone()), &int(35))),
                ("first", order(n.clone(), Order::Greater, int(5))),
                ("second", order(m.clone(), Order::GreaterEqual, n)),
            ]),
            core(&["product", "first", "second"]),
        ),
        Logic::QfUflia => {
            let f = script.declarations.function(Symbol::new("f"), [Sort::Int], Sort::Int);
            let [of_n, of_m] = [&n, &m].map(|x| f.apply([x.clone()]));
            let assertions = named([
                ("low", order(n.clone(), Order::LessEqual, m.clone())),
                ("high", order(m, Order::LessEqual, n)),
                ("differ", differ(&of_n, &of_m)),
            ]);
            (assertions, core(&["low", "high", "differ"]))
        }
        Logic::QfAuflia => {
            let [a] = constants(&mut script, ["a"], &Sort::array(Sort::Int, Sort::Int));
            let b = script.declarations.define(Symbol::new("b"), a.clone().store(n.clone(), int(-7)));
            let next = op(&n, IntOp::Add, int(1));
            script.values = vec![cell(&b, &n)];
            (
                named([("kept", differ(&cell(&b, &next), &cell(&a, &next))), ("index", order(n, Order::Less, m))]),
                core(&["kept"]),
            )
        }
        Logic::All => {
            let [a] = constants(&mut script, ["a"], &Sort::array(Sort::Int, Sort::Int));
            let k = Symbol::new("k");
            let everywhere = equal(&cell(&a, &Term::bound(&k)), &int(7)).for_all(k);
            assert_eq!(everywhere.to_string(), "(forall ((k Int)) (= (select a k) 7))");
            (named([("all", everywhere), ("one", differ(&cell(&a, &n), &int(7)))]), core(&["all", "one"]))
        }
    };
    script.assertions = assertions;
    (script, answer)
}

#[test]
fn the_real_ones_compute_with_integers() {
    for solver in real() {
        let logics = [Logic::QfLia, Logic::QfNia, Logic::QfUflia, Logic::QfUfnia, Logic::QfAuflia, Logic::All];
        for logic in logics {
            let (mut script, expected) = of_integers(logic);
            match (really(&solver, &script).unwrap(), &expected) {
                // A core need not be small.
                (Answer::Unsatisfiable(found), Answer::Unsatisfiable(least)) => {
                    assert!(least.is_subset(&found), "{solver:?} {logic:?}: {found:?}");
                }
                (found, _) => assert_eq!(found, expected, "{solver:?} {logic:?}"),
            }
            // Without its first assertion, each has a model.
            script.assertions.remove(0);
            let answer = really(&solver, &script).unwrap();
            let is_int = |value: &Value| matches!(value, Value::Int(_));
            assert!(
                matches!(&answer, Answer::Satisfiable(values) if values.iter().all(is_int)),
                "{solver:?} {logic:?}: {answer:?}"
            );
        }
    }
}

#[test]
fn the_real_one_finds_the_assertions_that_matter() {
    for solver in real() {
        // b is a with 7 at i, so b[k] != a[k] leaves only k = i, where b is 7.
        let mut asked = Script { core: true, ..Script::default() };
        let [a, b] = constants(&mut asked, ["a", "b"], &bytes());
        let [i, k, n] = constants(&mut asked, ["i", "k", "n"], &Sort::Bits(32));
        let [v] = constants(&mut asked, ["v"], &Sort::Bits(8));
        asked.assertions = named([
            ("noise", below(&n, &word(100))),
            ("write", equal(&b, &a.clone().store(i, byte(7)))),
            ("read", equal(&v, &cell(&b, &k))),
            ("differs", differ(&v, &cell(&a, &k))),
            ("more_noise", equal(&cell(&a, &word(1)), &byte(1))),
            ("value", differ(&v, &byte(7))),
            ("last_noise", equal(&cell(&b, &word(2)), &byte(2))),
        ]);
        asked.values = vec![v];
        assert_eq!(really(&solver, &asked), Ok(core(&["write", "read", "differs", "value"])));
        asked.assertions.remove(5);
        assert_eq!(really(&solver, &asked), Ok(Answer::Satisfiable(vec![Value::Bits(7)])));
        // An assertion that is false by itself is a core.
        asked.assertions.extend(named([("never", Term::bool(false))]));
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
    let words = Sort::array(Sort::Bits(32), Sort::Bits(32));
    let mut declare = |letter: char, sort: &Sort| -> Vec<Term> {
        let names = (0..=rounds).map(|k| Symbol::new(&format!("{letter}{k}")));
        names.map(|name| script.declarations.constant(name, sort.clone())).collect()
    };
    let (i, a, b) = (declare('i', &Sort::Bits(32)), declare('a', &words), declare('b', &words));
    let less = |k: usize| i[k].clone().bit_order(Order::Less, Signedness::Signed, word(rounds.into()));
    let successor = |term: Term| term.bit_op(BitOp::Add, word(1));
    let triple = |term: Term| term.bit_op(BitOp::Mul, word(3));
    let mut assert = |name: String, term: Term| script.assertions.push((Symbol::new(&name), term));
    let last = rounds as usize;
    assert("start".into(), equal(&i[0], &word(0)));
    for k in 0..last {
        let set = |array: &Term, value: Term| array.clone().store(i[k].clone(), value);
        assert(format!("set_b{k}"), equal(&b[k + 1], &set(&b[k], successor(cell(&a[k], &i[k])))));
        assert(format!("set_a{k}"), equal(&a[k + 1], &set(&a[k], triple(cell(&b[k + 1], &i[k])))));
        assert(format!("set_i{k}"), equal(&i[k + 1], &successor(i[k].clone())));
        assert(format!("less{k}"), less(k));
    }
    assert("end".into(), less(last).negated());
    let expected = triple(successor(cell(&a[0], &word(1))));
    assert("wrong".into(), differ(&cell(&a[last], &word(1)), &expected));
    script.values = vec![cell(&a[last], &word(1))];
    script
}

#[test]
fn the_real_one_follows_a_loop_and_its_core_holds_what_counts() {
    for solver in real() {
        let Answer::Unsatisfiable(core) = really(&solver, &rounds(60)).unwrap() else { panic!("a model") };
        // These alone contradict each other, without the conditions of the loop.
        assert!(["set_b1", "wrong"].iter().all(|name| core.contains(&Symbol::new(name))), "{core:?}");
        assert!(core.iter().all(|name| !name.as_str().starts_with("less")), "{core:?}");
        let mut alone = rounds(60);
        alone.assertions.retain(|(name, _)| core.contains(name));
        assert!(matches!(really(&solver, &alone), Ok(Answer::Unsatisfiable(_))));
        // Without one of them there is a model.
        let mut possible = rounds(60);
        possible.assertions.retain(|(name, _)| name.as_str() != "set_b1");
        assert!(matches!(really(&solver, &possible).unwrap(), Answer::Satisfiable(_)));
    }
}

/// `b` is `a` after `a[k] = 1`, and `a` is 0 everywhere; `b` is 0 at another index, or not.
fn constant_array(core: bool, is_zero: bool) -> Script {
    let mut script = Script { core, ..Script::default() };
    let sort = Sort::array(Sort::Bits(64), Sort::Bits(32));
    let [a, b] = constants(&mut script, ["a", "b"], &sort);
    let [i, k] = constants(&mut script, ["i", "k"], &Sort::Bits(64));
    let claim = equal(&cell(&b, &i), &word(0));
    script.values = vec![cell(&b, &i), cell(&b, &k)];
    script.assertions = named([
        ("zero", equal(&a, &Term::everywhere(sort, word(0)))),
        ("write", equal(&b, &a.clone().store(k.clone(), word(1)))),
        ("other", differ(&i, &k)),
        ("claim", if is_zero { claim } else { claim.negated() }),
    ]);
    script
}

#[test]
fn the_real_ones_understand_constant_arrays() {
    for solver in real() {
        for wanted in [true, false] {
            let answer = really(&solver, &constant_array(wanted, false));
            assert_eq!(answer, Ok(core(&["zero", "write", "other", "claim"])), "{solver:?}");
            let answer = really(&solver, &constant_array(wanted, true));
            assert_eq!(answer, Ok(Answer::Satisfiable(vec![Value::Bits(0), Value::Bits(1)])), "{solver:?}");
        }
    }
}

#[test]
fn the_real_one_is_believed_only_about_scripts_that_it_understands() {
    for solver in real() {
        let nobody = Declarations::default().constant(Symbol::new("nobody"), Sort::Bits(8));
        let unknown = Script { assertions: named([("a", equal(&nobody, &byte(0)))]), ..script() };
        let Err(Failure::Rejected(how)) = really(&solver, &unknown) else { panic!("an answer") };
        assert!(how.contains("nobody"), "{how}");
        // The solver still finds a model of the rest.
        let mut half = script();
        half.declarations.constant(Symbol::new("i"), Sort::Bits(32));
        assert!(matches!(really(&solver, &half), Err(Failure::Rejected(_))));
        let mut array = script();
        array.values = constants(&mut array, ["b"], &bytes()).into();
        assert!(matches!(really(&solver, &array), Err(Failure::Mismatch(_))));
    }
}

#[test]
fn the_real_one_is_ended_in_time() {
    for solver in real() {
        // Factors of a 128-bit number.
        let mut factors = Script { core: true, ..Script::default() };
        let [x, y] = constants(&mut factors, ["x", "y"], &Sort::Bits(128));
        let wide = |value| Term::bits(value, 128);
        let range = |x: &Term| Term::and([below(&wide(1), x), below(x, &wide(1 << 64))]);
        let product = x.clone().bit_op(BitOp::Mul, y.clone());
        factors.assertions = named([
            ("product", equal(&product, &wide(170_141_183_460_469_231_722_567_801_800_623_612_943))),
            ("x_range", range(&x)),
            ("y_range", range(&y)),
        ]);
        factors.values = vec![x];
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

/// Whether the instances of a question are unsatisfiable, according to the solver on this machine.
fn instances_contradict(script: &Script) -> Option<bool> {
    let solver = crate::fuzz::or_skip(find(None))?;
    let instances = instantiated(script, 50).expect("it has quantifiers").script;
    assert!(!instances.to_string().contains("forall"));
    let answer = solver.ask(&instances, Instant::now() + Duration::from_secs(20)).unwrap();
    Some(matches!(answer, Answer::Unsatisfiable(_)))
}

#[test]
fn instances_at_the_indexes_decide_questions_about_arrays() {
    let mut declared = Script { logic: Logic::All, ..Script::default() };
    let [a, b] = constants(&mut declared, ["a", "b"], &Sort::array(Sort::Int, Sort::Int));
    let [n, v] = constants(&mut declared, ["n", "v"], &Sort::Int);
    let int = Term::int;
    let k = || Symbol::new("k");
    let below = |x: &Term, y: &Term| x.clone().int_order(Order::Less, y.clone());
    let range = |x: Term, low: Term, high: Term| {
        Term::and([low.int_order(Order::LessEqual, x.clone()), x.int_order(Order::Less, high)])
    };
    let all = |low: i128, high: &Term, holds: &dyn Fn(Term) -> Term| {
        let bound = Term::bound(&k());
        range(bound.clone(), int(low), high.clone()).implies(holds(bound)).for_all(k())
    };
    let plus = |x: &Term, y: i128| x.clone().int_op(IntOp::Add, int(y));
    let equal_to = |array: &Term, by: i128| {
        let (array, v) = (array.clone(), v.clone());
        move |x: Term| array.clone().select(x.int_op(IntOp::Add, Term::int(by))).equals(v.clone())
    };
    let contradict = |assertions: Vec<Term>| {
        let mut script = declared.clone();
        let stored = script.declarations.define(Symbol::new("stored"), b.clone());
        assert_eq!(stored.sort(), b.sort());
        script.assertions =
            assertions.into_iter().enumerate().map(|(n, t)| (Symbol::new(&format!("t{n}")), t)).collect();
        instances_contradict(&script)
    };
    let next = a.clone().store(n.clone(), v.clone());
    for (right, spoilt) in [
        // One cell more.
        (
            vec![all(0, &n, &equal_to(&a, 0)), all(0, &plus(&n, 1), &equal_to(&next, 0)).negated()],
            vec![all(0, &n, &equal_to(&a, 0)), all(0, &plus(&n, 2), &equal_to(&next, 0)).negated()],
        ),
        // The same cells, counted from elsewhere.
        (
            vec![all(0, &n, &equal_to(&a, 3)), all(3, &plus(&n, 3), &equal_to(&a, 0)).negated()],
            vec![all(0, &n, &equal_to(&a, 3)), all(2, &plus(&n, 3), &equal_to(&a, 0)).negated()],
        ),
        // Another array.
        (
            vec![a.clone().equals(b.clone()), all(0, &n, &equal_to(&a, 0)), all(0, &n, &equal_to(&b, 0)).negated()],
            vec![below(&int(9), &n), all(0, &n, &equal_to(&a, 0)), all(0, &n, &equal_to(&b, 0)).negated()],
        ),
        // A formula in a condition, and one that is denied.
        (
            vec![
                all(0, &n, &equal_to(&a, 0)).choose(int(1), int(2)).equals(int(1)),
                range(int(4), int(0), n.clone()),
                all(0, &n, &equal_to(&a, 0)),
                a.clone().select(int(4)).equals(v.clone()).negated(),
            ],
            vec![
                all(0, &n, &equal_to(&a, 0)).choose(int(1), int(2)).equals(int(2)),
                range(int(4), int(0), n.clone()),
                a.clone().select(int(4)).equals(v.clone()).negated(),
            ],
        ),
    ] {
        if let (Some(first), Some(second)) = (contradict(right), contradict(spoilt)) {
            assert!(first && !second);
        }
    }
    assert!(instantiated(&declared, 50).is_none());
}

#[test]
fn functions_are_unfolded_at_their_applications() {
    let mut declared = Script { logic: Logic::All, ..Script::default() };
    let f = declared.declarations.function(Symbol::new("f"), [Sort::Int], Sort::Int);
    let [n] = constants(&mut declared, ["n"], &Sort::Int);
    let (x, int) = (Term::bound(&Symbol::new("x")), Term::int);
    let of = |t: Term| f.apply([t]);
    let minus = |t: &Term| t.clone().int_op(IntOp::Sub, int(1));
    // f(x) = x <= 0 ? 0 : f(x - 1) + 2
    let body = x.clone().int_order(Order::LessEqual, int(0)).choose(int(0), of(minus(&x)).int_op(IntOp::Add, int(2)));
    declared.unfoldings = vec![Unfolding { function: f.clone(), parameters: vec![x.clone()], body }];
    // f(y) <= f(y + 1)
    let y = Term::bound(&Symbol::new("y"));
    let next = y.clone().int_op(IntOp::Add, int(1));
    let formula = of(y.clone()).int_order(Order::LessEqual, of(next));
    declared.lemmas = vec![Schema { parameters: vec![y], formula }];
    let contradict = |denied: Term, lemmas: bool| {
        let mut script = declared.clone();
        script.assertions = vec![(Symbol::new("t"), denied.negated())];
        if !lemmas {
            script.lemmas.clear();
        }
        instances_contradict(&script)
    };
    let step = |by: i128| {
        int(0)
            .int_order(Order::Less, n.clone())
            .implies(of(n.clone()).equals(of(minus(&n)).int_op(IntOp::Add, int(by))))
    };
    let ordered = of(minus(&n)).int_order(Order::LessEqual, of(n.clone()));
    for (claim, lemmas, expected) in [
        (step(2), false, true),
        (step(3), false, false),
        (of(int(1)).equals(int(2)), false, true),
        (of(int(1)).equals(int(1)), true, false),
        (ordered.clone(), true, true),
        (ordered.negated(), true, false),
    ] {
        if let Some(found) = contradict(claim, lemmas) {
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn what_false_constants_imply_is_left_out() {
    let mut script = Script { logic: Logic::All, ..Script::default() };
    let flag = script.declarations.constant(Symbol::new("flag"), Sort::Bool);
    let other = script.declarations.constant(Symbol::new("other"), Sort::Bool);
    let x = script.declarations.constant(Symbol::new("x"), Sort::Int);
    let small = x.clone().int_order(Order::LessEqual, Term::int(1));
    let named =
        script.declarations.define(Symbol::new("named"), Term::and([flag.implies(small.clone()), other.clone()]));
    script.assertions.push((Symbol::new("a"), named));
    script.assertions.push((Symbol::new("b"), other.implies(small)));
    let text = script.with_false(&BTreeSet::from([Symbol::new("flag")])).to_string();
    assert!(!text.contains("(=> flag"), "{text}");
    assert!(text.contains("(=> other (<= x 1))"), "{text}");
}
