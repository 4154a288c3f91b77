//! Functions as in textbooks, under contracts, without a word about their loops: sorting,
//! searching, merging, buffers, tables. Each has two twins that are wrong in one place.
//!
//! A file contains the function and, under `RUN`, a program that tests the whole contract. Its head
//! says
//!
//! * `twin: OLD => NEW`: in a twin, NEW stands where the function has OLD;
//! * `open: ID …`: what is not proved so far, `ensures.1` and so on;
//! * `slow`: the proof may take many seconds.
//!
//! Some functions stand in `annotated` again, with loop invariants as a careful author writes them.
//!
//! Compiled runs show that the function keeps its contract, and that each twin does not. The twins
//! must never be proved. By default, the tests look at some of the functions; `scripts/soak
//! --checks` looks at all.

#[path = "../parallel/mod.rs"]
mod parallel;
#[path = "../sanitized/mod.rs"]
mod sanitized;

use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

struct Function {
    name: String,
    text: String,
    twins: Vec<String>,
    open: Vec<String>,
    slow: bool,
}

/// The functions, in the order of their names.
fn functions() -> Vec<Function> {
    sanitized::c_files("tests/textbook").iter().map(|path| Function::read(path)).collect()
}

/// The functions with loop invariants.
fn annotated_functions() -> Vec<Function> {
    let mut found = functions();
    found.retain_mut(|function| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/textbook/annotated/{}.c", function.name));
        let Ok(annotated) = std::fs::read_to_string(&path) else { return false };
        let code = function.text.find("/*@").expect("a contract")..function.text.find("#ifdef RUN").expect("a program");
        let plain: String =
            parts(&annotated).filter(|(is_annotation, _)| !is_annotation).map(|(_, part)| part).collect();
        assert_eq!(plain.trim(), function.text[code.clone()].trim(), "{} is another function", function.name);
        let text = format!("{}{annotated}\n{}", &function.text[..code.start], &function.text[code.end..]);
        *function = Function { open: Vec::new(), ..Function::of(&function.name, text) };
        true
    });
    found
}

/// The loop annotations in a text (`true`), with their lines, and what is between them.
fn parts(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = rest.find("/*@ loop").map_or(rest.len(), |n| rest[..n].rfind('\n').map_or(0, |line| line + 1));
        let (is_annotation, end) = match begin {
            0 => (true, rest.find("*/\n").map_or(rest.len(), |n| n + 3)),
            n => (false, n),
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some((is_annotation, part))
    })
}

impl Function {
    fn read(path: &Path) -> Function {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Function::of(&name, text)
    }

    fn of(name: &str, text: String) -> Function {
        let name = name.to_owned();
        let said = |word: &str| {
            let head = text.lines().take_while(|line| line.starts_with("//"));
            head.filter_map(|line| line.strip_prefix(&format!("// {word}"))).map(str::to_owned).collect::<Vec<_>>()
        };
        let code = text.find("*/").expect("a contract")..text.find("#ifdef RUN").expect("a program");
        let twin = |change: &String| {
            let (old, new) = change.split_once(" => ").expect("an arrow");
            let mut places = 0;
            let change = |(is_annotation, part): (bool, &str)| match is_annotation {
                true => part.to_owned(),
                false => {
                    places += part.matches(old).count();
                    part.replace(old, new)
                }
            };
            let changed: String = parts(&text[code.clone()]).map(change).collect();
            assert_eq!(places, 1, "{name}: `{old}` is one place");
            format!("{}{changed}{}", &text[..code.start], &text[code.end..])
        };
        let twins = said("twin: ").iter().map(twin).collect();
        let open = said("open: ").iter().flat_map(|ids| ids.split(' ')).map(|id| format!("{name}.{id}")).collect();
        let slow = !said("slow").is_empty();
        Function { twins, open, slow, name, text }
    }

    /// Whether the program finds nothing wrong with one text of the function.
    fn passes(&self, text: &str) -> bool {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("x.c");
        std::fs::write(&source, text).expect("the text can be written");
        let binary = sanitized::compile(folder.path(), [OsStr::new("-DRUN"), source.as_os_str()]);
        Command::new(&binary).output().expect("the program runs").status.success()
    }

    /// What smalti says of one text of the function.
    fn checked(&self, text: &str) -> Value {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("x.c");
        std::fs::write(&source, text).expect("the text can be written");
        let options = ["--function", &self.name, "--time-limit", "40", "--stages", "domains,summary,induction"];
        sanitized::check(options.map(OsStr::new).into_iter().chain([source.as_os_str()]))
    }

    /// # Errors
    /// A run, or a verdict, that is not the expected one.
    fn look(&self) -> Result<(), String> {
        if !self.passes(&self.text) {
            return Err(format!("{} breaks its contract", self.name));
        }
        for (n, twin) in self.twins.iter().enumerate() {
            if self.passes(twin) {
                return Err(format!("twin {} of {} keeps the contract", n + 1, self.name));
            }
            if self.checked(twin)["verdict"] == "true" {
                return Err(format!("twin {} of {} is proved", n + 1, self.name));
            }
        }
        let checked = self.checked(&self.text);
        for obligation in checked["obligations"].as_array().into_iter().flatten() {
            let id = obligation["id"].as_str().unwrap_or_default();
            let is_open = !matches!(obligation["verdict"].as_str(), Some("proved" | "unreachable"));
            if obligation["verdict"] == "violated" || is_open && !self.open.iter().any(|open| open == id) {
                return Err(format!("{id} is {}", obligation["verdict"]));
            }
        }
        Ok(())
    }
}

/// Looks at some of the functions, and says what is wrong.
#[track_caller]
fn look_at(functions: &[Function]) {
    assert!(!functions.is_empty());
    let failures = parallel::failures(functions, |_, function| function.look());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn some_functions_are_proved_and_no_twin_is() {
    let quick = functions().into_iter().filter(|f| !f.slow && f.open.is_empty());
    look_at(&quick.step_by(4).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes minutes"]
fn soak_all_functions_are_as_expected_and_no_twin_is_proved() {
    look_at(&functions());
}

#[test]
fn a_function_with_invariants_is_proved_and_its_twins_are_not() {
    look_at(&annotated_functions().into_iter().filter(|f| !f.slow).take(1).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes minutes"]
fn soak_functions_with_invariants_are_proved_and_their_twins_are_not() {
    look_at(&annotated_functions());
}

#[test]
fn there_are_sixty_functions_with_two_twins_each() {
    let functions = functions();
    assert_eq!(functions.len(), 60);
    for function in functions {
        assert_eq!(function.twins.len(), 2, "{}", function.name);
    }
}
