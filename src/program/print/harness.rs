//! Programs that gcc can run: inputs come from a list of numbers, and the exit status of a run
//! tells how it ended.

use super::{Dialect, Printer, to_c};
use crate::program::{AssertionId, Expr, IntKind, Lvalue, Program, Stmt, Type};
use std::fmt::Write as _;

/// The dialect of [`gcc_harness`].
#[derive(Clone, Debug, Default)]
pub struct Harness {
    prefix: String,
    crowded: bool,
    opaque: bool,
}

impl Harness {
    /// The exit code of a run that reaches its end, or a `Stop`.
    pub const FINISHED: i32 = 0;
    /// The exit code of a run that fails an assertion; the assertion's number is written to stderr
    /// as `assertion <n>`.
    pub const FAILED: i32 = 41;
    /// The exit code of a run whose assumption does not hold.
    pub const ASSUMPTION: i32 = 42;
    /// The exit code of a run that needs more inputs than there are.
    pub const NO_INPUT: i32 = 43;
    /// The exit code of a run that needs a value that only the environment knows (`Havoc`).
    pub const ARBITRARY: i32 = 44;

    /// One of several programs in a file; its names begin with `prefix`.
    pub fn with_prefix(prefix: impl Into<String>) -> Harness {
        Harness { prefix: prefix.into(), crowded: false, opaque: false }
    }

    /// With an empty statement before each statement and each test of a loop: the program has the
    /// same meaning, but is written in the forms that other dialects need.
    #[must_use]
    pub fn crowded(self) -> Harness {
        Harness { crowded: true, ..self }
    }

    /// With all values going through memory ([`Dialect::opaque`]): otherwise gcc removes `c == 300`
    /// for a `char`, together with all that may go wrong in `c`, and computes `(char)(a * b)`
    /// without the overflow of `a * b`.
    #[must_use]
    pub fn through_memory(self) -> Harness {
        Harness { opaque: true, ..self }
    }
}

/// The functions that the printed programs call.
const RUNTIME: &str = r#"extern long long strtoll(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern int dprintf(int, const char *, ...);
extern void _exit(int);
static char **smalti_inputs;
static unsigned long long smalti_next(void) {
    if (!*smalti_inputs) _exit(43);
    char *text = *smalti_inputs++;
    return text[0] == '-' ? (unsigned long long)strtoll(text, 0, 10) : strtoull(text, 0, 10);
}
static void smalti_fail(unsigned assertion) { dprintf(2, "assertion %u\n", assertion); _exit(41); }
"#;

impl Dialect for Harness {
    fn prefix(&self) -> &str {
        &self.prefix
    }

    fn opaque(&self) -> bool {
        self.opaque
    }

    fn prelude(&mut self, _printer: &Printer<'_>) -> Vec<String> {
        Vec::new()
    }

    fn before(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Vec<String> {
        if self.crowded { vec![";".to_owned()] } else { Vec::new() }
    }

    fn input(
        &mut self,
        printer: &Printer<'_>,
        _stmt: &Stmt,
        target: &Lvalue,
        _input: crate::program::InputId,
    ) -> Vec<String> {
        let value = match &target.ty {
            Type::Int(IntKind::Bool) => "smalti_next() != 0".to_owned(),
            ty => format!("({})smalti_next()", printer.type_name(ty)),
        };
        vec![printer.assignment(target, &value)]
    }

    fn havoc(&mut self, _printer: &Printer<'_>, _stmt: &Stmt, _target: &Lvalue) -> Vec<String> {
        vec!["_exit(44);".to_owned()]
    }

    fn havoc_reachable(&mut self, _printer: &Printer<'_>, _stmt: &Stmt, _pointers: &[Expr]) -> Vec<String> {
        vec!["_exit(44);".to_owned()]
    }

    fn open_call(
        &mut self,
        _printer: &Printer<'_>,
        _stmt: &Stmt,
        _target: Option<&Lvalue>,
        callee: &crate::program::Callee,
        _arguments: &[Expr],
    ) -> Option<Vec<String>> {
        matches!(callee, crate::program::Callee::Function(_)).then(|| vec!["_exit(44);".to_owned()])
    }

    fn assume(&mut self, printer: &Printer<'_>, _stmt: &Stmt, condition: &Expr) -> Vec<String> {
        vec![format!("if (!({})) _exit(42);", printer.expr(condition))]
    }

    fn assert(&mut self, printer: &Printer<'_>, _stmt: &Stmt, condition: &Expr, assertion: AssertionId) -> Vec<String> {
        vec![format!("if (!({})) smalti_fail({});", printer.expr(condition), assertion.0)]
    }

    fn stop(&mut self, _printer: &Printer<'_>, _stmt: &Stmt) -> Vec<String> {
        vec!["_exit(0);".to_owned()]
    }
}

/// A C file whose program reads its inputs from the arguments of the command line (decimal numbers,
/// in the order of the inputs) and exits with one of the codes of [`Harness`].
pub fn gcc_harness(program: &Program) -> String {
    let mut text = RUNTIME.to_owned();
    text.push_str(&to_c(program, &mut Harness::with_prefix("p_")));
    text.push_str("\nint main(int argc, char **argv) { smalti_inputs = argv + 1; p_main(); return 0; }\n");
    text
}

/// A C file of several programs: starting a compiler is slow. It reads lines `<program> <input>…`
/// (at most 1000 inputs) from standard input, runs each in a child process, and writes lines
/// `<exit code> <assertion, or -1>`; a run of more than `seconds` seconds is killed, and its exit
/// code is then that of a signal, 128 + its number. What the children write to stderr (the
/// sanitizers' messages) follows as lines that begin with `| `. With `through_memory`,
/// [`Harness::through_memory`].
pub fn gcc_harness_of_many(programs: &[&Program], seconds: u32, through_memory: bool) -> String {
    let mut text = RUNTIME.to_owned();
    for (n, program) in programs.iter().enumerate() {
        let harness = Harness::with_prefix(format!("p{n}_"));
        let harness = if through_memory { harness.through_memory() } else { harness };
        // Every second program uses the forms that are written if something stands before a
        // statement.
        text.push_str(&to_c(program, &mut if n % 2 == 1 { harness.crowded() } else { harness }));
    }
    text.push_str(
        r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static void smalti_start(int program) {
    switch (program) {
"#,
    );
    for n in 0..programs.len() {
        let _ = writeln!(text, "    case {n}: p{n}_main(); break;");
    }
    let _ = write!(
        text,
        r#"    default: _exit(45);
    }}
}}
int main(void) {{
    static char line[100000];
    while (fgets(line, sizeof line, stdin)) {{
        static char *words[1002];
        int count = 0;
        for (char *w = strtok(line, " \n"); w && count < 1001; w = strtok(0, " \n")) words[count++] = w;
        words[count] = 0;
        if (!count) continue;
        int ends[2];
        if (pipe(ends)) return 1;
        pid_t child = fork();
        if (child == 0) {{
            close(ends[0]);
            dup2(ends[1], 2);
            alarm({seconds});
            smalti_inputs = words + 1;
            smalti_start(atoi(words[0]));
            _exit(0);
        }}
        close(ends[1]);
        static char said[20000];
        size_t length = 0;
        ssize_t got;
        char scrap[1000];
        while ((got = length < sizeof said - 1 ? read(ends[0], said + length, sizeof said - 1 - length)
                                                : read(ends[0], scrap, sizeof scrap)) > 0)
            if (length < sizeof said - 1) length += (size_t)got;
        said[length] = 0;
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        int assertion = -1;
        if (code == 41) sscanf(said, "assertion %d", &assertion);
        printf("%d %d\n", code, assertion);
        for (char *l = strtok(said, "\n"); l && code != 41; l = strtok(0, "\n")) printf("| %s\n", l);
        fflush(stdout);
    }}
    return 0;
}}
"#
    );
    text
}
