//! Inline assembly (gcc's manual, "How to Use Inline Assembly Language in C Code").
//!
//! What the instructions do is not known. Their operands say which objects they change: the outputs
//! get any value. Memory may be changed if the statement lists `memory`, or has no operands at all.

use super::context::{Lowered, Lowerer};
use crate::program::{Expr, StmtKind, Type};
use lang_c::ast::{AsmStatement, GnuAsmOperand, StringLiteral};
use lang_c::span::{Node, Span};

/// What is assumed.
const ASSUMPTION: &str = "inline assembly changes its outputs, and memory only if it lists `memory` or has no operands; \
                          control goes on behind it";

impl Lowerer<'_> {
    pub(super) fn assembly(&mut self, statement: &AsmStatement, span: Span) -> Lowered<()> {
        let at = self.at(span);
        self.assume_that(ASSUMPTION);
        let AsmStatement::GnuExtended(extended) = statement else {
            self.emit(StmtKind::HavocReachable(Vec::new().into()), at);
            return Ok(());
        };
        let mut handed = Vec::new();
        for operand in &extended.inputs {
            handed.extend(self.operand(operand)?);
        }
        let mut places = Vec::new();
        for operand in &extended.outputs {
            places.push(self.lvalue(&operand.node.variable_name)?);
        }
        if extended.clobbers.iter().any(|c| text(c) == "memory") {
            self.emit(StmtKind::HavocReachable(handed.into()), at);
        }
        for place in places {
            self.emit(StmtKind::Havoc(place), at);
        }
        Ok(())
    }

    /// Evaluates an input. Returns a pointer through which memory may be reached.
    fn operand(&mut self, operand: &Node<GnuAsmOperand>) -> Lowered<Option<Expr>> {
        let e = &operand.node.variable_name;
        if text(&operand.node.constraints) == "m" && self.is_lvalue(&e.node) {
            let place = self.lvalue(e)?;
            return self.address(place, e.span).map(Some);
        }
        let value = self.rvalue(e)?;
        Ok(matches!(value.ty, Type::Pointer(_)).then_some(value))
    }
}

/// The characters of a literal without escapes.
fn text(literal: &Node<StringLiteral>) -> String {
    literal.node.iter().map(|piece| piece.trim_matches('"')).collect()
}
