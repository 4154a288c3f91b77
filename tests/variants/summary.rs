//! Variants of computations over arrays: the stage `summary` proves nearly all of them, and none of
//! their spoilt twins.

use super::parallel::{failures, results};
use super::templates;
use smalti::fuzz::{Random, or_skip};
use smalti::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{InputId, Location, Program, Type};
use smalti::smt;
use smalti::stages::{self, CheckConfig, Silent, Tools};
use smalti::verdict::{Stage, Verdict};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of variants; their seeds begin with 0.
const VARIANTS: usize = 200;

/// Small numbers at random, for inputs and for cells that were never written.
struct Values {
    random: Random,
    least: i128,
    different: usize,
}

impl Values {
    /// By seed: all equal, of a few kinds, or of many.
    fn new(seed: u64) -> Values {
        let mut random = Random::new(seed);
        match seed % 3 {
            0 => Values { random, least: i128::from(seed / 3), different: 1 },
            1 => Values { least: random.below(10) as i128, random, different: 4 },
            _ => Values { random, least: -10, different: 40 },
        }
    }

    fn next(&mut self) -> i128 {
        self.least + self.random.below(self.different) as i128
    }
}

impl Environment for Values {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        self.next()
    }

    fn arbitrary(&mut self, _: &CellOrigin<'_>, _: &Type) -> i128 {
        self.next()
    }

    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        self.next()
    }
}

fn load(text: &str) -> Program {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    load_text("variant.c", text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
}

/// How many of some runs meet undefined behaviour, and how many fail.
fn runs(program: &Program) -> (usize, usize) {
    let (mut undefined, mut failing) = (0, 0);
    for seed in 1..=40 {
        match interpreter::run(program, &mut Values::new(seed), &mut (), &Limits::default()).outcome {
            Outcome::AssertionFailed(_) => failing += 1,
            Outcome::Finished => {}
            _ => undefined += 1,
        }
    }
    (undefined, failing)
}

fn verdicts(program: &Program) -> Vec<Verdict> {
    let solver = or_skip(smt::find(None));
    let solver = solver.as_ref().map(|s| s as &dyn smt::Solver).ok_or_else(|| "there is none".to_owned());
    let config = CheckConfig::new(&[Stage::Summary], Instant::now() + Duration::from_secs(60));
    let tools = Tools { solver, ..Tools::only(Err("not asked".to_owned())) };
    let report = stages::check_with(program, &config, &Silent, tools).expect("stacks are known");
    report.obligations.iter().map(|d| d.verdict).collect()
}

#[test]
fn nineteen_proofs_in_twenty_survive_in_variants() {
    let proved = results(VARIANTS, |n| {
        let (what, text, _) = templates::program(n as u64);
        let program = load(&text);
        assert_eq!(runs(&program), (0, 0), "{what}\n{text}");
        let verdicts = verdicts(&program);
        assert!(!verdicts.is_empty(), "{what} asserts nothing:\n{text}");
        let proved = verdicts.iter().all(|v| *v == Verdict::Proved);
        if !proved {
            println!("open: {what}");
            if std::env::var_os("SMALTI_VARIANTS").is_some() {
                println!("{text}");
            }
        }
        proved
    });
    let proved = proved.into_iter().filter(|p| *p).count();
    println!("{VARIANTS} variants: {proved} are proved");
    assert!(proved * 20 >= VARIANTS * 19, "{proved} of {VARIANTS}");
}

#[test]
fn spoilt_twins_are_not_proved() {
    let twins: Vec<(String, String, String)> = (0..VARIANTS).map(|n| templates::program(n as u64)).collect();
    let wrong = failures(&twins, |_, (what, _, text)| {
        let program = load(text);
        let (undefined, failing) = runs(&program);
        if undefined > 0 || failing == 0 {
            return Err(format!("{what}: {undefined} undefined, {failing} fail\n{text}"));
        }
        match verdicts(&program).iter().all(|v| *v == Verdict::Proved) {
            true => Err(format!("{what} is proved\n{text}")),
            false => Ok(()),
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn variants_and_twins_are_c() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut compiler = Command::new("cc");
    compiler.args(["-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", "-Wno-builtin-declaration-mismatch"]);
    for n in 0..VARIANTS {
        let (_, right, spoilt) = templates::program(n as u64);
        for (kind, text) in [("right", right), ("spoilt", spoilt)] {
            let path = folder.path().join(format!("{kind}{n}.c"));
            std::fs::write(Path::new(&path), text).expect("a temporary file");
            compiler.arg(path);
        }
    }
    let output = compiler.output().expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
