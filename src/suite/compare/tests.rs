//! What each change of a snapshot means.

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
    let place = PlaceFacts { title: "exit of f".into(), facts: facts.iter().map(|f| Entry::from(*f)).collect() };
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
    // A stored proof is a promise, even if time ran out now.
    assert_eq!(
        told(&proved, &late),
        ["loss: main.assertion: `x` was proved by domains, and is unknown, because it reached its time limit"]
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
    assert_eq!(told(&found, &stored), ["SOUNDNESS: main.assertion: `r` (proved) is no longer checked"]);
    // Another order is not a change.
    let turned = with_claims(&[q, p.clone(), p]);
    assert_eq!(told(&stored, &turned), ["note: the results are the same, written differently"]);
}

#[test]
fn an_assumption_more_is_about_soundness_and_one_less_a_gain() {
    let with = |a: &[&str]| Snapshot { assumptions: a.iter().map(|a| (*a).into()).collect(), ..with_claims(&[]) };
    assert_eq!(
        told(&with(&[]), &with(&["malloc succeeds"])),
        ["SOUNDNESS: every answer now rests on one more assumption: malloc succeeds"]
    );
    assert_eq!(compare(&with(&["malloc succeeds"]), &with(&[]))[0].weight, Weight::Gain);
}

#[test]
fn facts_are_compared_by_what_they_mean() {
    let stored = with_facts(&["0 <= k < n <= 100", "forall j. 0 <= j < n ==> a[j] == 7 && b[j] >= 0"]);
    let same = with_facts(&["k >= 0", "k <= n - 1", "n <= 100", "forall q. 0 <= q < n ==> b[q] >= 0 && a[q] == 7"]);
    assert_eq!(told(&stored, &same), ["note: the results are the same, written differently"]);
    let weaker = with_facts(&["0 <= k < n <= 101", "forall j. 0 <= j < n ==> a[j] >= 7 && b[j] >= 0"]);
    assert_eq!(
        told(&stored, &weaker),
        [
            "loss: exit of f: `n <= 100` is lost; now `n <= 101` is known",
            "loss: exit of f: `forall k. 0 <= k < n ==> a[k] == 7` is lost; now `forall k. 0 <= k < n ==> a[k] >= 7` is known",
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
    let (reached, not) = (with_facts(&["x == 1"]), with_facts(&["unreachable"]));
    assert_eq!(compare(&reached, &not)[0].weight, Weight::Soundness);
    assert_eq!(compare(&not, &reached)[0].weight, Weight::Loss);
    assert!(compare(&not, &not).is_empty());
}

#[test]
fn a_loop_whose_text_changes_is_still_that_loop() {
    let with = |title: &str, fact: &str| {
        let place = |title: &str, fact: &str| PlaceFacts { title: title.into(), facts: vec![Entry::from(fact)] };
        let all = vec![place("loop of f at `a`", "x == 1"), place(title, fact), place("exit of f", "y == 1")];
        Snapshot { invariants: Some(Places { late: false, all }), ..with_claims(&[]) }
    };
    let changes = told(&with("loop of f at `i < 1`", "i <= 1"), &with("loop of f at `i < 2`", "i <= 2"));
    assert_eq!(
        changes,
        [
            "loss: loop of f at `i < 1`: `i <= 1` is lost; now `i <= 2` is known",
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

/// A snapshot of a program with these files.
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
    assert!(changes[0].contains("SOUNDNESS") && changes[0].contains("unless the program was changed"), "{changes:?}");
    let is = of(&[("x.c", "2"), ("y.h", "1")], &failing);
    let how = "`x.c` was changed, `y.h` is new, `x.h` is no longer part of it";
    assert_eq!(
        told(&was, &is),
        [
            &format!("program: {how}; the differences below may come from that"),
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
    let note = "note: `x.c` was changed, but the results were not; --accept stores the new digest";
    assert_eq!(told(&was, &is), [note]);
    assert!(compare(&was, &was).is_empty());
}

#[test]
fn what_is_stored_without_a_digest_is_compared_as_if_the_program_were_the_same() {
    let proved = with_claims(&[claim("x", Verdict::Proved)]);
    let violated = of(&[("x.c", "1")], &with_claims(&[claim("x", Verdict::Violated)]));
    let note = "note: the snapshot has no digest of the program, so a changed program looks like a changed answer; --accept stores a digest";
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
    let was = with_claims(&[claim("a", Verdict::Unknown), claim("b", Verdict::Proved), claim("c", Verdict::Proved)]);
    let is = with_claims(&[claim("a", Verdict::Proved), claim("b", Verdict::Unknown), claim("c", Verdict::Violated)]);
    let weights: Vec<Weight> = compare(&was, &is).iter().map(|c| c.weight).collect();
    assert_eq!(weights, [Weight::Soundness, Weight::Loss, Weight::Gain]);
}
