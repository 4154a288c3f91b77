//! Text that is malformed by accident or on purpose: programs that are cut short, with lost and
//! doubled tokens, with extreme nesting, with the largest and smallest integers, against the
//! preprocessor, in annotations. Each gets an answer or a message: no panic, no hang, less than 4
//! GiB.

mod parallel;

use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A program that uses many features.
const WHOLE: &str = r#"#include <assert.h>
#define N 8
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; unsigned char tag : 3; };
typedef struct point point_t;
enum colour { RED, GREEN = 4, BLUE };
static int table[N][2] = { { 1, 2 }, [3] = { 4 } };
/*@ requires 0 <= n; ensures \result >= 0; */
static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { if (a[i] > 0) s += a[i] & 7; } return s; }
int main(void) {
    int a[N], *p = a, k; point_t q = { .x = 1 };
    do { *p++ = __VERIFIER_nondet_int() % 5; } while (p < a + N);
    /*@ loop invariant 0 <= k; */
    for (k = 0; k < N; ++k) { switch (a[k]) { case RED: continue; case GREEN: break; default: q.y += k ? 1 : -1; } }
    if (k >= N && sizeof(struct point) > 4u) goto end;
    q.x = sum(a, N), q.y = table[3][0] << 2;
end:
    /*@ assert \forall integer j; 0 <= j < N ==> a[j] < 5; */
    assert(q.x >= 0 || "never"[0] == 'n');
    return 0;
}
"#;

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = vec![String::new()];
    for c in text.chars() {
        let word = c.is_alphanumeric() || c == '_';
        let last = tokens.last_mut().expect("one token");
        if last.is_empty() || word && last.chars().all(|l| l.is_alphanumeric() || l == '_') {
            last.push(c);
        } else {
            tokens.push(c.to_string());
        }
    }
    tokens
}

/// The text cut off at many places.
fn cut_short(cases: &mut Vec<(String, String)>) {
    for end in (0..WHOLE.len()).step_by(29) {
        cases.push((format!("cut at {end}"), WHOLE[..end].to_owned()));
    }
}

/// A token lost, doubled, or replaced.
fn damaged(cases: &mut Vec<(String, String)>) {
    let all = tokens(WHOLE);
    let visible: Vec<usize> = (0..all.len()).filter(|n| !all[*n].trim().is_empty()).collect();
    let others = [
        "}",
        "(",
        ";",
        "int",
        "*",
        "[",
        "0x",
        "1e",
        "'",
        "\"",
        "/*",
        "#",
        "struct",
        "...",
        "9999999999999999999999",
        "\\",
    ];
    for (turn, &place) in visible.iter().enumerate().filter(|(turn, _)| turn % 4 == 0) {
        let mut changed = all.clone();
        let how = match turn / 4 % 3 {
            0 => {
                changed.remove(place);
                "lost"
            }
            1 => {
                changed.insert(place, all[place].clone());
                "doubled"
            }
            _ => {
                changed[place] = others[turn / 12 % others.len()].to_owned();
                "replaced"
            }
        };
        cases.push((format!("token {place} `{}` {how}", all[place]), changed.concat()));
    }
}

/// Nesting.
fn nested(cases: &mut Vec<(String, String)>) {
    let body = |text: String| format!("int g; int main(void) {{ int x = 0, *p = &x; {text} return x; }}\n");
    let around =
        |open: &str, middle: &str, close: &str, n: usize| format!("{}{middle}{}", open.repeat(n), close.repeat(n));
    for n in [60, 3_000] {
        let mut add = |name: &str, text: String| cases.push((format!("{n} {name}"), text));
        add("parentheses", body(format!("x = {};", around("(", "1", ")", n))));
        add("complements", body(format!("x = {}1;", "~".repeat(n))));
        add("casts", body(format!("x = {}1;", "(int)".repeat(n))));
        add("conditionals", body(format!("x = {}3;", "x ? 1 : ".repeat(n))));
        add("commas", body(format!("{}x = 1;", "x = 2, ".repeat(n))));
        add("conjunctions", body(format!("x = {}1;", "x && ".repeat(n))));
        add("blocks", body(around("{", "", "}", n)));
        add("ifs", body(format!("{}x = 1;", "if (x) ".repeat(n))));
        add("whiles", body(format!("{}x = 1;", "while (g) ".repeat(n))));
        add("fors", body(format!("{}break;", "for (;;) ".repeat(n))));
        add("switches", body(format!("{}x = 1;", "switch (x) case 1: ".repeat(n))));
        add("labels", body((0..n).fold(String::new(), |t, i| t + &format!("l{i}: ")) + ";"));
        add(
            "gotos",
            body((0..n).fold(String::new(), |t, i| t + &format!("m{i}: if (x == {i}) goto m{}; ", (i * 7 + 3) % n))),
        );
        add("pointers", format!("int {}p; int main(void) {{ return p != 0; }}\n", "*".repeat(n)));
        add("dimensions", format!("int main(void) {{ int a{}; return 0; }}\n", "[1]".repeat(n)));
        add("indexes", body(format!("x = {};", around("p[", "0", "]", n))));
        add(
            "function declarators",
            format!("int {}f{}; int main(void) {{ return 0; }}\n", "(*".repeat(n), ")(void)".repeat(n)),
        );
        add(
            "structs",
            format!(
                "{} int x; {}; int main(void) {{ return 0; }}\n",
                "struct { ".repeat(n),
                "} m;".repeat(n).trim_end_matches(';')
            ),
        );
        add(
            "braces of an initialiser",
            format!("int a[2] = {}; int main(void) {{ return a[0]; }}\n", around("{", "1", "}", n)),
        );
        add("strings", format!("char *s = {}; int main(void) {{ return s[0]; }}\n", "\"x\" ".repeat(n)));
        add(
            "enumerators",
            format!(
                "enum e {{ {} }}; int main(void) {{ return E1; }}\n",
                (0..n).fold(String::new(), |t, i| t + &format!("E{i}, "))
            ),
        );
        add("statement expressions", body(format!("x = {};", around("({ int y = ", "1", "; y; })", n.min(400)))));
        add("sizes of sizes", body(format!("x = {}x;", "sizeof ".repeat(n))));
        add("locals", body((0..n).fold(String::new(), |t, i| t + &format!("int v{i} = {i}; "))));
        add(
            "conditions of #if",
            format!("{}int main(void) {{ return 0; }}\n{}", "#if 1\n".repeat(n), "#endif\n".repeat(n)),
        );
        add("conjunctions of an annotation", body(format!("/*@ assert {}x == 0; */", "x == 0 && ".repeat(n))));
        add("parentheses of an annotation", body(format!("/*@ assert {}; */", around("(", "x == 0", ")", n))));
        add(
            "quantifiers",
            body(format!(
                "/*@ assert {}x == 0; */",
                (0..n).fold(String::new(), |t, i| t + &format!("\\forall integer k{i}; 0 <= k{i} < 2 ==> "))
            )),
        );
    }
}

/// The ends of the integers, and sizes.
fn extremes(cases: &mut Vec<(String, String)>) {
    let numbers = [
        "0",
        "-1",
        "2147483647",
        "2147483648",
        "-2147483648",
        "4294967295u",
        "9223372036854775807",
        "9223372036854775808u",
        "18446744073709551615u",
        "18446744073709551616",
        "0x7fffffffffffffffffff",
        "1e400",
    ];
    for n in numbers {
        let mut add = |name: &str, text: String| cases.push((format!("{name} {n}"), text));
        add("an array of", format!("int main(void) {{ int a[{n}]; a[0] = 1; return a[0]; }}\n"));
        add("a global array of", format!("char a[{n}][{n}]; int main(void) {{ return a[1][1]; }}\n"));
        add(
            "an index",
            format!(
                "int a[5]; void __VERIFIER_assert(int); int main(void) {{ a[{n}] = 1; __VERIFIER_assert(a[{n}] == 1); return 0; }}\n"
            ),
        );
        add(
            "arithmetic with",
            format!(
                "void __VERIFIER_assert(int); int main(void) {{ long x = {n}; int y = {n} - 1; __VERIFIER_assert(x + y * {n} != 3 / ({n} | 1) % -1); return 0; }}\n"
            ),
        );
        add(
            "a loop to",
            format!(
                "void __VERIFIER_assert(int); int main(void) {{ int s = 0; for (int i = 0; i < {n}; i++) s++; __VERIFIER_assert(s >= 0); return 0; }}\n"
            ),
        );
        add(
            "a case",
            format!(
                "enum e {{ A = {n} }}; int main(int c, char **v) {{ switch (c) {{ case {n}: return A; }} return c << {n} >> {n}; }}\n"
            ),
        );
        add(
            "a field of bits",
            format!("struct s {{ int f : {n}; }}; int main(void) {{ struct s x; x.f = 1; return x.f; }}\n"),
        );
        add(
            "a block of",
            format!(
                "void *malloc(unsigned long); int main(void) {{ int *p = malloc({n}); p[1] = 2; return p[{n}]; }}\n"
            ),
        );
        add(
            "an annotation with",
            format!(
                "int main(void) {{ int x = 1, a[3] = {{0}}; /*@ assert x + {n} * {n} > a[{n}] - {n} / 0; */ return 0; }}\n"
            ),
        );
    }
}

/// Against the preprocessor.
fn preprocessed(cases: &mut Vec<(String, String)>) {
    let mut doubling = "#define A0 x\n".to_owned();
    for n in 1..40 {
        let _ = writeln!(doubling, "#define A{n} A{0} A{0}", n - 1);
    }
    let end = "int main(void) { return 0; }\n";
    let texts = [
        ("doubling macros", format!("{doubling}int main(void) {{ int x; A39; }}\n")),
        ("a macro of itself", format!("#define f(x) f(f(x)) f(x)\nint f(0);\n{end}")),
        ("macros of each other", format!("#define a b\n#define b a\nint a;\n{end}")),
        ("a file that includes itself", format!("#include __FILE__\n{end}")),
        ("a folder that is included", format!("#include \".\"\n{end}")),
        ("a device that is included", format!("#include \"/dev/zero\"\n{end}")),
        ("a missing header", format!("#include <nowhere/at/all.h>\n{end}")),
        ("an #error", format!("#error no\n{end}")),
        ("an #if without end", format!("#if 1\n{end}")),
        ("an #if of division by zero", format!("#if 1 / 0\n#endif\n{end}")),
        ("an #else alone", format!("#else\n{end}")),
        ("a comment without end", format!("{end}/* no end")),
        ("a string without end", format!("char *s = \"no end;\n{end}")),
        ("a character without end", format!("char c = 'x;\n{end}")),
        ("#line far away", format!("#line 2147483648 \"elsewhere\"\nint x = ;\n{end}")),
        ("a line marker of a missing file", format!("# 7 \"/no/such/file.c\" 1 3\nint x = ;\n{end}")),
        ("a line marker of a folder", format!("# 1 \"/\"\nint x = ;\n{end}")),
        ("pragmas", format!("#pragma pack(1)\n_Pragma(\"once\")\n{end}")),
        ("trigraphs", format!("??=define x ??( ??)\n{end}")),
        ("a byte order mark", format!("\u{feff}{end}")),
        ("carriage returns", end.replace(' ', "\r\n")),
        ("universal names", format!("int \\u00e9t\\u00e9; int été; {end}")),
        ("continued lines", "int\\\n ma\\\nin(vo\\\nid) { return 0; }\n".to_owned()),
        ("a joker in a name", format!("int $x@y; {end}")),
        (
            "an assertion that is a macro",
            "#define assert(x) x x x\nint main(void) { assert(1;) return 0; }\n".to_owned(),
        ),
        (
            "a main that is a macro",
            "#define main(...) main(void) { return __VA_ARGS__; } int x(\nint main(1)void);\n".to_owned(),
        ),
        ("a type that is a macro", format!("#define int long long\n{end}")),
        ("inline assembler", "int main(void) { __asm__ goto (\"\" : : : : l); l: return 0; }\n".to_owned()),
        ("nested functions", "int main(void) { int f(int x) { return x; } return f(1); }\n".to_owned()),
        ("vectors", format!("typedef int v __attribute__((vector_size(16))); v x; {end}")),
        ("complex numbers", "int main(void) { double _Complex z = 1; return __real__ z; }\n".to_owned()),
        ("generic selections", "int main(void) { return _Generic(1, int: 2, default: 3); }\n".to_owned()),
        ("a thread-local", format!("_Thread_local int x; _Atomic int y; {end}")),
        ("labels as values", "int main(void) { void *p = &&l; goto *p; l: return 0; }\n".to_owned()),
        ("an empty struct", "struct e {}; int main(void) { struct e a[3]; return sizeof(a); }\n".to_owned()),
        (
            "an array at the end of a struct",
            "struct s { int n; int a[]; }; int main(void) { struct s x; return x.a[0]; }\n".to_owned(),
        ),
        (
            "a union with itself",
            "union u { union u *p; int i; }; int main(void) { union u x; x.i = 1; return x.p != 0; }\n".to_owned(),
        ),
        ("a function that returns a function", format!("int f(void)(void); {end}")),
        ("an array of functions", format!("int f[3](void); {end}")),
        ("two mains", format!("{end}{end}")),
        ("a main that is a variable", "int main = 3;\n".to_owned()),
        ("a variable of type void", "int main(void) { void x; return 0; }\n".to_owned()),
        ("two types of one name", format!("int x; long x; {end}")),
        ("a static assertion that fails", format!("_Static_assert(0, \"no\"); {end}")),
    ];
    cases.extend(texts.into_iter().map(|(name, text)| (name.to_owned(), text)));
}

/// Checks a text, with a limit in seconds. Returns the end and the time.
fn run(folder: &std::path::Path, text: &str, limit: u64) -> (Output, Duration) {
    let path = folder.join("x.c");
    std::fs::write(&path, text).expect("a file is written");
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_smalti"))
        .args(["check", "--time-limit", &limit.to_string()])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("smalti runs");
    (output, start.elapsed())
}

#[test]
fn whatever_is_written_gets_an_answer_or_a_message() {
    each_gets_an_answer_or_a_message(1);
}

#[test]
#[ignore = "soak: the same texts, with three times the time for each"]
fn soak_whatever_is_written_gets_an_answer_or_a_message() {
    each_gets_an_answer_or_a_message(3);
}

/// Checks all texts, each with a limit in seconds.
fn each_gets_an_answer_or_a_message(limit: u64) {
    let mut cases = Vec::new();
    cut_short(&mut cases);
    damaged(&mut cases);
    nested(&mut cases);
    extremes(&mut cases);
    preprocessed(&mut cases);
    assert!(cases.len() >= 300, "{}", cases.len());
    let statuses = std::sync::Mutex::new([0; 4]);
    let wrong = parallel::failures(&cases, |_, (name, text)| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (output, time) = run(folder.path(), text, limit);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let status = output.status.code().and_then(|code| usize::try_from(code).ok()).filter(|code| *code < 4);
        let said = if status == Some(2) { err.starts_with("error: ") } else { !output.stdout.is_empty() };
        if let Some(status) = status {
            statuses.lock().expect("no panic")[status] += 1;
        }
        // The limit, with tolerance for a machine that is busy with other work.
        if status.is_none() || !said || time > Duration::from_secs(limit + 5) {
            let shown: String = err.chars().take(400).collect();
            return Err(format!("{name}: {:?} after {time:?}: {shown}", output.status));
        }
        Ok(())
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} programs, by exit status: {:?}", cases.len(), statuses.into_inner().expect("no panic"));
    let most =
        nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).expect("a system that counts");
    // In KiB on Linux, in bytes elsewhere.
    let unit = if cfg!(target_os = "linux") { 1 << 10 } else { 1 };
    assert!(most.max_rss() * unit < 4 << 30, "{} KiB", most.max_rss());
}
