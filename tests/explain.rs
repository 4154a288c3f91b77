//! `smalti explain`: the facts that it reports as missing are enough for a proof.

use smalti::fuzz::or_skip;
use std::path::Path;
use std::process::{Command, Output};

fn smalti(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).arg(file).env_remove("RUST_LOG");
    command.output().expect("smalti runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const HEAD: &str = "#include <assert.h>\n\
    extern int __VERIFIER_nondet_int(void);\n\
    extern void __VERIFIER_assume(int);\n\
    #define INPUT __VERIFIER_nondet_int()\n";

/// Programs that the octagons leave open, and what the explanation should say.
const OPEN: &[(&str, &str, &str)] = &[
    (
        "a group that was not written",
        "a{n..99}, about which nothing is known; that is not enough",
        "
int main(void) {
    int a[100], n = INPUT;
    __VERIFIER_assume(1 <= n && n <= 100);
    for (int i = 0; i < n; i++) { a[i] = 7; }
    int k = INPUT;
    __VERIFIER_assume(0 <= k && k < 100);
    assert(a[k] == 7); // HERE
    return 0;
}",
    ),
    (
        "a bound that is one too large",
        "`i < n` may be false; what is known: `",
        "
int main(void) {
    int n = INPUT, i = INPUT;
    __VERIFIER_assume(0 <= i && i <= n);
    assert(0 <= i && i < n); // HERE
    return 0;
}",
    ),
    (
        "two parts that are both open",
        "`y < 50`, where `x < 50`, may be false",
        "
int main(void) {
    int x = INPUT, y = INPUT;
    __VERIFIER_assume(x <= 60 && y <= 60);
    assert(x < 50 && y < 50); // HERE
    return 0;
}",
    ),
    (
        "a disjunction",
        "`k == n`, where `!(k < n)`, may be false",
        "
int main(void) {
    int k = INPUT, n = INPUT;
    __VERIFIER_assume(0 <= k && k <= 10 && n >= 0);
    assert(k < n || k == n); // HERE
    return 0;
}",
    ),
    (
        "a group whose cells hold too little",
        "value >= 0; that is not enough",
        "
int main(void) {
    int a[50];
    for (int i = 0; i < 50; i++) { int v = INPUT; __VERIFIER_assume(v >= 0); a[i] = v; }
    int k = INPUT;
    __VERIFIER_assume(0 <= k && k < 50);
    assert(a[k] >= 1); // HERE
    return 0;
}",
    ),
    (
        "a cell that is compared with its index",
        "may be false",
        "
int main(void) {
    int a[40], n = INPUT;
    __VERIFIER_assume(0 < n && n < 40);
    for (int i = 0; i < n; i++) { a[i] = i; }
    int k = INPUT;
    __VERIFIER_assume(0 <= k && k < 40);
    assert(a[k] <= k); // HERE
    return 0;
}",
    ),
    (
        "a field of records",
        "whose cells satisfy: used == 1",
        "
struct item { int key; int used; };
int main(void) {
    struct item t[30];
    int n = INPUT;
    __VERIFIER_assume(3 <= n && n <= 30);
    for (int i = 0; i < n; i++) { t[i].used = 1; t[i].key = i; }
    int k = INPUT;
    __VERIFIER_assume(0 <= k && k < 30);
    assert(t[k].used == 1); // HERE
    return 0;
}",
    ),
    (
        "a called function",
        "may be false",
        "
int twice(int x) {
    assert(x <= 100); // HERE
    return x + x;
}
int main(void) {
    int x = INPUT, y = INPUT;
    __VERIFIER_assume(0 <= x && x <= 100 && 0 <= y && y <= 200);
    return twice(x) + twice(y);
}",
    ),
    (
        "a difference that octagons cannot keep",
        "`d != 0` may be false",
        "
int main(void) {
    int d = INPUT;
    __VERIFIER_assume(-5 <= d && d <= 5);
    assert(d != 0); // HERE
    return 0;
}",
    ),
    (
        "a specification",
        "`x < y` may be false",
        "
int main(void) {
    int x = INPUT, y = INPUT;
    __VERIFIER_assume(0 <= x && x <= y && y <= 9);
    /*@ assert 0 <= x < y; */ // HERE
    return 0;
}",
    ),
];

/// The formulas that are reported as missing, each of which is enough.
fn missing(explanation: &str) -> Vec<String> {
    let lines = explanation.lines().map(str::trim);
    lines.filter(|l| l.starts_with("/*@ assume ")).map(str::to_owned).collect()
}

#[test]
fn what_is_said_to_be_missing_makes_the_proof_succeed_where_it_is_assumed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.c");
    let domains = ["--stages", "domains", "--stack", "relation/partition/octagon"];
    for (name, said, program) in OPEN {
        let text = format!("{HEAD}{program}\n");
        std::fs::write(&file, &text).expect("a file is written");
        let id = if program.contains("twice") { "twice.assertion.1" } else { "main.assertion.1" };
        let output = smalti(&[&["explain", id], &domains[..]].concat(), &file);
        let explanation = stdout(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {explanation}");
        assert!(explanation.contains(said), "{name}: {explanation}");
        let found = missing(&explanation);
        assert!(!found.is_empty(), "{name}: nothing is said to be missing\n{explanation}");
        for assumed in found {
            let with: Vec<String> = text
                .lines()
                .map(|line| if line.contains("// HERE") { format!("{assumed}\n{line}") } else { line.to_owned() })
                .collect();
            std::fs::write(&file, with.join("\n") + "\n").expect("a file is written");
            let checked = smalti(&[&["check", "--checks", "assertion"], &domains[..]].concat(), &file);
            let report = stdout(&checked);
            assert_eq!(checked.status.code(), Some(0), "{name}: with {assumed}\n{report}");
            // The proof must not hold only because no run arrives any more.
            assert!(report.contains("1 proved"), "{name}: with {assumed}\n{report}");
        }
    }
}

#[test]
fn a_missing_fact_is_about_the_group_that_lacks_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.c");
    std::fs::write(&file, format!("{HEAD}{}\n", OPEN[0].2)).expect("a file is written");
    let explanation = stdout(&smalti(&["explain", "main.assertion.1", "--stages", "domains"], &file));
    let wanted = ["/*@ assume \\forall integer j; n <= j < 100 ==> a[j] == 7; */", "/*@ assume k < n; */"];
    assert_eq!(missing(&explanation), wanted, "{explanation}");
}

#[test]
fn of_a_proof_the_group_and_the_constraints_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("x.c");
    let program = "
int main(void) {
    int a[100], n = INPUT, other = INPUT;
    __VERIFIER_assume(1 <= n && n <= 100 && other > n);
    for (int i = 0; i < n; i++) { a[i] = 7; }
    int k = INPUT;
    __VERIFIER_assume(0 <= k && k < n);
    assert(k <= 99 && a[k] == 7);
    return other;
}";
    std::fs::write(&file, format!("{HEAD}{program}\n")).expect("a file is written");
    let explanation = stdout(&smalti(&["explain", "main.assertion.1", "--stages", "domains"], &file));
    assert!(explanation.starts_with("note: main.assertion.1 is proved\n"), "{explanation}");
    assert!(explanation.contains("a{0..n-1}, whose cells satisfy: value == 7"), "{explanation}");
    // `k <= 99` follows from these two, and nothing irrelevant is named.
    let line = explanation.lines().find(|l| l.contains("`k <= 99` holds")).expect("a sentence about the first part");
    assert!(line.contains("k < n") || line.contains("k <= n-1") || line.contains("k <= 99"), "{line}");
    assert!(!line.contains("other"), "{line}");
}

#[test]
fn an_unknown_id_is_answered_with_those_that_there_are() {
    let output = smalti(&["explain", "main.assertion.9"], Path::new("examples/init.c"));
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("there is no obligation `main.assertion.9`") && error.contains("main.assertion.1"),
        "{error}"
    );
}

#[test]
fn of_a_run_that_fails_the_steps_are_told() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let output = smalti(&["explain", "main.assertion.1"], Path::new("examples/prefix.c"));
    assert_eq!(output.status.code(), Some(1));
    let explanation = stdout(&output);
    for words in [
        "error: main.assertion.1 can fail",
        "the run with these inputs fails",
        "examples/prefix.c:12:5: the loop goes on",
        "examples/prefix.c:12:5: the loop ends",
        "and then it fails",
    ] {
        assert!(explanation.contains(words), "no `{words}` in\n{explanation}");
    }
    // No missing fact could help to prove a false assertion.
    assert!(missing(&explanation).is_empty(), "{explanation}");
}

#[test]
fn the_invariant_that_is_missing_and_an_iteration_that_breaks_it_are_named() {
    if or_skip(smalti::smt::find(None)).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("limit.c");
    let program = "int a[1000];\n/*@ ensures \\forall integer k; 0 <= k < 1000 ==> a[k] <= 7; */\n\
                   void limit(void) {\n  for (int i = 0; i < 1000; i++) {\n    if (a[i] > 7) a[i] = 7;\n    \
                   if (i == 500) a[3] = 9;\n  }\n}\n";
    std::fs::write(&file, program).expect("a program is written");
    let arguments = ["explain", "limit.ensures.1", "--function", "limit", "--stages", "induction"];
    let explanation = stdout(&smalti(&arguments, &file));
    for words in [
        "an iteration that begins with i == 500 may break it:\n",
        "limit.c:4:3: \\forall integer k; 0 <= k < i ==> a[k] <= 7\n",
    ] {
        assert!(explanation.contains(words), "no `{words}` in\n{explanation}");
    }
}
