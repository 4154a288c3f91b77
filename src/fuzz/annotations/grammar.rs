//! The grammar of annotations, read from the file that the reader of annotations is made of.
//!
//! What a rule must not be followed by, or be, is not kept: the texts are not always in the
//! language.

use std::collections::BTreeMap;

/// The right side of a rule, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Production {
    /// This text.
    Text(String),
    /// What a rule stands for.
    Rule(String),
    /// All, one after the other.
    All(Vec<Production>),
    /// One of them.
    OneOf(Vec<Production>),
    /// It, or nothing.
    Maybe(Box<Production>),
    /// It, at least so often.
    Many(Box<Production>, usize),
}

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) is: Production,
    /// Whether there is no space between its parts.
    pub(super) is_token: bool,
    /// How deep the derivations in it are at least.
    pub(super) depth: u32,
}

/// The rules by name.
#[derive(Clone, Debug)]
pub(super) struct Grammar(pub(super) BTreeMap<String, Rule>);

const FILE: &str = include_str!("../../lower/acsl/grammar.pest");

impl Grammar {
    /// The grammar of annotations.
    ///
    /// # Panics
    /// The file has a form that is not known here.
    pub(super) fn of_annotations() -> Grammar {
        let mut rules = BTreeMap::new();
        for line in FILE.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")) {
            let (name, right) = line.split_once(" = ").or_else(|| line.split_once("= ")).expect("a rule on each line");
            let is_token = right.starts_with('@');
            let inside = right.trim_start_matches(['@', '_']).trim();
            let inside = inside.strip_prefix('{').and_then(|r| r.strip_suffix('}')).expect("a rule has braces");
            let mut left = tokens(inside);
            left.reverse();
            let is = alternatives(&mut left);
            assert!(left.is_empty(), "the rule `{name}` is not understood");
            rules.insert(name.trim().to_owned(), Rule { is, is_token, depth: u32::MAX });
        }
        let mut grammar = Grammar(rules);
        // The least depths are found when they change no more.
        loop {
            let depths: Vec<u32> = grammar.0.values().map(|r| grammar.depth(&r.is).saturating_add(1)).collect();
            let changed = grammar.0.values().zip(&depths).any(|(r, d)| r.depth != *d);
            grammar.0.values_mut().zip(depths).for_each(|(r, d)| r.depth = d);
            if !changed {
                return grammar;
            }
        }
    }

    /// How deep the derivations of a production are at least.
    pub(super) fn depth(&self, p: &Production) -> u32 {
        match p {
            Production::Text(_) | Production::Maybe(_) | Production::Many(_, 0) => 0,
            // Classes of characters are no rules.
            Production::Rule(name) => self.0.get(name).map_or(0, |r| r.depth),
            Production::All(parts) => parts.iter().map(|p| self.depth(p)).max().unwrap_or(0),
            Production::OneOf(parts) => parts.iter().map(|p| self.depth(p)).min().unwrap_or(0),
            Production::Many(part, _) => self.depth(part),
        }
    }
}

/// The tokens of a right side; texts keep the quotation mark that they begin with.
fn tokens(text: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.expect("a text ends") + 2
            }
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => 1,
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

/// Reads alternatives; the tokens come from the end.
fn alternatives(left: &mut Vec<String>) -> Production {
    let mut all = vec![sequence(left)];
    while left.last().is_some_and(|t| t == "|") {
        left.pop();
        all.push(sequence(left));
    }
    if all.len() == 1 { all.remove(0) } else { Production::OneOf(all) }
}

fn sequence(left: &mut Vec<String>) -> Production {
    let mut all: Vec<Production> = repeated(left).into_iter().collect();
    while left.last().is_some_and(|t| t == "~") {
        left.pop();
        all.extend(repeated(left));
    }
    if all.len() == 1 { all.remove(0) } else { Production::All(all) }
}

/// `None` for a condition on what is near.
fn repeated(left: &mut Vec<String>) -> Option<Production> {
    let first = left.pop().expect("a production");
    if first == "!" || first == "&" {
        repeated(left);
        return None;
    }
    let mut part = match first.strip_prefix('"') {
        Some(text) => Production::Text(unescaped(text.trim_end_matches('"'))),
        None if first == "(" => {
            let inside = alternatives(left);
            assert_eq!(left.pop().as_deref(), Some(")"));
            inside
        }
        None => Production::Rule(first),
    };
    // `{1, 3}`, from how often to how often.
    if left.last().is_some_and(|t| t == "{") {
        left.pop();
        let least = left.pop().and_then(|n| n.parse().ok()).expect("a number");
        while left.pop().expect("a brace") != "}" {}
        part = Production::Many(Box::new(part), least);
    }
    while let Some(mark) = left.last().filter(|t| matches!(t.as_str(), "?" | "*" | "+")) {
        part = match mark.as_str() {
            "?" => Production::Maybe(Box::new(part)),
            "*" => Production::Many(Box::new(part), 0),
            _ => Production::Many(Box::new(part), 1),
        };
        left.pop();
    }
    Some(part)
}

fn unescaped(text: &str) -> String {
    let (mut plain, mut characters) = (String::new(), text.chars());
    while let Some(c) = characters.next() {
        plain.extend(match c {
            '\\' => characters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            }),
            c => Some(c),
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_read_as_it_is_written() {
        let grammar = Grammar::of_annotations();
        assert!(grammar.0.len() > 100 && grammar.0.values().all(|r| r.depth < 20));
        let rule = |name: &str| Production::Rule(name.to_owned());
        assert_eq!(
            grammar.0["quantified"].is,
            Production::All(vec![
                Production::OneOf(vec![rule("forall"), rule("exists")]),
                rule("binders"),
                Production::Many(Box::new(Production::All(vec![rule("comma"), rule("binders")])), 0),
                rule("semicolon"),
                rule("names"),
                rule("formula"),
            ])
        );
        assert_eq!(grammar.0["truth"].is, Production::All(vec![Production::Text("\\true".into()), rule("end")]));
        assert!(grammar.0["truth"].is_token && !grammar.0["cast"].is_token);
    }
}
