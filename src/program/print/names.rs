//! Gives everything a unique, legal name.

use super::layout::Layout;
use crate::program::{FunctionId, LabelId, Program, StmtKind, Storage, Variable, each_stmt};
use std::collections::{HashMap, HashSet};

/// The C names of everything in a program. Deterministic; the first item with a name keeps it.
pub(super) struct CNames {
    /// By [`crate::program::VarId`].
    pub(super) variables: Vec<String>,
    /// By [`FunctionId`].
    pub(super) functions: Vec<String>,
    /// By [`crate::program::StructId`].
    pub(super) structs: Vec<String>,
    /// The labels of all functions.
    pub(super) labels: HashMap<LabelId, String>,
}

/// Names that the generated text needs for itself, and words that the language may reserve.
const RESERVED: &[&str] = &[
    "main",
    "assert",
    "abort",
    "dprintf",
    "execl",
    "exit",
    "getrlimit",
    "malloc",
    "calloc",
    "memset",
    "asm",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "setrlimit",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "bool",
    "true",
    "false",
    "unix",
    "linux",
    "NULL",
];

/// One C name space.
#[derive(Default)]
struct Space {
    taken: HashSet<String>,
    next: HashMap<String, u32>,
}

impl CNames {
    pub(super) fn new(program: &Program, layout: &Layout, prefix: &str) -> CNames {
        let mut file = Space::default();
        let functions = functions(program, layout, prefix, &mut file);
        let mut tags = Space::default();
        let structs = program.structs.iter().map(|s| tags.give(&format!("{prefix}{}", legal(&s.name)), &[])).collect();
        let mut variables = vec![String::new(); program.variables.len()];
        for (name, variable) in variables.iter_mut().zip(&program.variables) {
            if variable.storage == Storage::Global {
                *name = file.give_variable(variable, prefix, &[]);
            }
        }
        let mut locals: HashMap<Option<FunctionId>, Space> = HashMap::new();
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.storage != Storage::Global {
                let space = locals.entry(layout.owners[index]).or_default();
                variables[index] = space.give_variable(variable, "", &[&file]);
            }
        }
        CNames { variables, functions, structs, labels: labels(program) }
    }
}

fn functions(program: &Program, layout: &Layout, prefix: &str, file: &mut Space) -> Vec<String> {
    let mut names = vec![String::new(); program.functions.len()];
    let main = format!("{prefix}main");
    file.taken.insert(main.clone());
    if layout.entry_is_main {
        names[program.entry.0 as usize] = main;
    }
    // A function without a body is looked up by its name, which it therefore keeps.
    for (name, function) in names.iter_mut().zip(&program.functions) {
        if function.body.is_none() {
            *name = legal(&function.name);
            file.taken.insert(name.clone());
        }
    }
    for (name, function) in names.iter_mut().zip(&program.functions) {
        if function.body.is_some() && name.is_empty() {
            *name = file.give(&format!("{prefix}{}", legal(&function.name)), &[]);
        }
    }
    names
}

fn labels(program: &Program) -> HashMap<LabelId, String> {
    let mut labels = HashMap::new();
    for body in program.blocks() {
        let mut space = Space::default();
        each_stmt(body, &mut |s| {
            if let StmtKind::Label(id, name) = &s.kind {
                labels.entry(*id).or_insert_with(|| space.give(&legal(name), &[]));
            }
        });
    }
    labels
}

impl Space {
    /// The names of the source are kept where that is possible, so a variable that the source does
    /// not know always has a number.
    fn give_variable(&mut self, variable: &Variable, prefix: &str, outer: &[&Space]) -> String {
        let name = legal(&variable.name);
        if variable.is_hidden() {
            return self.numbered(&format!("{prefix}{}", name.trim_start_matches("__")), outer);
        }
        self.give(&format!("{prefix}{name}"), outer)
    }

    fn give(&mut self, name: &str, outer: &[&Space]) -> String {
        // These prefixes are reserved for the generated text and for the compilers.
        if name.starts_with("smalti_") || name.starts_with("__") {
            return self.give(&format!("v_{name}"), outer);
        }
        if self.is_free(name, outer) {
            self.taken.insert(name.to_owned());
            return name.to_owned();
        }
        self.numbered(name, outer)
    }

    fn numbered(&mut self, stem: &str, outer: &[&Space]) -> String {
        loop {
            let n = self.next.entry(stem.to_owned()).or_insert(1);
            *n += 1;
            let name = format!("{stem}__{n}");
            if self.is_free(&name, outer) {
                self.taken.insert(name.clone());
                return name;
            }
        }
    }

    fn is_free(&self, name: &str, outer: &[&Space]) -> bool {
        !RESERVED.contains(&name) && !self.taken.contains(name) && !outer.iter().any(|s| s.taken.contains(name))
    }
}

/// A name with only those characters that C allows.
pub(super) fn legal(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, 'v');
    }
    text
}
