//! `switch` becomes comparisons that jump into its body.

use super::context::{Exit, Lowered, Lowerer};
use crate::program::{BinaryOp, Expr, ExprKind, IntKind, LabelId, StmtKind, Type};
use lang_c::ast::{Label, SwitchStatement};
use lang_c::span::Node;

/// A switch that is open.
pub(super) struct Switch {
    /// The promoted type of its value.
    kind: IntKind,
    cases: Vec<(i128, i128, LabelId)>,
    default: Option<LabelId>,
}

impl Lowerer<'_> {
    pub(super) fn switch_statement(&mut self, s: &Node<SwitchStatement>) -> Lowered<()> {
        let at = self.at(s.span);
        let span = s.node.expression.span;
        let value = self.full(at, |l| l.rvalue(&s.node.expression))?;
        let value = self.promote(value, span)?;
        let Some(kind) = value.ty.as_int() else {
            return self.wrong(span, "`switch` needs an integer");
        };
        // A variable can be repeated in every comparison; anything else is evaluated (and checked)
        // once.
        let inner = if let ExprKind::Cast(inner) = &value.kind { inner } else { &value };
        let variable = matches!(&inner.kind, ExprKind::Load(lvalue) if lvalue.as_var().is_some());
        let value = if variable || value.as_int().is_some() { value } else { self.settle(value) };
        let end = self.new_label();
        if let Some(f) = &mut self.function {
            f.switches.push(Switch { kind, cases: Vec::new(), default: None });
            f.exits.push(Exit::Switch(end));
        }
        // Jumps go past the beginning of the body: objects that live as long as the body are
        // declared before them.
        let body = self.scoped(|l| Ok(l.collecting(|l| l.inside_of_block(&s.node.statement))?.1));
        let switch = self.function.as_mut().and_then(|f| {
            f.exits.pop();
            f.switches.pop()
        });
        let body = body?;
        let Some(switch) = switch else { return Ok(()) };
        let mut ranges: Vec<(i128, i128)> = switch.cases.iter().map(|(low, high, _)| (*low, *high)).collect();
        ranges.sort_unstable();
        if ranges.windows(2).any(|w| w[0].1 >= w[1].0) {
            return self.wrong(s.span, "two cases of this `switch` have the same value");
        }
        for (low, high, label) in switch.cases {
            let compare = |l: &Self, op, n| l.arithmetic(op, value.clone(), Expr::int(n, kind, at), Type::INT);
            let condition = if low == high {
                compare(self, BinaryOp::Equal, low)
            } else {
                let low = compare(self, BinaryOp::GreaterEqual, low);
                let high = compare(self, BinaryOp::LessEqual, high);
                Expr::new(ExprKind::And(Box::new(low), Box::new(high)), Type::INT, at)
            };
            let goto = vec![self.stmt(StmtKind::Goto(label), at)];
            self.emit(StmtKind::If(condition, goto, Vec::new()), at);
        }
        self.emit(StmtKind::Goto(switch.default.unwrap_or(end)), at);
        self.emit(StmtKind::Block(body), at);
        self.hidden_label(end, at);
        Ok(())
    }

    pub(super) fn case_label(&mut self, label: &Node<Label>) -> Lowered<()> {
        let at = self.at(label.span);
        let Some(kind) = self.function.as_ref().and_then(|f| f.switches.last()).map(|s| s.kind) else {
            return self.wrong(label.span, "a case outside of a `switch`");
        };
        let range = match &label.node {
            Label::Case(e) => {
                let value = kind.wrap(self.integer_constant(e)?, self.model());
                Some((value, value))
            }
            Label::CaseRange(r) => {
                let low = kind.wrap(self.integer_constant(&r.node.low)?, self.model());
                Some((low, kind.wrap(self.integer_constant(&r.node.high)?, self.model())))
            }
            Label::Default | Label::Identifier(_) => None,
        };
        let id = self.new_label();
        self.hidden_label(id, at);
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else { return Ok(()) };
        match range {
            // An empty range is never chosen.
            Some((low, high)) if low > high => {}
            Some((low, high)) => switch.cases.push((low, high, id)),
            None if switch.default.is_some() => return self.wrong(label.span, "a second `default`"),
            None => switch.default = Some(id),
        }
        Ok(())
    }
}
