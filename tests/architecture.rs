//! The dependency arrows of ARCHITECTURE.md, checked over `cargo metadata` and over the imports of
//! every source file.

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

/// The names that the code under a path must not mention.
struct Rule {
    path: &'static str,
    why: &'static str,
    words: &'static [&'static str],
}

const IO: &[&str] = &["std::fs", "std::process", "std::net", "std::io", "File::open", "println!"];
const DOMAINS: &[&str] = &["smalti_core", "smalti_stack", "smalti_box", "smalti_smash", "smalti_apron", "apron_sys"];
const ANALYSER: &[&str] = &[
    "crate::analysis",
    "crate::fixpoint",
    "crate::stages",
    "crate::cbmc",
    "crate::interpreter",
    "crate::cfg",
    "crate::lower",
];

const RULES: &[Rule] = &[
    Rule { path: "domains/core", why: "the domain interface knows no IO", words: IO },
    Rule { path: "domains/box", why: "a domain knows no IO", words: IO },
    Rule { path: "domains/factored", why: "a domain knows no IO", words: IO },
    Rule { path: "domains/smash", why: "a domain knows no IO", words: IO },
    Rule { path: "domains/apron", why: "a domain knows no IO", words: IO },
    Rule { path: "domains/terms", why: "terms are mathematics", words: IO },
    Rule { path: "domains/terms", why: "terms know no domains", words: DOMAINS },
    Rule {
        path: "domains",
        why: "domains know no C, no graphs, and not who uses them",
        words: &["petgraph", "lang_c", "crate::program", "smalti::", "cbmc"],
    },
    Rule { path: "src/program", why: "the program knows no domains", words: DOMAINS },
    Rule {
        path: "src/program",
        why: "the program stands below everything else",
        words: &[
            "crate::analysis",
            "crate::fixpoint",
            "crate::stages",
            "crate::cbmc",
            "crate::report",
            "crate::cli",
            "crate::verdict",
        ],
    },
    Rule { path: "src/lower", why: "the front end knows no domains", words: DOMAINS },
    Rule {
        path: "src/lower",
        why: "the front end does not know what comes after it",
        words: &[
            "crate::analysis",
            "crate::fixpoint",
            "crate::stages",
            "crate::cbmc",
            "crate::cfg",
            "crate::interpreter",
        ],
    },
    Rule { path: "src/inline", why: "inlining is a map from program to program", words: DOMAINS },
    Rule {
        path: "src/interpreter",
        why: "the interpreter is an oracle for the domains, so it knows none",
        words: DOMAINS,
    },
    Rule {
        path: "src/interpreter",
        why: "the interpreter is an oracle for the analysis, so it shares nothing with it",
        words: &["crate::analysis", "crate::fixpoint", "crate::stages", "crate::cbmc", "crate::cfg"],
    },
    Rule { path: "src/cfg", why: "graphs know no domains", words: DOMAINS },
    Rule {
        path: "src/fixpoint",
        why: "the iterator sees graphs and lattices, no C",
        words: &["crate::program", "crate::cfg", "crate::lower", "lang_c"],
    },
    Rule { path: "src/analysis", why: "the analysis does not know CBMC", words: &["crate::cbmc", "crate::stages"] },
    Rule {
        path: "src/cbmc",
        why: "who runs CBMC does not know how a query was made",
        words: &["crate::analysis", "crate::stages", "crate::fixpoint", "crate::cfg", "crate::lower", "crate::inline"],
    },
    Rule { path: "src/cbmc", why: "who runs CBMC knows no domains", words: DOMAINS },
    Rule {
        path: "src/smt",
        why: "who runs a solver does not know how a script was made",
        words: &[
            "crate::analysis",
            "crate::stages",
            "crate::fixpoint",
            "crate::cfg",
            "crate::lower",
            "crate::program",
            "crate::reduce",
            "crate::cbmc",
        ],
    },
    Rule { path: "src/smt", why: "who runs a solver knows no domains", words: DOMAINS },
    Rule {
        path: "src/process",
        why: "who runs a program does not know which it is",
        words: &["crate::cbmc", "crate::smt", "crate::program", "crate::stages"],
    },
    Rule { path: "src/reduce", why: "reductions know no domains", words: DOMAINS },
    Rule {
        path: "src/reduce",
        why: "a reduction maps programs to programs and does not know who asks about them",
        words: &["crate::cbmc", "crate::stages", "crate::analysis", "crate::fixpoint", "crate::interpreter"],
    },
    Rule {
        path: "src/reproduce",
        why: "a failing run is written as it is, however it was found",
        words: &[
            "crate::analysis",
            "crate::stages",
            "crate::cbmc",
            "crate::fixpoint",
            "crate::cfg",
            "crate::lower",
            "crate::reduce",
        ],
    },
    Rule { path: "src/reproduce", why: "a failing run is no matter of domains", words: DOMAINS },
    Rule { path: "src/report", why: "a report does not know how its content was computed", words: ANALYSER },
    Rule { path: "src/report", why: "a report is a view of plain data", words: DOMAINS },
    Rule {
        path: "src/suite",
        why: "a suite compares what was said, however it was computed",
        words: &[
            "crate::analysis",
            "crate::fixpoint",
            "crate::cbmc",
            "crate::interpreter",
            "crate::cfg",
            "crate::lower",
        ],
    },
    Rule { path: "src/suite", why: "a suite is data: who runs it does the rest", words: IO },
    Rule { path: "src/verdict.rs", why: "verdicts are plain data", words: ANALYSER },
    Rule { path: "src", why: "only main ends the process", words: &["process::exit(", "process::abort("] },
];

/// The modules that may start processes or read files; all others only compute.
const MAY_DO_IO: &[&str] =
    &["src/lower", "src/process", "src/cbmc", "src/cli", "src/main.rs", "src/fuzz", "domains/apron-sys"];

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
            for word in rule.words.iter().filter(|w| code.contains(*w)) {
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
fn test_code_and_comments_are_not_looked_at() {
    let text = "use a::b; // crate::x\n/* crate::y */ fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::z;\n}\n";
    let code = code_of(text);
    assert!(code.contains("a::b") && code.contains("fn f"), "{code}");
    for word in ["crate::x", "crate::y", "crate::z"] {
        assert!(!code.contains(word), "{code}");
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
    let mut found = Vec::new();
    collect(&Path::new(ROOT).join(path), &mut found);
    found.sort();
    let named = found.into_iter().map(|p| {
        let name = p.strip_prefix(ROOT).expect("under the root").display().to_string();
        let code = code_of(&fs::read_to_string(&p).expect("a readable source"));
        (name, code)
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
