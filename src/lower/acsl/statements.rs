//! Contracts of statements: `requires` is claimed before the statement, and `ensures` where it has
//! ended without a jump out of it. `\old` is about the moment before the statement.

use super::behaviors::under;
use super::moments::Moment;
use super::resolve::Logic;
use super::syntax::{Clause, ClauseKind, Mode, Node};
use crate::lower::context::{Lowered, Lowerer};
use crate::lower::error::{InputError, InputErrorKind};
use crate::program::{ClaimRole, Formula};
use lang_c::ast::{BlockItem, LabeledStatement};
use lang_c::span::Span;
use lang_c::visit::Visit;
use std::collections::BTreeMap;

/// The contract of a statement that has begun.
#[derive(Default)]
pub(super) struct Contracted {
    ensures: Vec<Clause>,
    /// What the behaviors assume.
    assumes: BTreeMap<String, Vec<Node>>,
    /// Why it is not known when some behavior applies.
    unreadable: BTreeMap<String, String>,
    /// When the statement began.
    start: Moment,
}

impl Clause {
    /// Whether this may be a clause of the contract of a statement.
    pub(super) fn is_of_statement(&self) -> bool {
        match &self.kind {
            ClauseKind::Requires(_) | ClauseKind::Ensures(_) | ClauseKind::Assumes(_) => true,
            ClauseKind::Unusable(unusable) => unusable.word == "assumes" && self.behavior.is_some(),
            _ => false,
        }
    }
}

impl Lowerer<'_> {
    /// Claims what the next statement requires.
    pub(super) fn begin_contracted(&mut self, item: &lang_c::span::Node<BlockItem>) -> Contracted {
        let clauses = std::mem::take(&mut self.annotations.of_statement);
        let mut contract = Contracted::default();
        let Some(first) = clauses.first() else { return contract };
        let at = self.at(Span::span(first.start, first.end));
        let mut requires = Vec::new();
        let name = format!("statement at {}", first.start);
        for clause in clauses {
            match (&clause.kind, &clause.behavior) {
                (ClauseKind::Requires(_), _) => requires.push(clause),
                (ClauseKind::Ensures(_), _) => contract.ensures.push(clause),
                (ClauseKind::Assumes(node), Some(behavior)) => {
                    contract.assumes.entry(behavior.clone()).or_default().push(node.clone());
                }
                (ClauseKind::Unusable(unusable), Some(behavior)) => {
                    contract.unreadable.insert(behavior.clone(), unusable.reason.clone());
                }
                _ => self.misplaced(&clause, "`assumes` must stand in a behavior"),
            }
        }
        for clause in requires {
            self.claim_of_statement(&clause, &contract, &Logic::default());
        }
        // A jump may lead to a label inside of the statement.
        let mut labels = Labels(false);
        labels.visit_block_item(&item.node, &item.span);
        contract.start = self.moment_here(&name, at, !labels.0);
        contract
    }

    /// Claims what the statement that has ended ensures.
    pub(super) fn end_contracted(&mut self, contract: Contracted) {
        for clause in &contract.ensures {
            let labels = [("Old", contract.start), ("Post", Moment::Now)];
            let labels = labels.into_iter().map(|(l, m)| (l.to_owned(), m)).collect();
            let logic = Logic { statement: Some(contract.start), labels, ..Logic::default() };
            self.claim_of_statement(clause, &contract, &logic);
        }
    }

    fn claim_of_statement(&mut self, clause: &Clause, contract: &Contracted, logic: &Logic) {
        let (node, kind) = match &clause.kind {
            ClauseKind::Requires(node) => (node, "requires"),
            ClauseKind::Ensures(node) => (node, "ensures"),
            _ => return,
        };
        let at = self.at(Span::span(clause.start, clause.end));
        let formula = match self.formula_of_statement(clause, node, contract, logic) {
            Ok(formula) => formula,
            Err(e) => {
                let (kind, reason) = (clause.kind.clone().with_mode(clause.mode), self.reason(&e));
                let function = self.function_name().to_owned();
                return self.unjudged_at(&function, &kind, (at, self.clause_text(clause)), &reason);
            }
        };
        let role = match clause.mode {
            Mode::Admit => {
                let (text, place) = (self.clause_text(clause), self.program.sources.describe(at));
                self.assume_that(format!("`{text}` holds ({place})"));
                ClaimRole::Assume
            }
            Mode::Plain => ClaimRole::Assert(self.new_obligation(kind, "", node)),
            Mode::Check => ClaimRole::Check(self.new_obligation(kind, "", node)),
        };
        self.emit_claim(formula, role, at);
    }

    /// The formula of a clause, in the runs to which its behaviors apply.
    fn formula_of_statement(
        &mut self,
        clause: &Clause,
        node: &Node,
        contract: &Contracted,
        logic: &Logic,
    ) -> Lowered<Formula> {
        let begun = logic.statement;
        let mut own = Logic { statement: begun, labels: logic.labels.clone(), ..Logic::default() };
        let mut formula = self.formula_of(node, &mut own)?;
        if let Some(behavior) = &clause.behavior {
            if let Some(reason) = contract.unreadable.get(behavior) {
                let message = format!("it is not known when the behavior `{behavior}` applies: {reason}");
                return Err(InputError::new(InputErrorKind::Unsupported, message));
            }
            for assumed in contract.assumes.get(behavior).into_iter().flatten().rev() {
                let mut about = begun.map_or_else(Logic::default, Logic::about);
                let applies = self.formula_of(assumed, &mut about)?;
                formula = under(applies, formula);
            }
        }
        self.only_for(&clause.only_for, formula, node)
    }
}

/// Whether there is a label.
struct Labels(bool);

impl<'ast> Visit<'ast> for Labels {
    fn visit_labeled_statement(&mut self, _: &'ast LabeledStatement, _: &'ast Span) {
        self.0 = true;
    }
}
