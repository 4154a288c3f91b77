//! Writes annotations as C expressions.
//!
//! Numbers have type `__int128`, which is wide enough ([`MAX_BITS`]). A term without a value (an
//! index out of range, a division by 0) is 0 here. This does not change which annotation fails: up
//! to the failure, every annotation has a truth value, and this value does not depend on parts
//! without a value.

use crate::program::print::Printer;
use crate::program::{
    BoundId, DataModel, ForAll, Formula, Length, MAX_BITS, Root, SnapshotId, Term, TermLvalue, TermOp, TermStep, Type,
    Visit,
};

const _: () = assert!(MAX_BITS <= 127);

/// The expression. `None` if the annotation reads through pointers, because C cannot test whether
/// they point to an object, or if the machine has no type that is wide enough.
pub(super) fn expression(printer: &Printer<'_>, formula: &Formula) -> Option<String> {
    let mut writer = Writer { printer, bound: Vec::new() };
    (printer.program().data_model == DataModel::Lp64).then(|| writer.formula(formula))?
}

/// Whether there is such an expression.
pub(super) fn can_be_said(model: DataModel, formula: &Formula) -> bool {
    let mut through_pointer = false;
    formula.each_place(&mut |place| {
        let unknown = |t: &Type| matches!(t, Type::Array(_, Length::Unknown));
        through_pointer |= match &place.root {
            Root::Variable(l) => unknown(&l.ty),
            Root::Pointer { .. } | Root::Elements { .. } => true,
        };
    });
    let mut earlier = Earlier(false);
    earlier.formula(formula);
    model == DataModel::Lp64 && !through_pointer && !earlier.0 && !formula.is_about_memory()
}

/// Whether a formula reads what memory held at an earlier moment.
struct Earlier(bool);

impl<'p> Visit<'p> for Earlier {
    fn snapshot(&mut self, _: &'p SnapshotId) {
        self.0 = true;
    }
}

struct Writer<'w, 'p> {
    printer: &'w Printer<'p>,
    bound: Vec<(BoundId, String)>,
}

impl Writer<'_, '_> {
    fn formula(&mut self, f: &Formula) -> Option<String> {
        let mut both = |a: &Formula, b: &Formula| Some((self.formula(a)?, self.formula(b)?));
        Some(match f {
            Formula::Constant(c) => u8::from(*c).to_string(),
            Formula::Compare(op, a, b) => format!("({} {} {})", self.term(a)?, op.c_name(), self.term(b)?),
            Formula::Not(a) => format!("!{}", self.formula(a)?),
            Formula::And(a, b) => both(a, b).map(|(a, b)| format!("({a} && {b})"))?,
            Formula::Or(a, b) => both(a, b).map(|(a, b)| format!("({a} || {b})"))?,
            Formula::Implies(a, b) => both(a, b).map(|(a, b)| format!("(!{a} || {b})"))?,
            Formula::Iff(a, b) => both(a, b).map(|(a, b)| format!("({a} == {b})"))?,
            Formula::ForAll(q) => self.for_all(q)?,
            Formula::Memory(_) => return None,
        })
    }

    fn for_all(&mut self, q: &ForAll) -> Option<String> {
        let (low, high) = (self.term(&q.low)?, self.term(&q.high)?);
        let (k, end, holds) = (self.fresh("k"), self.fresh("end"), self.fresh("holds"));
        self.bound.push((q.bound, k.clone()));
        let body = self.formula(&q.body);
        self.bound.pop();
        Some(format!(
            "({{ int {holds} = 1; __int128 {end} = {high}; for (__int128 {k} = {low}; {holds} && {k} < {end}; {k}++) \
             {holds} = {}; {holds}; }})",
            body?
        ))
    }

    fn term(&mut self, t: &Term) -> Option<String> {
        Some(match t {
            Term::Int(n) if i32::try_from(*n).is_ok_and(|n| n >= 0) => format!("(__int128){n}"),
            Term::Int(n) => match u64::try_from(n.unsigned_abs()) {
                Ok(size) => format!("({}(__int128){size}ull)", if *n < 0 { "-" } else { "" }),
                Err(_) => return None,
            },
            Term::Bound(id) => self.bound.iter().rev().find(|(bound, _)| bound == id)?.1.clone(),
            Term::Read(place) => self.place(place)?,
            Term::If(c, a, b) => format!("({} ? {} : {})", self.formula(c)?, self.term(a)?, self.term(b)?),
            // No copy of memory is kept.
            Term::At(..) | Term::Apply(_) => return None,
            Term::Negate(a) => format!("(-{})", self.term(a)?),
            Term::Binary(op @ (TermOp::Div | TermOp::Rem), a, b) => {
                let (a, b, divisor) = (self.term(a)?, self.term(b)?, self.fresh("divisor"));
                format!("({{ __int128 {divisor} = {b}; {divisor} ? {a} {} {divisor} : 0; }})", op.name())
            }
            Term::Binary(op, a, b) => format!("({} {} {})", self.term(a)?, op.name(), self.term(b)?),
        })
    }

    /// The number that an object holds.
    fn place(&mut self, place: &TermLvalue) -> Option<String> {
        let Root::Variable(root) = &place.root else { return None };
        let (mut text, mut ty) = (self.printer.lvalue(root), &root.ty);
        let (mut indexes, mut conditions) = (String::new(), Vec::new());
        for step in &place.steps {
            match (step, ty) {
                (TermStep::Field(id, n), _) => {
                    text = format!("{text}.{}", self.printer.member(*id, *n));
                    ty = &self.printer.program().structure(*id).members.get(*n as usize)?.ty;
                }
                (TermStep::Index(Term::Int(n)), Type::Array(element, Length::Constant(length)))
                    if (0..i128::from(*length)).contains(n) =>
                {
                    text = format!("{text}[{n}]");
                    ty = element;
                }
                (TermStep::Index(t), Type::Array(element, length)) => {
                    let length = match length {
                        Length::Constant(n) => format!("{n}ull"),
                        Length::Variable(v) => self.printer.variable(*v).to_owned(),
                        Length::Unknown => return None,
                    };
                    let (index, value) = (self.fresh("index"), self.term(t)?);
                    indexes += &format!("__int128 {index} = {value}; ");
                    conditions.push(format!("{index} >= 0 && {index} < {length}"));
                    text = format!("{text}[(long){index}]");
                    ty = element;
                }
                (TermStep::Index(_), _) => return None,
            }
        }
        let value = format!("(__int128){text}");
        if conditions.is_empty() {
            return Some(format!("({value})"));
        }
        Some(format!("({{ {indexes}{} ? {value} : 0; }})", conditions.join(" && ")))
    }

    fn fresh(&self, stem: &str) -> String {
        self.printer.fresh(stem)
    }
}
