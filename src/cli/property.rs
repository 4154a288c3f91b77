//! The property files of the Competition on Software Verification.

use pest::Parser;
use pest::iterators::Pair;

mod grammar {
    //! The parser that pest generates from the grammar.
    #![allow(missing_docs, unreachable_pub)]

    #[derive(pest_derive::Parser)]
    #[grammar = "cli/property.pest"]
    pub(super) struct Grammar;
}

use grammar::{Grammar, Rule};

/// A claim to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// This function is never called.
    NeverCalled(String),
    /// No signed operation overflows.
    NoOverflow,
    /// Memory safety: pointers are valid where they are used, and so is what is freed.
    Memory(String),
    /// Another property of the competition.
    Other(String),
}

/// A property file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Property {
    /// All claims to be shown.
    pub(super) claims: Vec<Claim>,
    /// The function that runs start with.
    pub(super) entry: String,
    /// The text, a line for each `CHECK`.
    pub(super) text: String,
}

/// Reads the text of a property file.
pub(super) fn parse(text: &str) -> Result<Property, String> {
    let mut file = Grammar::parse(Rule::file, text).map_err(|e| {
        let expected = "a property looks like `CHECK( init(main()), LTL(G ! call(reach_error())) )`";
        format!("it is not understood; {expected}\n{}", e.renamed_rules(described))
    })?;
    let checks = file.next().map(Pair::into_inner).into_iter().flatten().filter(|p| p.as_rule() == Rule::check);
    let mut property = Property { claims: Vec::new(), entry: String::new(), text: String::new() };
    for check in checks {
        let line = check.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        if !property.text.is_empty() {
            property.text.push('\n');
        }
        property.text += &line;
        for part in check.into_inner() {
            match part.as_rule() {
                Rule::name if property.entry.is_empty() || property.entry == part.as_str() => {
                    part.as_str().clone_into(&mut property.entry);
                }
                Rule::name => {
                    return Err(format!(
                        "its properties start at different functions, `{}` and `{}`",
                        property.entry,
                        part.as_str()
                    ));
                }
                _ => property.claims.push(claim(part)),
            }
        }
    }
    Ok(property)
}

/// What a formula claims.
fn claim(formula: Pair<'_, Rule>) -> Claim {
    let whole = formula.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(inner) = formula.into_inner().next().filter(|p| p.as_rule() == Rule::ltl) else {
        return Claim::Other(whole);
    };
    let Some(kind) = inner.into_inner().next() else { return Claim::Other(whole) };
    let rule = kind.as_rule();
    let word = kind.into_inner().next().map(|w| w.as_str().to_owned()).unwrap_or_default();
    match (rule, word.as_str()) {
        (Rule::never_called, _) => Claim::NeverCalled(word),
        (Rule::never, "overflow") => Claim::NoOverflow,
        (Rule::always, "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memcleanup") => Claim::Memory(word),
        _ => Claim::Other(whole),
    }
}

fn described(rule: &Rule) -> String {
    match rule {
        Rule::file | Rule::check => "`CHECK( init(main()), ... )`",
        Rule::formula | Rule::ltl => "`LTL(...)`",
        Rule::coverage => "`FQL(...)`",
        Rule::never_called => "`G ! call(...)`",
        Rule::never_at => "`G ! label(...)`",
        Rule::never => "`G ! ...`",
        Rule::always => "`G ...`",
        Rule::eventually => "`F ...`",
        Rule::name => "the name of a function",
        Rule::word => "a word such as `overflow`",
        _ => "the end",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_properties_of_the_competition_are_read() {
        let read = |text: &str| parse(text).expect("a property");
        let unreach = read("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n");
        assert_eq!(unreach.claims, [Claim::NeverCalled("reach_error".into())]);
        assert_eq!(
            (unreach.entry.as_str(), unreach.text.as_str()),
            ("main", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
        );
        assert_eq!(read("CHECK(init(main()),LTL(G!overflow))").claims, [Claim::NoOverflow]);
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
        assert_eq!(read(memory).claims, [Claim::Memory("valid-free".into()), Claim::Memory("valid-deref".into())]);
        assert_eq!(read(memory).text.lines().count(), 2);
        for other in [
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(main()), LTL(G ! data-race) )",
            "CHECK( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "CHECK( init(main()), LTL(G ! label(ERROR)) )",
        ] {
            assert!(matches!(&read(other).claims[..], [Claim::Other(_)]), "{other}");
        }
    }

    #[test]
    fn what_is_no_property_is_refused_with_the_place() {
        for bad in ["", "CHECK", "CHECK( init(main()), LTL(G ! call()) )", "x CHECK( init(main()), LTL(F end) )", "\0"]
        {
            let why = parse(bad).expect_err(bad);
            assert!(why.contains("CHECK( init(main())") && why.contains("-->"), "{why}");
        }
        let two = "CHECK( init(main()), LTL(F end) ) CHECK( init(start()), LTL(F end) )";
        assert!(parse(two).expect_err("two").contains("`start`"));
    }
}
