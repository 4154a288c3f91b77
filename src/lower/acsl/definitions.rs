//! What definitions and lemmas mention must exist, whether something uses them or not.

use super::syntax::{Binder, Clause, ClauseKind, Mode, Node, NodeKind, Predicate};
use crate::lower::context::Lowerer;
use lang_c::span::Span;

impl Lowerer<'_> {
    /// Keeps a definition, and says what is wrong with it.
    pub(super) fn define(&mut self, predicate: Predicate, start: usize) {
        let (name, all) = (predicate.name.clone(), &self.annotations.predicates);
        let is_again = all.get(&name).is_some_and(|all| all.iter().any(|other| other.is_alike(&predicate)));
        let reason = match is_again {
            true => Some("it is defined twice".to_owned()),
            false => self.wrong_definition(&predicate, start),
        };
        if let Some(reason) = reason {
            self.misunderstood(if predicate.is_term { "logic" } else { "predicate" }, &reason, start);
            self.annotations.unreadable.entry(name.clone()).or_insert(reason);
        }
        self.annotations.predicates.entry(name).or_default().push(predicate);
    }

    /// Keeps a lemma until the end of the file, unless it is no lemma.
    pub(super) fn define_lemma(&mut self, clause: Clause) {
        let ClauseKind::Lemma { name, formula, .. } = &clause.kind else { return };
        // `check lemma` is no reason to believe it.
        let is_granted = clause.mode != Mode::Check;
        let named = |other: &Clause| matches!(&other.kind, ClauseKind::Lemma { name: n, .. } if n == name);
        let reason = match self.annotations.lemmas.iter().any(named) {
            true => Some(format!("there are two lemmas `{name}`")),
            false => self
                .unknown_name(formula, &mut Vec::new())
                .map(|name| format!("`{name}` is not declared"))
                .or_else(|| self.wrong_count(formula)),
        };
        match reason {
            Some(reason) => self.misunderstood("lemma", &reason, clause.start),
            None if is_granted => self.annotations.lemmas.push(clause),
            None => {}
        }
    }

    /// An application of a definition to a number of arguments that it does not take.
    fn wrong_count(&self, node: &Node) -> Option<String> {
        if let NodeKind::Call(name, _, arguments) = &node.kind
            && let Some(all) = self.annotations.predicates.get(name)
            && !all.iter().any(|p| p.parameters.len() == arguments.len())
        {
            return Some(format!("`{name}` does not take {} arguments", arguments.len()));
        }
        let mut found = None;
        node.kind.each_part(&mut |part| found = found.take().or_else(|| self.wrong_count(part)));
        found
    }

    fn misunderstood(&mut self, word: &str, reason: &str, start: usize) {
        let place = self.program.sources.describe(self.at(Span::span(start, start)));
        self.program.notes.push(format!("a definition by `{word}` is not understood: {reason} ({place})"));
    }

    fn wrong_definition(&self, predicate: &Predicate, start: usize) -> Option<String> {
        let types = predicate.parameters.iter().map(|p| &p.ty).chain(&predicate.ty);
        if let Some(ty) = types.into_iter().find(|ty| !self.is_type(ty, start)) {
            return Some(format!("there is no type `{ty}`"));
        }
        if !predicate.is_declared
            && predicate.ty.as_ref().is_some_and(|ty| ty != "boolean")
            && is_formula(&predicate.body)
        {
            return Some(format!("`{}` is a number, and this is a formula", predicate.name));
        }
        if predicate.ty.as_ref().is_some_and(|ty| ty == "boolean") && is_number(predicate) {
            return Some(format!("`{}` is a truth value, and this is a number", predicate.name));
        }
        let mut bound: Vec<&str> = predicate.parameters.iter().map(|p| p.name.as_str()).collect();
        bound.push(&predicate.name);
        let parts = std::iter::once(&predicate.body).chain(&predicate.reads);
        parts
            .filter_map(|part| self.unknown_name(part, &mut bound))
            .next()
            .map(|name| format!("`{name}` is not declared"))
    }

    fn is_type(&self, ty: &str, at: usize) -> bool {
        const WORDS: [&str; 10] =
            ["real", "boolean", "void", "float", "double", "_Bool", "struct", "union", "enum", "const"];
        if let Some((place, _)) = self.annotations.types.get(ty) {
            return *place < at;
        }
        self.kind_named(ty).is_some()
            || ty.split_whitespace().any(|word| WORDS.contains(&word) || self.lookup(word).is_some())
    }

    /// A name in a formula or term that stands for nothing.
    pub(super) fn unknown_name<'n>(&self, node: &'n Node, bound: &mut Vec<&'n str>) -> Option<&'n str> {
        let own = bound.len();
        match &node.kind {
            // The second argument is a label.
            NodeKind::Call(name, _, arguments) if name == "\\at" => {
                return arguments.first().and_then(|term| self.unknown_name(term, bound));
            }
            NodeKind::Name(name) | NodeKind::Call(name, ..) => {
                let a = &self.annotations;
                let is_known = name.starts_with('\\')
                    || bound.contains(&name.as_str())
                    || a.predicates.contains_key(name)
                    || a.unreadable.contains_key(name)
                    || a.macros.contains_key(name)
                    || self.lookup(name).is_some();
                if !is_known {
                    return Some(name);
                }
            }
            NodeKind::ForAll(binders, _) | NodeKind::Exists(binders, _) => {
                bound.extend(binders.iter().map(|Binder { name, .. }| name.as_str()));
            }
            // Its value may not use it; that is said where it is used.
            NodeKind::Let(name, ..) => bound.push(name),
            _ => {}
        }
        let mut found = None;
        node.kind.each_part(&mut |part| {
            if found.is_none() {
                found = self.unknown_name(part, bound);
            }
        });
        bound.truncate(own);
        found
    }
}

/// Whether what a definition stands for can be no truth value.
fn is_number(predicate: &Predicate) -> bool {
    match &predicate.body.kind {
        NodeKind::Number(_) | NodeKind::Negate(_) | NodeKind::Arithmetic(..) => true,
        NodeKind::Name(name) => predicate.parameters.iter().any(|p| p.name == *name && p.ty != "boolean"),
        _ => false,
    }
}

/// Whether this can be no number.
fn is_formula(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Chain(..)
            | NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Implies(..)
            | NodeKind::Iff(..)
            | NodeKind::ForAll(..)
            | NodeKind::Exists(..)
            | NodeKind::True
            | NodeKind::False
    )
}
