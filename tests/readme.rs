//! Checks that the program does what the README and the other texts show.

mod markdown;
mod tools;

use markdown::{fenced, without_time};
use smalti::fuzz::or_skip;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const README: &str = include_str!("../README.md");
const OPTIONS: &str = include_str!("../docs/options.md");

fn smalti(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    let output = command.current_dir(ROOT).args(arguments).output().expect("smalti runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The texts of the fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    fenced(text).into_iter().filter(|(info, _)| *info == language).map(|(_, text)| text).collect()
}

/// Times and the version of CBMC differ from machine to machine.
fn steady(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = match without_time(line) {
            Some(total) => total,
            // CBMC chooses the inputs of a failing run.
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

/// Commands in the texts that no test runs, and the reason.
const NOT_RUN: &[(&str, &str)] = &[("scripts/test", "it runs this test")];

/// The tutorial; `tests/own_domain.rs` runs its commands, which are not those of smalti.
const OWN_DOMAIN: &str = "docs/own-domain.md";

/// A Markdown file of the project.
struct Text {
    /// Its path in the checkout, such as `docs/states.md`.
    name: String,
    text: String,
}

impl Text {
    fn read(path: &Path) -> Text {
        let name = path.strip_prefix(ROOT).expect("in the checkout").display().to_string();
        Text { name, text: fs::read_to_string(path).expect("a text can be read") }
    }

    fn is_page(&self) -> bool {
        self.name.starts_with("docs/") && self.name != "docs/SUMMARY.md"
    }

    /// The lines outside of fenced blocks.
    fn prose(&self) -> String {
        let mut inside = false;
        let outside = self.text.lines().filter(|line| {
            let fence = line.starts_with("```");
            inside ^= fence;
            !inside && !fence
        });
        outside.map(|line| format!("{line}\n")).collect()
    }

    /// The prose between backticks.
    fn code_in_prose(&self) -> Vec<String> {
        self.prose().split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// The targets of the links.
    fn links(&self) -> Vec<String> {
        let without_code: String = self.prose().split('`').step_by(2).collect();
        without_code.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or_default().to_owned()).collect()
    }

    /// The anchor of each heading: the end of a link to it.
    fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose();
        let headings = headings.lines().filter(|l| l.starts_with('#')).map(|l| l.trim_start_matches('#').trim());
        let slug = |heading: &str| -> String {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
        };
        headings.map(slug).collect()
    }
}

/// The texts that show commands: the README, its neighbours and all pages of the manual.
fn texts() -> Vec<Text> {
    let root = Path::new(ROOT);
    let mut paths: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "SECURITY.md"].map(|n| root.join(n)).into();
    for entry in walkdir::WalkDir::new(root.join("docs")).sort_by_file_name() {
        let path = entry.expect("the manual can be read").into_path();
        if path.extension().is_some_and(|e| e == "md") {
            paths.push(path);
        }
    }
    let texts: Vec<Text> = paths.iter().map(|p| Text::read(p)).collect();
    assert!(texts.iter().filter(|t| t.is_page()).count() >= 10, "the manual has lost its pages");
    texts
}

/// The only block of this language in all texts.
fn the_block(language: &str) -> String {
    let found: Vec<String> = texts().iter().flat_map(|t| blocks(&t.text, language)).collect();
    let [block] = &found[..] else { panic!("{} blocks of {language}, not one", found.len()) };
    block.clone()
}

/// The C programs in a text that begin with a comment such as `// clear.c: …`, by that name.
fn named_programs(text: &str) -> Vec<(String, String)> {
    let named = blocks(text, "c").into_iter().filter_map(|program| {
        let name = program.strip_prefix("// ")?.split_once(": ")?.0;
        name.ends_with(".c").then(|| (name.to_owned(), program.clone()))
    });
    named.collect()
}

/// A copy of the examples to which commands may write.
fn copied_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(ROOT);
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

/// The output of a smalti command in a text. It may fail as `check` does, but not because of wrong
/// usage.
fn run_in(folder: &Path, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ["scripts/smalti" | "smalti", arguments @ ..] = &words[..] else { panic!("{command} calls something else") };
    assert!(!command.contains(['|', '>', '"', '\'', '$', ';']), "{command} needs a shell");
    let mut smalti = assert_cmd::Command::new(env!("CARGO_BIN_EXE_smalti"));
    tools::name_tools(&mut smalti);
    // Nothing may be accepted if the variable is set.
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
    for Text { name, text } in &texts() {
        for (file, program) in named_programs(text) {
            fs::write(folder.path().join(file), program).expect("a program is written");
        }
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
            // A block may show several commands, each followed by its output.
            while let Some((line, after)) = rest.split_once('\n') {
                let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{name}: no command in {line}"));
                let end = after.find("\n$ ").map_or(after.len(), |n| n + 1);
                let (shown, next) = after.split_at(end);
                rest = next;
                if name == OWN_DOMAIN && !command.starts_with("smalti ") {
                    continue;
                }
                let printed = run_in(folder.path(), command);
                assert_eq!(steady(&printed), steady(shown), "the output of {command} in {name} is now:\n{printed}");
                ran += 1;
            }
        }
    }
    assert!(ran >= 16, "the texts have lost their examples: {ran}");
    assert!(left.is_empty(), "no text shows {left:?} any more");
    assert!(folder.path().join("report.html").exists(), "the report of the manual");
}

/// Commands in sentences use the verbs and options of the program, so each is tried as far as files
/// allow.
#[test]
fn commands_in_sentences_are_understood() {
    let folder = copied_examples();
    let copy = folder.path().join("copy.c").display().to_string();
    run_in(folder.path(), &format!("smalti invariants examples/init.c --format acsl -o {copy}"));
    let mut seen = BTreeSet::new();
    for text in texts() {
        // In a table, a bar is written with a backslash.
        for command in text.code_in_prose().iter().map(|c| c.replace("\\|", "|")) {
            let command = command.split(['|', '>']).next().unwrap_or_default().trim().to_owned();
            let of_smalti = command.strip_prefix("scripts/").unwrap_or(&command).strip_prefix("smalti ");
            if let Some(arguments) = of_smalti {
                assert!(!arguments.contains('\n'), "a command on two lines in {}: {arguments}", text.name);
                seen.insert(arguments.to_owned());
            }
        }
    }
    assert!(seen.len() >= 12, "{seen:?}");
    for arguments in seen {
        // A verb alone is a name; with arguments it is a command.
        if !arguments.contains(' ') && arguments != "man" && arguments != "domains" {
            smalti(&[&arguments, "--help"]);
            continue;
        }
        let filled = arguments.replace("FILE…", "FILE").replace("DIR…", "DIR").replace("FILE", "examples/init.c");
        let filled = filled.replace("DIR", "examples --only init.c").replace("ID", "main.assertion.1");
        run_in(folder.path(), &format!("smalti {filled}"));
    }
}

#[test]
fn the_configuration_of_a_suite_is_understood() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file is written");
    write("smalti.toml", &the_block("toml"));
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
fn the_witness_has_the_invariant_that_the_manual_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual.yml");
    let path = folder.display().to_string();
    let task = ["examples/competition/unreach-call.prp", "examples/competition/reverse.c"];
    smalti(&["check", "--stages", "domains", "--svcomp", task[0], task[1], "--witness", &path]);
    let witness = fs::read_to_string(&folder).expect("a witness");
    assert!(witness.contains(the_block("yaml").trim()), "{witness}");
}

#[test]
fn the_compiled_run_prints_what_the_manual_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("failing.c").display().to_string();
    smalti(&["check", "--checks", "assertion", "--reproducer", &file, "examples/buggy.c"]);
    let program = folder.path().join("failing").display().to_string();
    let built = Command::new("cc").args([file.as_str(), "-o", &program]).output().expect("a compiler");
    assert!(built.status.success() && built.stderr.is_empty(), "{}", String::from_utf8_lossy(&built.stderr));
    let said = Command::new(program).output().expect("a program").stderr;
    let said = String::from_utf8_lossy(&said);
    let shown = format!("$ cc failing.c && ./a.out\n{said}");
    assert!(!said.is_empty() && texts().iter().any(|t| t.text.contains(&shown)), "{said}");
}

#[test]
fn a_program_that_a_text_shows_is_an_example_or_is_checked_there() {
    let source = fs::read_to_string(Path::new(ROOT).join("examples/buggy.c")).expect("buggy.c");
    assert_eq!(blocks(README, "c"), [source]);
    for Text { name, text } in texts().iter().filter(|t| t.is_page()) {
        let named = named_programs(text);
        assert_eq!(named.len(), blocks(text, "c").len(), "{name} shows a program without a name");
        for (file, _) in named {
            let checked = blocks(text, "console").iter().any(|b| b.lines().next().is_some_and(|l| l.contains(&file)));
            assert!(checked, "{name} shows {file} and runs no command on it");
        }
    }
}

/// The verbs of the program, as its help lists them.
fn verbs() -> Vec<String> {
    let help = smalti(&["--help"]);
    let list = help.split("Commands:\n").nth(1).and_then(|l| l.split("\n\n").next()).expect("a list of commands");
    // The description of a verb continues on lines that are indented further.
    let names = list.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names: Vec<String> = names.filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() > 10 && names.contains(&"help".to_owned()), "{help}");
    names.into_iter().filter(|n| n != "help").collect()
}

/// The options of a verb, as its help lists them, each with its default if that is one word.
fn options_of(verb: &str) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for line in smalti(&[verb, "--help"]).lines() {
        let indent = line.len() - line.trim_start().len();
        if indent <= 6 && line.trim_start().starts_with('-') {
            let words = line.split_whitespace().take_while(|w| w.starts_with('-'));
            names = words.map(|w| w.trim_end_matches([',', '.']).to_owned()).collect();
            found.extend(names.iter().map(|name| (name.clone(), None)));
        }
        let default = line.split("[default: ").nth(1).and_then(|rest| rest.split(']').next());
        if let Some(default) = default.filter(|d| !d.contains(char::is_whitespace)) {
            found.extend(names.iter().map(|name| (name.clone(), Some(default.to_owned()))));
        }
    }
    found.remove("--help");
    found.remove("-h");
    found
}

/// The cells of the rows of all tables whose first cell begins with an option or a verb in
/// backticks.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|l| l.starts_with("| `"));
    let cells = |row: &str| -> Vec<String> {
        // In a table, a bar inside a cell is written with a backslash.
        let row = row.replace("\\|", "\u{0}");
        row.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
    };
    rows.map(cells).collect()
}

/// The first word of each text between backticks.
fn first_words(cell: &str) -> Vec<String> {
    let code = cell.split('`').skip(1).step_by(2);
    code.map(|c| c.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_tables_of_verbs_and_options_are_those_of_the_help() {
    let verbs = verbs();
    let mut of_help: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut defaults: BTreeSet<(String, String)> = BTreeSet::new();
    for verb in &verbs {
        assert!(OPTIONS.contains(&format!("\n| `{verb}")), "the manual does not mention {verb}");
        for (option, default) in options_of(verb) {
            of_help.entry(option.clone()).or_default().insert(verb.clone());
            defaults.extend(default.map(|d| (option, d)));
        }
    }
    assert!(defaults.len() >= 8, "the help names defaults: {defaults:?}");
    let mut shown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows(OPTIONS).iter().filter(|row| row[0].starts_with("`-")) {
        let [option, of, _, default] = &row[..] else { panic!("a row of four cells: {row:?}") };
        let of: BTreeSet<String> = match of.as_str() {
            "all" => verbs.iter().cloned().collect(),
            "all with files" => {
                verbs.iter().filter(|v| smalti(&[v, "--help"]).contains("<FILE>...")).cloned().collect()
            }
            some => first_words(some).into_iter().collect(),
        };
        for option in first_words(option) {
            for (_, value) in defaults.iter().filter(|(name, _)| *name == option) {
                assert!(default.contains(value.as_str()), "the default of {option} is {value}, not {default}");
            }
            assert!(shown.insert(option.clone(), of.clone()).is_none(), "{option} has two rows");
        }
    }
    assert_eq!(shown, of_help);
}

#[test]
fn no_text_names_an_option_that_does_not_exist() {
    let known: BTreeSet<String> = verbs().iter().flat_map(|v| options_of(v).into_keys()).collect();
    // Options of other programs, and those that every program has.
    let others =
        ["--browser", "--install", "--bench", "--shortcuts", "--help", "--test", "--test-threads=1", "--path", "--run"];
    let mut seen = 0;
    for Text { name, text } in &texts() {
        let words = text.split(|c: char| c.is_whitespace() || "`,[]<>(){}|…".contains(c));
        let options =
            words.filter(|w| w.strip_prefix("--").is_some_and(|n| n.starts_with(|c: char| c.is_ascii_lowercase())));
        for option in options.map(|w| w.trim_end_matches(['.', ':'])) {
            assert!(known.contains(option) || others.contains(&option), "{name} names {option}");
            seen += 1;
        }
    }
    assert!(seen >= 50, "{seen}");
}

#[test]
fn the_readme_is_short_and_lists_its_sections() {
    let words = README.split_whitespace().count();
    assert!(words <= 2000, "the README has {words} words; what is more belongs into the manual");
    let readme = Text::read(&Path::new(ROOT).join("README.md"));
    let links = readme.links();
    for line in readme.prose().lines().filter_map(|l| l.strip_prefix("## ")).filter(|l| *l != "Contents") {
        assert!(links.iter().any(|l| *l == format!("#{}", line.to_lowercase().replace(' ', "-"))), "{line}");
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut seen = 0;
    for text in texts() {
        let file = Path::new(ROOT).join(&text.name);
        let folder = file.parent().expect("a folder");
        for link in text.links().iter().filter(|l| !l.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { folder.join(path) };
            assert!(target.is_file(), "{}: no file {link}", text.name);
            assert!(!text.is_page() || !link.contains(".."), "{}: {link} leads out of the book", text.name);
            if !anchor.is_empty() {
                assert!(Text::read(&target).anchors().contains(anchor), "{}: no heading {link}", text.name);
            }
            seen += 1;
        }
    }
    assert!(seen >= 50, "{seen}");
}

#[test]
fn the_book_has_every_page_once() {
    let folder = Path::new(ROOT).join("docs");
    let book: toml::Table = fs::read_to_string(folder.join("book.toml")).expect("book.toml").parse().expect("TOML");
    assert_eq!(book["book"]["src"].as_str(), Some("."), "pages are beside book.toml");
    let summary = Text::read(&folder.join("SUMMARY.md"));
    let mut listed = summary.links();
    listed.sort();
    let texts = texts();
    let pages: Vec<&str> =
        texts.iter().filter(|t| t.is_page()).map(|t| t.name.strip_prefix("docs/").expect("a page")).collect();
    assert_eq!(listed, pages);
    // The README must mention them too.
    let readme = Text::read(&Path::new(ROOT).join("README.md")).links();
    for page in pages {
        assert!(readme.iter().any(|l| *l == format!("docs/{page}")), "the README has no link to {page}");
    }
}

#[test]
fn every_path_of_the_checkout_that_a_text_names_exists() {
    let folders = ["src/", "tests/", "scripts/", "domains/", "docs/", "examples/"];
    let mut seen = 0;
    for text in texts() {
        for code in text.code_in_prose() {
            let Some(path) = code.split_whitespace().next().filter(|p| folders.iter().any(|f| p.starts_with(f))) else {
                continue;
            };
            assert!(Path::new(ROOT).join(path).exists(), "{} names {path}", text.name);
            seen += 1;
        }
    }
    assert!(seen >= 50, "{seen}");
}

#[test]
fn prose_is_wrapped_at_100_columns() {
    for text in texts() {
        for line in text.prose().lines().filter(|l| !l.starts_with(['|', '!'])) {
            assert!(line.chars().count() <= 100, "{}: {line}", text.name);
        }
    }
}

#[test]
fn the_json_that_the_manual_shows_has_the_keys_of_the_schema() {
    let shown: serde_json::Value = serde_json::from_str(&the_block("json")).expect("JSON");
    let schema = include_str!("../docs/check.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
    let keys = |value: &serde_json::Value| -> BTreeSet<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys(&shown), keys(&schema["properties"]));
    let parts = [
        ("obligation", "/obligations/0"),
        ("evidence", "/obligations/0/evidence"),
        ("reason", "/obligations/0/evidence/reasons/0"),
        ("counterexample", "/obligations/0/evidence/counterexample"),
        ("input", "/obligations/0/evidence/counterexample/inputs/0"),
        ("assumption", "/assumptions/0"),
    ];
    for (name, place) in parts {
        let part = shown.pointer(place).unwrap_or_else(|| panic!("{place}"));
        assert_eq!(keys(part), keys(&schema["$defs"][name]["properties"]), "{name}");
    }
}
