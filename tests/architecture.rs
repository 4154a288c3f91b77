//! The dependency arrows of ARCHITECTURE.md, checked over `cargo metadata` and over the imports of
//! every source file.

#[path = "architecture/circles.rs"]
mod circles;

use circles::circles;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The crates that a domain crate may depend on (development dependencies aside). A new crate gets
/// a line.
const DOMAIN_CRATES: &[(&str, &[&str])] = &[
    ("smalti-core", &["proptest"]),
    ("apron-sys", &["libloading"]),
    ("smalti-apron", &["apron-sys", "smalti-core"]),
    ("smalti-box", &["smalti-core"]),
    ("smalti-factored", &["smalti-core"]),
    ("smalti-octagon", &["smalti-core"]),
    ("smalti-partition", &["smalti-core"]),
    ("smalti-relation", &["smalti-core", "smalti-partition"]),
    ("smalti-smash", &["smalti-core"]),
    (
        "smalti-stack",
        &[
            "smalti-apron",
            "smalti-box",
            "smalti-core",
            "smalti-factored",
            "smalti-octagon",
            "smalti-partition",
            "smalti-relation",
            "smalti-smash",
        ],
    ),
    ("smalti-terms", &["num-bigint", "num-integer", "num-rational", "num-traits"]),
];

/// What the code under a path must not mention.
struct Rule {
    path: &'static str,
    why: &'static str,
    /// The names, with spaces between them.
    names: &'static str,
}

const fn rule(path: &'static str, why: &'static str, names: &'static str) -> Rule {
    Rule { path, why, names }
}

const IO: &str = "std::fs std::process std::net std::io File::open println!";
const DOMAINS: &str = "smalti_core smalti_stack smalti_box smalti_smash smalti_apron apron_sys";
const ANALYSER: &str =
    "crate::analysis crate::fixpoint crate::stages crate::cbmc crate::interpreter crate::cfg crate::lower";

const RULES: &[Rule] = &[
    rule("domains/core", "the domain interface knows no IO", IO),
    rule("domains/box", "a domain knows no IO", IO),
    rule("domains/factored", "a domain knows no IO", IO),
    rule("domains/smash", "a domain knows no IO", IO),
    rule("domains/apron", "a domain knows no IO", IO),
    rule("domains/terms", "terms are mathematics", IO),
    rule("domains/terms", "terms know no domains", DOMAINS),
    rule(
        "domains",
        "domains know no C, no graphs, and not who uses them",
        "petgraph lang_c crate::program smalti:: cbmc",
    ),
    rule("src/program", "the program knows no domains", DOMAINS),
    rule(
        "src/program",
        "the program stands below everything else",
        "crate::analysis crate::fixpoint crate::stages crate::cbmc crate::report crate::cli crate::verdict",
    ),
    rule("src/lower", "the front end knows no domains", DOMAINS),
    rule(
        "src/lower",
        "the front end does not know what comes after it",
        "crate::analysis crate::fixpoint crate::stages crate::cbmc crate::cfg crate::interpreter",
    ),
    rule("src/inline", "inlining is a map from program to program", DOMAINS),
    rule("src/interpreter", "the interpreter is an oracle for the domains, so it knows none", DOMAINS),
    rule(
        "src/interpreter",
        "the interpreter is an oracle for the analysis, so it shares nothing with it",
        "crate::analysis crate::fixpoint crate::stages crate::cbmc crate::cfg",
    ),
    rule("src/cfg", "graphs know no domains", DOMAINS),
    rule(
        "src/fixpoint",
        "the iterator sees graphs and lattices, no C",
        "crate::program crate::cfg crate::lower lang_c",
    ),
    rule("src/analysis", "the analysis does not know CBMC", "crate::cbmc crate::stages"),
    rule("src/values", "the value analysis knows no domains", DOMAINS),
    rule(
        "src/values",
        "the value analysis executes the program itself",
        "crate::analysis crate::fixpoint crate::stages crate::cbmc crate::cfg crate::inline",
    ),
    rule(
        "src/cbmc",
        "who runs CBMC does not know how a query was made",
        "crate::analysis crate::stages crate::fixpoint crate::cfg crate::lower crate::inline",
    ),
    rule("src/cbmc", "who runs CBMC knows no domains", DOMAINS),
    rule(
        "src/smt",
        "who runs a solver does not know how a script was made",
        "crate::analysis crate::stages crate::fixpoint crate::cfg crate::lower crate::program crate::reduce crate::cbmc",
    ),
    rule("src/smt", "who runs a solver knows no domains", DOMAINS),
    rule(
        "src/process",
        "who runs a program does not know which it is",
        "crate::cbmc crate::smt crate::program crate::stages",
    ),
    rule("src/reduce", "reductions know no domains", DOMAINS),
    rule(
        "src/reduce",
        "a reduction maps programs to programs and does not know who asks about them",
        "crate::cbmc crate::stages crate::analysis crate::fixpoint crate::interpreter",
    ),
    rule(
        "src/reproduce",
        "a failing run is written as it is, however it was found",
        "crate::analysis crate::stages crate::cbmc crate::fixpoint crate::cfg crate::lower crate::reduce",
    ),
    rule("src/reproduce", "a failing run is no matter of domains", DOMAINS),
    rule("src/report", "a report does not know how its content was computed", ANALYSER),
    rule("src/report", "a report is a view of plain data", DOMAINS),
    rule(
        "src/suite",
        "a suite compares what was said, however it was computed",
        "crate::analysis crate::fixpoint crate::cbmc crate::interpreter crate::cfg crate::lower",
    ),
    rule("src/suite", "a suite is data: who runs it does the rest", IO),
    rule("src/verdict.rs", "verdicts are plain data", ANALYSER),
    rule("src", "only main ends the process", "process::exit( process::abort("),
];

/// The modules that may start processes or read files; all others only compute.
const MAY_DO_IO: &[&str] =
    &["src/lower", "src/process", "src/cbmc", "src/cli", "src/main.rs", "src/fuzz", "domains/apron-sys"];

/// Folders in which files import each other in circles, and why. Everywhere else there is none.
const TANGLED: &[(&str, &str)] = &[
    ("src/analysis", "states, their views and the formulas about them are not told apart yet"),
    ("src/interpreter", "the machine shows its observers a view of itself"),
    ("src/lower", "the lowering of each construct uses that of the constructs inside of it"),
    ("src/program", "the types of programs contain each other"),
    ("src/reduce/refine", "the abstraction, its paths and what is learned are not told apart yet"),
    ("src/smt", "the reader of answers and the root module use each other"),
];

#[test]
fn domain_crates_depend_on_what_the_table_says_and_on_nothing_else() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
    let output = Command::new(cargo).args(arguments).current_dir(ROOT).output().expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let mut seen = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        if !package["manifest_path"].as_str().expect("a path").contains("/domains/") {
            continue;
        }
        let Some((_, allowed)) = DOMAIN_CRATES.iter().find(|c| c.0 == name) else {
            panic!("{name} is not in the table of domain crates: say what it may depend on");
        };
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let on = dependency["name"].as_str().expect("a name");
            if dependency["kind"].as_str() != Some("dev") {
                assert!(allowed.contains(&on), "{name} depends on {on}, which it must not know");
            }
            assert_ne!(on, "smalti", "{name} depends on the root package");
        }
        seen.push(name.to_owned());
    }
    for (name, _) in DOMAIN_CRATES {
        assert!(seen.iter().any(|s| s == name), "the table names {name}, which is not in the workspace");
    }
}

#[test]
fn no_file_mentions_what_its_folder_must_not_know() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let files = sources(rule.path);
        assert!(!files.is_empty(), "no source under {}: the rule checks nothing", rule.path);
        for (file, code) in files {
            for word in rule.names.split(' ').filter(|w| code.contains(*w)) {
                wrong.push(format!("{file} mentions {word}: {}", rule.why));
            }
        }
    }
    for (file, code) in sources("src").into_iter().chain(sources("domains")) {
        if !MAY_DO_IO.iter().any(|p| file.starts_with(p)) {
            for word in ["std::fs", "std::net", "process::Command"].iter().filter(|w| code.contains(*w)) {
                wrong.push(format!("{file} mentions {word}: only {} may", MAY_DO_IO.join(", ")));
            }
        }
        let allowed = file.starts_with("domains/apron") || file == "domains/octagon/src/dispatch.rs";
        if !allowed && code.contains("unsafe ") {
            wrong.push(format!("{file} is unsafe: only apron-sys, its wrapper and the octagon's dispatch may be"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle_but_in_the_folders_of_the_list() {
    let mut roots = vec!["src".to_owned()];
    for entry in fs::read_dir(Path::new(ROOT).join("domains")).expect("the domains") {
        let name = entry.expect("a readable entry").file_name();
        roots.push(format!("domains/{}/src", name.to_str().expect("a name")));
    }
    let found: Vec<_> = roots.iter().flat_map(|root| circles(root, &texts(root))).collect();
    let inside = |folder: &str, circle: &circles::Circle| circle.files.iter().all(|f| Path::new(f).starts_with(folder));
    let new = found.iter().filter(|c| !TANGLED.iter().any(|(folder, _)| inside(folder, c)));
    let new: Vec<String> = new.map(ToString::to_string).collect();
    assert!(new.is_empty(), "{}\nput what they share into a file that imports none of them", new.join("\n"));
    for (folder, why) in TANGLED {
        assert!(
            found.iter().any(|c| inside(folder, c)),
            "no circle is left in {folder} ({why}): take it from the list, so that none comes back"
        );
    }
}

#[test]
fn test_code_and_comments_are_not_looked_at() {
    let text = "use a::b; // crate::x\n/* crate::y */ fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::z;\n}\n";
    let code = code_of(text);
    assert!(code.contains("a::b") && code.contains("fn f"), "{code}");
    for word in ["crate::x", "crate::y", "crate::z"] {
        assert!(!code.contains(word), "{code}");
    }
}

#[test]
fn comments_are_wrapped_at_100_columns() {
    for (file, text) in ["src", "domains", "tests", "fuzz"].into_iter().flat_map(texts) {
        for (n, line) in (1..).zip(text.lines()) {
            let is_prose = ["// ", "/// ", "//! "].iter().any(|mark| line.trim_start().starts_with(mark));
            assert!(!is_prose || line.chars().count() <= 100, "{file}:{n}: {line}");
        }
    }
}

/// The edits of `scripts/mutants` fit: the text that each replaces occurs exactly once.
#[test]
fn deliberate_edits_fit_the_files_that_they_are_made_in() {
    let text = fs::read_to_string(Path::new(ROOT).join("tests/mutants.txt")).expect("the list of edits");
    let entries: Vec<&str> = text.split("\n== ").skip(1).collect();
    assert!(entries.len() > 100, "{}", entries.len());
    for entry in entries {
        let (title, edit) = entry.split_once('\n').expect("an edit follows its title");
        let (file, _) = title.split_once(" | ").expect("a title begins with the file");
        let replaced: Vec<&str> = edit.lines().filter_map(|l| l.strip_prefix('-')).collect();
        let source = fs::read_to_string(Path::new(ROOT).join(file)).unwrap_or_else(|e| panic!("{title}: {e}"));
        let found = source.matches(&replaced.join("\n")).count();
        assert_eq!(found, 1, "{title}: the text stands {found} times in the file");
    }
}

/// The code of every Rust file under a path (without tests and comments), with its name relative to
/// the checkout.
fn sources(path: &str) -> Vec<(String, String)> {
    texts(path).into_iter().map(|(name, text)| (name, code_of(&text))).collect()
}

/// The text of every Rust file under a path that is not a test, with its name relative to the
/// checkout.
fn texts(path: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&Path::new(ROOT).join(path), &mut found);
    found.sort();
    let named = found.into_iter().map(|p| {
        let name = p.strip_prefix(ROOT).expect("under the root").display().to_string();
        (name, fs::read_to_string(&p).expect("a readable source"))
    });
    named.filter(|(name, _)| !is_test(name)).collect()
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a readable folder") {
            collect(&entry.expect("a readable entry").path(), found);
        }
    } else if path.extension().is_some_and(|e| e == "rs") {
        found.push(path.to_owned());
    }
}

fn is_test(name: &str) -> bool {
    name.contains("/tests/") || name.contains("/benches/") || name.ends_with("/tests.rs")
}

/// The text without comments and without everything after the first `#[cfg(test)]` that opens a
/// module in place.
fn code_of(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let mut code = String::new();
    let mut rest = &text[..end];
    while let Some(start) = rest.find("/*") {
        let line_comment = rest[..start].rfind("//").is_some_and(|l| !rest[l..start].contains('\n'));
        let past =
            if line_comment { start + 2 } else { rest[start..].find("*/").map_or(rest.len(), |e| start + e + 2) };
        code.push_str(&rest[..if line_comment { past } else { start }]);
        rest = &rest[past..];
    }
    code.push_str(rest);
    code.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}
