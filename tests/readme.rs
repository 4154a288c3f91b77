//! What the README shows is what the program does.

use smalti::fuzz::or_skip;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

fn smalti(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().expect("smalti runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The texts of the fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if line.strip_prefix("```").is_some_and(|l| l == language) {
            let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            found.push(block.join("\n") + "\n");
        }
    }
    found
}

/// Times and the version of CBMC differ from machine to machine.
fn steady(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match line.split_once("decided) in ") {
            Some((start, _)) => format!("{start}decided) in [time]"),
            // The inputs of a failing run are CBMC's choice.
            None if line.starts_with("           ") && line.contains(" = ") => without_numbers(line),
            None if line.contains("replayed in ") => without_numbers(line),
            None if line.starts_with("    cbmc version ") => without_numbers(line),
            None => line.trim_end().to_owned(),
        };
        out += &line;
        out.push('\n');
    }
    out
}

fn without_numbers(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit() && *c != '-').collect()
}

#[test]
fn the_examples_print_what_the_readme_shows() {
    if or_skip(smalti::cbmc::find(None)).is_none() {
        return;
    }
    let examples = blocks("console");
    assert!(examples.len() >= 2, "the README has lost its examples");
    for example in examples {
        let (command, shown) = example.split_once('\n').expect("a command and its output");
        let arguments: Vec<&str> =
            command.strip_prefix("$ scripts/smalti ").expect("a call of scripts/smalti").split_whitespace().collect();
        let printed = smalti(&arguments);
        assert_eq!(steady(&printed), steady(shown), "the output of {command} is now:\n{printed}");
    }
}

#[test]
fn the_witness_has_the_invariant_that_the_readme_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme.yml");
    let path = folder.display().to_string();
    let task = ["examples/competition/unreach-call.prp", "examples/competition/reverse.c"];
    smalti(&["check", "--stages", "domains", "--svcomp", task[0], task[1], "--witness", &path]);
    let witness = fs::read_to_string(&folder).expect("a witness");
    let [shown] = &blocks("yaml")[..] else { panic!("one line of a witness") };
    assert!(witness.contains(shown.trim()), "{witness}");
}

#[test]
fn the_program_that_the_readme_shows_is_the_one_in_examples() {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/buggy.c")).expect("buggy.c");
    assert_eq!(blocks("c"), [source]);
}

#[test]
fn every_option_of_the_help_is_in_the_readme_and_no_other() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let words = |text: &str| -> BTreeSet<String> {
        let part = text.split(|c: char| c.is_whitespace() || "`,[]<>(){}|…".contains(c));
        part.filter(|w| w.strip_prefix("--").is_some_and(|n| n.starts_with(|c: char| c.is_ascii_lowercase())))
            .map(|w| w.trim_end_matches('.').to_owned())
            .collect()
    };
    for verb in [
        "check",
        "report",
        "states",
        "invariants",
        "reduce",
        "refine",
        "cfg",
        "slice",
        "test",
        "domains",
        "completions",
        "man",
        "explain",
    ] {
        known.extend(words(&smalti(&[verb, "--help"])));
        assert!(README.contains(&format!("| `{verb}")), "the README does not mention {verb}");
    }
    known.remove("--help");
    let mut shown = words(README);
    // Options of other programs.
    for other in ["--browser", "--print", "--install", "--bench", "--shortcuts"] {
        shown.remove(other);
    }
    assert_eq!(shown, known);
}
