//! Writes formulas as ACSL, with no more parentheses than a reader needs.

use crate::program::{
    Base, BinaryOp, BoundId, Expr, ExprKind, ForAll, Formula, Lvalue, Memory, Program, Range, Root, Step, Term,
    TermLvalue, TermOp, TermStep,
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
            Formula::Memory(memory) => self.memory(memory),
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

    fn memory(&mut self, memory: &Memory) -> (String, u8) {
        let mut all = memory.ranges().map(|r| self.range(r)).collect::<Vec<_>>();
        match memory {
            Memory::Valid(_) => (format!("\\valid({})", all.join(", ")), ATOM),
            Memory::Separated(..) => (format!("\\separated({})", all.join(", ")), ATOM),
            Memory::Within(..) => (format!("\\subset({})", all.join(", ")), ATOM),
            Memory::Equal(a, b) => {
                all = [a, b].map(|r| self.address(r)).to_vec();
                (all.join(" == "), COMPARE)
            }
        }
    }

    fn range(&mut self, range: &Range) -> String {
        let pointer = pointer(self.program, &range.pointer);
        if (&range.first, &range.count) == (&Term::Int(0), &Term::Int(1)) {
            return pointer;
        }
        let (first, count) = (self.term(&range.first, 0), self.term(&range.count, 0));
        match range.first {
            Term::Int(0) => format!("{pointer} + (0 .. {count} - 1)"),
            _ => format!("{pointer} + ({first} .. {first} + {count} - 1)"),
        }
    }

    fn address(&mut self, range: &Range) -> String {
        let pointer = pointer(self.program, &range.pointer);
        match range.first {
            Term::Int(0) => pointer,
            _ => format!("{pointer} + {}", self.term(&range.first, 1)),
        }
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
                let name = self::pointer(self.program, pointer);
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

/// Writes a pointer. Pointers are in variables, in their members, and in members of what others
/// point to.
fn pointer(program: &Program, e: &Expr) -> String {
    match &e.kind {
        ExprKind::Load(l) => lvalue(program, l),
        ExprKind::AddressOf(l) => format!("&{}", lvalue(program, l)),
        ExprKind::Binary(BinaryOp::PointerAdd, p, by) => match by.as_int() {
            Some(n) => format!("({} + {n})", pointer(program, p)),
            None => "?".to_owned(),
        },
        _ => "?".to_owned(),
    }
}

/// Writes the lvalue of a pointer.
fn lvalue(program: &Program, l: &Lvalue) -> String {
    let (mut text, mut path) = match (&l.base, &l.path[..]) {
        (Base::Var(v), path) => (program.variable(*v).name.clone(), path),
        (Base::Deref(to), [Step::Field(id, n), rest @ ..]) => {
            let member = program.structure(*id).members.get(*n as usize);
            (format!("{}->{}", pointer(program, to), member.map_or("?", |m| &m.name)), rest)
        }
        (Base::Deref(to), path) => (format!("(*{})", pointer(program, to)), path),
    };
    while let [step, rest @ ..] = path {
        text += &match step {
            Step::Field(id, n) => {
                format!(".{}", program.structure(*id).members.get(*n as usize).map_or("?", |m| &m.name))
            }
            Step::Index(i) => i.as_int().map_or("[?]".to_owned(), |n| format!("[{n}]")),
        };
        path = rest;
    }
    text
}
