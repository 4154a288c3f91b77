//! Clauses that smalti does not check, and lists: `terminates`, `decreases`, `loop variant`. What
//! they name must exist, and a measure is a number.

use super::exits::Exits;
use super::prototypes::ParameterNames;
use super::resolve::{Logic, Value, pointer, span};
use super::syntax::{ClauseKind, Node, NodeKind};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::InputErrorKind;
use crate::program::{FunctionId, Location, Type, VarId};

/// A clause that is only looked at.
pub(super) struct Unchecked {
    pub(super) kind: ClauseKind,
    /// Whether it stands outside of behaviors.
    pub(super) always: bool,
    /// Its names of the parameters, if they differ from those of the definition.
    pub(super) names: Option<ParameterNames>,
    /// Where it stands, and its text.
    pub(super) place: (Location, String),
}

impl Lowerer<'_> {
    /// Looks at the clauses of the function that begins here.
    pub(super) fn unchecked_clauses(&mut self, id: FunctionId, parameters: &[VarId], clauses: Vec<Unchecked>) {
        for Unchecked { kind, always, names, place } in clauses {
            let exits = matches!(kind, ClauseKind::Exits(_));
            let saved = parameters.iter().map(|p| (*p, *p)).collect();
            let mut logic = Logic { after: exits, at_start: !exits, exits, saved, ..Logic::default() };
            match self.with_names(names.as_ref(), parameters, |l| l.unchecked(&kind, &mut logic)) {
                Ok(()) if exits => self.annotations.exits.push(Exits { function: id, kind, always, place }),
                Ok(()) => {}
                Err(e) => {
                    let (function, reason) = (self.function_name().to_owned(), self.reason(&e));
                    self.unjudged_at(&function, &kind, place, &reason);
                }
            }
        }
    }

    /// Looks at a clause that nothing uses. What smalti does not support is no error there.
    pub(super) fn unchecked(&mut self, kind: &ClauseKind, logic: &mut Logic) -> Lowered<()> {
        let looked_at = match kind {
            ClauseKind::Terminates(node) | ClauseKind::Exits(node) => self.formula_of(node, logic).map(|_| ()),
            ClauseKind::Decreases(node, relation) | ClauseKind::Variant(node, relation) => {
                self.measure(node, relation.as_deref(), logic)
            }
            ClauseKind::Blocks(nodes) | ClauseKind::LoopBlocks(nodes) => self.named_blocks(nodes, logic),
            _ => Ok(()),
        };
        match looked_at {
            Err(e) if matches!(e.kind(), InputErrorKind::Unsupported) => Ok(()),
            result => result,
        }
    }

    /// Blocks are named by pointers to them.
    fn named_blocks(&mut self, nodes: &[Node], logic: &mut Logic) -> Lowered<()> {
        for node in nodes {
            if matches!(node.kind, NodeKind::Result) {
                if self.function.as_ref().is_some_and(|f| f.result == Type::Void) {
                    return self.wrong(span(node), "this function returns nothing");
                }
                continue;
            }
            match self.value_of(node, logic) {
                Ok(value) if pointer(&value).is_none() => return self.wrong(span(node), "this is not a pointer"),
                Err(e) if !matches!(e.kind(), InputErrorKind::Unsupported) => return Err(e),
                _ => {}
            }
        }
        Ok(())
    }

    fn measure(&mut self, node: &Node, relation: Option<&str>, logic: &mut Logic) -> Lowered<()> {
        if let Some(name) = relation {
            let is_defined = self.annotations.predicates.contains_key(name);
            if !is_defined && !self.annotations.unreadable.contains_key(name) {
                return self.wrong(span(node), format!("there is no predicate `{name}`"));
            }
        }
        let value = self.value_of(node, logic)?;
        let is_truth = matches!(node.kind, NodeKind::True | NodeKind::False);
        // A relation may be one of anything.
        if relation.is_none() && (is_truth || pointer(&value).is_some() || matches!(value, Value::Formula(_))) {
            return self.wrong(span(node), "a measure is a number");
        }
        Ok(())
    }
}
