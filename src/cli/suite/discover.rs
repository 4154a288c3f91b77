//! Finds the programs of a suite: their files, their configuration and their snapshots.

use super::super::stop::{Stop, wrong};
use crate::program::ObligationKind;
use crate::report::Diagnostic;
use crate::suite::snapshot::{self, line};
use crate::suite::{Config, Keys, pattern_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// The file name of a configuration.
const CONFIG: &str = "smalti.toml";
/// The file name extension of a snapshot.
const ENDING: &str = "smalti";

/// One program, analysed in one way.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Its name: the path from the current folder.
    pub(super) name: String,
    /// The folder that its file names are relative to.
    pub(super) folder: PathBuf,
    /// Its files.
    pub(super) files: Vec<String>,
    /// The function to analyse, if it is not the whole program.
    pub(super) function: Option<String>,
    /// Its configuration. Paths are relative to `folder`.
    pub(super) keys: Keys,
    /// The path of its snapshot, which may not exist yet.
    pub(super) snapshot: PathBuf,
}

impl Case {
    /// How the snapshot names the analysed program.
    pub(super) fn subject(&self) -> String {
        let files = line(&self.files.join(" "));
        self.function.as_ref().map_or_else(|| files.clone(), |f| format!("{files}, function {f}"))
    }
}

/// Everything that was found in some folders.
#[derive(Debug, Default)]
pub(super) struct Suite {
    /// The programs, sorted by name.
    pub(super) cases: Vec<Case>,
    /// Snapshots that belong to no program.
    pub(super) stale: Vec<PathBuf>,
}

/// A configuration and its folder.
struct Placed {
    folder: PathBuf,
    config: Config,
}

#[derive(Default)]
struct Discovery {
    /// The configurations read so far, by folder. Paths are absolute.
    configs: BTreeMap<PathBuf, Option<Arc<Placed>>>,
    suite: Suite,
    /// The program of each snapshot.
    owners: BTreeMap<PathBuf, Vec<String>>,
}

/// Searches `folders` for programs. A name may also be that of a single file.
pub(super) fn discover(folders: &[PathBuf]) -> Result<Suite, Stop> {
    let mut search = Discovery::default();
    for given in folders {
        search.look(given)?;
    }
    search.suite.cases.sort_by(|a, b| a.name.cmp(&b.name));
    search.suite.stale.sort();
    search.suite.stale.dedup();
    Ok(search.suite)
}

fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "c" || e == "i")
}

impl Discovery {
    fn look(&mut self, given: &Path) -> Result<(), Stop> {
        // `./a` and `a` are the same folder and get the same name.
        let plain: PathBuf = given.components().filter(|c| !matches!(c, Component::CurDir)).collect();
        let given = if plain.as_os_str().is_empty() { Path::new(".") } else { &plain };
        let metadata =
            std::fs::metadata(given).map_err(|e| wrong(format!("`{}` cannot be read: {e}", given.display())))?;
        let (top, only) = if metadata.is_dir() {
            (given, None)
        } else {
            let top = given.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            (top, Some(absolute(given)))
        };
        let depth = if only.is_some() { 1 } else { usize::MAX };
        let (mut files, mut snapshots, mut inside) = (Vec::new(), Vec::new(), vec![top.to_owned()]);
        let hidden = |e: &walkdir::DirEntry| e.depth() > 0 && e.file_name().to_string_lossy().starts_with('.');
        for entry in WalkDir::new(top).max_depth(depth).sort_by_file_name().into_iter().filter_entry(|e| !hidden(e)) {
            let entry = entry.map_err(|e| wrong(format!("`{}` cannot be read: {e}", top.display())))?;
            let path = entry.path().to_owned();
            if entry.file_type().is_dir() {
                inside.push(path);
            } else if is_program(&path) {
                files.push(path);
            } else if path.extension().is_some_and(|e| e == ENDING) {
                snapshots.push(path);
            }
        }
        inside.dedup();
        let before = self.owners.len();
        let known = self.suite.cases.len();
        for folder in &inside {
            self.programs(folder, only.as_deref())?;
        }
        for file in &files {
            if only.as_ref().is_none_or(|only| *only == absolute(file)) {
                self.file(file)?;
            }
        }
        if only.is_none() {
            let gone = |s: &PathBuf| !self.owners.contains_key(&absolute(s)) && is_snapshot(s);
            let stale: Vec<PathBuf> = snapshots.into_iter().filter(gone).collect();
            self.suite.stale.extend(stale);
        }
        // It is no mistake if another folder of the command line has already added these programs.
        if self.suite.cases.len() == known && before == self.owners.len() && !self.knows(top, only.as_deref()) {
            let mut diagnostic = Diagnostic::error(format!("there is no program to test in `{}`", given.display()));
            diagnostic
                .notes
                .push("programs are files named *.c or *.i, and what `[[program]]` in a smalti.toml names".to_owned());
            return Err(Stop::Wrong(Box::new(diagnostic)));
        }
        Ok(())
    }

    fn knows(&self, top: &Path, only: Option<&Path>) -> bool {
        let (top, only) = (absolute(top), only.map(absolute));
        self.suite.cases.iter().any(|c| {
            let folder = absolute(&c.folder);
            only.as_ref().map_or(folder.starts_with(&top), |o| c.files.iter().any(|f| folder.join(f) == *o))
        })
    }

    /// The programs that the configuration of a folder names.
    fn programs(&mut self, folder: &Path, only: Option<&Path>) -> Result<(), Stop> {
        let chain = self.chain(&absolute(folder))?;
        let Some(own) = chain.first().filter(|p| p.folder == absolute(folder)).cloned() else { return Ok(()) };
        for program in &own.config.programs {
            let files = || program.files.iter().map(|f| own.folder.join(f));
            if only.is_some_and(|only| !files().any(|f| f == only)) {
                continue;
            }
            for file in files() {
                if !file.is_file() {
                    let place = folder.join(CONFIG);
                    let message = format!("{}: `{}` has no file `{}`", place.display(), program.name, file.display());
                    return Err(wrong(message));
                }
            }
            let keys = with_folders(program.keys.clone(), &own.folder).over(keys(&chain));
            self.cases(folder, &program.name, &program.files, keys)?;
        }
        Ok(())
    }

    /// Adds a file that is a program of its own.
    fn file(&mut self, file: &Path) -> Result<(), Stop> {
        let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (folder, path) = (folder.to_owned(), absolute(file));
        let chain = self.chain(&absolute(&folder))?;
        for placed in &chain {
            let belongs = |p: &crate::suite::ProgramConfig| p.files.iter().any(|f| placed.folder.join(f) == path);
            let inside = path.strip_prefix(&placed.folder).unwrap_or(&path);
            let excluded = |e: &String| pattern_of(e).is_ok_and(|p| p.is_match(inside));
            if placed.config.programs.iter().any(belongs) || placed.config.exclude.iter().any(excluded) {
                return Ok(());
            }
        }
        let Some(name) = file.file_name().and_then(|n| n.to_str()) else {
            return Err(wrong(format!("`{}` has a name that is not UTF-8", file.display())));
        };
        let keys = keys(&chain);
        self.cases(&folder, name, &[name.to_owned()], keys)
    }

    /// Adds one program, or one for each of its functions.
    fn cases(&mut self, folder: &Path, name: &str, files: &[String], keys: Keys) -> Result<(), Stop> {
        let functions = match keys.functions.clone() {
            None => vec![None],
            Some(all) => all.into_iter().map(Some).collect(),
        };
        let from = absolute(folder);
        for function in functions {
            let mut keys = keys.clone();
            let include = keys.include.iter().flatten().map(|i| relative(&from, Path::new(i)));
            keys.include = Some(include.collect::<Vec<_>>()).filter(|i| !i.is_empty());
            let ending = function.as_ref().map(|f| format!(".{f}")).unwrap_or_default();
            let snapshot = folder.join(format!("{name}{ending}.{ENDING}"));
            let shown = folder.strip_prefix(".").unwrap_or(folder).join(name);
            let shown = shown.display().to_string() + &function.as_ref().map(|f| format!(":{f}")).unwrap_or_default();
            let shown = line(&shown);
            let mut owner: Vec<String> = files.iter().map(|f| from.join(f).display().to_string()).collect();
            owner.extend(function.clone());
            match self.owners.insert(absolute(&snapshot), owner.clone()) {
                // The folder was given twice.
                Some(other) if other == owner => continue,
                Some(_) => {
                    let message = format!("two programs would have the snapshot `{}`", snapshot.display());
                    let mut diagnostic = Diagnostic::error(message);
                    diagnostic.notes.push("a `[[program]]` may have another `name`".to_owned());
                    return Err(Stop::Wrong(Box::new(diagnostic)));
                }
                None => {}
            }
            self.suite.cases.push(Case {
                name: shown,
                folder: folder.to_owned(),
                files: files.to_vec(),
                function,
                keys,
                snapshot,
            });
        }
        Ok(())
    }

    /// The configurations that apply to a folder, the nearest first.
    fn chain(&mut self, folder: &Path) -> Result<Vec<Arc<Placed>>, Stop> {
        let mut chain = Vec::new();
        for folder in folder.ancestors() {
            let placed = match self.configs.get(folder) {
                Some(placed) => placed.clone(),
                None => {
                    let placed = read(folder)?.map(Arc::new);
                    self.configs.insert(folder.to_owned(), placed.clone());
                    placed
                }
            };
            let Some(placed) = placed else { continue };
            let is_root = placed.config.root;
            chain.push(placed);
            if is_root {
                break;
            }
        }
        Ok(chain)
    }
}

fn read(folder: &Path) -> Result<Option<Placed>, Stop> {
    let path = folder.join(CONFIG);
    let shown = std::env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    let shown = shown.display().to_string();
    let text = match std::fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| wrong(format!("`{shown}` is not UTF-8 text")))?,
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(e) => return Err(wrong(format!("`{shown}` cannot be read: {e}"))),
    };
    let config = Config::parse(&text).map_err(|e| Stop::Wrong(Box::new(e.diagnostic(&shown, &text))))?;
    Ok(Some(Placed { folder: folder.to_owned(), config }))
}

/// The keys that a chain of configurations sets, the nearest configuration first.
fn keys(chain: &[Arc<Placed>]) -> Keys {
    chain.iter().fold(Keys::default(), |inner, p| inner.over(with_folders(p.config.keys.clone(), &p.folder)))
}

/// The keys with absolute paths, so that any folder can inherit them.
fn with_folders(mut keys: Keys, folder: &Path) -> Keys {
    let absolute = |i: &String| folder.join(i).display().to_string();
    keys.include = keys.include.map(|all| all.iter().map(absolute).collect());
    keys
}

impl Case {
    /// Sets the kinds of obligations if the configuration does not: all kinds. A program with a
    /// snapshot of the first format is analysed for assertions only, as it was then.
    pub(super) fn settle_checks(&mut self, accepts: bool) {
        let is_old = || std::fs::read_to_string(&self.snapshot).is_ok_and(|text| snapshot::is_of_format_1(&text));
        if self.keys.checks.is_none() {
            let old = !accepts && is_old();
            self.keys.checks = Some(if old { vec![ObligationKind::Assertion] } else { ObligationKind::ALL.to_vec() });
        }
    }
}

/// Whether a file with the name of a snapshot is one.
fn is_snapshot(file: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; crate::suite::snapshot::TITLE.len()];
    let read = std::fs::File::open(file).and_then(|mut f| f.read_exact(&mut start));
    read.is_ok() && start == *crate::suite::snapshot::TITLE.as_bytes()
}

fn absolute(path: &Path) -> PathBuf {
    // `a/./b` and `a/b` are the same folder.
    let parts: Vec<Component<'_>> = path.components().filter(|c| *c != Component::CurDir).collect();
    // The path up to its last `..` is resolved, so that `a/..` is the folder that contains `a`, and
    // so that the folders above it are found.
    let up = parts.iter().rposition(|c| *c == Component::ParentDir).map_or(0, |n| n + 1);
    let (up, down): (PathBuf, PathBuf) = (parts[..up].iter().collect(), parts[up..].iter().collect());
    let start = if up.as_os_str().is_empty() { Ok(up) } else { std::fs::canonicalize(up) };
    let whole = start.and_then(|start| std::path::absolute(Path::new(".").join(start).join(down)));
    whole.unwrap_or_else(|_| path.to_owned())
}

/// The relative path from one folder to another.
fn relative(from: &Path, to: &Path) -> String {
    let to = absolute(to);
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Path::new(".."));
    let down = to.components().skip(common).map(|c| Path::new(c.as_os_str()));
    let path: PathBuf = up.chain(down).collect();
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

/// The names of all cases, for a message.
pub(super) fn names(cases: &[Case]) -> BTreeSet<&str> {
    cases.iter().map(|c| c.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn cases(folder: &Path, given: &[&str]) -> Vec<Case> {
        let given: Vec<PathBuf> = given.iter().map(|g| folder.join(g)).collect();
        match discover(&given) {
            Ok(suite) => suite.cases,
            Err(Stop::Wrong(d)) => panic!("{}", d.render(crate::report::Paint::PLAIN)),
            Err(_) => panic!("no output is written"),
        }
    }

    fn names(folder: &Path, given: &[&str]) -> Vec<String> {
        let place = format!("{}/", folder.display());
        cases(folder, given).iter().map(|c| c.name.replace(&place, "")).collect()
    }

    #[test]
    fn the_nearest_file_counts_key_by_key() {
        let f = folder(&[
            ("smalti.toml", "root = true\npeel = 2\ntime-limit = 3\ninclude = [\"inc\"]\nexclude = [\"**/old_*.c\"]\n"),
            ("a.c", ""),
            ("sub/smalti.toml", "peel = 4\n"),
            ("sub/b.c", ""),
            ("sub/old_b.c", ""),
            ("sub/deep/c.i", ""),
            ("sub/.hidden/d.c", ""),
            ("sub/x.h", ""),
        ]);
        assert_eq!(names(f.path(), &["."]), ["a.c", "sub/b.c", "sub/deep/c.i"]);
        let all = cases(f.path(), &["."]);
        let peel: Vec<_> = all.iter().map(|c| c.keys.peel).collect();
        assert_eq!(peel, [Some(2), Some(4), Some(4)]);
        let include: Vec<_> = all.iter().map(|c| c.keys.include.clone().unwrap().concat()).collect();
        assert_eq!(include, ["inc", "../inc", "../../inc"]);
        // The same holds if an inner folder is named, or a file, or both.
        assert_eq!(cases(f.path(), &["sub/deep"])[0].keys, all[2].keys);
        assert_eq!(names(f.path(), &["sub/b.c", "sub/b.c", "sub"]), ["sub/b.c", "sub/deep/c.i"]);
    }

    #[test]
    fn files_of_one_program_are_no_programs_by_themselves() {
        let text = "root = true\n[[program]]\nname = \"both\"\nfiles = [\"a.c\", \"sub/b.c\"]\npeel = 3\n";
        let f = folder(&[("smalti.toml", text), ("a.c", ""), ("sub/b.c", ""), ("sub/c.c", "")]);
        assert_eq!(names(f.path(), &["."]), ["both", "sub/c.c"]);
        assert_eq!(names(f.path(), &["sub"]), ["sub/c.c"]);
        assert_eq!(names(f.path(), &["a.c"]), ["both"]);
        let both = &cases(f.path(), &["."])[0];
        assert_eq!((both.keys.peel, both.subject().as_str()), (Some(3), "a.c sub/b.c"));
        assert_eq!(both.snapshot, f.path().join("./both.smalti"));
    }

    #[test]
    fn a_folder_that_is_named_from_inside_of_another_is_the_same() {
        let f = folder(&[
            ("smalti.toml", "root = true\n[[program]]\nname = \"both\"\nfiles = [\"a.c\", \"b.c\"]\n"),
            ("a.c", ""),
            ("b.c", ""),
            ("c.c", ""),
            ("sub/smalti.toml", "peel = 4\n"),
            ("sub/d.c", ""),
        ]);
        let shown = |given: &[&str]| {
            let all = cases(f.path(), given);
            all.iter().map(|c| (c.snapshot.file_name().unwrap().to_owned(), c.keys.peel)).collect::<Vec<_>>()
        };
        let whole = shown(&["."]);
        assert_eq!(whole, [("both.smalti".into(), None), ("c.c.smalti".into(), None), ("d.c.smalti".into(), Some(4))]);
        assert_eq!(shown(&["sub/.."]), whole);
        assert_eq!(shown(&["sub/..", "."]), whole);
        assert_eq!(shown(&["sub/../a.c"]), whole[..1]);
        let here = std::env::current_dir().unwrap();
        for (way, place) in
            [("", here.clone()), (".", here.clone()), ("./a/./b", here.join("a/b")), ("src/../a", here.join("a"))]
        {
            assert_eq!(absolute(Path::new(way)), place, "{way}");
        }
    }

    #[test]
    fn what_a_file_is_called_cannot_break_a_line() {
        let f = folder(&[("smalti.toml", "root = true\n"), ("a\nb\x1b[31m.c", "")]);
        let case = &cases(f.path(), &["."])[0];
        assert_eq!(
            (case.subject().as_str(), case.name.ends_with("/a b [31m.c")),
            ("a b [31m.c", true),
            "{}",
            case.name
        );
    }

    #[test]
    fn each_function_is_a_case_of_its_own() {
        let f = folder(&[("smalti.toml", "root = true\nfunctions = [\"f\", \"g\"]\n"), ("a.c", "")]);
        assert_eq!(names(f.path(), &["."]), ["a.c:f", "a.c:g"]);
        assert!(cases(f.path(), &["."])[1].snapshot.ends_with("a.c.g.smalti"));
    }

    #[test]
    fn what_cannot_be_tested_is_said() {
        for (files, given, words) in [
            (&[("x.h", "")][..], ".", "there is no program to test"),
            (&[], "gone", "cannot be read"),
            (&[("a.c", ""), ("smalti.toml", "pel = 1\n")], ".", "did you mean `peel`?"),
            (&[("smalti.toml", "[[program]]\nfiles = [\"a.c\"]\n")], ".", "has no file"),
            (
                &[("a.c", ""), ("b.c", ""), ("smalti.toml", "[[program]]\nname = \"a.c\"\nfiles = [\"b.c\"]\n")],
                ".",
                "two programs would",
            ),
        ] {
            let f = folder(files);
            match discover(&[f.path().join(given)]) {
                Err(Stop::Wrong(d)) => {
                    let shown = d.render(crate::report::Paint::PLAIN);
                    assert!(shown.contains(words), "{shown}");
                }
                _ => panic!("{words}"),
            }
        }
    }

    #[test]
    fn a_snapshot_without_a_program_is_stale_and_another_file_is_not() {
        let f = folder(&[
            ("a.c", ""),
            ("a.c.smalti", "smalti snapshot 1: a.c\n"),
            ("b.c.smalti", "smalti snapshot 1: b.c\n"),
            ("c.smalti", "something else"),
        ]);
        let Ok(suite) = discover(&[f.path().to_owned()]) else { panic!("it can be tested") };
        assert_eq!(suite.stale, [f.path().join("b.c.smalti")]);
    }
}
