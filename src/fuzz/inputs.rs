//! The targets of coverage-guided fuzzing (`fuzz/`, `scripts/fuzz`). Each function takes any bytes
//! and panics if smalti has a bug.

use super::attack::{Attack, External, Programs, Question, Said, read};
use super::reductions::Sample;
use super::{Random, annotations};
use crate::lower::{LowerOptions, load_text};
use crate::program::print::{Plain, to_c};
use crate::report::{Document, page};
use crate::suite::{Config, Snapshot};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Preprocessed text: it must give a program, or a message with a place.
pub fn program(bytes: &[u8]) {
    if let Some(program) = accepted(&String::from_utf8_lossy(bytes)) {
        // An accepted program can be printed.
        let _ = to_c(&program, &mut Plain);
    }
}

/// An accepted program is analysed: the states of its runs must lie in the abstract states.
///
/// # Panics
/// A state of a run lies outside, or a proved obligation fails.
pub fn states(bytes: &[u8]) {
    static EXTERNAL: LazyLock<External> = LazyLock::new(External::find);
    let text = String::from_utf8_lossy(bytes);
    let Some(program) = accepted(&text) else { return };
    let attack = Attack { programs: Programs::General, question: Question::States("box".into()) };
    let sample = Sample { text: text.into_owned(), ..Sample::default() };
    if let Err(bug) = attack.judge(&program, &sample, 1, &EXTERNAL, Instant::now() + Duration::from_secs(2)) {
        panic!("{bug}");
    }
}

/// The inside of an ACSL comment, at each place where annotations may stand.
pub fn annotation(bytes: &[u8]) {
    let comment = format!("/*@ {} */", String::from_utf8_lossy(bytes));
    for (before, inside, at_loop) in [(&*comment, "", ""), ("", &*comment, ""), ("", "", &*comment)] {
        accepted(&format!(
            "struct s {{ int x; unsigned char y[4]; }}; int n; struct s t[8];\n{before}\nint f(int *a, int k) {{\n  struct s *p = t;\n  {inside}\n  \
             {at_loop}\n  for (int i = 0; i < k; i++) {{ a[i] = p->x; }}\n  return n;\n}}\n"
        ));
    }
}

/// The choices that make a program with annotations of the whole grammar.
///
/// # Panics
/// A refusal has no place.
pub fn annotations(bytes: &[u8]) {
    match annotations::read(&annotations::program(Random::following(bytes))) {
        Ok(program) => program.iter().for_each(annotations::used),
        Err(bug) => panic!("{bug}"),
    }
}

/// What CBMC prints.
///
/// # Panics
/// It is accepted as an answer to another question.
pub fn cbmc(bytes: &[u8]) {
    read(Said::ByCbmc, &String::from_utf8_lossy(bytes)).expect("an answer to what was asked");
}

/// What a solver prints.
///
/// # Panics
/// It is accepted as an answer to another question.
pub fn solver(bytes: &[u8]) {
    read(Said::BySolver, &String::from_utf8_lossy(bytes)).expect("an answer to what was asked");
}

/// A `smalti.toml`.
pub fn configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = Config::parse(&text) {
        let _ = error.diagnostic("smalti.toml", &text);
    }
}

/// The snapshot of a suite's program.
///
/// # Panics
/// Writing and reading it again changes it.
pub fn snapshot(bytes: &[u8]) {
    if let Ok(snapshot) = Snapshot::parse(&String::from_utf8_lossy(bytes)) {
        let text = snapshot.text();
        let again = Snapshot::parse(&text).expect("a snapshot that was written can be read");
        assert_eq!(again.text(), text);
    }
}

/// A stored report, and the page that is made from it.
pub fn document(bytes: &[u8]) {
    if let Ok(document) = Document::from_json(&String::from_utf8_lossy(bytes)) {
        let _ = page(&document);
    }
}

fn accepted(text: &str) -> Option<crate::program::Program> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("input.i", text, &options).ok()
}

#[cfg(test)]
mod tests {
    use super::super::attack::damaged;
    use super::*;

    /// A target, and a text that it accepts.
    type Seed = (fn(&[u8]), &'static str);

    const SEEDS: [Seed; 10] = [
        (program, include_str!("../../tests/programs/searches_and_what_stands_behind_them.c")),
        (states, "int a[3]; int main(void) { for (int i = 0; i < 3; i++) a[i] = 3 * i; return a[2]; }"),
        (annotation, "requires 0 <= n; ensures \\forall integer k; 0 <= k < n ==> t[k].x == \\old(n);"),
        (annotation, "loop invariant 0 <= i <= k && p == t; loop assigns i, a[0 .. k - 1];"),
        (annotations, "choices"),
        (cbmc, include_str!("seeds/cbmc/failure.json")),
        (solver, include_str!("seeds/solver/sat.txt")),
        (solver, include_str!("seeds/solver/unsat.txt")),
        (
            configuration,
            "exclude = [\"x/**\"]\ntime-limit = 5\n[[program]]\nname = \"p\"\nfiles = [\"a.c\", \"b.c\"]\n",
        ),
        (snapshot, include_str!("../../examples/init.c.smalti")),
    ];

    #[test]
    fn seeds_and_what_damage_makes_of_them_are_taken() {
        for (n, (input, seed)) in SEEDS.into_iter().enumerate() {
            input(seed.as_bytes());
            let mut random = Random::new(n as u64);
            for _ in 0..40 {
                input(damaged(seed, &mut random).as_bytes());
            }
        }
        assert!(
            accepted(SEEDS[0].1).and(accepted(SEEDS[1].1)).is_some()
                && Config::parse(SEEDS[8].1).is_ok()
                && Snapshot::parse(SEEDS[9].1).is_ok()
        );
    }

    #[test]
    fn each_has_a_target() {
        let (source, targets) = (include_str!("inputs.rs"), concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/targets"));
        let names: Vec<&str> =
            source.lines().filter_map(|l| l.strip_prefix("pub fn ")).filter_map(|l| l.split('(').next()).collect();
        assert!(names.len() > 7);
        for name in names {
            let target = std::fs::read_to_string(format!("{targets}/{name}.rs")).expect(name);
            assert!(target.contains(&format!("inputs::{name}(bytes)")), "{target}");
        }
    }
}
