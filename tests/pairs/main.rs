//! Pairs of one loop by index and the same loop by pointer, as in benchmarks and real code. smalti
//! should say the same of both: the same verdicts, and the same invariants.
//!
//! A file contains both versions: the one by pointer under `WALK`, the one by index under `#else`.
//! Its head says what the loop does, and
//!
//! * `can fail`: the last assertion of the file can fail; nothing else can;
//! * `by pointer: p is at i, end is at n`: where the pointers of one version are, as indexes of the
//!   other one; by this, the invariants are compared;
//! * `open: verdicts`: so far, the verdicts on the two versions differ;
//! * `open: invariants`: so far, the invariants of the two versions differ.
//!
//! Compiled runs show that the versions do the same, and which assertions hold. By default, the
//! tests look at some of the pairs; `scripts/soak --checks` looks at all.

mod known;
#[path = "../parallel/mod.rs"]
mod parallel;
#[path = "../sanitized/mod.rs"]
mod sanitized;

use known::{Known, Replaced};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

/// The inputs of a compiled run. Most are small, so that bounds on inputs are met; in some runs,
/// there are two values only.
const INPUTS: &str = "\
#include <stdlib.h>
static int seed(void) { return atoi(getenv(\"SEED\")); }
static unsigned long long state;
static unsigned long long next(void) {
    if (!state) state = 2 * seed() + 1;
    state = state * 6364136223846793005 + 1442695040888963407;
    return state >> 33;
}
int __VERIFIER_nondet_int(void) {
    int large = next() % 10 == 0, medium = next() % 3 == 0;
    int range = seed() % 5 == 4 ? 2 : large ? 1 << 30 : medium ? 120 : 9;
    return (int)(next() % range) - (seed() % 3 ? 2 : -1);
}
unsigned char __VERIFIER_nondet_uchar(void) { return next() % (next() % 2 ? 256 : 70); }
char __VERIFIER_nondet_char(void) { return next() % 20 ? 'a' + next() % 2 : 0; }
";

/// What the two versions are called.
const VERSIONS: [(&str, &[&str]); 2] = [("by index", &[]), ("by pointer", &["-DWALK"])];

const SEEDS: usize = 30;

struct Pair {
    name: String,
    path: PathBuf,
    can_fail: bool,
    /// Where the pointers are, as indexes.
    pointers: Replaced,
    /// Whether the verdicts differ so far.
    open_verdicts: bool,
    /// Whether the invariants differ so far.
    open_invariants: bool,
}

/// What smalti says of one version.
#[derive(PartialEq, Eq, Debug)]
struct Said {
    verdict: String,
    /// The verdicts on the assertions, in their order.
    assertions: Vec<String>,
    /// How many accesses may be out of bounds.
    open_accesses: usize,
}

/// The pairs, in the order of their names.
fn pairs() -> Vec<Pair> {
    sanitized::c_files("tests/pairs").into_iter().map(Pair::read).collect()
}

impl Pair {
    fn read(path: PathBuf) -> Pair {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//")).collect();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let can_fail = head.iter().any(|line| line.contains("can fail"));
        let pointers = head.iter().find_map(|line| line.strip_prefix("// by pointer: ")).map(|line| {
            Replaced::read(line).unwrap_or_else(|| panic!("{name}: the head does not say where the pointers are"))
        });
        let pointers = pointers.unwrap_or_default();
        let is_open = |what: &str| head.contains(&format!("// open: {what}").as_str());
        let (open_verdicts, open_invariants) = (is_open("verdicts"), is_open("invariants"));
        Pair { name, path, can_fail, pointers, open_verdicts, open_invariants }
    }

    /// Whether one version runs to its end, for each seed.
    fn runs(&self, options: &[&str]) -> Vec<bool> {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = folder.path().join("inputs.c");
        std::fs::write(&inputs, INPUTS).expect("the text can be written");
        let files = [self.path.as_os_str(), inputs.as_os_str()];
        let binary = sanitized::compile(folder.path(), options.iter().map(OsStr::new).chain(files));
        let run = |seed: usize| {
            let run = Command::new(&binary).env("SEED", seed.to_string()).output().expect("the program runs");
            let errors = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success() || errors.contains("Assertion"), "{}: {errors}", self.name);
            run.status.success()
        };
        (0..SEEDS).map(run).collect()
    }

    /// What smalti says of one version.
    fn checked(&self, options: &[&str]) -> Said {
        let all = ["--time-limit", "40", "--stages", "domains,summary,induction"];
        let arguments = all.iter().chain(options).map(OsStr::new);
        let report = sanitized::check(arguments.chain([self.path.as_os_str()]));
        let word = |value: &Value| value.as_str().expect("a word").to_owned();
        let of_kind = |kind: &str| -> Vec<String> {
            let all = report["obligations"].as_array().expect("obligations").iter();
            all.filter(|o| o["kind"] == kind).map(|o| word(&o["verdict"])).collect()
        };
        let is_open = |verdict: &String| !matches!(verdict.as_str(), "proved" | "unreachable");
        let open_accesses = of_kind("bounds").into_iter().filter(is_open).count();
        Said { verdict: word(&report["verdict"]), assertions: of_kind("assertion"), open_accesses }
    }

    /// # Errors
    /// The two versions do different things, or not what the head says.
    fn run(&self) -> Result<(), String> {
        let [by_index, by_pointer] = VERSIONS.map(|(_, options)| self.runs(options));
        if by_index != by_pointer {
            return Err(format!("the versions of {} do different things", self.name));
        }
        match by_index.contains(&false) == self.can_fail {
            true => Ok(()),
            false => Err(format!("{}: the head is wrong about what can fail", self.name)),
        }
    }

    /// # Errors
    /// A verdict that is wrong, or not the expected one.
    fn check(&self) -> Result<(), String> {
        let said = VERSIONS.map(|(_, options)| self.checked(options));
        for ((version, _), Said { assertions, .. }) in VERSIONS.iter().zip(&said) {
            let (last, others) = assertions.split_last().ok_or(format!("{} asserts nothing", self.name))?;
            let is_proved = matches!(last.as_str(), "proved" | "unreachable");
            let is_refuted = others.iter().any(|verdict| verdict == "violated");
            if is_refuted || self.can_fail && is_proved || !self.can_fail && last == "violated" {
                return Err(format!("{} {version}: wrong verdicts {assertions:?}", self.name));
            }
        }
        let [by_index, by_pointer] = said;
        if (by_index != by_pointer) != self.open_verdicts {
            let found = if self.open_verdicts { "the same" } else { "different" };
            return Err(format!("{}: {found} verdicts: {by_index:?} and {by_pointer:?}", self.name));
        }
        Ok(())
    }

    /// What is known at the places of one version.
    fn known(&self, options: &[&str], replaced: &Replaced) -> Vec<Known> {
        let arguments = ["--time-limit", "40"].iter().chain(options).map(OsStr::new);
        let report = sanitized::report("invariants", arguments.chain([self.path.as_os_str()]));
        assert_eq!(report["complete"], true, "{}", self.name);
        Known::read(&report, replaced)
    }

    /// # Errors
    /// The invariants of the two versions differ, or are the same though the head says otherwise.
    fn compare_invariants(&self) -> Result<(), String> {
        let [(_, by_index), (_, by_pointer)] = VERSIONS;
        let (first, second) = (self.known(by_index, &Replaced::default()), self.known(by_pointer, &self.pointers));
        let places = |all: &[Known]| all.iter().map(|known| known.place.clone()).collect::<Vec<_>>();
        if places(&first) != places(&second) {
            return Err(format!("{}: the versions have different loops", self.name));
        }
        let mut differences = Vec::new();
        for (n, (a, b)) in first.iter().zip(&second).enumerate() {
            differences.extend(a.parts.difference(&b.parts).map(|part| format!("{n} by index: {part}")));
            differences.extend(b.parts.difference(&a.parts).map(|part| format!("{n} by pointer: {part}")));
        }
        match (differences.is_empty(), self.open_invariants) {
            (true, false) | (false, true) => Ok(()),
            (true, true) => Err(format!("{}: the invariants are the same now", self.name)),
            (false, false) => Err(format!("{}: different invariants\n  {}", self.name, differences.join("\n  "))),
        }
    }
}

/// Looks at some of the pairs, and says what is wrong.
#[track_caller]
fn look_at(pairs: &[Pair], look: impl Fn(&Pair) -> Result<(), String> + Sync) {
    assert!(!pairs.is_empty());
    let failures = parallel::failures(pairs, |_, pair| look(pair));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn some_pairs_have_the_same_verdicts() {
    look_at(&pairs().into_iter().step_by(7).collect::<Vec<_>>(), |pair| pair.run().and_then(|()| pair.check()));
}

#[test]
fn some_pairs_have_the_same_invariants() {
    look_at(&pairs().into_iter().step_by(4).collect::<Vec<_>>(), Pair::compare_invariants);
}

#[test]
#[ignore = "takes half a minute"]
fn soak_all_pairs_have_the_same_invariants() {
    look_at(&pairs(), Pair::compare_invariants);
}

#[test]
#[ignore = "takes minutes"]
fn soak_all_pairs_have_the_same_verdicts() {
    look_at(&pairs(), |pair| pair.run().and_then(|()| pair.check()));
}

#[test]
fn there_are_fifty_pairs() {
    let pairs = pairs();
    assert_eq!(pairs.len(), 50);
    assert_eq!(pairs.iter().filter(|pair| pair.can_fail).count(), 10);
}
