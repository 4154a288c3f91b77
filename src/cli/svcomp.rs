//! The answers of the Competition on Software Verification: `true`, `false(...)` or `unknown`, for
//! a property file.
//!
//! **`true`** is the answer if every obligation of the property is proved or unreachable, and if
//! the proofs rest only on assumptions that the competition makes, too ([`GRANTED`]). **`false`**
//! is the answer if the interpreter has run the program into a violation of this property.
//! Otherwise the answer is `unknown`, in particular for a program with an operation that matters
//! for the property but has no obligation.

use super::property::{Claim, Property};
use crate::program::{
    BinaryOp, Callee, CheckCondition, ExprKind, ObligationKey, ObligationKind, Program, StmtKind, Type, each_expr,
    has_check,
};
use crate::verdict::{Decided, Outcome, Report, Verdict};
use std::collections::BTreeSet;

/// How the assumptions under which `true` may be the answer begin, or end. In the tasks of the
/// competition, the program has no undefined behaviour other than what the property asks about,
/// allocation succeeds, and functions without a body return any value and have no other effect that
/// matters.
const GRANTED: [(&str, &str); 20] = [
    ("a run is considered up to its first undefined behaviour", ""),
    ("memory allocation never fails", ""),
    ("memory that was freed is not used again", ""),
    ("a pointer is not compared or moved after the end of the object that it points to", ""),
    ("`__builtin_unreachable()` is never reached", ""),
    ("computed sizes in bytes do not wrap around", ""),
    ("an external function changes only what it can reach", ""),
    ("a function that has no body returns any value", "and fails no assertion"),
    ("an external variable exists and starts with any value", ""),
    ("literals of constant types are distinct objects", ""),
    ("objects that are declared `const` are not written to", ""),
    ("a function whose result is used returns a value", ""),
    ("calls without a prototype agree with the definitions of the functions", ""),
    ("functions that are declared not to return do not return", ""),
    ("objects of type `_Bool` hold 0 or 1, whatever is written to their bytes", ""),
    ("what a `restrict` pointer points to is changed only through it", ""),
    ("arguments have as many elements as `static` in a parameter says", ""),
    ("an address that is converted to an integer type that cannot hold it becomes any value of the type", ""),
    ("a floating value that is converted to an integer type that cannot hold it becomes any value of the type", ""),
    ("`__builtin_constant_p` is 0 or 1 if its value depends on the compiler", ""),
];

/// Assumptions that are granted, too, unless the property is about memory.
const GRANTED_BUT_FOR_MEMORY: [(&str, &str); 3] = [
    ("objects are not used after the end of the block or function that declares them", ""),
    ("string literals are not written to", ""),
    ("a library function reads and writes only inside the objects that it is given", ""),
];

/// The functions whose calls are obligations. The program that smalti analyses may contain no calls
/// of others: `abort`, for example, is the end of a run.
const LOOKED_FOR: [&str; 3] = ["reach_error", "__VERIFIER_error", "__assert_fail"];

/// The kinds of obligations that express the property. Assertions are always among them: a run ends
/// at an assertion that fails, so what C would do after it is not analysed.
pub(super) fn checks(property: &Property) -> Vec<ObligationKind> {
    let mut kinds = vec![ObligationKind::Assertion];
    for claim in &property.claims {
        match claim {
            Claim::NeverCalled(_) | Claim::Other(_) => {}
            Claim::NoOverflow => kinds.push(ObligationKind::Overflow),
            Claim::Memory(_) => kinds.extend([ObligationKind::Bounds, ObligationKind::Lifetime, ObligationKind::Calls]),
        }
    }
    kinds.sort();
    kinds.dedup();
    kinds
}

/// A sentence about the claims that smalti never decides.
pub(super) fn undecidable(property: &Property) -> Option<String> {
    property.claims.iter().find_map(|claim| match claim {
        Claim::Other(text) => Some(format!("smalti does not decide the property `{text}`")),
        _ => None,
    })
}

/// The answer to a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The last line of the output.
    pub(super) line: String,
    /// The same answer, for the exit status.
    pub(super) outcome: Outcome,
    /// Why the answer is `unknown` although the verdict is not.
    pub(super) notes: Vec<String>,
    /// For `false`: the obligation that violates the property.
    pub(super) violated: Option<ObligationKey>,
}

impl Answer {
    /// The answer if nothing is known.
    pub(super) fn unknown(notes: Vec<String>) -> Answer {
        Answer { line: "unknown".into(), outcome: Outcome::Unknown, notes, violated: None }
    }
}

/// The answer that a report gives.
pub(super) fn answer(property: &Property, program: &Program, report: &Report) -> Answer {
    let mut notes = Vec::new();
    for d in report.obligations.iter().filter(|d| d.verdict == Verdict::Violated) {
        match violation(property, program, d) {
            Some(name) => {
                return Answer {
                    line: format!("false({name})"),
                    outcome: Outcome::False,
                    notes: Vec::new(),
                    violated: Some(d.obligation.key),
                };
            }
            None => notes.push(format!("{} can fail, but that does not violate the property", d.obligation.id)),
        }
    }
    if !report.holds() {
        return Answer::unknown(notes);
    }
    notes.extend(report.assumptions.iter().filter(|a| !is_granted(property, &a.text)).map(|a| {
        format!(
            "the answer is not `true`, because a proof rests on an assumption that the competition does not make: {}",
            a.short_line()
        )
    }));
    notes.extend(
        not_covered(property, program).into_iter().map(|why| format!("the answer is not `true`, because {why}")),
    );
    if !notes.is_empty() {
        return Answer::unknown(notes);
    }
    Answer { line: "true".into(), outcome: Outcome::True, notes, violated: None }
}

/// The answer for a report that was cut off. A violation stays one. A proof of everything is not
/// reported, because it may rest on assumptions that are not known yet.
pub(super) fn answer_so_far(property: &Property, program: &Program, report: &Report) -> Answer {
    let answer = answer(property, program, report);
    if answer.outcome == Outcome::False { answer } else { Answer::unknown(Vec::new()) }
}

fn is_granted(property: &Property, assumption: &str) -> bool {
    let of_memory = property.claims.iter().any(|claim| matches!(claim, Claim::Memory(_)));
    let more = if of_memory { &[] } else { &GRANTED_BUT_FOR_MEMORY[..] };
    GRANTED.iter().chain(more).any(|(start, end)| assumption.starts_with(start) && assumption.ends_with(end))
}

/// The competition's name for the failure, if it violates the property.
fn violation(property: &Property, program: &Program, d: &Decided) -> Option<&'static str> {
    property.claims.iter().find_map(|claim| match (claim, d.obligation.key) {
        (Claim::NeverCalled(name), ObligationKey::Assertion(id)) => {
            let failure = program.assertion(id).failure.as_ref()?;
            (failure.function == *name).then_some("unreach-call")
        }
        (Claim::NoOverflow, ObligationKey::Check(site, number)) => {
            has_check(program, site, number, leaves_its_type).then_some("no-overflow")
        }
        (Claim::Memory(name), ObligationKey::Check(site, number)) => match name.as_str() {
            "valid-deref" => has_check(program, site, number, strays).then_some("valid-deref"),
            "valid-free" => {
                let frees = |c: &CheckCondition<'_>| matches!(c, CheckCondition::Freeable { .. });
                has_check(program, site, number, frees).then_some("valid-free")
            }
            _ => None,
        },
        _ => None,
    })
}

/// Whether the check fails because a pointer that is followed leads to no object, or one that is
/// called to no function. (An index outside of an array may still lie inside the object that
/// contains the array. The competition counts that as valid.)
fn strays(condition: &CheckCondition<'_>) -> bool {
    matches!(
        condition,
        CheckCondition::Dereference { .. }
            | CheckCondition::Room { .. }
            | CheckCondition::Alive { .. }
            | CheckCondition::Callable { .. }
    )
}

/// Whether the check fails because the result of the operation does not fit its type. Shifts by too
/// much and the remainder of a division by -1 are undefined as well, but the competition does not
/// count them as overflows.
fn leaves_its_type(condition: &CheckCondition<'_>) -> bool {
    let CheckCondition::NoOverflow { operation } = condition else { return false };
    !matches!(operation.kind, ExprKind::Binary(BinaryOp::Rem, ..))
}

fn is_floating(mut ty: &Type) -> bool {
    while let Type::Array(element, _) = ty {
        ty = element;
    }
    matches!(ty, Type::Float(_))
}

/// Parts of the property that no obligation expresses.
fn not_covered(property: &Property, program: &Program) -> BTreeSet<String> {
    let mut why = BTreeSet::new();
    let mut direct = BTreeSet::new();
    let (mut pointers, mut addresses) = (false, BTreeSet::new());
    // Operations on floating values are not represented in the program, but their types are.
    let members = program.structs.iter().flat_map(|s| &s.members).map(|m| &m.ty);
    let mut floats = program.variables.iter().map(|v| &v.ty).chain(members).any(is_floating);
    program.each_stmt(|s| {
        match &s.kind {
            StmtKind::Call { callee: Callee::Function(f), .. } => _ = direct.insert(program.function(*f).name.clone()),
            StmtKind::Allocate { .. } | StmtKind::HavocReachable(_) => pointers = true,
            _ => {}
        }
        each_expr(s, &mut |e| {
            match e.ty {
                Type::Pointer(_) => pointers = true,
                Type::Float(_) => floats = true,
                _ => {}
            }
            if let ExprKind::FunctionAddress(f) = e.kind {
                addresses.insert(program.function(f).name.clone());
            }
        });
    });
    let external = program.assumptions.iter().any(|a| a.text.ends_with("and fails no assertion"));
    if external && !addresses.is_empty() {
        why.insert("a function without a body may call those whose address is taken".to_owned());
    }
    for claim in &property.claims {
        match claim {
            Claim::NeverCalled(name) if !LOOKED_FOR.contains(&name.as_str()) => {
                why.insert(format!("smalti does not look for calls of `{name}`"));
            }
            Claim::NeverCalled(name) if direct.contains(name) || addresses.contains(name) => {
                why.insert(format!("the program also calls `{name}` as an ordinary function"));
            }
            Claim::NoOverflow if floats => {
                why.insert("smalti knows nothing about conversions of floating values".to_owned());
            }
            Claim::Memory(name) if pointers && !matches!(name.as_str(), "valid-deref" | "valid-free") => {
                why.insert(format!("smalti decides {name} only for programs without pointers"));
            }
            Claim::Other(text) => _ = why.insert(format!("smalti does not decide `{text}`")),
            _ => {}
        }
    }
    why
}

#[cfg(test)]
mod tests {
    use super::super::property::parse;
    use super::*;
    use crate::lower::{LowerOptions, load_text};
    use crate::program::obligations;
    use crate::verdict::{Evidence, Stage};

    #[test]
    fn of_a_check_that_was_cut_off_violations_stay() {
        let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void) {}\n\
            int main(void) { int x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); if (x == 4) reach_error(); return 0; }\n";
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        let program = load_text("x.c", text, &options).expect("C");
        let property = parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").expect("a property");
        let said = |verdicts: [Verdict; 2]| {
            let all = obligations(&program, &[ObligationKind::Assertion]);
            let evidence = Evidence::of(Stage::Bounded);
            let decided = |(obligation, verdict)| Decided { obligation, verdict, evidence: evidence.clone() };
            let report = Report {
                files: Vec::new(),
                sources: program.sources.clone(),
                obligations: all.into_iter().zip(verdicts).map(decided).collect(),
                complete: true,
                settled: 0,
                assumptions: Vec::new(),
                configuration: Default::default(),
                statistics: Default::default(),
                notes: Vec::new(),
            };
            answer_so_far(&property, &program, &report).line
        };
        assert_eq!(said([Verdict::Unknown, Verdict::Violated]), "false(unreach-call)");
        assert_eq!(said([Verdict::Unknown, Verdict::Proved]), "unknown");
        assert_eq!(said([Verdict::Proved, Verdict::Proved]), "unknown");
    }
}
