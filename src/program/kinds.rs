//! The kinds of obligations, with the words and texts for each: one row of a table.

use crate::rows::rows;
use serde::{Deserialize, Serialize};

/// The kinds of obligations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ObligationKind {
    /// An assertion of the source.
    Assertion,
    /// An access lies inside its object; the length of an array is possible.
    Bounds,
    /// A signed operation stays in the range of its type; a shift is by less than the width.
    Overflow,
    /// A divisor is not 0.
    Division,
    /// An object that is used is alive, and what is freed is a heap block that is alive.
    Lifetime,
    /// Something has written what is read.
    Initialised,
    /// A pointer that is called points to a function of its type.
    Calls,
}

impl ObligationKind {
    /// Whether it asks what has happened to an object: whether it has ended, or has been written.
    /// What the object holds does not tell.
    pub fn is_about_the_past(self) -> bool {
        matches!(self, ObligationKind::Lifetime | ObligationKind::Initialised)
    }

    /// Whether it is left to the stages that know the objects and functions that pointers lead to:
    /// to runs, to the value analysis and to the model checker.
    pub fn is_about_pointees(self) -> bool {
        self.is_about_the_past() || self == ObligationKind::Calls
    }
}

/// The words and texts for one kind.
#[derive(Debug)]
pub struct KindEntry {
    /// The kind.
    pub kind: ObligationKind,
    /// Its name in options, configurations, ids and reports; what `serde` writes.
    pub word: &'static str,
    /// The text in the help.
    pub help: &'static str,
    /// The formula that always holds if these obligations hold, as the competition on software
    /// verification writes properties. It has no name for divisions by zero.
    pub property: &'static str,
    /// The rule of SARIF.
    pub rule: Rule,
}

/// A rule of SARIF 2.1.0 (3.49).
#[derive(Debug)]
pub struct Rule {
    /// It never changes: code hosts recognise alerts by it.
    pub id: &'static str,
    /// One word.
    pub name: &'static str,
    /// One sentence.
    pub short: &'static str,
    /// All that is demanded.
    pub full: &'static str,
    /// What to do, as text.
    pub help: &'static str,
    /// What to do, as Markdown.
    pub markdown: &'static str,
    /// What code hosts group by, with the numbers of CWE.
    pub tags: &'static [&'static str],
}

const KINDS: [KindEntry; 7] = [
    KindEntry {
        kind: ObligationKind::Assertion,
        word: "assertion",
        help: "Assertions of the source",
        property: "! call(reach_error())",
        rule: Rule {
            id: "smalti/assertion",
            name: "AssertionHolds",
            short: "The assertion holds in every run.",
            full: "An assertion of the source (assert, __VERIFIER_assert, reach_error, an ACSL annotation) holds whenever a run reaches it.",
            help: "If it fails, the code flow is a run that was executed step by step: its inputs lead to a failing assertion. \
                   If it is open, smalti neither proved it nor found such a run; a larger --time-limit may decide it.",
            markdown: "If it **fails**, the code flow is a run that was executed step by step: its inputs lead to a failing assertion.\n\n\
                       If it is **open**, smalti neither proved it nor found such a run; a larger `--time-limit` may decide it.",
            tags: &["correctness"],
        },
    },
    KindEntry {
        kind: ObligationKind::Bounds,
        word: "bounds",
        help: "Accesses lie inside their objects; lengths of arrays are possible",
        property: "valid-deref",
        rule: Rule {
            id: "smalti/bounds",
            name: "AccessInBounds",
            short: "The access lies inside its object.",
            full: "An index lies inside its array, a pointer that is followed points into an object, and the length of an array is possible.",
            help: "If it fails, the code flow is a run that accesses memory outside of the object. Test the index before it is used, or make the array larger.",
            markdown: "If it **fails**, the code flow is a run that accesses memory outside of the object. Test the index before it is used, or make the array larger.",
            tags: &["correctness", "security", "external/cwe/cwe-125", "external/cwe/cwe-787"],
        },
    },
    KindEntry {
        kind: ObligationKind::Overflow,
        word: "overflow",
        help: "Signed operations stay in the range of their type; shifts are by less than the width",
        property: "! overflow",
        rule: Rule {
            id: "smalti/overflow",
            name: "NoSignedOverflow",
            short: "The signed operation stays in the range of its type.",
            full: "A signed operation has a result that its type can hold, and a shift is by less than the width of what is shifted.",
            help: "If it fails, the code flow is a run in which the result does not fit. Use a wider type, or test the operands first.",
            markdown: "If it **fails**, the code flow is a run in which the result does not fit. Use a wider type, or test the operands first.",
            tags: &["correctness", "security", "external/cwe/cwe-190"],
        },
    },
    KindEntry {
        kind: ObligationKind::Division,
        word: "division",
        help: "Divisors are not 0",
        property: "! division-by-zero",
        rule: Rule {
            id: "smalti/division",
            name: "NoDivisionByZero",
            short: "The divisor is not 0.",
            full: "The right operand of / and % on integers is not 0.",
            help: "If it fails, the code flow is a run that divides by 0. Test the divisor first.",
            markdown: "If it **fails**, the code flow is a run that divides by 0. Test the divisor first.",
            tags: &["correctness", "external/cwe/cwe-369"],
        },
    },
    KindEntry {
        kind: ObligationKind::Lifetime,
        word: "lifetime",
        help: "Objects that are used are alive; what is freed is a heap block that is alive, or null",
        property: "valid-free",
        rule: Rule {
            id: "smalti/lifetime",
            name: "ObjectIsAlive",
            short: "The object that is used or freed is alive.",
            full: "A pointer that is followed does not point to a heap block that was freed, nor to a variable of a block or function that has ended; what is freed is null or points to the start of a heap block that was not freed before.",
            help: "If it fails, the code flow is a run that uses or frees an object after its end, or frees what is no heap block. Set the pointer to null when the object ends, or end the object later.",
            markdown: "If it **fails**, the code flow is a run that uses or frees an object after its end, or frees what is no heap block. Set the pointer to null when the object ends, or end the object later.",
            tags: &[
                "correctness",
                "security",
                "external/cwe/cwe-415",
                "external/cwe/cwe-416",
                "external/cwe/cwe-562",
                "external/cwe/cwe-590",
            ],
        },
    },
    KindEntry {
        kind: ObligationKind::Initialised,
        word: "initialised",
        help: "What is read has been written before",
        property: "! uninitialised-read",
        rule: Rule {
            id: "smalti/initialised",
            name: "ValueIsInitialised",
            short: "What is read has been written before.",
            full: "A variable, an element, a member or a part of a heap block that is read has been given a value before.",
            help: "If it fails, the code flow is a run that reads what nothing has written. Give the object a value where it begins, or on every way to the place where it is read.",
            markdown: "If it **fails**, the code flow is a run that reads what nothing has written. Give the object a value where it begins, or on every way to the place where it is read.",
            tags: &["correctness", "security", "external/cwe/cwe-457", "external/cwe/cwe-824", "external/cwe/cwe-908"],
        },
    },
    KindEntry {
        kind: ObligationKind::Calls,
        word: "calls",
        help: "Pointers that are called point to functions of their types",
        property: "! invalid-call",
        rule: Rule {
            id: "smalti/calls",
            name: "CallOfFunction",
            short: "The pointer that is called points to a function of its type.",
            full: "A pointer through which a function is called is not null and points to a function of its type.",
            help: "If it fails, the code flow is a run that calls a null pointer or what is no function. Test the pointer before the call, or give it a function in every case.",
            markdown: "If it **fails**, the code flow is a run that calls a null pointer or what is no function. Test the pointer before the call, or give it a function in every case.",
            tags: &["correctness", "security", "external/cwe/cwe-476", "external/cwe/cwe-686", "external/cwe/cwe-824"],
        },
    },
];

rows!(ObligationKind, KindEntry, kind, KINDS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_the_names_that_code_hosts_know() {
        assert!(ObligationKind::ALL.iter().all(|k| k.entry().rule.id == format!("smalti/{k}")));
    }
}
