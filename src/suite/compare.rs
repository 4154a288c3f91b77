//! Compares snapshots and says what each change means.
//!
//! | stored | now | that is |
//! |---|---|---|
//! | a text of the program | another | changes of answers are told as those of the program |
//! | proved, unreachable | violated, and back | soundness: one of the two answers is wrong |
//! | proved, violated | unreachable | soundness: the answer now rests on no run reaching it |
//! | an obligation | none | soundness: no longer checked (a change if other kinds are asked for) |
//! | | an assumption | soundness: every answer rests on it |
//! | a place that runs reach | `unreachable` | soundness, as above |
//! | any answer | unknown | loss |
//! | unreachable | proved | loss |
//! | a fact | none that implies it | loss, told with what is known instead |
//! | unknown | any other answer | gain |
//! | an assumption | none | gain |
//! | none that implies it | a fact | gain |
//! | `unknown (time)` | anything | no change, but told: a late answer is no promise |
//! | the configuration | another | change |
//! | no digest of the program's text | one | a note; the rest as if the text were the same |
//! | a stage that decided, the words for the same facts | others | no change, but told |

use super::meaning::{Atom, Consequences, VarsByName, atoms};
use super::snapshot::{Claim, Entry, PlaceFacts, Places, Snapshot, name};
use crate::verdict::Verdict;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::hash::Hash;

/// The severity of a change. Changes are printed in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Weight {
    /// Something was or is wrong, or rests on more assumptions than before.
    Soundness,
    /// The program has changed, and so have its results.
    Program,
    /// Less is known than before.
    Loss,
    /// Another difference.
    Change,
    /// More is known than before.
    Gain,
    /// Something that is not compared.
    Note,
}

/// One difference between the stored results and the new ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Change {
    /// Its severity.
    pub weight: Weight,
    /// The change in one line.
    pub text: String,
}

impl Weight {
    /// All severities, in order.
    pub const ALL: [Weight; 6] =
        [Weight::Soundness, Weight::Program, Weight::Loss, Weight::Change, Weight::Gain, Weight::Note];

    /// The word that is printed before a change.
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

/// How the text of the program compares with the stored one.
enum Text {
    /// The snapshot does not say.
    Unknown,
    /// The text is the same, and so is its meaning.
    Same,
    /// The text is the same, but it is analysed for another machine, with other macros or for
    /// another function.
    Configured,
    /// These files have changed.
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
        changed.extend(gone.map(|name| format!("`{name}` is no longer part of it")));
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

/// All differences between the stored results and the new ones, the most severe first.
pub fn compare(stored: &Snapshot, found: &Snapshot) -> Vec<Change> {
    let text = Text::of(stored, found);
    let mut answers = Differences(Vec::new());
    if stored.refused.is_empty() {
        // If other kinds of obligations are asked for, other obligations are expected.
        let asked = |s: &Snapshot| s.configuration.get("checks").cloned();
        let gone = if asked(stored) == asked(found) { Weight::Soundness } else { Weight::Change };
        answers.claims(&stored.obligations, &found.obligations, gone, &text);
        answers.assumptions(stored, found);
        answers.places("invariants", stored.invariants.as_ref(), found.invariants.as_ref());
        answers.places("states", stored.states.as_ref(), found.states.as_ref());
    } else {
        answers.add(Weight::Gain, "the program was refused, and is analysed now".to_owned());
    }
    // The sort is stable: within one weight, the order of the snapshot remains.
    answers.0.sort_by_key(|c| c.weight);
    let mut all = Differences(Vec::new());
    match &text {
        Text::Same | Text::Configured => {}
        Text::Unknown if found.files.is_empty() => {}
        Text::Unknown => {
            let note = "the snapshot has no digest of the program, so a changed program looks like a changed answer; --accept stores a digest";
            all.add(Weight::Note, note.to_owned());
        }
        Text::Changed(how) if answers.0.iter().any(|c| c.weight.fails()) => {
            all.add(Weight::Program, format!("{how}; the differences below may come from that"));
            // The most severe ones still come first.
            answers.0.iter_mut().filter(|c| c.weight.fails()).for_each(|c| c.weight = Weight::Program);
        }
        Text::Changed(how) => {
            all.add(Weight::Note, format!("{how}, but the results were not; --accept stores the new digest"));
        }
    }
    all.0.extend(answers.0);
    all.configuration(stored, found);
    if stored.subject != found.subject {
        all.add(
            Weight::Change,
            format!("the snapshot is about `{}`, and the results are about `{}`", stored.subject, found.subject),
        );
    }
    let mut all = all.0;
    if all.is_empty() && stored != found {
        all.push(Change { weight: Weight::Note, text: "the results are the same, written differently".to_owned() });
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
                self.add(Weight::Change, format!("configuration: {name} was {}, and is now {}", text(was), text(is)));
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
                    self.add(gone, format!("{}: `{}` ({verdict}) is no longer checked", was.of, was.condition));
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
                self.add(
                    Weight::Soundness,
                    format!("{became}: the answer now rests on the claim that no run gets there"),
                );
            }
            (Unknown, Unknown) if was.late != is.late => {
                let now = if is.late { "now reaches its time limit" } else { "no longer reaches its time limit" };
                self.add(Weight::Note, format!("{what} is unknown as before, but {now}"));
            }
            (Unknown, Unknown) => {}
            (_, Unknown) if is.late => self.add(Weight::Loss, format!("{became}, because it reached its time limit")),
            (_, Unknown) | (Unreachable, Proved) => self.add(Weight::Loss, became),
            (Unknown, _) if was.late => {
                self.add(
                    Weight::Note,
                    format!("{became}: the stored result had reached its time limit, so it is not compared"),
                );
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
            self.add(Weight::Soundness, format!("every answer now rests on one more assumption: {text}"));
        }
        for text in stored.assumptions.iter().filter(|a| !found.assumptions.contains(a)) {
            self.add(Weight::Gain, format!("answers no longer rest on this assumption: {text}"));
        }
    }

    fn places(&mut self, what: &str, stored: Option<&Places>, found: Option<&Places>) {
        let (stored, found) = match (stored, found) {
            (None, None) => return,
            (Some(_), None) => return self.add(Weight::Change, format!("{what} are stored, but were not asked for")),
            (None, Some(_)) => return self.add(Weight::Change, format!("{what} were asked for, but are not stored")),
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
                Pair::Gone(was) => {
                    inner.add(Weight::Loss, format!("{}: there are no results for it any more", was.title))
                }
                Pair::New(is) => inner.add(Weight::Gain, format!("{}: it had no results before", is.title)),
            }
        }
        for mut change in inner.0 {
            if stored.late && matches!(change.weight, Weight::Gain | Weight::Loss) {
                change.weight = Weight::Note;
                change.text += " (the stored result had reached its time limit)";
            } else if found.late && change.weight == Weight::Loss {
                change.text += " (time ran out)";
            }
            self.0.push(change);
        }
    }

    fn place(&mut self, was: &PlaceFacts, is: &PlaceFacts) {
        let at = &was.title;
        let unreachable = |p: &PlaceFacts| p.facts.contains(&Entry::Unreachable);
        match (unreachable(was), unreachable(is)) {
            (false, true) => {
                return self.add(Weight::Soundness, format!("{at}: the new result is that no run gets there"));
            }
            (true, false) => {
                return self.add(Weight::Loss, format!("{at}: the stored result is that no run gets there"));
            }
            (true, true) => return,
            (false, false) => {}
        }
        // Alternatives are no conjunction, so they are compared as text.
        let written = |p: &PlaceFacts| p.facts.contains(&Entry::Or);
        if written(was) || written(is) {
            if was.facts != is.facts {
                self.add(Weight::Change, format!("{at}: the known alternatives differ"));
            }
            return;
        }
        let mut names = VarsByName::default();
        let mut known = |p: &PlaceFacts| {
            let all = p.facts.iter().flat_map(|f| atoms(f, &mut names));
            Consequences::new(all.collect())
        };
        let (old, new) = (known(was), known(is));
        self.facts(at, &old, &new, Weight::Loss);
        self.facts(at, &new, &old, Weight::Gain);
    }

    /// Tells which of `these` do not follow from `those`. For losses, `those` are the new facts;
    /// for gains, they are the old ones.
    fn facts(&mut self, at: &str, these: &Consequences, those: &Consequences, weight: Weight) {
        let missing: Vec<&Atom> = these.atoms().iter().filter(|a| !those.implies(a)).collect();
        let mut told: Vec<String> = Vec::new();
        for atom in missing {
            let text = readable(atom);
            let instead = those.of_the_same(atom).map(readable);
            let line = match (weight, instead) {
                (Weight::Loss, Some(instead)) => format!("{at}: `{text}` is lost; now `{instead}` is known"),
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

/// The kind of a place, without the source text in its title.
fn kind(place: &PlaceFacts) -> &str {
    place.title.split('`').next().unwrap_or_default()
}

/// Matches the elements of two lists. First, those with the same key, in the longest common order.
/// Second, if equally many remain on both sides between two matches, those that are similar. Third,
/// those with the same key that are out of order.
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
mod tests;
