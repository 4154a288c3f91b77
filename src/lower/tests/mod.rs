//! Tests that lowered programs mean what C means, and that errors have the right place.

mod annotations;
mod assumptions;
mod blocks;
mod contracts;
mod garbage;
mod initialising;
mod layouts;
mod library;
mod lifetimes;
mod linkage;
mod order;
mod specification;

use super::{InputError, LowerOptions, load_text};
use crate::interpreter::{CellOrigin, Environment, Limits, Outcome, run};
use crate::program::{DataModel, InputId, Location, ObligationKind, Program, StmtKind, Type, each_stmt, obligations};

/// Every input is the next of a list, every arbitrary value 0.
struct Inputs(Vec<i128>);

impl Environment for Inputs {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        if self.0.is_empty() { 0 } else { self.0.remove(0) }
    }
    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        0
    }
    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        0
    }
}

/// Runs on a stack as large as the analyser has.
fn deep<T: Send + 'static>(inside: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 30).spawn(inside).unwrap().join().unwrap()
}

fn plain() -> LowerOptions {
    LowerOptions { preprocess: false, ..LowerOptions::default() }
}

fn lower(text: &str) -> Result<Program, InputError> {
    load_text("t.c", text, &plain())
}

fn lowered(text: &str) -> Program {
    lower(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn outcome_with(program: &Program, inputs: &[i128]) -> Outcome {
    run(program, &mut Inputs(inputs.to_vec()), &mut (), &Limits::default()).outcome
}

fn outcome(text: &str) -> Outcome {
    outcome_with(&lowered(text), &[])
}

fn message(text: &str) -> String {
    match lower(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(e) => e.to_string(),
    }
}

fn count(program: &Program, wanted: impl Fn(&StmtKind) -> bool) -> usize {
    let mut found = 0;
    for f in &program.functions {
        each_stmt(f.body.as_deref().unwrap_or(&[]).to_vec().as_ref(), &mut |s| found += usize::from(wanted(&s.kind)));
    }
    found
}

#[test]
fn a_lowered_program_computes_what_c_computes() {
    let program = lowered(include_str!("semantics.c"));
    let outcome = outcome_with(&program, &[]);
    if let Outcome::AssertionFailed(id) = outcome {
        let a = program.assertion(id);
        panic!("{}: {}", program.sources.describe(a.location), a.condition);
    }
    assert_eq!(outcome, Outcome::Finished);
}

#[test]
fn sizes_follow_the_data_model() {
    let text = "void assert(int);
        struct S { char c; long l; void *p; long long ll; double d; };
        int main(void) { unsigned long u = -1; assert(sizeof(long) == 4 && sizeof(void *) == 4); assert(u == 4294967295u);
          assert(sizeof(struct S) == 28); assert(sizeof(2147483648) == 8); assert(sizeof(sizeof 1) == 4);
          assert((1u - 2) > 0); long long wide = 1ll << 32, minus = -1; unsigned most = -1; assert((char *)wide == 0);
          assert((char *)minus == (char *)most && (long long)(char *)most == -1); return 0; }";
    let options = LowerOptions { data_model: DataModel::Ilp32, ..plain() };
    let program = load_text("t.c", text, &options).unwrap();
    assert_eq!(outcome_with(&program, &[]), Outcome::Finished);
}

#[test]
fn the_length_of_an_array_is_taken_once() {
    let program =
        lowered("int main(void) { int n = 3; int a[n++]; n = 100; a[2] = 1; return sizeof a / sizeof a[0] == 3; }");
    assert_eq!(outcome_with(&program, &[]), Outcome::Finished);
    let text = "int main(void) { int n = 3; int a[n]; n = 100; a[3] = 1; return 0; }";
    assert!(matches!(outcome(text), Outcome::Undefined { .. }));
}

#[test]
fn the_pure_part_of_a_loop_condition_stays_its_condition() {
    let program = lowered(
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int i = 0; while (i < 5 && __VERIFIER_nondet_int()) i++; return i; }",
    );
    let main = program.function(program.entry).body.as_ref().unwrap();
    let condition = main.iter().find_map(|s| match &s.kind {
        StmtKind::Loop(l) => Some(crate::program::print::expr(&program, &l.condition)),
        _ => None,
    });
    assert_eq!(condition.as_deref(), Some("i < 5"));
    assert_eq!(outcome_with(&program, &[1, 1, 0]), Outcome::Finished);
}

#[test]
fn malloc_counts_elements_of_the_pointer_it_goes_to() {
    let program = lowered(
        "void *malloc(unsigned long); struct S { int a, b; };
         int main(void) { int n = 7; int *p = malloc(n * sizeof(int)); char *c = malloc(n);
           struct S *s = (struct S *) malloc(sizeof(struct S)); int *q = malloc(8); p[6] = c[6] = s->b = q[1]; return 0; }",
    );
    let mut counts = Vec::new();
    each_stmt(program.function(program.entry).body.as_ref().unwrap(), &mut |s| {
        if let StmtKind::Allocate { count, element, .. } = &s.kind {
            counts.push(format!(
                "{} {}",
                crate::program::print::expr(&program, count),
                matches!(element, Type::Struct(_))
            ));
        }
    });
    assert_eq!(counts, ["n false", "n false", "1 true", "2 false"]);
}

#[test]
fn declarations_that_contradict_each_other_are_refused() {
    assert!(message("int x; long x; int main(void) { return 0; }").contains("`x` has the type `long` here"));
    assert!(message("int f(int); long f(int a) { return a; } int main(void) { return 0; }").contains("contradicts"));
    assert!(message("int f(void) { return 1; } int f(void) { return 2; }").contains("defined twice"));
    assert!(message("int main(void) { return y; }").starts_with("t.c:1:25: `y` is not declared"));
    assert!(message("int main(void) { goto l; }").contains("no label `l`"));
    assert!(message("void v[3]; int main(void) { return 0; }").contains("incomplete type `void`"));
}

#[test]
fn several_files_are_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let a = file(
        "a.i",
        "struct S { int x; struct S *next; }; extern struct S shared; static int hidden = 1; int get(struct S *);
         void assert(int); int main(void) { shared.x = 5; assert(get(&shared) == 7); assert(hidden == 1); return 0; }",
    );
    let b = file(
        "b.i",
        "struct S { int x; struct S *next; }; struct S shared; static int hidden = 2;
         int get(struct S *s) { return s->x + hidden; }",
    );
    let program = super::load(&[a.clone(), b], &plain()).unwrap();
    assert_eq!(outcome_with(&program, &[]), Outcome::Finished);
    let c = file("c.i", "int main(void) { return 1; }");
    assert!(super::load(&[a.clone(), c], &plain()).unwrap_err().to_string().contains("`main` is defined twice"));
    let d = file("d.i", "struct S { long x; }; struct S shared;");
    assert!(super::load(&[a.clone(), d], &plain()).unwrap_err().to_string().contains("which is another one than"));
    let e = file("e.i", "#pragma pack(1)\nstruct S { int x; struct S *next; }; struct S shared;");
    assert!(super::load(&[a, e], &plain()).unwrap_err().to_string().contains("which is another one than"));
}

#[test]
fn functions_that_are_only_declared_are_left_out() {
    let program = lowered("int used(int); int unused(int); int main(void) { return used(1); }");
    let names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["used", "main"]);
    assert!(program.assumptions.iter().any(|a| a.line().contains("has no body") && a.about.contains("used")));
    assert_eq!(count(&program, |s| matches!(s, StmtKind::Call { .. })), 1);
}

#[test]
fn a_parameter_that_hides_a_type_is_refused() {
    // lang-c would read `(T) + 1` as a cast.
    assert!(
        message("typedef int T; int f(int T) { return (T) + 1; } int main(void) { return f(1); }")
            .contains("hides a type")
    );
}

#[test]
fn values_that_nobody_reads_are_computed_too() {
    for statement in [
        "1 / x;",
        "(void)(1 / x);",
        "(1 / x, 0);",
        "y = (1 / x, 3);",
        "for (1 / x; y; ) ;",
        "for (; y < 3; y++, 1 / x) ;",
        "do { } while (1 / x, 0);",
        "1 / x && 1;",
        "y || 1 / x;",
        "y ? 2 : 1 / x;",
        "1 / x ? 1 : 2;",
        "-(1 / x);",
        "b[1 / x];",
        "&b[1 / x];",
        "({ 1 / x; 3; });",
        "exit(1 / x);",
        "printf(\"%d\", 1 / x);",
        "memset(b, 1 / x, 4);",
        "memcpy(b, b, 1 / x);",
    ] {
        let text = format!("int main(void) {{ int x = 0, y = 0, b[4] = {{0}}; {statement} return 0; }}");
        let program = lowered(&text);
        assert!(!obligations(&program, &[ObligationKind::Division]).is_empty(), "{text}");
        assert!(matches!(outcome(&text), Outcome::Undefined { .. }), "{text}: {:?}", outcome(&text));
    }
    // Expressions that cannot be undefined become no statements.
    let program = lowered("int main(void) { int x = 0; x; (void)x; x == 3; x ? x : 2; x < 3 && x; return 0; }");
    assert_eq!(count(&program, |s| matches!(s, StmtKind::Assign(..) | StmtKind::If(..))), 1);
}
