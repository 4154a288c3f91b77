//! The assumptions that the answers of a report rest on.

use crate::program::{Assumption, ClaimRole, ObligationKey, Program, StmtKind};
use crate::verdict::{Decided, Verdict};
use std::collections::BTreeSet;

/// The assumptions that the answers rest on, chosen from all that were made; one for each sentence.
///
/// * If no obligation is decided, no answer rests on an assumption: operations that constants alone
///   decide need none. But if there are no other obligations at all, the program as a whole is
///   `true`, and that rests on the assumptions about its runs.
/// * An assumption is left out if only functions that no run reaches give rise to it
///   ([`Program::met_by_runs`]): answers are about runs.
/// * Annotations that are not proved are added ([`relied_on`]).
pub fn rested_on(
    program: &Program,
    granted: impl IntoIterator<Item = Assumption>,
    decided: &[Decided],
    settled: u64,
) -> Vec<Assumption> {
    let answered = decided.iter().any(|d| d.verdict != Verdict::Unknown) || (decided.is_empty() && settled > 0);
    if !answered {
        return Vec::new();
    }
    let met = program.met_by_runs(granted);
    Assumption::grouped(met.into_iter().chain(relied_on(program, decided)))
}

/// Lists an assumption for each annotation that is violated or open, if something else is proved.
///
/// An annotation is assumed from its place on: a run in which it is false ends there. So a proof of
/// an obligation after an annotation holds for the runs in which the annotation holds. smalti does
/// not track which annotations a proof relies on. A failing run has passed the annotations that it
/// reached, and rests on none.
fn relied_on(program: &Program, decided: &[Decided]) -> Vec<Assumption> {
    let mut asserted = BTreeSet::new();
    program.each_stmt(|s| {
        if let StmtKind::Claim(claim) = &s.kind
            && let ClaimRole::Assert(id) = claim.role
        {
            asserted.insert(ObligationKey::Assertion(id));
        }
    });
    let holds = |d: &Decided| matches!(d.verdict, Verdict::Proved | Verdict::Unreachable);
    if !decided.iter().any(holds) {
        return Vec::new();
    }
    let open = decided.iter().filter(|d| !holds(d) && asserted.contains(&d.obligation.key));
    open.map(|d| {
        let state = if d.verdict == Verdict::Violated { "violated" } else { "not proved" };
        let (condition, id) = (&d.obligation.condition, &d.obligation.id);
        let text = format!("code after {id} is analysed only for runs in which `{condition}` holds, which is {state}");
        Assumption::new(text).of_proofs()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{relied_on, rested_on};
    use crate::lower::{LowerOptions, load_text};
    use crate::program::{Assumption, ObligationKind, Program, obligations};
    use crate::verdict::{Decided, Evidence, Stage, Verdict};

    /// The program with these verdicts on its obligations, in order.
    fn decided(text: &str, verdicts: &[Verdict]) -> (Program, Vec<Decided>) {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", &format!("void __VERIFIER_assert(int); {text}"), &options).unwrap();
        let all = obligations(&program, &[ObligationKind::Assertion]);
        assert_eq!(all.len(), verdicts.len());
        let decided = |(obligation, verdict): (_, &Verdict)| Decided {
            obligation,
            verdict: *verdict,
            evidence: Evidence::of(Stage::Domains),
        };
        let all: Vec<Decided> = all.into_iter().zip(verdicts).map(decided).collect();
        (program, all)
    }

    /// The listed assumptions about annotations for these verdicts.
    fn listed(text: &str, verdicts: &[Verdict]) -> Vec<String> {
        let (program, all) = decided(text, verdicts);
        relied_on(&program, &all).into_iter().map(|a| a.text).collect()
    }

    #[test]
    fn nothing_rests_on_an_assumption_where_nothing_is_answered() {
        use Verdict::{Proved, Unknown, Violated};
        let text = "void f(void) { __VERIFIER_assert(1); } int main(void) { f(); __VERIFIER_assert(0); return 0; }";
        let count = |verdicts: &[Verdict]| {
            let (program, all) = decided(text, verdicts);
            rested_on(&program, [Assumption::new("a")], &all, 3).len()
        };
        assert_eq!([count(&[Unknown, Unknown]), count(&[Unknown, Violated]), count(&[Proved, Unknown])], [0, 1, 1]);
        let (program, none) = decided("int main(void) { return 0; }", &[]);
        assert_eq!(rested_on(&program, [Assumption::new("a")], &none, 0), [], "there is nothing to prove");
        assert_eq!(rested_on(&program, [Assumption::new("a")], &none, 1).len(), 1, "the verdict is `true`");
    }

    #[test]
    fn annotations_that_are_not_proved_are_listed_where_something_is() {
        use Verdict::{Proved, Unknown, Unreachable, Violated};
        let text = "/*@ requires n > 1; */ int g(int n) { __VERIFIER_assert(n > 0); return n; }
                    int main(void) { return g(0); }";
        let sentence = "code after g.requires.1 is analysed only for runs in which `n > 1` holds, which is";
        assert_eq!(listed(text, &[Violated, Unreachable]), [format!("{sentence} violated")]);
        assert_eq!(listed(text, &[Unknown, Proved]), [format!("{sentence} not proved")]);
        assert!(listed(text, &[Proved, Proved]).is_empty());
        assert!(
            listed(text, &[Proved, Violated]).is_empty(),
            "an assertion of C is one that nobody takes for a contract"
        );
        assert!(listed(text, &[Unknown, Unknown]).is_empty());
        let check = "int main(void) { int x = 0; //@ check x == 1;\\n __VERIFIER_assert(x == 0); return 0; }"
            .replace("\\n", "\n");
        assert!(listed(&check, &[Violated, Proved]).is_empty(), "what is only checked is not assumed");
    }
}
