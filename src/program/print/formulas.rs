//! Writes formulas as ACSL, with no more parentheses than a reader needs.

use crate::program::{
    Base, BoundId, ExprKind, ForAll, Formula, Lvalue, Program, Root, Step, Term, TermLvalue, TermOp, TermStep,
};

/// Precedence levels, from the loosest to the tightest: `<==>`, `==>`, `||`, `&&`, comparisons,
/// atoms. A quantifier reaches as far as it can.
const IFF: u8 = 1;
const IMPLIES: u8 = 2;
const OR: u8 = 3;
const AND: u8 = 4;
const COMPARE: u8 = 5;
const ATOM: u8 = 6;

pub(super) fn formula(program: &Program, formula: &Formula) -> String {
    let mut writer = Writer { program, names: Vec::new() };
    writer.at(formula, 0)
}

struct Writer<'p> {
    program: &'p Program,
    /// The quantified variables in scope.
    names: Vec<(BoundId, String)>,
}

impl Writer<'_> {
    fn at(&mut self, f: &Formula, level: u8) -> String {
        let (text, own) = match f {
            Formula::Constant(true) => ("\\true".to_owned(), ATOM),
            Formula::Constant(false) => ("\\false".to_owned(), ATOM),
            Formula::Compare(op, a, b) => (format!("{} {} {}", self.term(a, 0), op.c_name(), self.term(b, 0)), COMPARE),
            Formula::Not(a) => (format!("!{}", self.at(a, ATOM)), ATOM),
            Formula::And(a, b) => (format!("{} && {}", self.at(a, AND), self.at(b, AND)), AND),
            Formula::Or(a, b) => (format!("{} || {}", self.at(a, OR), self.at(b, OR)), OR),
            // Associates to the right.
            Formula::Implies(a, b) => (format!("{} ==> {}", self.at(a, OR), self.at(b, IMPLIES)), IMPLIES),
            Formula::Iff(a, b) => (format!("{} <==> {}", self.at(a, IMPLIES), self.at(b, IMPLIES)), IFF),
            Formula::ForAll(q) => (self.quantifier(q), 0),
        };
        if own < level || own == 0 && level > 0 { format!("({text})") } else { text }
    }

    fn quantifier(&mut self, q: &ForAll) -> String {
        let mut name = q.name.clone();
        while self.names.iter().any(|(_, n)| *n == name) {
            name.push('\'');
        }
        let (low, high) = (self.term(&q.low, 0), self.term(&q.high, 0));
        self.names.push((q.bound, name.clone()));
        let body = self.at(&q.body, IMPLIES);
        self.names.pop();
        format!("\\forall integer {name}; {low} <= {name} < {high} ==> {body}")
    }

    /// Writes a term. `level` is 0 for sums, 1 for products, 2 for operands of `-`.
    fn term(&mut self, t: &Term, level: u8) -> String {
        let (text, own) = match t {
            Term::Int(n) if *n < 0 => (n.to_string(), 0),
            Term::Int(n) => (n.to_string(), 3),
            Term::Bound(b) => {
                let name = self.names.iter().find(|(id, _)| id == b).map(|(_, n)| n.clone());
                (name.unwrap_or_else(|| format!("k{}", b.0)), 3)
            }
            Term::Read(place) => (self.place(place), 3),
            Term::At(id, place) => (format!("\\at({}, s{})", self.place(place), id.0), 3),
            Term::Apply(applied) => {
                let name = self.program.logic.get(applied.function.0 as usize).map_or("?", |f| &f.name);
                let mut arguments = Vec::new();
                for e in &applied.elements {
                    arguments.push(format!("&{}", self.place(&e.first)));
                }
                for t in &applied.numbers {
                    arguments.push(self.term(t, 0));
                }
                (format!("{name}({})", arguments.join(", ")), 3)
            }
            Term::If(c, a, b) => (format!("{} ? {} : {}", self.at(c, IFF), self.term(a, 0), self.term(b, 0)), 0),
            Term::Negate(a) => (format!("-{}", self.term(a, 2)), 2),
            Term::Binary(op, a, b) => {
                let own = if matches!(op, TermOp::Add | TermOp::Sub) { 0 } else { 1 };
                (format!("{} {} {}", self.term(a, own), op.name(), self.term(b, own + 1)), own)
            }
        };
        if own < level { format!("({text})") } else { text }
    }

    fn place(&mut self, place: &TermLvalue) -> String {
        let mut text = match &place.root {
            Root::Variable(l) => lvalue(self.program, l),
            Root::Elements { sequence, offset } => {
                let offset = offset.as_ref().map_or("0".to_owned(), |t| self.term(t, 0));
                format!("s{sequence}[{offset}]")
            }
            Root::Pointer { pointer, offset } => {
                let ExprKind::Load(l) = &pointer.kind else { return "?".to_owned() };
                let name = lvalue(self.program, l);
                match (offset, place.steps.first()) {
                    (Some(offset), _) => format!("{name}[{}]", self.term(offset, 0)),
                    (None, Some(TermStep::Field(id, n))) => {
                        let rest = self.steps(&place.steps[1..]);
                        let member = self.program.structure(*id).members.get(*n as usize);
                        return format!("{name}->{}{rest}", member.map_or("?", |m| &m.name));
                    }
                    (None, _) => format!("(*{name})"),
                }
            }
        };
        text += &self.steps(&place.steps);
        text
    }

    fn steps(&mut self, steps: &[TermStep]) -> String {
        let mut text = String::new();
        for step in steps {
            match step {
                TermStep::Field(id, n) => {
                    let member = self.program.structure(*id).members.get(*n as usize);
                    text += &format!(".{}", member.map_or("?", |m| &m.name));
                }
                TermStep::Index(t) => text += &format!("[{}]", self.term(t, 0)),
            }
        }
        text
    }
}

/// Writes the lvalue of a pointer. Such pointers are only in variables and their members.
fn lvalue(program: &Program, l: &Lvalue) -> String {
    let Base::Var(v) = l.base else { return "?".to_owned() };
    let mut text = program.variable(v).name.clone();
    for step in &l.path {
        if let Step::Field(id, n) = step {
            text += &format!(".{}", program.structure(*id).members.get(*n as usize).map_or("?", |m| &m.name));
        }
    }
    text
}
