//! Random programs so small that CBMC can follow all their runs: cascaded loops, searches and nests
//! over arrays of up to five cells.
//!
//! They are the programs that loop shrinking is made for, and similar ones. Most combinations make
//! little sense, which helps to find unexpected bugs.

use super::Random;
use std::fmt::Write as _;

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void \
                       __VERIFIER_assume(int); extern void abort(void);\n";

/// A few loops one after the other, and an assertion.
pub(super) fn cascade(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut text = PRELUDE.to_owned();
    text.push_str("int main(void) {\n  int n = __VERIFIER_nondet_int();\n");
    if r.one_in(3) {
        text.push_str("  __VERIFIER_assume(n >= 0 && n <= 4);\n  int a[5]; int b[5];\n");
    } else {
        text.push_str("  __VERIFIER_assume(n >= 1 && n <= 5);\n  int a[n]; int b[n];\n");
    }
    text.push_str("  int x = 0; int y = 1; int m = 0; int s = 0; int found = 0; int t;\n");
    if r.one_in(3) {
        let _ = writeln!(text, "  x = __VERIFIER_nondet_int();");
    }
    if r.one_in(4) {
        let _ = writeln!(text, "  m = a[0];");
    }
    let loops = 1 + r.below(3);
    let mut counted = None;
    for _ in 0..loops {
        if r.one_in(6) {
            counted = Some(in_step(&mut r, &mut text));
        } else {
            one_loop(&mut r, &mut text);
        }
        if r.one_in(4) {
            let between = ["y = 2;", "s = 0;", "m = a[0];", "found = 0;", "x = y;", "if (x) y = 3;"];
            let _ = writeln!(text, "  {}", r.pick(&between));
        }
    }
    match counted {
        Some(v) if r.one_in(2) => {
            let (relation, limit) = (*r.pick(&["<=", "!=", "<", ">="]), r.below(5));
            let _ = writeln!(text, "  __VERIFIER_assert({v} {relation} {limit});");
        }
        _ => property(&mut r, &mut text),
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// A loop in which a scalar is assumed to change with the counter, or to stay on one side of it;
/// and the scalar.
fn in_step(r: &mut Random, text: &mut String) -> &'static str {
    let v = *r.pick(&["s", "x"]);
    let head = *r.pick(&["int i = 0; i < n; i++", "int i = 0; i < n; i++", "int i = 1; i < n; i++"]);
    let taken = format!("__VERIFIER_assume({v} {} i + {});", r.pick(&["==", "==", "<=", ">="]), r.below(2));
    let when = *r.pick(&["a[i] == 7", "a[i] >= 0", "a[i] != b[i]", "i >= 0", "found == 0"]);
    let counts = format!("if ({when}) {v} = {v} + 1;");
    let (first, second) = if r.one_in(3) { (counts, taken) } else { (taken, counts) };
    let _ = writeln!(text, "  for ({head}) {{\n    {first}\n    {second}\n  }}");
    v
}

fn one_loop(r: &mut Random, text: &mut String) {
    let heads = [
        "for (int i = 0; i < n; i++)",
        "for (int i = 0; i < n; i++)",
        "for (int i = 1; i < n; i++)",
        "for (int i = 0; i < n - 1; i++)",
        "for (int i = n - 1; i >= 0; i--)",
        "for (int i = 0; i < n && !found; i++)",
        "for (int i = 0; i < n; i += 2)",
    ];
    let head = *r.pick(&heads);
    let statements: &[&str] = if head.contains("i = 1") {
        &[
            "a[i] = a[i - 1];",
            "a[i - 1] = a[i];",
            "if (a[i] < a[i - 1]) x = 1;",
            "b[i] = a[i - 1];",
            "a[i] = b[i - 1] + 1;",
        ]
    } else if head.contains("n - 1; i++") {
        &["a[i] = a[i + 1];", "b[i] = a[i + 1];", "if (a[i] > a[i + 1]) x = 1;", "b[i + 1] = a[i];"]
    } else {
        &[
            "a[i] = 0;",
            "a[i] = 7;",
            "a[i] = i;",
            "a[i] = y;",
            "a[i] = __VERIFIER_nondet_int();",
            "b[i] = a[i];",
            "b[i] = a[i] + 1;",
            "a[i] = b[i];",
            "a[i] = a[i] + 1;",
            "b[n - 1 - i] = a[i];",
            "if (a[i] > m) m = a[i];",
            "if (a[i] < m) m = a[i];",
            "if (m >= a[i] - 1) m = a[i];",
            "if (a[i] == x) found = 1;",
            "if (a[i] == x) { found = 1; break; }",
            "if (a[i] != b[i]) found = 1;",
            "if (a[i] < 0) continue;",
            "if (a[i] > 5) a[i] = 5; else b[i] = 0;",
            "if (found) a[i] = 0;",
            "s = s + 1;",
            "s = s + a[i];",
            "t = a[i]; a[i] = b[i]; b[i] = t;",
            "if (a[i] == 7) s++;",
            "__VERIFIER_assume(a[i] >= 0);",
            "m = a[i];",
            "if (i == 3) x = 9;",
            "if (s < 2) b[s] = a[i];",
            "x = y; y = x + 1;",
            "if (a[i] == 3) return 0;",
        ]
    };
    let _ = writeln!(text, "  {head} {{");
    for _ in 0..1 + r.below(2) {
        let _ = writeln!(text, "    {}", r.pick(statements));
    }
    text.push_str("  }\n");
}

fn property(r: &mut Random, text: &mut String) {
    let cells = [
        "a[k] == 0",
        "a[k] >= 0",
        "a[k] == 7",
        "a[k] == k",
        "a[k] == b[k]",
        "b[k] == a[k] + 1",
        "a[k] <= m",
        "a[k] >= m",
        "m <= a[k] + 1",
        "a[k] != x || found",
        "found || a[k] == b[k]",
        "!found || a[k] == 0",
        "a[k] <= 5",
        "b[n - 1 - k] == a[k]",
        "b[k] == a[n - 1 - k]",
    ];
    let scalars = [
        "s >= 0",
        "s <= n",
        "s == n",
        "found == 0 || found == 1",
        "x != 9",
        "m >= 0",
        "s <= 3",
        "x < y",
        "m >= a[0]",
        "y <= 3",
        "s < 2 || found",
    ];
    match r.below(4) {
        0 | 1 => {
            let head = *r.pick(&[
                "int k = 0; k < n; k++",
                "int k = 0; k < n; k++",
                "int k = 1; k < n; k++",
                "int k = 0; k < s; k++",
            ]);
            let _ = writeln!(text, "  for ({head}) {{ __VERIFIER_assert({}); }}", r.pick(&cells));
        }
        2 => {
            text.push_str("  int k = __VERIFIER_nondet_int();\n  __VERIFIER_assume(0 <= k && k < n);\n");
            if r.one_in(3) {
                text.push_str("  __VERIFIER_assume(a[k] >= 0);\n");
            }
            let _ = writeln!(text, "  __VERIFIER_assert({});", r.pick(&cells));
        }
        _ => {
            let _ = writeln!(text, "  __VERIFIER_assert({});", r.pick(&scalars));
        }
    }
}

/// A program whose last loop searches for a value that the earlier loops have computed.
pub(super) fn search(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut text = format!("{PRELUDE}int main(void) {{\n  int n = __VERIFIER_nondet_int();\n");
    let least = if r.one_in(3) { 0 } else { 1 };
    let _ = writeln!(text, "  __VERIFIER_assume(n >= {least} && n <= 4);\n  int a[5]; int b[5];");
    let first = *r.pick(&["a[0]", "0", "-5", "b[1]", "__VERIFIER_nondet_int()"]);
    let _ = writeln!(text, "  int m = {first}; int p = 0; int found = 0; int at = 0; int y = 0;");
    let bodies = [
        "if (a[i] > m) m = a[i];",
        "if (a[i] < m) m = a[i];",
        "if (a[i] >= m) { m = a[i]; p = i; }",
        "if (a[i] < m - 1) m = a[i];",
        "m = a[i];",
        "a[i] = i; m = a[i];",
        "b[i] = a[i]; if (b[i] > m) m = b[i];",
        "if (a[i] > m) { m = a[i]; y++; }",
        "a[i] = m; m = a[i] + 1;",
        "if (a[i] == 3) p = i;",
        "m = m + 1; a[i] = m;",
        "a[i] = 2; b[i] = 3; m = 2;",
    ];
    for _ in 0..1 + r.below(2) {
        let head = *r.pick(&["int i = 0; i < n; i++", "int i = 1; i < n; i++", "int i = n - 1; i >= 0; i--"]);
        let _ = writeln!(text, "  for ({head}) {{ {} }}", r.pick(&bodies));
    }
    let hit =
        *r.pick(&["a[j] == m", "a[j] >= m", "b[j] == m", "j == p", "a[j] != m", "a[j] == m && j >= p", "a[j] > 1"]);
    let searches = [
        "for (int j = 0; j < n; j++) if (HIT) found = 1;",
        "for (int j = 0; j < n; j++) { if (HIT) { found = 1; at = j; } }",
        "for (int j = 0; j < n; j++) { if (HIT) { found = 1; at = j; break; } }",
        "int j = 0; while (j < n && !found) { if (HIT) found = 1; j++; }",
        "for (int j = 0; j < n; j++) { if (HIT) { found = 1; } if (j == 2 && a[j] == 0) found = 1; }",
        "int j = 0; while (j < n && !(HIT)) j++; at = j; found = j < n;",
        "for (int j = 1; j < n; j++) { if (HIT) { if (!found) at = j; found = 1; } }",
        "for (int j = 0; j < n; j++) { if (HIT) { found = 1; y = y + 1; } }",
    ];
    let _ = writeln!(text, "  {}", r.pick(&searches).replace("HIT", hit));
    let properties = [
        "found",
        "found || n == 0",
        "!found || a[at] == m",
        "found == (n > 0)",
        "found && at < n",
        "at < n || !found",
        "!found || m == a[0]",
        "found ? a[at] >= m : n == 0",
        "!found",
        "m >= a[0] || found",
        "found && y >= 0",
    ];
    let _ = writeln!(text, "  __VERIFIER_assert({});\n  return 0;\n}}", r.pick(&properties));
    text
}

/// Nests over small matrices.
pub(super) fn nest(seed: u64) -> String {
    let mut r = Random::new(seed);
    let mut text = format!("{PRELUDE}int main(void) {{\n  int n = __VERIFIER_nondet_int();\n");
    text.push_str(
        "  __VERIFIER_assume(n >= 0 && n <= 3); int a[4][4]; int b[4][4]; int v[4]; int s = 0; int x = 1; int t;\n",
    );
    if r.one_in(2) {
        text.push_str("  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { a[i][j] = 0; b[i][j] = 0; }\n");
    }
    let heads = [
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)",
        "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)",
        "for (int i = 0; i < n; i++) for (int j = i; j < n; j++)",
        "for (int i = 1; i < n; i++) for (int j = 0; j < n; j++)",
        "for (int i = 0; i < n; i++) for (int j = 1; j < 3; j++)",
        "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++)",
        "for (int i = 0; i < n; i++) { t = i + 1; for (int j = 0; j < n; j++)",
    ];
    let bodies = [
        "a[i][j] = 7;",
        "a[i][j] = i + j;",
        "b[i][j] = a[i][j];",
        "a[i][j] = b[i][j] + 1;",
        "b[j][i] = a[i][j];",
        "s = s + 1;",
        "if (a[i][j] > s) s = a[i][j];",
        "a[i][j] = t;",
        "x = 0;",
        "if (i != j) a[i][j] = 3;",
        "a[i][j] = a[i][j] + x;",
        "if (i > 0) a[i - 1][j] = b[i][j];",
        "v[i] = j; a[i][j] = v[i];",
        "b[i][j] = __VERIFIER_nondet_int(); a[i][j] = b[i][j];",
        "if (a[i][j] == 2) x = 5;",
        "if (j + 1 < 4) b[i][j + 1] = a[i][j];",
    ];
    for _ in 0..1 + r.below(2) {
        let head = *r.pick(&heads);
        let _ = write!(text, "  {head} {{ {}", r.pick(&bodies));
        if r.one_in(3) {
            let _ = write!(text, " {}", r.pick(&bodies));
        }
        text.push_str(if head.contains('{') { " } }\n" } else { " }\n" });
    }
    let cells = [
        "a[i][j] == 7",
        "a[i][j] == b[i][j]",
        "b[i][j] == a[j][i]",
        "a[i][j] == i + j",
        "a[i][j] <= s",
        "a[i][j] == b[i][j] + 1",
        "a[i][j] == 3 || i == j",
        "a[i][j] == 0 || i > j",
        "a[i][j] != 2 || x",
        "a[i][j] == i + 1",
    ];
    if r.one_in(4) {
        let scalars = ["s >= 0", "x == 0 || n == 0", "x != 5", "s <= 9", "x == 1", "s == n * n"];
        let _ = writeln!(text, "  __VERIFIER_assert({});", r.pick(&scalars));
    } else {
        let head = heads[r.below(4)];
        let _ = writeln!(text, "  {head} __VERIFIER_assert({});", r.pick(&cells));
    }
    text.push_str("  return 0;\n}\n");
    text
}
