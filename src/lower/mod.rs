//! From C source files to a program: preprocess, parse, type, lower.
//!
//! ```text
//! file ──preprocess──> text ──clean──> text ──parse (lang-c)──> syntax tree ──Lowerer──> Program
//! ```
//!
//! `clean` checks and blanks, but never moves a byte, so that every offset in the tree is an offset
//! in the preprocessor's output. `lines` maps these back to files, lines and columns. The `Lowerer`
//! types expressions and moves their side effects into statements. Its methods are in the files of
//! this folder, by what they lower.
//!
//! **Assumptions** made where C leaves a choice are recorded in `Program::assumptions`.

mod acsl;
mod allocate;
mod assembly;
mod at_exit;
mod blocks;
mod builtins;
mod callees;
mod calls;
mod clean;
mod constants;
mod context;
mod conversions;
mod declarations;
mod declarators;
mod definitions;
mod effects;
mod emit;
mod error;
mod expressions;
mod formats;
mod functions;
mod harmless;
mod initialisers;
mod inputs;
mod jumped_over;
mod jumps;
mod library;
mod lifetimes;
mod lines;
mod link;
mod literals;
mod lvalues;
mod names;
mod options;
mod order;
mod parse;
mod postpone;
mod pragmas;
mod preprocess;
mod prints;
mod prune;
mod scans;
mod scopes;
mod signals;
mod signatures;
mod specification;
mod statements;
mod structs;
mod switches;
mod tails;
#[cfg(test)]
mod tests;
mod types;
mod undefined;
mod unset;
mod writers;

pub(crate) use acsl::IS_SEPARATE;
pub use error::{InputError, InputErrorKind, SourceSpan};

use crate::program::{DataModel, Program, Representation, SourceFile, SourceMap};
use context::Lowerer;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How C files are read.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Sizes of the integer types and of pointers.
    pub data_model: DataModel,
    /// How values are represented.
    pub representation: Representation,
    /// Whether the C preprocessor runs. Files whose names end in `.i` are never preprocessed.
    pub preprocess: bool,
    /// The function where execution starts.
    pub entry: String,
    /// Whether the entry is called with any arguments that its contract allows, in any state of the
    /// globals.
    pub alone: bool,
    /// Whether the arguments of an entry that is analysed alone are assumed not to overlap.
    pub separate: bool,
    /// Folders in which `#include` looks, before the system's.
    pub include_dirs: Vec<PathBuf>,
    /// Macros, each `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// A folder with C files that say what functions of the C library do, in place of those that
    /// come with smalti.
    pub library: Option<PathBuf>,
    /// Whether allocations may return null.
    pub malloc_may_fail: bool,
    /// How long the preprocessor may take for one file.
    pub preprocess_time: Duration,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            data_model: DataModel::default(),
            representation: Representation::default(),
            preprocess: true,
            entry: "main".into(),
            alone: false,
            separate: false,
            include_dirs: Vec::new(),
            defines: Vec::new(),
            library: None,
            malloc_may_fail: false,
            preprocess_time: Duration::from_secs(20),
        }
    }
}

/// Makes one program from C files. External names are linked; a `static` name belongs to its file.
///
/// Recurses over the nesting of the source (at most [`clean::MAX_DEPTH`]): call it on a thread with
/// a large stack (1 GiB of reserve is plenty) if the files are not your own.
///
/// # Errors
/// A file that cannot be read, that is not C, or that uses something that can neither be modelled
/// nor over-approximated.
pub fn load(files: &[PathBuf], options: &LowerOptions) -> Result<Program, InputError> {
    if files.is_empty() {
        return Err(InputError::new(InputErrorKind::NotFound, "no file was given"));
    }
    let mut sources = SourceMap::default();
    let mut raw = Vec::new();
    for path in files {
        let bytes = preprocess::read(path)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        sources.files.push(SourceFile { name: path.display().to_string(), text: text.into(), own: true });
        raw.push(bytes);
    }
    let mut texts = Vec::new();
    let mut included = BTreeSet::new();
    for (path, bytes) in files.iter().zip(raw) {
        if options.preprocess && !is_preprocessed(path) {
            let text = preprocess::run(preprocess::Input::File(path), options)?;
            included.extend(lines::files(&text));
            texts.push(text);
        } else {
            texts.push(bytes);
        }
    }
    let mut program = lower(texts, sources, options)?;
    for file in &mut program.sources.files {
        // `<built-in>` and smalti's own headers, which are deleted by now, have no text.
        file.own |= !file.text.is_empty() && included.contains(&file.name);
    }
    Ok(program)
}

/// The files that [`load`] reads: those given, and those that they include, except the system's
/// headers.
///
/// # Errors
/// A file that cannot be read, or that the preprocessor refuses.
pub fn dependencies(files: &[PathBuf], options: &LowerOptions) -> Result<Vec<PathBuf>, InputError> {
    let mut found = Vec::new();
    for path in files {
        found.push(path.clone());
        let text = if options.preprocess && !is_preprocessed(path) {
            preprocess::run(preprocess::Input::File(path), options)?
        } else {
            preprocess::read(path)?
        };
        // `<built-in>` and the like are not files. A preprocessed text may also name files that do
        // not exist any more.
        let mut named: Vec<PathBuf> = lines::files(&text).into_iter().map(PathBuf::from).collect();
        named.retain(|p| p.is_file());
        found.extend(named);
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Makes a program from one text, as [`load`] does from a file with that name.
///
/// # Errors
/// As [`load`].
pub fn load_text(name: &str, text: &str, options: &LowerOptions) -> Result<Program, InputError> {
    let mut sources = SourceMap::default();
    sources.files.push(SourceFile { name: name.into(), text: text.into(), own: true });
    let bytes = if options.preprocess {
        preprocess::run(preprocess::Input::Text(name, text), options)?
    } else {
        text.as_bytes().to_vec()
    };
    lower(vec![bytes], sources, options)
}

fn lower(texts: Vec<Vec<u8>>, mut sources: SourceMap, options: &LowerOptions) -> Result<Program, InputError> {
    let mut units = Vec::new();
    for (n, text) in texts.into_iter().enumerate() {
        units.push(parse::unit(text, n as u32, &mut sources)?);
    }
    let library = library::read(options.library.as_deref(), &units, &mut sources)?;
    units.extend(library);
    let passed_over = structs::PassedOver::default();
    for _ in 0..MOST_ROUNDS {
        let before = passed_over.borrow().clone();
        let lowered = Lowerer::new(&units, sources.clone(), options, &passed_over).run();
        if *passed_over.borrow() == before {
            return lowered;
        }
    }
    Lowerer::new(&units, sources, options, &passed_over).run()
}

/// How often the files are lowered again because a tag means different types in different files.
const MOST_ROUNDS: usize = 300;

fn is_preprocessed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "i")
}
