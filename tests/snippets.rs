//! smalti accepts the annotations that Frama-C 25 accepts, and refuses those that Frama-C refuses.
//! `scripts/compare-annotations` asks Frama-C, and stores its answers in the snippets.

mod parallel;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One program with annotations.
struct Snippet {
    /// The file and the line of its first line.
    place: String,
    /// What it shows.
    about: String,
    /// Whether Frama-C accepts it.
    accepted: bool,
    /// Whether smalti is known to differ.
    differs: bool,
    text: String,
}

/// Reads the first line of a snippet: `//- accepted: WHAT` or `//- refused, not by smalti (WHY):
/// WHAT`.
fn first_line(line: &str) -> Option<Snippet> {
    let (head, about) = line.strip_prefix("//- ")?.split_once(": ")?;
    let (answer, differs) = match head.split_once(", not by smalti (") {
        Some((answer, why)) => (answer, why.len() > 1 && why.ends_with(')')),
        None => (head, false),
    };
    let is_known = ["accepted", "refused"].contains(&answer);
    let text = String::new();
    let (accepted, about) = (answer == "accepted", about.to_owned());
    is_known.then_some(Snippet { place: String::new(), about, accepted, differs, text })
}

fn snippets() -> Vec<Snippet> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
    let entries = std::fs::read_dir(&folder).expect("the folder of snippets");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let mut all: Vec<Snippet> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file of snippets");
        assert!(text.starts_with("//- "), "{}: a snippet begins with `//- `", file.display());
        for (n, line) in text.lines().enumerate() {
            if line.starts_with("//- ") {
                let place = format!("{}:{}", file.display(), n + 1);
                let snippet = first_line(line).unwrap_or_else(|| panic!("{place}: no answer is stored: {line}"));
                all.push(Snippet { place, ..snippet });
            }
            let last = all.last_mut().expect("a snippet");
            last.text.push_str(line);
            last.text.push('\n');
        }
    }
    all
}

/// Why smalti refuses an annotation of a program. It accepts a clause that it lists as one that
/// nothing checks, and one that it understands and cannot decide.
fn refusal(text: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder.path()).timeout(Duration::from_secs(120));
    command.args(["check", "--function", "f", "--stages", "domains", "--format", "json", "x.c"]);
    let output = command.output().expect("smalti runs");
    if output.status.code() == Some(2) {
        return Some(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
    let details = list("obligations").into_iter().filter_map(|o| o["evidence"]["detail"].as_str().map(str::to_owned));
    let notes = list("notes").into_iter().filter_map(|n| n.as_str().map(str::to_owned));
    let is_open = |why: &str| ["something is written", "the program may end"].iter().any(|w| why.starts_with(w));
    let refuses = |text: &str| match text.split_once("` is not checked: ") {
        Some((_, why)) => !is_open(why),
        None => text.contains("` is not understood") || text.contains("` is ignored"),
    };
    details.chain(notes).find(|text| refuses(text))
}

#[test]
fn smalti_differs_from_frama_c_only_where_a_snippet_says_so() {
    let wrong = parallel::failures(&snippets(), |_, Snippet { place, about, accepted, differs, text }| {
        let refusal = refusal(text);
        if (refusal.is_none() != *accepted) == *differs {
            return Ok(());
        }
        let frama_c = if *accepted { "accepts" } else { "refuses" };
        let smalti = refusal.map_or("accepts it".to_owned(), |r| format!("says: {r}"));
        Err(format!("{place}: {about}: Frama-C {frama_c} it, smalti {smalti}"))
    });
    let help = "`scripts/compare-annotations --keep-answers` corrects the first lines of snippets";
    assert!(wrong.is_empty(), "{help}\n{}", wrong.join("\n"));
}

#[test]
fn snippets_are_many_and_of_both_kinds() {
    let all = snippets();
    let accepted = all.iter().filter(|s| s.accepted).count();
    let refused = all.len() - accepted;
    assert!(all.len() >= 300 && 3 * accepted >= all.len() && 3 * refused >= all.len(), "{accepted}, {refused}");
}
