//! The formulas that `smalti invariants` prints hold in every run that passes their place, on the
//! programs of `tests/programs`. (On random programs: `tests/attacks.rs`.)

use smalti::analysis::{AllowedNames, AnalysisConfig, invariants};
use smalti::fuzz::attack::{Attack, External, Programs, Question};
use smalti::fuzz::c_files;
use smalti::fuzz::reductions::Sample;
use smalti::lower::{LowerOptions, load_text};
use std::path::Path;
use std::time::{Duration, Instant};

/// Lowering and analysis are recursive in the nesting of the source.
fn with_stack(work: impl FnOnce() + Send + 'static) {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    worker.expect("a thread").join().expect("no false formula");
}

#[test]
fn formulas_hold_on_the_programs_of_the_tests() {
    with_stack(|| {
        let files = c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs"));
        let attack = Attack { programs: Programs::General, question: Question::Formulas("partition/octagon".into()) };
        let (external, sample) = (External::find(), Sample::default());
        let (mut accepted, mut ranges, mut looked) = (0, 0, 0);
        for (seed, path) in (1..).zip(&files) {
            let text = std::fs::read_to_string(path).expect("a readable program");
            let prelude = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); ";
            let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
            let Ok(program) = load_text("x.c", &format!("{prelude}{text}"), &options) else { continue };
            let until = Instant::now() + Duration::from_secs(10);
            let found = attack
                .judge(&program, &sample, seed, &external, until)
                .unwrap_or_else(|bug| panic!("{}: {bug}", path.display()));
            accepted += 1;
            ranges += found.ranges;
            looked += found.states;
        }
        println!("{accepted} of {} programs, {ranges} formulas over ranges, {looked} looks", files.len());
        assert!(accepted * 2 > files.len(), "most programs of the tests are no longer read: {accepted}");
        assert!(ranges >= 40 && looked > 1000, "{ranges} formulas over ranges, {looked} looks");
    });
}

#[test]
fn what_annotations_say_is_granted_and_listed() {
    let granted = |annotation: &str| {
        let text = format!("int main(void) {{ int i = 5;\n{annotation}\nreturn i; }}");
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", &text, &options).expect("a program");
        let found = invariants(&program, &AnalysisConfig::default(), AllowedNames::Reader).expect("the stack");
        found.assumptions.iter().any(|a| a.text.starts_with("the annotations hold"))
    };
    assert!(granted("//@ assert i < 3;") && !granted(""));
}
