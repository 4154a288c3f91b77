//! What the README and the other texts show is what the program does.

mod tools;

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
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
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

/// Commands of the texts that no test runs, and why.
const NOT_RUN: &[(&str, &str)] = &[("scripts/test", "it runs this test")];

/// The texts with commands for people.
const TEXTS: [(&str, &str); 4] = [
    ("README.md", README),
    ("docs/reductions.md", include_str!("../docs/reductions.md")),
    ("ARCHITECTURE.md", include_str!("../ARCHITECTURE.md")),
    ("SECURITY.md", include_str!("../SECURITY.md")),
];

/// A copy of the examples, where commands may write.
fn copied_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in walkdir::WalkDir::new(root.join("examples")) {
        let entry = entry.expect("our examples can be read");
        let copy = folder.path().join(entry.path().strip_prefix(root).expect("inside"));
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(copy).expect("a folder is made"),
            false => _ = fs::copy(entry.path(), copy).expect("a copy"),
        }
    }
    folder
}

/// What a command line of a text prints that calls smalti; it may fail as `check` does, but not because something is wrong.
fn run_in(folder: &Path, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["scripts/smalti" | "smalti", arguments @ ..] = &words[..] else { panic!("{command} calls something else") };
    assert!(!command.contains(['|', '>', '"', '\'', '$', ';']), "{command} needs a shell");
    let mut smalti = assert_cmd::Command::new(env!("CARGO_BIN_EXE_smalti"));
    tools::name_tools(&mut smalti);
    // There, nothing may be accepted.
    smalti.env_remove("CI");
    let output = smalti.current_dir(folder).args(arguments).output().expect("smalti runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)) && err.is_empty(), "{command}: {out}{err}");
    out.into_owned()
}

#[test]
fn every_command_that_a_text_shows_runs_and_prints_what_is_shown() {
    if or_skip(smalti::cbmc::find(None)).is_none() || or_skip(smalti::smt::find(None)).is_none() {
        return;
    }
    let folder = copied_examples();
    let mut ran = 0;
    let mut left: BTreeSet<&str> = NOT_RUN.iter().map(|(command, _)| *command).collect();
    for (name, text) in TEXTS {
        for block in blocks(text, "sh") {
            for line in block.lines() {
                let command = line.split(" #").next().unwrap_or_default().trim();
                if !command.is_empty() && !NOT_RUN.iter().any(|(c, _)| *c == command) {
                    run_in(folder.path(), command);
                    ran += 1;
                }
                left.remove(command);
            }
        }
        for example in blocks(text, "console") {
            let mut rest = example.as_str();
            // Several commands may stand in one block, each with its output behind it.
            while let Some((line, behind)) = rest.split_once('\n') {
                let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{name}: no command in {line}"));
                let end = behind.find("\n$ ").map_or(behind.len(), |n| n + 1);
                let (shown, next) = behind.split_at(end);
                let printed = run_in(folder.path(), command);
                assert_eq!(steady(&printed), steady(shown), "the output of {command} in {name} is now:\n{printed}");
                ran += 1;
                rest = next;
            }
        }
    }
    assert!(ran >= 8, "the texts have lost their examples: {ran}");
    assert!(left.is_empty(), "no text shows {left:?} any more");
    assert!(folder.path().join("report.html").exists(), "the report of the README");
}

/// Commands that stand in sentences: the verbs and options are those of the program, so each is tried as far as files allow.
#[test]
fn commands_in_sentences_are_understood() {
    let folder = copied_examples();
    let stored = folder.path().join("stored.json").display().to_string();
    run_in(folder.path(), &format!("smalti report examples/init.c --stages domains --format json -o {stored}"));
    let copy = folder.path().join("copy.c").display().to_string();
    run_in(folder.path(), &format!("smalti invariants examples/init.c --format acsl -o {copy}"));
    let mut seen = BTreeSet::new();
    for (_, text) in TEXTS {
        // In a table, a bar has a backslash in front of it.
        for command in text.split('`').skip(1).step_by(2).map(|c| c.replace("\\|", "|")) {
            let command = command.split(['|', '>']).next().unwrap_or_default().trim().to_owned();
            let of_smalti = command.strip_prefix("scripts/").unwrap_or(&command).strip_prefix("smalti ");
            if let Some(arguments) = of_smalti.filter(|a| !a.contains('\n')) {
                seen.insert(arguments.to_owned());
            }
        }
    }
    assert!(seen.len() >= 10, "{seen:?}");
    for arguments in seen {
        // A verb alone is a name; with arguments it is a command.
        if !arguments.contains(' ') && arguments != "man" && arguments != "domains" {
            smalti(&[&arguments, "--help"]);
            continue;
        }
        let id = "main.assertion.1";
        let filled = arguments.replace("FILE…", "FILE").replace("DIR…", "DIR").replace("FILE", "examples/init.c");
        let filled = filled.replace("DIR", "examples --only init.c").replace("ID", id);
        let given = if filled == "test --accept" { "test examples --accept --only init.c" } else { &filled };
        run_in(folder.path(), &format!("smalti {given}"));
    }
}

#[test]
fn the_configuration_of_a_suite_is_understood() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file is written");
    let [shown] = &blocks(README, "toml")[..] else { panic!("one configuration") };
    write("smalti.toml", shown);
    write("queue.c", "int cells[8];\nvoid insert(int n) { cells[n & 7] = n; }\n");
    write("main.c", "void insert(int n);\nint remove(int n) { return n; }\nint main(void) { insert(1); return 0; }\n");
    ["old", "include"].iter().for_each(|f| fs::create_dir(folder.path().join(f)).expect("a folder is made"));
    write("old/left_out.c", "it does not parse");
    let printed = run_in(folder.path(), "smalti test . --accept");
    let expected = "\
stored  queue:insert  1 obligation: 1 proved
stored  queue:remove  0 obligations

total: 2 programs: 2 stored
";
    assert_eq!(printed, expected);
}

#[test]
fn the_witness_has_the_invariant_that_the_readme_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme.yml");
    let path = folder.display().to_string();
    let task = ["examples/competition/unreach-call.prp", "examples/competition/reverse.c"];
    smalti(&["check", "--stages", "domains", "--svcomp", task[0], task[1], "--witness", &path]);
    let witness = fs::read_to_string(&folder).expect("a witness");
    let [shown] = &blocks(README, "yaml")[..] else { panic!("one line of a witness") };
    assert!(witness.contains(shown.trim()), "{witness}");
}

#[test]
fn the_compiled_run_prints_what_the_readme_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("failing.c").display().to_string();
    smalti(&["check", "--checks", "assertion", "--reproducer", &file, "examples/buggy.c"]);
    let program = folder.path().join("failing").display().to_string();
    let built = Command::new("cc").args([file.as_str(), "-o", &program]).output().expect("a compiler");
    assert!(built.status.success() && built.stderr.is_empty(), "{}", String::from_utf8_lossy(&built.stderr));
    let said = Command::new(program).output().expect("a program").stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(!said.is_empty() && README.contains(&format!("./a.out\n{said}")), "{said}");
}

#[test]
fn the_program_that_the_readme_shows_is_the_one_in_examples() {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/buggy.c")).expect("buggy.c");
    assert_eq!(blocks(README, "c"), [source]);
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
