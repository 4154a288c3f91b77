//! `smalti.toml`: how the programs of a folder are analysed and compared.
//!
//! A file applies to its folder and all folders below. For each key, the file nearest to the
//! program counts. Everything in a file that smalti does not understand is an error with its place:
//! if a misspelt key were ignored, the suite would silently test something else.

use super::nearest;
use crate::program::{DataModel, ObligationKind, Target};
use crate::report::{Diagnostic, Excerpt};
use crate::verdict::Stage;
use serde::Deserialize;
use std::ops::Range;
use std::path::{Component, Path};
use std::time::Duration;
use toml::Spanned;

/// The content of a `smalti.toml`. A key that is not set is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Do not read the files of folders further up.
    pub root: bool,
    /// How programs are analysed and compared.
    pub keys: Keys,
    /// Files to leave out, as patterns relative to the folder. The patterns of all applicable files
    /// are combined.
    pub exclude: Vec<String>,
    /// Programs of several files, or with keys of their own. Their files are not programs of their
    /// own.
    pub programs: Vec<ProgramConfig>,
}

/// The table `[[program]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramConfig {
    /// Its name, which also names its snapshot. The default is its first file.
    pub name: String,
    /// Its files, relative to the folder of the configuration.
    pub files: Vec<String>,
    /// The keys that apply to this program only.
    pub keys: Keys,
}

/// The keys that may be set for a folder, for a folder inside it and for a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// As `--stack`.
    pub stack: Option<Vec<String>>,
    /// As `--stages`.
    pub stages: Option<Vec<Stage>>,
    /// As `--checks`.
    pub checks: Option<Vec<ObligationKind>>,
    /// As `--data-model`.
    pub data_model: Option<DataModel>,
    /// As `--target`.
    pub target: Option<Target>,
    /// As `--time-limit`, for each program.
    pub time_limit: Option<Duration>,
    /// As `--steps`, for each program.
    pub steps: Option<u64>,
    /// As `--memory-limit`, for each program.
    pub memory_limit: Option<u64>,
    /// As `--widening-delay`.
    pub widening_delay: Option<u32>,
    /// As `--peel`.
    pub peel: Option<u32>,
    /// As `--descending`.
    pub descending: Option<u32>,
    /// As `--verify`.
    pub verify: Option<bool>,
    /// As `--assume-invariants`.
    pub assume_invariants: Option<bool>,
    /// As `--function`, once for each of them.
    pub functions: Option<Vec<String>>,
    /// As `-I`, relative to the folder of the configuration.
    pub include: Option<Vec<String>>,
    /// As `-D`.
    pub define: Option<Vec<String>>,
    /// The opposite of `--no-preprocess`.
    pub preprocess: Option<bool>,
    /// Whether invariants are stored and compared.
    pub invariants: Option<bool>,
    /// Whether the state of every line is stored and compared.
    pub states: Option<bool>,
}

/// An error in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The error in one line.
    pub message: String,
    /// The place, as bytes of the text.
    pub span: Option<Range<usize>>,
    /// The label next to the place; may be empty.
    pub label: String,
    /// Hints.
    pub notes: Vec<String>,
}

impl Config {
    /// Reads the text of a `smalti.toml`.
    ///
    /// # Errors
    /// The text is not TOML, or smalti does not understand a part of it.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let section: Section = toml::from_str(text).map_err(|e| ConfigError::of_toml(&e, text))?;
        for (key, span) in [("name", spanned(&section.name)), ("files", spanned(&section.files))] {
            if let Some(span) = span {
                let mut error = ConfigError::at(span, format!("`{key}` belongs to a program"));
                error
                    .notes
                    .push("programs of several files are tables: `[[program]]`, then `files = [...]`".to_owned());
                return Err(error);
            }
        }
        let mut config = Config {
            root: section.root.as_ref().is_some_and(|r| *r.get_ref()),
            exclude: Vec::new(),
            programs: Vec::new(),
            keys: Keys::default(),
        };
        for pattern in section.exclude.iter().flatten() {
            pattern_of(pattern.get_ref()).map_err(|why| ConfigError::at(pattern.span(), why))?;
            config.exclude.push(pattern.get_ref().clone());
        }
        for program in section.program.iter().flatten() {
            let (span, program) = (program.span(), program.get_ref());
            let made = program.program(span)?;
            if config.programs.iter().any(|p| p.name == made.name) {
                let at = spanned(&program.name).or(spanned(&program.files)).unwrap_or_default();
                let mut error = ConfigError::at(at, format!("two programs are called `{}`", made.name));
                error.notes.push("`name = \"...\"` tells them apart".to_owned());
                return Err(error);
            }
            config.programs.push(made);
        }
        config.keys = section.keys()?;
        Ok(config)
    }
}

/// The pattern of files to leave out. `*` does not match `/`, `**` does.
pub(crate) fn pattern_of(text: &str) -> Result<globset::GlobMatcher, String> {
    let glob = globset::GlobBuilder::new(text).literal_separator(true).build();
    glob.map(|g| g.compile_matcher()).map_err(|e| format!("`{text}` is not a pattern of file names: {}", e.kind()))
}

impl Keys {
    /// These keys. Keys that are not set come from `outer`.
    #[must_use]
    pub fn over(self, outer: Keys) -> Keys {
        Keys {
            stack: self.stack.or(outer.stack),
            stages: self.stages.or(outer.stages),
            checks: self.checks.or(outer.checks),
            // Both set the size of `long`: the inner one counts.
            data_model: self.data_model.or(outer.data_model.filter(|_| self.target.is_none())),
            target: self.target.or(outer.target.filter(|_| self.data_model.is_none())),
            time_limit: self.time_limit.or(outer.time_limit),
            steps: self.steps.or(outer.steps),
            memory_limit: self.memory_limit.or(outer.memory_limit),
            widening_delay: self.widening_delay.or(outer.widening_delay),
            peel: self.peel.or(outer.peel),
            descending: self.descending.or(outer.descending),
            verify: self.verify.or(outer.verify),
            assume_invariants: self.assume_invariants.or(outer.assume_invariants),
            functions: self.functions.or(outer.functions),
            include: self.include.or(outer.include),
            define: self.define.or(outer.define),
            preprocess: self.preprocess.or(outer.preprocess),
            invariants: self.invariants.or(outer.invariants),
            states: self.states.or(outer.states),
        }
    }
}

/// The keys of the file and of a table `[[program]]` in it. A later check decides which key is
/// allowed where, so that its message can say it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Section {
    root: Option<Spanned<bool>>,
    exclude: Option<Vec<Spanned<String>>>,
    program: Option<Vec<Spanned<Section>>>,
    name: Option<Spanned<String>>,
    files: Option<Spanned<Vec<Spanned<String>>>>,
    stack: Option<Spanned<Vec<Spanned<String>>>>,
    stages: Option<Spanned<Vec<Spanned<String>>>>,
    checks: Option<Spanned<Vec<Spanned<String>>>>,
    data_model: Option<Spanned<String>>,
    target: Option<Spanned<String>>,
    time_limit: Option<Spanned<f64>>,
    steps: Option<Spanned<i64>>,
    memory_limit: Option<Spanned<i64>>,
    widening_delay: Option<Spanned<i64>>,
    peel: Option<Spanned<i64>>,
    descending: Option<Spanned<i64>>,
    verify: Option<bool>,
    assume_invariants: Option<bool>,
    functions: Option<Spanned<Vec<Spanned<String>>>>,
    include: Option<Vec<Spanned<String>>>,
    define: Option<Vec<Spanned<String>>>,
    preprocess: Option<bool>,
    invariants: Option<bool>,
    states: Option<bool>,
}

/// All keys, from which suggestions for a misspelt key are chosen.
const KEYS: [&str; 24] = [
    "root",
    "exclude",
    "program",
    "name",
    "files",
    "stack",
    "stages",
    "checks",
    "data-model",
    "target",
    "time-limit",
    "steps",
    "memory-limit",
    "widening-delay",
    "peel",
    "descending",
    "verify",
    "assume-invariants",
    "functions",
    "include",
    "define",
    "preprocess",
    "invariants",
    "states",
];

impl Section {
    fn program(&self, span: Range<usize>) -> Result<ProgramConfig, ConfigError> {
        let exclude = self.exclude.as_ref().and_then(|e| e.first());
        let of_folders = [
            ("root", spanned(&self.root)),
            ("exclude", exclude.map(Spanned::span)),
            ("program", self.program.as_ref().and_then(|p| p.first()).map(Spanned::span)),
        ];
        for (key, at) in of_folders {
            if let Some(at) = at {
                return Err(ConfigError::at(at, format!("`{key}` holds for folders, not for one program")));
            }
        }
        let Some(files) = &self.files else {
            return Err(ConfigError::at(span, "a program needs `files = [...]`".to_owned()));
        };
        let names = strings(files.get_ref());
        let Some(first) = names.first() else {
            return Err(ConfigError::at(files.span(), "a program has at least one file".to_owned()));
        };
        for file in files.get_ref() {
            if !stays_inside(file.get_ref()) {
                let message = "the files of a program lie in the folder of the configuration or below it".to_owned();
                return Err(ConfigError::at(file.span(), message));
            }
        }
        let name = self.name.as_ref().map_or(first, Spanned::get_ref).clone();
        if let Some(given) = &self.name
            && (!stays_inside(&name) || name.contains(['/', '\\', '\n']))
        {
            let message = "the name of a program becomes a file name: it must not have slashes".to_owned();
            return Err(ConfigError::at(given.span(), message));
        }
        Ok(ProgramConfig { name, files: names, keys: self.keys()? })
    }

    fn target(&self, target: &Spanned<String>) -> Result<Target, ConfigError> {
        if self.data_model.is_some() {
            return Err(ConfigError::at(
                target.span(),
                "`target` includes the data model: leave `data-model` out".to_owned(),
            ));
        }
        target.get_ref().parse().map_err(|message| ConfigError::at(target.span(), message))
    }

    fn keys(&self) -> Result<Keys, ConfigError> {
        let stages = self.stages.as_ref().map(|s| words(s, "stage", &Stage::ALL.map(|s| (s.to_string(), s))));
        let checks =
            self.checks.as_ref().map(|c| words(c, "kind of checks", &ObligationKind::ALL.map(|k| (k.to_string(), k))));
        let models = [("ilp32".to_owned(), DataModel::Ilp32), ("lp64".to_owned(), DataModel::Lp64)];
        if let Some(stack) = &self.stack {
            not_empty(stack)?;
        }
        if let Some(functions) = &self.functions {
            not_empty(functions)?;
            for f in functions.get_ref() {
                let first = f.get_ref().chars().next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
                if !first || !f.get_ref().chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) {
                    return Err(ConfigError::at(f.span(), "the name of a function is expected".to_owned()));
                }
            }
        }
        Ok(Keys {
            stack: self.stack.as_ref().map(|s| strings(s.get_ref())),
            stages: stages.transpose()?,
            checks: checks.transpose()?,
            data_model: self.data_model.as_ref().map(|m| word(m, "data model", &models)).transpose()?,
            target: self.target.as_ref().map(|t| self.target(t)).transpose()?,
            time_limit: self.time_limit.as_ref().map(seconds).transpose()?,
            steps: self.steps.as_ref().map(|n| number(n, 1, i64::MAX)).transpose()?,
            memory_limit: self.memory_limit.as_ref().map(|n| number(n, 64, i64::MAX)).transpose()?,
            widening_delay: self.widening_delay.as_ref().map(|n| number(n, 0, u32::MAX.into())).transpose()?,
            peel: self.peel.as_ref().map(|n| number(n, 0, 8)).transpose()?,
            descending: self.descending.as_ref().map(|n| number(n, 0, u32::MAX.into())).transpose()?,
            verify: self.verify,
            assume_invariants: self.assume_invariants,
            functions: self.functions.as_ref().map(|f| strings(f.get_ref())),
            include: self.include.as_ref().map(|i| strings(i)),
            define: self.define.as_ref().map(|d| strings(d)),
            preprocess: self.preprocess,
            invariants: self.invariants,
            states: self.states,
        })
    }
}

fn spanned<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
    value.as_ref().map(Spanned::span)
}

fn strings(all: &[Spanned<String>]) -> Vec<String> {
    all.iter().map(|s| s.get_ref().clone()).collect()
}

fn not_empty<T>(list: &Spanned<Vec<T>>) -> Result<(), ConfigError> {
    if list.get_ref().is_empty() {
        return Err(ConfigError::at(list.span(), "an empty list says nothing: leave the key out".to_owned()));
    }
    Ok(())
}

/// Whether a path stays inside the folder that it is relative to.
fn stays_inside(path: &str) -> bool {
    let usual = |c: Component| matches!(c, Component::Normal(_) | Component::CurDir);
    !path.is_empty() && Path::new(path).components().all(usual) && Path::new(path).file_name().is_some()
}

fn seconds(value: &Spanned<f64>) -> Result<Duration, ConfigError> {
    let s = *value.get_ref();
    if s > 0.0 && s <= 31_536_000.0 {
        return Ok(Duration::from_secs_f64(s));
    }
    Err(ConfigError::at(value.span(), "a number of seconds above 0 is expected, such as 50 or 0.5".to_owned()))
}

fn number<N: TryFrom<i64>>(value: &Spanned<i64>, least: i64, most: i64) -> Result<N, ConfigError> {
    let n = *value.get_ref();
    let fits = (least..=most).contains(&n).then(|| N::try_from(n).ok()).flatten();
    fits.ok_or_else(|| {
        let end = if most > i64::from(u32::MAX) { String::new() } else { format!(" to {most}") };
        ConfigError::at(value.span(), format!("a number from {least}{end} is expected"))
    })
}

fn words<T: Copy>(
    list: &Spanned<Vec<Spanned<String>>>,
    what: &str,
    choices: &[(String, T)],
) -> Result<Vec<T>, ConfigError> {
    not_empty(list)?;
    list.get_ref().iter().map(|w| word(w, what, choices)).collect()
}

fn word<T: Copy>(value: &Spanned<String>, what: &str, choices: &[(String, T)]) -> Result<T, ConfigError> {
    if let Some((_, found)) = choices.iter().find(|(name, _)| name == value.get_ref()) {
        return Ok(*found);
    }
    let mut error = ConfigError::at(value.span(), format!("there is no {what} `{}`", value.get_ref()));
    let names: Vec<&str> = choices.iter().map(|(name, _)| name.as_str()).collect();
    error.suggest(value.get_ref(), &names);
    Err(error)
}

impl ConfigError {
    pub(crate) fn at(span: Range<usize>, message: String) -> ConfigError {
        ConfigError { message, span: Some(span), label: String::new(), notes: Vec::new() }
    }

    fn of_toml(error: &toml::de::Error, text: &str) -> ConfigError {
        let message = error.message().lines().collect::<Vec<_>>().join(": ");
        let mut made = ConfigError { message, span: error.span(), label: String::new(), notes: Vec::new() };
        if let Some(rest) = made.message.strip_prefix("unknown field `") {
            let key = rest.split('`').next().unwrap_or_default().to_owned();
            made.message = format!("there is no key `{key}`");
            made.suggest(&key, &KEYS);
        }
        // An error at the very end has no text, so the last line is shown.
        if let Some(span) = &mut made.span {
            span.start = span.start.min(text.len());
            span.end = span.end.clamp(span.start, text.len());
        }
        made
    }

    fn suggest(&mut self, word: &str, choices: &[&str]) {
        match nearest(word, choices) {
            Some(choice) => self.label = format!("did you mean `{choice}`?"),
            None => self.notes.push(format!("known are {}", choices.join(", "))),
        }
    }

    /// The error as a message about this text, which is called `file`.
    pub fn diagnostic(&self, file: &str, text: &str) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.message.clone());
        diagnostic.notes = self.notes.clone();
        diagnostic.label = self.label.clone();
        let Some(span) = &self.span else {
            diagnostic.notes.insert(0, format!("in {file}"));
            return diagnostic;
        };
        let before = text.get(..span.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        let line = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        diagnostic.place = Some(Excerpt {
            file: file.to_owned(),
            line: count(before.matches('\n').count() + 1),
            column: count(before.len() - start + 1),
            text: line.to_owned(),
            length: (span.end - span.start).min(line.len().saturating_sub(before.len() - start)).max(1),
        });
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Paint;

    fn complaint(text: &str) -> String {
        Config::parse(text).expect_err(text).diagnostic("smalti.toml", text).render(Paint::PLAIN)
    }

    #[test]
    fn every_key_is_read() {
        let text = r#"
root = true
exclude = ["old/**", "draft_*.c"]
stack = ["smash/box", "octagon"]
stages = ["domains", "unwind"]
checks = ["bounds", "division"]
data-model = "ilp32"
time-limit = 2.5
steps = 3000
memory-limit = 512
widening-delay = 3
peel = 0
descending = 4
verify = true
assume-invariants = false
functions = ["f", "g_1"]
include = ["include"]
define = ["N=3", "SMALL"]
preprocess = false
invariants = false
states = true

[[program]]
files = ["a.c", "sub/b.c"]
time-limit = 7

[[program]]
name = "small"
files = ["a.c"]
define = ["N=1"]
"#;
        let config = Config::parse(text).unwrap();
        let keys = Keys {
            stack: Some(vec!["smash/box".into(), "octagon".into()]),
            stages: Some(vec![Stage::Domains, Stage::Unwind]),
            checks: Some(vec![ObligationKind::Bounds, ObligationKind::Division]),
            data_model: Some(DataModel::Ilp32),
            target: None,
            time_limit: Some(Duration::from_millis(2500)),
            steps: Some(3000),
            memory_limit: Some(512),
            widening_delay: Some(3),
            peel: Some(0),
            descending: Some(4),
            verify: Some(true),
            assume_invariants: Some(false),
            functions: Some(vec!["f".into(), "g_1".into()]),
            include: Some(vec!["include".into()]),
            define: Some(vec!["N=3".into(), "SMALL".into()]),
            preprocess: Some(false),
            invariants: Some(false),
            states: Some(true),
        };
        assert!(config.root);
        assert_eq!(config.exclude, ["old/**", "draft_*.c"]);
        assert_eq!(config.keys, keys);
        let [two, small] = &config.programs[..] else { panic!("{config:?}") };
        assert_eq!((two.name.as_str(), &two.files[..]), ("a.c", &["a.c".to_owned(), "sub/b.c".to_owned()][..]));
        assert_eq!((small.name.as_str(), two.keys.time_limit), ("small", Some(Duration::from_secs(7))));
        // The keys of a program take precedence over those of its folder.
        let of_program = small.keys.clone().over(config.keys.clone());
        assert_eq!((of_program.define, of_program.peel), (Some(vec!["N=1".into()]), Some(0)));
        assert_eq!(Keys::default().over(keys.clone()), keys);
    }

    #[test]
    fn every_key_can_be_meant_by_a_misspelt_one() {
        for key in KEYS {
            let shown = complaint(&format!("{key}x = 1\n"));
            assert!(shown.contains(&format!("did you mean `{key}`?")), "{shown}");
        }
    }

    #[test]
    fn a_misspelt_key_is_told_with_its_place_and_what_was_meant() {
        let expected = "\
error: there is no key `time_limit`
 --> smalti.toml:2:1
  |
2 | time_limit = 50
  | ^^^^^^^^^^ did you mean `time-limit`?
";
        assert_eq!(complaint("# slow\ntime_limit = 50\n"), expected);
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_place() {
        for (text, place, words) in [
            ("stages = [\"domians\"]", "1:11", "did you mean `domains`?"),
            ("checks = [\"everything\"]", "1:11", "known are assertion, bounds, overflow, division"),
            ("stages = []", "1:10", "an empty list says nothing"),
            ("data-model = \"ilp64\"", "1:14", "there is no data model `ilp64`"),
            ("target = \"lp64,char=no\"", "1:10", "`char` of a target is `signed` or `unsigned`, not `no`"),
            (
                "data-model = \"lp64\"\ntarget = \"lp64\"",
                "2:10",
                "`target` includes the data model: leave `data-model` out",
            ),
            ("time-limit = 0", "1:14", "a number of seconds above 0"),
            ("time-limit = -inf", "1:14", "a number of seconds above 0"),
            ("time-limit = \"1\"", "1:14", "invalid type: string"),
            ("steps = 0", "1:9", "a number from 1 is expected"),
            ("memory-limit = 63", "1:16", "a number from 64 is expected"),
            ("peel = 9", "1:8", "a number from 0 to 8"),
            ("peel = -1", "1:8", "a number from 0 to 8"),
            ("functions = [\"f(x)\"]", "1:14", "the name of a function"),
            ("exclude = [\"a[\"]", "1:12", "is not a pattern of file names"),
            ("files = [\"x.c\"]", "1:9", "`files` belongs to a program"),
            ("[[program]]\nname = \"x\"\n", "1:1", "a program needs `files"),
            ("[[program]]\nfiles = []\n", "2:9", "at least one file"),
            ("[[program]]\nfiles = [\"../x.c\"]\n", "2:10", "in the folder of the configuration"),
            ("[[program]]\nfiles = [\"x.c\"]\nname = \"a/b\"\n", "3:8", "must not have slashes"),
            ("[[program]]\nfiles = [\"x.c\"]\nroot = true\n", "3:8", "holds for folders"),
            (
                "[[program]]\nfiles = [\"x.c\"]\n[[program]]\nfiles = [\"x.c\"]\n",
                "4:9",
                "two programs are called `x.c`",
            ),
            ("peel = 1\npeel = 2\n", "2:1", "duplicate key"),
            ("peel = ", "1:8", "string values must be quoted"),
            ("[section]\n", "1:2", "there is no key `section`"),
        ] {
            let shown = complaint(text);
            assert!(shown.contains(&format!("smalti.toml:{place}")) && shown.contains(words), "{text}:\n{shown}");
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in
            ["", "\u{0}", "é = 1", "peel = 1 # é\né", "a.b.c", "[[", "\"\"\"", "x = {", "= 1", "\r", "peel\u{301} = 1"]
        {
            if let Err(e) = Config::parse(text) {
                e.diagnostic("x", text).render(Paint::PLAIN);
            }
        }
        let deep = format!("stack = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(Config::parse(&deep).is_err());
        let dotted = format!("{}x = 1", "a.".repeat(100_000));
        assert!(Config::parse(&dotted).is_err());
    }
}
