//! Writes specifications as C for CBMC: quantifiers become loops over their range, numbers are wide
//! enough to be exact.
//!
//! A term without a value (an index out of range, a pointer to no object, a division by 0) gets an
//! arbitrary value. An assertion about it then fails in some run, and the replay finds that the run
//! cannot be judged.

use crate::program::print::{Placement, Printer};
use crate::program::{BoundId, ForAll, Formula, Length, MAX_BITS, Root, Term, TermLvalue, TermOp, TermStep, Type};
use std::collections::BTreeMap;

/// The statements that compute a formula into a variable, and its name; `None` if C cannot express
/// that.
pub(super) fn computed(printer: &Printer<'_>, formula: &Formula) -> Option<(Vec<String>, String)> {
    let mut writer = Writer { printer, lines: Vec::new(), bound: BTreeMap::new() };
    let result = writer.formula(formula)?;
    Some((writer.lines, result))
}

struct Writer<'w, 'p> {
    printer: &'w Printer<'p>,
    lines: Vec<String>,
    bound: BTreeMap<BoundId, String>,
}

/// A type that holds every number of a term and every number that it is compared with.
fn integer() -> String {
    format!("signed __CPROVER_bitvector[{}]", MAX_BITS + 2)
}

impl Writer<'_, '_> {
    fn fresh(&mut self, stem: &str) -> String {
        self.printer.fresh(stem)
    }

    fn declare(&mut self, value: &str) -> String {
        let name = self.fresh("holds");
        self.lines.push(format!("_Bool {name} = {value};"));
        name
    }

    /// The name of a variable that holds the truth value of the formula.
    fn formula(&mut self, f: &Formula) -> Option<String> {
        Some(match f {
            Formula::Constant(c) => self.declare(if *c { "1" } else { "0" }),
            Formula::Compare(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                self.declare(&format!("{a} {} {b}", op.c_name()))
            }
            Formula::Not(a) => {
                let a = self.formula(a)?;
                self.declare(&format!("!{a}"))
            }
            // The second part may be a long loop, which is skipped if the first part decides.
            Formula::And(a, b) => self.second(a, "", b, "0")?,
            Formula::Or(a, b) => self.second(a, "!", b, "1")?,
            Formula::Implies(a, b) => self.second(a, "", b, "1")?,
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.declare(&format!("{a} == {b}"))
            }
            Formula::ForAll(q) => self.for_all(q)?,
            // Whether an object has room for several elements is no condition of C.
            Formula::Memory(_) => return None,
        })
    }

    /// The value of `b` if `a` is true (or false, with `!`), otherwise `otherwise`.
    fn second(&mut self, a: &Formula, when: &str, b: &Formula, otherwise: &str) -> Option<String> {
        let a = self.formula(a)?;
        let result = self.declare(otherwise);
        self.lines.push(format!("if ({when}{a}) {{"));
        let b = self.formula(b)?;
        self.lines.push(format!("{result} = {b};"));
        self.lines.push("}".to_owned());
        Some(result)
    }

    fn for_all(&mut self, q: &ForAll) -> Option<String> {
        let (low, high) = (self.term(&q.low)?, self.term(&q.high)?);
        let end = self.fresh("end");
        self.lines.push(format!("{} {end} = {high};", integer()));
        let result = self.declare("1");
        let k = self.fresh("k");
        self.lines.push(format!("for ({} {k} = {low}; {k} < {end}; {k} = {k} + 1) {{", integer()));
        self.bound.insert(q.bound, k);
        let body = self.formula(&q.body)?;
        self.lines.push(format!("if (!{body}) {result} = 0;"));
        self.lines.push("}".to_owned());
        Some(result)
    }

    /// An expression of the wide type.
    fn term(&mut self, t: &Term) -> Option<String> {
        Some(match t {
            Term::Int(n) => match i64::try_from(*n) {
                Ok(n) if n > i64::MIN && n < 0 => format!("(-({}){}LL)", integer(), n.unsigned_abs()),
                Ok(n) if n >= 0 => format!("(({}){n}LL)", integer()),
                _ => {
                    let n = u64::try_from(*n).ok()?;
                    format!("(({}){n}ULL)", integer())
                }
            },
            Term::Bound(id) => self.bound.get(id)?.clone(),
            Term::Read(place) => {
                let (conditions, text) = self.place(place)?;
                let value = format!("({})({text})", integer());
                self.if_defined(&conditions, &value)
            }
            Term::If(c, a, b) => {
                let (c, a, b) = (self.formula(c)?, self.term(a)?, self.term(b)?);
                format!("({c} ? {a} : {b})")
            }
            // No copy of memory is kept.
            Term::At(..) | Term::Apply(_) => return None,
            Term::Negate(a) => format!("(-{})", self.term(a)?),
            Term::Binary(op @ (TermOp::Div | TermOp::Rem), a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let divisor = self.fresh("divisor");
                self.lines.push(format!("{} {divisor} = {b};", integer()));
                let value = format!("{a} {} {divisor}", op.name());
                self.if_defined(&[format!("{divisor} != 0")], &value)
            }
            Term::Binary(op, a, b) => format!("({} {} {})", self.term(a)?, op.name(), self.term(b)?),
        })
    }

    /// A variable with this value, or with any value if one of the conditions is false.
    fn if_defined(&mut self, conditions: &[String], value: &str) -> String {
        let name = self.fresh("value");
        self.lines.push(format!("{} {name};", integer()));
        match conditions {
            [] => self.lines.push(format!("{name} = {value};")),
            _ => self.lines.push(format!("if ({}) {name} = {value};", conditions.join(" && "))),
        }
        name
    }

    /// Conditions under which the object exists, and the object.
    fn place(&mut self, place: &TermLvalue) -> Option<(Vec<String>, String)> {
        let program = self.printer.program();
        let mut conditions = Vec::new();
        let (mut text, mut ty) = match &place.root {
            Root::Variable(l) => {
                let v = l.as_var()?;
                if self.printer.placement(v) == Placement::Erased {
                    return None;
                }
                (self.printer.lvalue(l), &l.ty)
            }
            Root::Elements { .. } => return None,
            Root::Pointer { pointer, offset } => {
                let to = pointer.ty.pointee()?;
                if matches!(to, Type::Array(..)) {
                    return None;
                }
                let name = self.fresh("pointer");
                self.lines.push(format!(
                    "{} = {};",
                    self.printer.declarator(&pointer.ty, &name),
                    self.printer.expr(pointer)
                ));
                let offset = match offset {
                    Some(t) => self.index(t)?,
                    None => "0".to_owned(),
                };
                conditions.push(format!("__CPROVER_r_ok({name} + {offset}, sizeof({}))", self.printer.type_name(to)));
                (format!("{name}[{offset}]"), to)
            }
        };
        for step in &place.steps {
            match (step, ty) {
                (TermStep::Field(id, n), _) => {
                    let member = program.structure(*id).members.get(*n as usize)?;
                    text = format!("{text}.{}", member.name);
                    ty = &member.ty;
                }
                (TermStep::Index(t), Type::Array(element, length)) => {
                    let length = match length {
                        Length::Constant(n) => n.to_string(),
                        Length::Variable(v) => self.printer.variable(*v).to_owned(),
                        Length::Unknown => return None,
                    };
                    let wide = self.fresh("index");
                    let value = self.term(t)?;
                    self.lines.push(format!("{} {wide} = {value};", integer()));
                    conditions.push(format!("{wide} >= 0 && {wide} < ({}){length}", integer()));
                    text = format!("{text}[(long long){wide}]");
                    ty = element;
                }
                (TermStep::Index(_), _) => return None,
            }
        }
        Some((conditions, text))
    }

    /// An offset that is small enough to be added to a pointer. With a larger one, the pointer
    /// leads nowhere.
    fn index(&mut self, t: &Term) -> Option<String> {
        let value = self.term(t)?;
        let (wide, index) = (self.fresh("index"), self.fresh("offset"));
        self.lines.push(format!("{} {wide} = {value};", integer()));
        let limit = 1u64 << 40;
        let small = format!("{wide} > -({i}){limit}LL && {wide} < ({i}){limit}LL", i = integer());
        self.lines.push(format!("long long {index} = {small} ? (long long){wide} : {limit}LL;"));
        Some(index)
    }
}
