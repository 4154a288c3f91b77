//! Random programs against loop pruning and loop shrinking: nothing that they prove has a failing run.
//!
//! A smoke run of some seconds each; `SMALTI_FUZZ_COUNT=5000 cargo test --test reductions --release -- --nocapture` looks at that many programs, starting with
//! seed `SMALTI_FUZZ_SEED`; `SMALTI_FUZZ_SHOW=1` prints why programs are refused. The interpreter runs every program on small inputs, all of them where they are
//! few; some of what is proved is given to CBMC as it is, too.

use smalti::analysis::AnalysisConfig;
use smalti::cbmc::{self, EmitOptions, ModelChecker, PropertyAnswer, Purpose, Query, Sizes, Tuning, Undefined, emit};
use smalti::fuzz::reductions::{Sample, Search, Target, program};
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{AssertionId, DataModel, ObligationKind, Program, obligations};
use smalti::reduce::normal::{Inlined, normalise};
use smalti::reduce::prune::prune;
use smalti::reduce::shrink;
use smalti::stages::{self, CheckConfig, Silent, Tools};
use smalti::verdict::{Stage, Verdict};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn model() -> Option<cbmc::Cbmc> {
    match cbmc::find(None) {
        Ok(cbmc) => Some(cbmc),
        Err(why) => {
            println!("skipped: {why}");
            assert!(std::env::var_os("CI").is_none(), "{why}");
            None
        }
    }
}

fn decided(program: &Program, stage: Stage, cbmc: &cbmc::Cbmc, limit: Duration) -> (Verdict, String) {
    let config = CheckConfig {
        files: vec!["t.c".into()],
        checks: vec![ObligationKind::Assertion],
        stages: vec![stage],
        deadline: Instant::now() + limit,
        cbmc: None,
        solver: None,
        stacks: Vec::new(),
        analysis: AnalysisConfig::default(),
        assume_invariants: true,
    };
    let report = stages::check_with(program, &config, &Silent, Tools::only(Ok(cbmc))).expect("a report");
    let decided = report.obligations.into_iter().next().expect("an assertion");
    (decided.verdict, decided.evidence.detail)
}

/// Whether CBMC finds a failing run of the program itself, with so many iterations at most.
fn really_fails(program: &Program, cbmc: &cbmc::Cbmc, unwind: u32) -> bool {
    let all = obligations(program, &[ObligationKind::Assertion]);
    let options = EmitOptions {
        obligations: &all,
        purpose: Purpose::Decide,
        undefined: Undefined::Ends,
        sizes: Sizes::AtMost(48),
        log_heap: false,
    };
    let emitted = emit(program, &options);
    let query = Query {
        source: emitted.source.clone(),
        properties: emitted.properties.keys().cloned().collect(),
        data_model: DataModel::default(),
        unwind,
        unwinding_assertions: false,
        stop_at_failure: false,
        tuning: Tuning::Plain,
    };
    match cbmc.run(&query, Instant::now() + Duration::from_secs(5)) {
        Ok(answer) => answer.properties.values().any(|a| matches!(a, PropertyAnswer::Fails(_))),
        // Too hard: the interpreter has looked.
        Err(_) => false,
    }
}

/// Why a program is outside the fragment, without names and numbers.
fn outside(program: &Program, target: Target) -> Option<String> {
    let assertion = AssertionId(0);
    let refusal = match target {
        Target::Prune => normalise(program, assertion).and_then(|n| prune(&n, assertion)).err()?,
        Target::Shrink => shrink::goals(&Inlined::new(program), assertion).err()?,
    };
    Some(refusal.reason.chars().filter(|c| !c.is_ascii_digit()).collect())
}

/// Every second program is spoilt, so that some run fails if one of a few ways to spoil it does that.
fn made(seed: u64, target: Target) -> (Sample, Program) {
    let load = |sample: &Sample| {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        load_text("t.c", &sample.text, &options)
            .unwrap_or_else(|e| panic!("seed {seed}: {}\n{}", e.message(), sample.text))
    };
    let mut way = 0;
    loop {
        let sample = program(seed / 2, target, (seed % 2 == 1).then_some(way));
        let loaded = load(&sample);
        if seed.is_multiple_of(2) || way == 8 || Search::run(&loaded, &sample, seed, 40) == Search::Fails {
            return (sample, loaded);
        }
        way += 1;
    }
}

#[derive(Default)]
struct Seen {
    programs: u64,
    outside: u64,
    proved: u64,
    unsafe_ones: u64,
    open: u64,
    /// Of those not proved.
    spoilt: u64,
    reasons: BTreeMap<String, u64>,
    /// Of runs, of the stage, and of CBMC with the program as it is.
    times: [Duration; 3],
}

fn nothing_false(target: Target, stage: Stage) {
    let Some(cbmc) = model() else { return };
    let start = Instant::now();
    let (count, first) = (number("SMALTI_FUZZ_COUNT"), number("SMALTI_FUZZ_SEED").unwrap_or(1));
    let seconds = number("SMALTI_FUZZ_SECONDS").unwrap_or(if count.is_some() { 100_000 } else { 10 });
    let show = std::env::var_os("SMALTI_FUZZ_SHOW").is_some();
    let mut seen = Seen::default();
    for seed in first.. {
        // A slow machine takes longer to see something of both kinds.
        let patience = if seen.proved > 0 && seen.unsafe_ones > 0 { seconds } else { seconds.saturating_mul(6) };
        if count.is_some_and(|count| seen.programs >= count) || start.elapsed() > Duration::from_secs(patience) {
            break;
        }
        seen.programs += 1;
        let spoilt = seed % 2 == 1;
        let (sample, loaded) = made(seed, target);
        let text = &sample.text;
        if let Some(why) = outside(&loaded, target) {
            seen.outside += 1;
            *seen.reasons.entry(why).or_default() += 1;
            continue;
        }
        let began = Instant::now();
        let found = Search::run(&loaded, &sample, seed, 1000);
        let ran = Instant::now();
        let limit = Duration::from_secs(if found == Search::Fails { 3 } else { 6 });
        let (verdict, detail) = decided(&loaded, stage, &cbmc, limit);
        seen.times[0] += ran - began;
        seen.times[1] += ran.elapsed();
        match verdict {
            Verdict::Proved => {
                seen.proved += 1;
                assert!(found != Search::Fails, "seed {seed}: proved ({detail}), and a run fails:\n{text}");
                let unwind = u32::try_from(sample.most).expect("small") + 4;
                let began = Instant::now();
                // The interpreter has looked at a thousand runs; CBMC takes seconds for one program.
                let fails = seed % 10 < 2 && really_fails(&loaded, &cbmc, unwind);
                seen.times[2] += began.elapsed();
                assert!(!fails, "seed {seed}: proved ({detail}), and CBMC finds a failing run:\n{text}");
            }
            Verdict::Unknown if found == Search::Fails => seen.unsafe_ones += 1,
            Verdict::Unknown => {
                seen.open += 1;
                seen.spoilt += u64::from(spoilt);
                if show {
                    println!("seed {seed}: {detail}\n{text}");
                }
            }
            other => panic!("seed {seed}: {other:?} ({detail})\n{text}"),
        }
    }
    println!(
        "{target:?}: {} programs, {} outside the fragment, {} proved, {} with a failing run, {} open ({} of them spoilt) in {:.0?} {:.0?}",
        seen.programs,
        seen.outside,
        seen.proved,
        seen.unsafe_ones,
        seen.open,
        seen.spoilt,
        start.elapsed(),
        seen.times
    );
    if show {
        let mut reasons: Vec<_> = seen.reasons.into_iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        reasons.iter().for_each(|(why, n)| println!("{n:5} {why}"));
    }
    assert!(seen.proved > 0 && seen.unsafe_ones > 0, "the generator makes nothing that can be decided");
    assert!(seen.programs < 100 || seen.outside * 2 < seen.programs, "most programs are outside the fragment");
}

#[test]
fn what_pruning_proves_of_programs_built_from_facts_has_no_failing_run() {
    nothing_false(Target::Prune, Stage::Prune);
}

#[test]
fn what_shrinking_proves_of_programs_built_from_facts_has_no_failing_run() {
    nothing_false(Target::Shrink, Stage::Shrink);
}
