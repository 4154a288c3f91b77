//! What a change of a snapshot means.
//!
//! | stored | now | that is |
//! |---|---|---|
//! | a text of the program | another | all that follows and is told of answers is told as the program's |
//! | proved, unreachable | violated, and back | soundness: one of the two answers is wrong |
//! | proved, violated | unreachable | soundness: the answer now rests on no run coming there |
//! | an obligation | none | soundness: it is not checked any more (a change, if other kinds are asked for) |
//! | | an assumption | soundness: every answer rests on it |
//! | a place that runs come to | `unreachable` | soundness, as above |
//! | any answer | unknown | loss |
//! | unreachable | proved | loss |
//! | a fact | none that implies it | loss, told with what is known instead |
//! | unknown | any other answer | gain |
//! | an assumption | none | gain |
//! | none that implies it | a fact | gain |
//! | `unknown (time)` | anything | no change, but told: what ended by its time limit binds nobody |
//! | the configuration | another | change |
//! | no digest of the program's text | one | no change, but told; the rest as if the text were the same |
//! | a stage that decided, the words for the same facts | others | no change, but told |

use super::meaning::{Atom, Known, Names, atoms};
use super::snapshot::{Claim, Place, Places, Snapshot, UNREACHABLE, name};
use crate::verdict::Verdict;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::hash::Hash;

/// How much a change matters; the first are told first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Weight {
    /// Something was or is wrong, or rests on more than before.
    Soundness,
    /// The program is another, and so is what is found of it.
    Program,
    /// Less is known than before.
    Loss,
    /// Something else is another.
    Change,
    /// More is known than before.
    Gain,
    /// Nothing that is compared.
    Note,
}

/// One difference between what is stored and what is found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// How much it matters.
    pub weight: Weight,
    /// What it is, in one line.
    pub text: String,
}

impl Weight {
    /// All, in order.
    pub const ALL: [Weight; 6] =
        [Weight::Soundness, Weight::Program, Weight::Loss, Weight::Change, Weight::Gain, Weight::Note];

    /// The word in front of a change.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Soundness => "SOUNDNESS",
            Weight::Program => "program",
            Weight::Loss => "loss",
            Weight::Change => "change",
            Weight::Gain => "gain",
            Weight::Note => "note",
        }
    }

    /// Whether it makes a run fail.
    pub fn fails(self) -> bool {
        self != Weight::Note
    }
}

/// How the text of the program compares with the one that was stored.
enum Text {
    /// What is stored does not say.
    Unknown,
    /// It is the same, and means the same.
    Same,
    /// It is the same, for another machine or with other macros, or another function of it is
    /// looked at.
    Configured,
    /// It is another: which files.
    Changed(String),
}

impl Text {
    fn of(stored: &Snapshot, found: &Snapshot) -> Text {
        if stored.files.is_empty() || found.files.is_empty() {
            return Text::Unknown;
        }
        let mut changed = Vec::new();
        for (name, digest) in &found.files {
            match stored.files.get(name) {
                Some(was) if was == digest => {}
                Some(_) => changed.push(format!("`{name}` was changed")),
                None => changed.push(format!("`{name}` is new")),
            }
        }
        let gone = stored.files.keys().filter(|name| !found.files.contains_key(*name));
        changed.extend(gone.map(|name| format!("`{name}` is not part of it any more")));
        let meaning = |s: &Snapshot| {
            let keys = ["data-model", "define", "preprocess"].map(|key| s.configuration.get(key).cloned());
            (keys, s.subject.clone())
        };
        match changed.is_empty() {
            true if meaning(stored) == meaning(found) => Text::Same,
            true => Text::Configured,
            false => Text::Changed(changed.join(", ")),
        }
    }
}

/// All differences between what is stored and what is found, the weightiest first.
pub fn compare(stored: &Snapshot, found: &Snapshot) -> Vec<Change> {
    let text = Text::of(stored, found);
    let mut answers = Differences(Vec::new());
    if stored.refused.is_empty() {
        // Whoever asks for other kinds of obligations is not surprised by others.
        let asked = |s: &Snapshot| s.configuration.get("checks").cloned();
        let gone = if asked(stored) == asked(found) { Weight::Soundness } else { Weight::Change };
        answers.claims(&stored.obligations, &found.obligations, gone, &text);
        answers.assumptions(stored, found);
        answers.places("invariants", stored.invariants.as_ref(), found.invariants.as_ref());
        answers.places("states", stored.states.as_ref(), found.states.as_ref());
    } else {
        answers.add(Weight::Gain, "the program was refused, and is analysed now".to_owned());
    }
    // Stable: within one weight the order is that of the snapshot.
    answers.0.sort_by_key(|c| c.weight);
    let mut all = Differences(Vec::new());
    match &text {
        Text::Same | Text::Configured => {}
        Text::Unknown if found.files.is_empty() => {}
        Text::Unknown => {
            let note = "no digest of the program is stored, to tell a changed program from a changed answer; --accept stores one";
            all.add(Weight::Note, note.to_owned());
        }
        Text::Changed(how) if answers.0.iter().any(|c| c.weight.fails()) => {
            all.add(Weight::Program, format!("{how}; what follows may be due to that"));
            // The weightiest still come first.
            answers.0.iter_mut().filter(|c| c.weight.fails()).for_each(|c| c.weight = Weight::Program);
        }
        Text::Changed(how) => {
            all.add(Weight::Note, format!("{how}, and what is said of it was not; --accept stores its digest"));
        }
    }
    all.0.extend(answers.0);
    all.configuration(stored, found);
    if stored.subject != found.subject {
        all.add(Weight::Change, format!("what is analysed was `{}`, and is `{}`", stored.subject, found.subject));
    }
    let mut all = all.0;
    if all.is_empty() && stored != found {
        all.push(Change { weight: Weight::Note, text: "the same is said in other words".to_owned() });
    }
    all.sort_by_key(|c| c.weight);
    all
}

struct Differences(Vec<Change>);

impl Differences {
    fn add(&mut self, weight: Weight, text: String) {
        self.0.push(Change { weight, text });
    }

    fn configuration(&mut self, stored: &Snapshot, found: &Snapshot) {
        let mut names: Vec<&String> = stored.configuration.keys().chain(found.configuration.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (was, is) = (stored.configuration.get(name), found.configuration.get(name));
            let text = |value: Option<&String>| value.map_or("not set".to_owned(), |v| format!("`{v}`"));
            if was != is {
                self.add(Weight::Change, format!("configuration: {name} was {}, and is {}", text(was), text(is)));
            }
        }
    }

    fn claims(&mut self, stored: &[Claim], found: &[Claim], gone: Weight, text: &Text) {
        let key = |c: &Claim| (c.of.clone(), c.condition.clone());
        for pair in pairs(stored, found, key, |_, _| false) {
            match pair {
                Pair::Both(was, is) => self.claim(was, is, text),
                Pair::Gone(was) => {
                    let verdict = name(was.verdict);
                    self.add(gone, format!("{}: `{}` ({verdict}) is not checked any more", was.of, was.condition));
                }
                Pair::New(is) => {
                    let verdict = name(is.verdict);
                    self.add(Weight::Change, format!("{}: `{}` is new, and {verdict}", is.of, is.condition));
                }
            }
        }
    }

    fn claim(&mut self, was: &Claim, is: &Claim, text: &Text) {
        use Verdict::{Proved, Unknown, Unreachable, Violated};
        let what = format!("{}: `{}`", was.of, was.condition);
        let (a, b) = (name(was.verdict), name(is.verdict));
        let by = |c: &Claim| if c.stage.is_empty() { String::new() } else { format!(" by {}", c.stage) };
        let became = format!("{what} was {a}{}, and is {b}{}", by(was), by(is));
        match (was.verdict, is.verdict) {
            (Proved | Unreachable, Violated) | (Violated, Proved | Unreachable) => {
                let why = match text {
                    Text::Unknown | Text::Configured => {
                        ": unless the program was changed, one of the two answers is wrong"
                    }
                    Text::Same => ": the program is the same, so one of the two answers is wrong",
                    Text::Changed(_) => "",
                };
                self.add(Weight::Soundness, format!("{became}{why}"));
            }
            (Proved, Unreachable) => {
                self.add(Weight::Soundness, format!("{became}: the answer now rests on no run coming there"));
            }
            (Unknown, Unknown) if was.late != is.late => {
                let now =
                    if is.late { "now ends by its time limit" } else { "does not end by its time limit any more" };
                self.add(Weight::Note, format!("{what} is unknown as before, but {now}"));
            }
            (Unknown, Unknown) => {}
            (_, Unknown) if is.late => self.add(Weight::Loss, format!("{became}, by its time limit")),
            (_, Unknown) | (Unreachable, Proved) => self.add(Weight::Loss, became),
            (Unknown, _) if was.late => {
                self.add(Weight::Note, format!("{became}: what is stored ended by its time limit, which binds nobody"));
            }
            (Unknown, _) => self.add(Weight::Gain, became),
            _ if was.stage != is.stage => {
                self.add(Weight::Note, format!("{what} is {b} by {}, and was by {}", is.stage, was.stage));
            }
            _ => {}
        }
    }

    fn assumptions(&mut self, stored: &Snapshot, found: &Snapshot) {
        for text in found.assumptions.iter().filter(|a| !stored.assumptions.contains(a)) {
            self.add(Weight::Soundness, format!("every answer now rests on an assumption more: {text}"));
        }
        for text in stored.assumptions.iter().filter(|a| !found.assumptions.contains(a)) {
            self.add(Weight::Gain, format!("no answer rests on this assumption any more: {text}"));
        }
    }

    fn places(&mut self, what: &str, stored: Option<&Places>, found: Option<&Places>) {
        let (stored, found) = match (stored, found) {
            (None, None) => return,
            (Some(_), None) => return self.add(Weight::Change, format!("{what} are stored, and not asked for")),
            (None, Some(_)) => return self.add(Weight::Change, format!("{what} are asked for, and not stored")),
            (Some(stored), Some(found)) => (stored, found),
        };
        let mut inner = Differences(Vec::new());
        for pair in pairs(&stored.all, &found.all, |p| p.title.clone(), |a, b| kind(a) == kind(b)) {
            match pair {
                Pair::Both(was, is) => {
                    if was.title != is.title {
                        inner.add(Weight::Note, format!("{} is now {}", was.title, is.title));
                    }
                    inner.place(was, is);
                }
                Pair::Gone(was) => inner.add(Weight::Loss, format!("{}: nothing is said of it any more", was.title)),
                Pair::New(is) => inner.add(Weight::Gain, format!("{}: nothing was said of it", is.title)),
            }
        }
        for mut change in inner.0 {
            if stored.late && matches!(change.weight, Weight::Gain | Weight::Loss) {
                change.weight = Weight::Note;
                change.text += " (what is stored ended by its time limit)";
            } else if found.late && change.weight == Weight::Loss {
                change.text += " (time ran out)";
            }
            self.0.push(change);
        }
    }

    fn place(&mut self, was: &Place, is: &Place) {
        let at = &was.title;
        let unreachable = |p: &Place| p.facts.iter().any(|f| f == UNREACHABLE);
        match (unreachable(was), unreachable(is)) {
            (false, true) => {
                return self.add(Weight::Soundness, format!("{at}: it is said that no run comes there any more"));
            }
            (true, false) => return self.add(Weight::Loss, format!("{at}: it was known that no run comes there")),
            (true, true) => return,
            (false, false) => {}
        }
        // Alternatives are no conjunction: they are compared as they are written.
        let written = |p: &Place| p.facts.iter().any(|f| f == "or");
        if written(was) || written(is) {
            if was.facts != is.facts {
                self.add(Weight::Change, format!("{at}: other alternatives are known"));
            }
            return;
        }
        let mut names = Names::default();
        let mut known = |p: &Place| {
            let all = p.facts.iter().flat_map(|f| atoms(f, &mut names));
            Known::new(all.collect())
        };
        let (old, new) = (known(was), known(is));
        self.facts(at, &old, &new, Weight::Loss);
        self.facts(at, &new, &old, Weight::Gain);
    }

    /// What of `these` does not follow from `those`: as losses, `those` are new, and as gains, they are old.
    fn facts(&mut self, at: &str, these: &Known, those: &Known, weight: Weight) {
        let missing: Vec<&Atom> = these.atoms().iter().filter(|a| !those.implies(a)).collect();
        let mut told: Vec<String> = Vec::new();
        for atom in missing {
            let text = readable(atom);
            let instead = those.of_the_same(atom).map(readable);
            let line = match (weight, instead) {
                (Weight::Loss, Some(instead)) => format!("{at}: `{text}` is lost; what is known is `{instead}`"),
                (Weight::Loss, None) => format!("{at}: `{text}` is lost"),
                (_, Some(instead)) => format!("{at}: `{text}` is known; it was `{instead}`"),
                (_, None) => format!("{at}: `{text}` is known"),
            };
            if !told.contains(&line) {
                told.push(line);
            }
        }
        told.into_iter().for_each(|line| self.add(weight, line));
    }
}

fn readable(atom: &Atom) -> String {
    match atom.scope.as_str() {
        "" => atom.text.clone(),
        scope if scope.starts_with("forall ") => format!("{scope} ==> {}", atom.text).replace('#', "k"),
        scope => format!("{scope}: {}", atom.text),
    }
}

enum Pair<'a, T> {
    Both(&'a T, &'a T),
    Gone(&'a T),
    New(&'a T),
}

/// What place it is, without the text that stands there.
fn kind(place: &Place) -> &str {
    place.title.split('`').next().unwrap_or_default()
}

/// Which of two lists belong together: those with the same key, in the order in which most do; those between such that are as many on both
/// sides, if they are alike; then those with the same key that are out of order.
fn pairs<'a, T, K: Ord + Hash + Eq>(
    old: &'a [T],
    new: &'a [T],
    key: impl Fn(&T) -> K,
    alike: impl Fn(&T, &T) -> bool,
) -> Vec<Pair<'a, T>> {
    let keys = |all: &[T]| all.iter().map(&key).collect::<Vec<K>>();
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut taken = vec![false; new.len()];
    for op in capture_diff_slices(Algorithm::Myers, &keys(old), &keys(new)) {
        let (start, end, len) = match op {
            DiffOp::Equal { old_index, new_index, len } => (old_index, new_index, len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } if old_len == new_len => {
                (old_index, new_index, old_len)
            }
            _ => continue,
        };
        for n in 0..len {
            let (o, m) = (&old[start + n], &new[end + n]);
            if key(o) == key(m) || alike(o, m) {
                partner[start + n] = Some(end + n);
                taken[end + n] = true;
            }
        }
    }
    for (n, one) in old.iter().enumerate() {
        if partner[n].is_none()
            && let Some(m) = (0..new.len()).find(|&m| !taken[m] && key(&new[m]) == key(one))
        {
            partner[n] = Some(m);
            taken[m] = true;
        }
    }
    let both = old.iter().zip(&partner).map(|(o, p)| p.map_or(Pair::Gone(o), |p| Pair::Both(o, &new[p])));
    let more = new.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(n, _)| Pair::New(n));
    both.chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(condition: &str, verdict: Verdict) -> Claim {
        let stage = if verdict == Verdict::Unknown { "" } else { "domains" }.to_owned();
        Claim { of: "main.assertion".into(), condition: condition.into(), verdict, stage, late: false }
    }

    fn told(stored: &Snapshot, found: &Snapshot) -> Vec<String> {
        compare(stored, found).iter().map(|c| format!("{}: {}", c.weight.word(), c.text)).collect()
    }

    fn with_claims(claims: &[Claim]) -> Snapshot {
        Snapshot { subject: "x.c".into(), obligations: claims.to_vec(), ..Snapshot::default() }
    }

    fn with_facts(facts: &[&str]) -> Snapshot {
        let place = Place { title: "exit of f".into(), facts: facts.iter().map(|f| (*f).into()).collect() };
        let invariants = Some(Places { late: false, all: vec![place] });
        Snapshot { subject: "x.c".into(), invariants, ..Snapshot::default() }
    }

    #[test]
    fn every_change_of_a_verdict_has_its_weight() {
        use Verdict::{Proved, Unknown, Unreachable, Violated};
        let weight = |a, b| {
            let changes = compare(&with_claims(&[claim("x", a)]), &with_claims(&[claim("x", b)]));
            changes.first().map(|c| c.weight)
        };
        for v in [Proved, Unknown, Unreachable, Violated] {
            assert_eq!(weight(v, v), None);
        }
        for (a, b) in [
            (Proved, Violated),
            (Unreachable, Violated),
            (Violated, Proved),
            (Violated, Unreachable),
            (Proved, Unreachable),
        ] {
            assert_eq!(weight(a, b), Some(Weight::Soundness), "{a:?} {b:?}");
        }
        for (a, b) in [(Proved, Unknown), (Violated, Unknown), (Unreachable, Unknown), (Unreachable, Proved)] {
            assert_eq!(weight(a, b), Some(Weight::Loss), "{a:?} {b:?}");
        }
        for b in [Proved, Violated, Unreachable] {
            assert_eq!(weight(Unknown, b), Some(Weight::Gain), "{b:?}");
        }
    }

    #[test]
    fn what_ended_by_its_time_limit_is_told_and_binds_nobody() {
        let late = Claim { late: true, ..claim("x", Verdict::Unknown) };
        let [late, unknown, proved] =
            [late, claim("x", Verdict::Unknown), claim("x", Verdict::Proved)].map(|c| with_claims(&[c]));
        for (a, b) in [(&late, &unknown), (&unknown, &late), (&late, &proved)] {
            let changes = compare(a, b);
            assert!(
                matches!(&changes[..], [c] if c.weight == Weight::Note && c.text.contains("time limit")),
                "{changes:?}"
            );
        }
        // A stored proof is a promise, whatever the clock says.
        assert_eq!(
            told(&proved, &late),
            ["loss: main.assertion: `x` was proved by domains, and is unknown, by its time limit"]
        );
        assert!(compare(&late, &late).is_empty());
    }

    #[test]
    fn an_obligation_keeps_its_answer_when_others_come_and_go_before_it() {
        let [p, q] = [claim("p", Verdict::Proved), claim("q", Verdict::Unknown)];
        let r = claim("r", Verdict::Proved);
        let stored = with_claims(&[p.clone(), q.clone(), p.clone()]);
        let found = with_claims(&[r.clone(), p.clone(), q.clone(), p.clone()]);
        assert_eq!(told(&stored, &found), ["change: main.assertion: `r` is new, and proved"]);
        assert_eq!(told(&found, &stored), ["SOUNDNESS: main.assertion: `r` (proved) is not checked any more"]);
        // Out of order is no change.
        let turned = with_claims(&[q, p.clone(), p]);
        assert_eq!(told(&stored, &turned), ["note: the same is said in other words"]);
    }

    #[test]
    fn an_assumption_more_is_about_soundness_and_one_less_a_gain() {
        let with = |a: &[&str]| Snapshot { assumptions: a.iter().map(|a| (*a).into()).collect(), ..with_claims(&[]) };
        assert_eq!(
            told(&with(&[]), &with(&["malloc succeeds"])),
            ["SOUNDNESS: every answer now rests on an assumption more: malloc succeeds"]
        );
        assert_eq!(compare(&with(&["malloc succeeds"]), &with(&[]))[0].weight, Weight::Gain);
    }

    #[test]
    fn facts_are_compared_by_what_they_mean() {
        let stored = with_facts(&["0 <= k < n <= 100", "forall j. 0 <= j < n ==> a[j] == 7 && b[j] >= 0"]);
        let same = with_facts(&["k >= 0", "k <= n - 1", "n <= 100", "forall q. 0 <= q < n ==> b[q] >= 0 && a[q] == 7"]);
        assert_eq!(told(&stored, &same), ["note: the same is said in other words"]);
        let weaker = with_facts(&["0 <= k < n <= 101", "forall j. 0 <= j < n ==> a[j] >= 7 && b[j] >= 0"]);
        assert_eq!(
            told(&stored, &weaker),
            [
                "loss: exit of f: `n <= 100` is lost; what is known is `n <= 101`",
                "loss: exit of f: `forall k. 0 <= k < n ==> a[k] == 7` is lost; what is known is `forall k. 0 <= k < n ==> a[k] >= 7`",
            ]
        );
        assert_eq!(
            told(&weaker, &stored),
            [
                "gain: exit of f: `n <= 100` is known; it was `n <= 101`",
                "gain: exit of f: `forall k. 0 <= k < n ==> a[k] == 7` is known; it was `forall k. 0 <= k < n ==> a[k] >= 7`",
            ]
        );
        let less = with_facts(&["0 <= k < n <= 100"]);
        assert_eq!(
            told(&stored, &less),
            [
                "loss: exit of f: `forall k. 0 <= k < n ==> a[k] == 7` is lost",
                "loss: exit of f: `forall k. 0 <= k < n ==> b[k] >= 0` is lost",
            ]
        );
    }

    #[test]
    fn a_place_that_no_run_comes_to_any_more_is_about_soundness() {
        let (reached, not) = (with_facts(&["x == 1"]), with_facts(&[UNREACHABLE]));
        assert_eq!(compare(&reached, &not)[0].weight, Weight::Soundness);
        assert_eq!(compare(&not, &reached)[0].weight, Weight::Loss);
        assert!(compare(&not, &not).is_empty());
    }

    #[test]
    fn a_loop_whose_text_changes_is_still_that_loop() {
        let with = |title: &str, fact: &str| {
            let place = |title: &str, fact: &str| Place { title: title.into(), facts: vec![fact.into()] };
            let all = vec![place("loop of f at `a`", "x == 1"), place(title, fact), place("exit of f", "y == 1")];
            Snapshot { invariants: Some(Places { late: false, all }), ..with_claims(&[]) }
        };
        let changes = told(&with("loop of f at `i < 1`", "i <= 1"), &with("loop of f at `i < 2`", "i <= 2"));
        assert_eq!(
            changes,
            [
                "loss: loop of f at `i < 1`: `i <= 1` is lost; what is known is `i <= 2`",
                "note: loop of f at `i < 1` is now loop of f at `i < 2`",
            ]
        );
        let other = told(&with("loop of f at `i < 1`", "i <= 1"), &with("loop of g at `i < 1`", "i <= 1"));
        assert_eq!(other.len(), 2, "{other:?}");
    }

    #[test]
    fn the_end_of_a_refusal_that_an_older_version_stored_is_a_gain() {
        let refused = Snapshot { refused: vec!["no main".into()], ..with_claims(&[]) };
        let good = with_claims(&[claim("x", Verdict::Proved)]);
        assert_eq!(told(&refused, &good), ["gain: the program was refused, and is analysed now"]);
    }

    /// The same, of a program with these files.
    fn of(files: &[(&str, &str)], snapshot: &Snapshot) -> Snapshot {
        let files = files.iter().map(|(name, digest)| ((*name).to_owned(), (*digest).to_owned())).collect();
        Snapshot { files, ..snapshot.clone() }
    }

    #[test]
    fn what_changes_with_the_program_is_the_programs() {
        let proved = with_claims(&[claim("x", Verdict::Proved), claim("y", Verdict::Proved)]);
        let failing = with_claims(&[claim("x", Verdict::Unknown), claim("y", Verdict::Violated)]);
        let was = of(&[("x.c", "1"), ("x.h", "1")], &proved);
        let same = "SOUNDNESS: main.assertion: `y` was proved by domains, and is violated by domains: the program is the same, \
                    so one of the two answers is wrong";
        let lost = "loss: main.assertion: `x` was proved by domains, and is unknown";
        assert_eq!(told(&was, &of(&[("x.c", "1"), ("x.h", "1")], &failing)), [same, lost]);
        // With another macro it may mean something else.
        let mut defined = of(&[("x.c", "1"), ("x.h", "1")], &failing);
        defined.configuration.insert("define".into(), "BROKEN".into());
        let changes = told(&was, &defined);
        assert!(
            changes[0].contains("SOUNDNESS") && changes[0].contains("unless the program was changed"),
            "{changes:?}"
        );
        let is = of(&[("x.c", "2"), ("y.h", "1")], &failing);
        let how = "`x.c` was changed, `y.h` is new, `x.h` is not part of it any more";
        assert_eq!(
            told(&was, &is),
            [
                &format!("program: {how}; what follows may be due to that"),
                "program: main.assertion: `y` was proved by domains, and is violated by domains",
                "program: main.assertion: `x` was proved by domains, and is unknown",
            ]
        );
        let mut configured = is;
        configured.configuration.insert("peel".into(), "1".into());
        let weights: Vec<Weight> = compare(&was, &configured).iter().map(|c| c.weight).collect();
        assert_eq!(weights, [Weight::Program, Weight::Program, Weight::Program, Weight::Change]);
    }

    #[test]
    fn a_changed_program_with_the_same_answers_is_told_and_fails_nothing() {
        let claims = with_claims(&[claim("x", Verdict::Proved)]);
        let (was, is) = (of(&[("x.c", "1")], &claims), of(&[("x.c", "2")], &claims));
        let note = "note: `x.c` was changed, and what is said of it was not; --accept stores its digest";
        assert_eq!(told(&was, &is), [note]);
        assert!(compare(&was, &was).is_empty());
    }

    #[test]
    fn what_is_stored_without_a_digest_is_compared_as_if_the_program_were_the_same() {
        let proved = with_claims(&[claim("x", Verdict::Proved)]);
        let violated = of(&[("x.c", "1")], &with_claims(&[claim("x", Verdict::Violated)]));
        let note = "note: no digest of the program is stored, to tell a changed program from a changed answer; --accept stores one";
        assert_eq!(told(&proved, &of(&[("x.c", "1")], &proved)), [note]);
        let changes = told(&proved, &violated);
        assert!(
            changes[0].starts_with("SOUNDNESS: ") && changes[0].contains("unless the program was changed"),
            "{changes:?}"
        );
        assert_eq!(changes[1..], [note]);
    }

    #[test]
    fn the_weightiest_change_is_told_first() {
        let was =
            with_claims(&[claim("a", Verdict::Unknown), claim("b", Verdict::Proved), claim("c", Verdict::Proved)]);
        let is =
            with_claims(&[claim("a", Verdict::Proved), claim("b", Verdict::Unknown), claim("c", Verdict::Violated)]);
        let weights: Vec<Weight> = compare(&was, &is).iter().map(|c| c.weight).collect();
        assert_eq!(weights, [Weight::Soundness, Weight::Loss, Weight::Gain]);
    }
}
