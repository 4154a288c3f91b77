//! Annotations that others rely on, though they are not proved.
//!
//! What an annotation says is assumed after it: a run in which it is false ends there. So what is
//! proved of an obligation that comes after one holds of the runs in which the annotation holds.

use crate::program::{Assumption, ClaimRole, ObligationKey, Program, StmtKind};
use crate::verdict::{Decided, Verdict};
use std::collections::BTreeSet;

/// An assumption for each annotation that is violated or open, where something else is proved:
/// nobody looks which annotation it is that a proof relies on.
pub fn relied_on(program: &Program, decided: &[Decided]) -> Vec<Assumption> {
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
        let text = format!("what follows {id} is considered only where `{condition}` holds, which is {state}");
        Assumption { text }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::relied_on;
    use crate::lower::{LowerOptions, load_text};
    use crate::program::{ObligationKind, obligations};
    use crate::verdict::{Decided, Evidence, Stage, Verdict};

    /// What is listed where the obligations are decided so, in their order.
    fn listed(text: &str, verdicts: &[Verdict]) -> Vec<String> {
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("t.c", &format!("void __VERIFIER_assert(int); {text}"), &options).unwrap();
        let all = obligations(&program, &[ObligationKind::Assertion]);
        assert_eq!(all.len(), verdicts.len());
        let decided = |(obligation, verdict): (_, &Verdict)| Decided {
            obligation,
            verdict: *verdict,
            evidence: Evidence {
                stage: Stage::Domains,
                detail: String::new(),
                time_ms: 0,
                reasons: Vec::new(),
                counterexample: None,
            },
        };
        let all: Vec<Decided> = all.into_iter().zip(verdicts).map(decided).collect();
        relied_on(&program, &all).into_iter().map(|a| a.text).collect()
    }

    #[test]
    fn annotations_that_are_not_proved_are_listed_where_something_is() {
        use Verdict::{Proved, Unknown, Unreachable, Violated};
        let text = "/*@ requires n > 1; */ int g(int n) { __VERIFIER_assert(n > 0); return n; }
                    int main(void) { return g(0); }";
        let sentence = "what follows g.requires.1 is considered only where `n > 1` holds, which is";
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
