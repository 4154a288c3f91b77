//! `smalti states`: the state under a line holds after that line has run, with names as they are
//! visible there.

use std::fs;
use std::process::Command;

/// What `smalti states` prints for a program of these files, which are called `m1.c`, `m2.c`, ...
fn output(files: &[&str], options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names: Vec<String> = (1..=files.len()).map(|n| format!("m{n}.c")).collect();
    for (name, text) in names.iter().zip(files) {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder.path()).arg("states").args(options).args(&names).env_remove("RUST_LOG");
    let output = command.output().expect("smalti runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The printed states of a program of these files, by line of the first file.
fn states(files: &[&str]) -> Vec<(u32, Vec<String>)> {
    let text = output(files, &[]);
    let mut found: Vec<(u32, Vec<String>)> = Vec::new();
    for line in text.lines().skip_while(|l| files.len() > 1 && *l == "m1.c").take_while(|l| *l != "m2.c") {
        let Some((label, rest)) = line.split_once('|') else { continue };
        match (label.trim().parse(), found.last_mut()) {
            (Ok(number), _) => found.push((number, Vec::new())),
            (Err(_), Some(last)) => last.1.push(rest.trim().to_owned()),
            (Err(_), None) => panic!("a state before the first line: {line}"),
        }
    }
    found
}

/// The state under the first line that contains these words.
fn under(files: &[&str], words: &str) -> Vec<String> {
    let number = files[0].lines().position(|l| l.contains(words)).expect("such a line") + 1;
    let found = states(files).into_iter().find(|s| s.0 as usize == number);
    found.expect("all lines are printed").1
}

#[test]
fn a_name_stands_for_what_it_means_at_the_line() {
    let program = "\
int x = 5;
int f(int x) {
    int y = x + 1;
    return y;
}
int main(void) {
    int i = 10;
    int a[3];
    a[0] = 1;
    {
        int i = 20;
        int a[2];
        a[0] = 7;
        x = i;
    }
    int z = f(i);
    return z;
}
";
    assert_eq!(
        under(&[program], "x = i;"),
        [
            "x == 20; i@main == 10; i == 20",
            "a@main[3]   {0}: value == 1     {1..2}: any",
            "a[2]        {0}: value == 7     {1}: any"
        ]
    );
    let after = under(&[program], "int z");
    assert_eq!(after[0], "x == 20; i == 10; i@main:2 == 20; z == 11");
    // The parameter is 10. `i` means neither of the two other variables.
    let inside = under(&[program], "int y");
    assert_eq!(inside[0], "x@m1.c == 20; i@main == 10; i@main:2 == 20; y == 11");
    assert_eq!(under(&[program], "return y;")[0], "x@m1.c == 20; i@main == 10; i@main:2 == 20");
}

#[test]
fn what_a_loop_computes_is_shown_where_the_domains_do_not_say_it() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int a[100], b[10];
int main(void) {
    int sum = 0, n = 0;
    for (int i = 0; i < 100; i++) {
        sum += i;
        a[i] = sum;
    }
    while (n < 10) {
        b[n] = 7;
        n++;
    }
    return 0;
}
";
    let below = under(&[program], "for (");
    let computed: Vec<&str> = below.iter().map(String::as_str).skip_while(|l| *l != "after the loop:").collect();
    assert_eq!(computed, ["after the loop:", "a[k] = (k^2 + k)/2   for 0 <= k <= 99", "sum = 4950"]);
    assert!(!under(&[program], "while").contains(&"after the loop:".to_owned()), "the domains say this, too");
    let document: serde_json::Value =
        serde_json::from_str(&output(&[program], &["--format", "json"])).expect("a document");
    let [point] = &document["computed"].as_array().expect("a list")[..] else { panic!("{document}") };
    assert_eq!((&point["line"], &point["after"]), (&5.into(), &"loop".into()));
    assert_eq!(point["values"][1]["name"], "sum");
}

#[test]
fn what_one_variable_alone_is_called_needs_no_owner() {
    let program = "int twice(int x) { return 2 * x; }\nint main(void) {\n    int n = 4;\n    int m = twice(n);\n    return m + n;\n}\n";
    assert_eq!(under(&[program], "int m ="), ["n == 4; m == 8"]);
}

#[test]
fn an_argument_that_is_what_the_parameter_is_has_its_name() {
    let program = "\
int a[9];
static int clear(int n) {
    a[n] = 1;
    return n;
}
int main(int n) {
    if (n >= 3 && n < 9)
        clear(n);
    return 0;
}
";
    assert_eq!(
        under(&[program], "a[n] = 1;"),
        ["3 <= n <= 8; n is in a{n}", "a[9]   {0..8} (size 8): value == 0     {n}: value == 1"]
    );
}

#[test]
fn statics_of_two_files_with_one_name_are_told_apart() {
    let first =
        "static int s = 1;\nint other(void);\nint main(void) {\n    s = 3;\n    int b = other();\n    return b;\n}\n";
    let second = "static int s = 10;\nint other(void) {\n    s = 11;\n    return s;\n}\n";
    assert_eq!(under(&[first, second], "int b"), ["s == 3; b == 11; s@m2.c == 11"]);
}

#[test]
fn what_is_initialised_before_the_program_runs_is_no_state_of_the_line_where_it_stands() {
    let program = "\
int x = 5;
int counted(void) {
    static int count = 0;
    count++;
    return count;
}
int main(void) {
    x = 6;
    const char *s = \"abc\";
    int n = counted();
    int m = counted();
    return s[0] + n + m;
}
";
    assert_eq!(under(&[program], "int x"), ["x == 5"]);
    assert_eq!(under(&[program], "const char"), ["x == 6; count == 0; offset(s) == 0"]);
    assert_eq!(under(&[program], "static int"), Vec::<String>::new());
}

#[test]
fn under_a_call_stands_what_holds_after_it() {
    let program = "\
int a[4];
int last;
static void set(int k) {
    a[k] = 7;
    last = k;
}
int outer(void) {
    set(1);
    return last;
}
int main(void) {
    set(0);
    int n = outer();
    return n;
}
";
    assert_eq!(
        under(&[program], "set(0);"),
        ["last == 0; last is in a{0}", "a[4]   {0}: value == 7     {1..3}: value == 0"]
    );
    // In a function that is itself inlined, the pieces of a call are not alternatives.
    assert_eq!(
        under(&[program], "set(1);"),
        ["last == 1; last is in a{1}", "a[4]   {0}: value == 7     {1}: value == 7     {2..3}: value == 0"]
    );
}

#[test]
fn the_document_has_what_the_text_says() {
    let program = "\
extern int __VERIFIER_nondet_int(void);
int f(int x) {
    return x + 1;
}
int main(void) {
    int a[9], n = __VERIFIER_nondet_int();
    for (int i = 0; i < 9; i++) {
        a[i] = 7;
    }
    if (n < 3) {
        n = f(n);
    } else {
        n = f(5);
    }
    return a[2];
}
";
    let document: serde_json::Value = serde_json::from_str(&output(&[program], &["--format", "json"])).expect("JSON");
    let texts = |value: &serde_json::Value| -> Vec<String> {
        let all = value.as_array().expect("a list").iter();
        all.map(|fact| fact.as_str().expect("a fact is a string").to_owned()).collect()
    };
    let of_copy = |copy: &serde_json::Value| {
        if copy["unreachable"] == true {
            return vec!["unreachable".to_owned()];
        }
        let scalars = texts(&copy["scalars"]);
        let mut lines: Vec<String> = if scalars.is_empty() { Vec::new() } else { vec![scalars.join("; ")] };
        for array in copy["arrays"].as_array().expect("a list") {
            let groups = array["groups"].as_array().expect("a list").iter().map(|group| {
                let holds = texts(&group["holds"]);
                let holds = if holds.is_empty() { "any".to_owned() } else { holds.join(", ") };
                format!("{}: {holds}", group["cells"].as_str().expect("cells are a string"))
            });
            let groups: Vec<String> = groups.collect();
            lines.push(format!("{}   {}", array["name"].as_str().expect("a name"), groups.join("     ")));
        }
        if lines.is_empty() { vec!["nothing is known".to_owned()] } else { lines }
    };
    let mut found: Vec<(u32, Vec<String>)> = Vec::new();
    for line in document["states"].as_array().expect("a list") {
        let copies: Vec<Vec<String>> = line["copies"].as_array().expect("a list").iter().map(of_copy).collect();
        let number = line["line"].as_u64().and_then(|n| u32::try_from(n).ok()).expect("a line");
        found.push((number, copies.join(&"or".to_owned())));
    }
    let expected: Vec<(u32, Vec<String>)> = states(&[program]).into_iter().filter(|l| !l.1.is_empty()).collect();
    assert_eq!(found, expected);
    assert_eq!((&document["complete"], &document["files"][0]), (&true.into(), &"m1.c".into()));
    assert!(found.iter().any(|(_, lines)| lines.contains(&"or".to_owned())), "a function has two copies");
}
