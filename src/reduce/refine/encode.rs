//! Whether a path is one of the program: section 5 of the paper, over bit-vectors and arrays (QF_AUFBV of SMT-LIB 2.6).
//!
//! The path is put into single assignment form: each assignment makes a new constant. Every formula that a step contributes has a name:
//! `s` of assignments and conditions, `d` of what must hold for the step to be defined, `r` of a cell that is read (its value is a
//! constant of its own), `w` of a cell that is written. A set of them that contradicts itself thus says which cells are looked at.

use super::path::{Passed, Path};
use super::{Place, Subject, indices, place};
use crate::program::{
    BinaryOp, CheckCondition, DataModel, Expr, ExprKind, InputId, IntKind, Length, LengthOperand, Lvalue, Stmt,
    StmtKind, Type, UnaryOp, VarId, checks_of,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

/// A formula that a step contributes.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// The formula.
    pub term: String,
    /// The scalars of the program that it is about.
    pub scalars: BTreeSet<Place>,
    /// The cell that it reads, if that is what it says.
    pub read: Option<Read>,
    /// Whether it speaks of no array.
    pub is_scalar: bool,
}

impl Fact {
    /// Whether it is what must hold for a step to be defined.
    pub fn is_definedness(&self) -> bool {
        self.name.starts_with('d')
    }
}

/// A cell that is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The array.
    pub array: Place,
    /// The number of the cell, a term of 64 bits.
    pub index: String,
}

/// What a path says, and what a run that follows it takes from outside.
#[derive(Clone, Default, Debug)]
pub struct Formula {
    /// Declarations of the constants.
    pub declarations: Vec<String>,
    /// What holds along the path.
    pub facts: Vec<Fact>,
    /// The inputs in their order: the constants that they are.
    pub inputs: Vec<(InputId, String)>,
    /// Local variables whose storage begins, in that order: of a scalar, what it then holds.
    pub initial: Vec<(VarId, Option<String>)>,
    /// Cells of arrays with one dimension that are read: the array, the cell's number, and what it held when the array's storage began last.
    pub cells: Vec<(VarId, String, String)>,
}

impl Formula {
    /// The formula of a path of the program.
    ///
    /// # Errors
    /// What the path does that has no formula.
    pub fn new(subject: &Subject, path: &Path<'_>) -> Result<Formula, String> {
        let mut encoder = Encoder {
            subject,
            model: subject.program.data_model,
            out: Formula::default(),
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            first: HashMap::new(),
            reads: HashMap::new(),
            about: BTreeSet::new(),
            counts: BTreeMap::new(),
        };
        let last = path.steps.len().wrapping_sub(1);
        for (n, step) in path.steps.iter().enumerate() {
            encoder.step(step, n == last)?;
        }
        Ok(encoder.out)
    }
}

struct Encoder<'s> {
    subject: &'s Subject,
    model: DataModel,
    out: Formula,
    /// The constants that hold the values now.
    scalars: HashMap<Place, String>,
    arrays: HashMap<Place, String>,
    /// What arrays of one dimension were when their storage began.
    first: HashMap<Place, String>,
    /// What is read in the step at hand, by the address of the lvalue.
    reads: HashMap<*const Lvalue, String>,
    /// The scalars that the term at hand is about.
    about: BTreeSet<Place>,
    counts: BTreeMap<char, usize>,
}

impl Encoder<'_> {
    fn fresh(&mut self, letter: char) -> String {
        let count = self.counts.entry(letter).or_default();
        *count += 1;
        format!("{letter}{count}")
    }

    fn constant(&mut self, sort: &str) -> String {
        let name = self.fresh('x');
        self.out.declarations.push(format!("(declare-const {name} {sort})"));
        name
    }

    /// A fact about the scalars that the terms since the last fact have read.
    fn fact(&mut self, letter: char, term: String, is_scalar: bool, read: Option<Read>) {
        let name = self.fresh(letter);
        let scalars = std::mem::take(&mut self.about);
        self.out.facts.push(Fact { name, term, scalars, read, is_scalar });
    }

    fn width(&self, kind: IntKind) -> u32 {
        kind.width(self.model)
    }

    fn step(&mut self, step: &Passed<'_>, is_last: bool) -> Result<(), String> {
        self.reads.clear();
        let s = step.stmt;
        self.defined(s)?;
        match &s.kind {
            StmtKind::Declare(v) => {
                let inside = |p: &&Place| p.variable == *v;
                let scalars: Vec<Place> = self.subject.scalars.iter().filter(inside).cloned().collect();
                for place in scalars {
                    let value = self.unknown(&place);
                    if place.path.is_empty() {
                        self.out.initial.push((*v, Some(value)));
                    }
                }
                if !self.subject.program.variable(*v).ty.is_scalar() {
                    self.out.initial.push((*v, None));
                }
                let arrays: Vec<Place> = self.subject.arrays.keys().filter(inside).cloned().collect();
                arrays.iter().for_each(|a| _ = self.unknown_array(a));
            }
            StmtKind::Assign(l, e) => {
                if let Type::Int(_) = l.ty {
                    let value = self.term(e)?;
                    self.assign(l, value)?;
                }
            }
            StmtKind::Input(l, id) => {
                if let Type::Int(kind) = l.ty {
                    let value = self.constant(&sort(self.width(kind)));
                    self.out.inputs.push((*id, value.clone()));
                    self.assign(l, value)?;
                }
            }
            StmtKind::Havoc(l) | StmtKind::Zero(l) => self.whole(l, matches!(s.kind, StmtKind::Zero(_)))?,
            StmtKind::If(c, ..) => self.tested(c, step.taken.unwrap_or(true))?,
            StmtKind::Loop(l) => self.tested(&l.condition, step.taken.unwrap_or(true))?,
            StmtKind::Assume(e) => self.tested(e, true)?,
            // Only the last step fails.
            StmtKind::Assert(e, _) => self.tested(e, !is_last)?,
            _ => {}
        }
        Ok(())
    }

    fn tested(&mut self, condition: &Expr, holds: bool) -> Result<(), String> {
        let truth = self.truth(condition)?;
        let term = if holds { truth } else { format!("(not {truth})") };
        self.fact('s', term, true, None);
        Ok(())
    }

    /// A new arbitrary value for a scalar.
    fn unknown(&mut self, place: &Place) -> String {
        let width = self.width(self.kind_of(place));
        let value = self.constant(&sort(width));
        self.scalars.insert(place.clone(), value.clone());
        value
    }

    fn unknown_array(&mut self, array: &Place) -> String {
        let width = self.width(self.kind_of(array));
        let value = self.constant(&array_sort(width));
        self.arrays.insert(array.clone(), value.clone());
        if array.path == [None] {
            self.first.insert(array.clone(), value.clone());
        }
        value
    }

    /// The type of a scalar, or of the cells of an array.
    fn kind_of(&self, place: &Place) -> IntKind {
        let mut ty = &self.subject.program.variable(place.variable).ty;
        for step in &place.path {
            ty = match (step, ty) {
                (None, Type::Array(element, _)) => element,
                (Some(n), Type::Struct(id)) => match self.subject.program.structure(*id).members.get(*n as usize) {
                    Some(member) => &member.ty,
                    None => return IntKind::Int,
                },
                _ => return IntKind::Int,
            };
        }
        ty.as_int().unwrap_or(IntKind::Int)
    }

    fn scalar(&mut self, place: &Place) -> String {
        self.about.insert(place.clone());
        match self.scalars.get(place) {
            Some(value) => value.clone(),
            None => self.unknown(place),
        }
    }

    fn array(&mut self, array: &Place) -> String {
        match self.arrays.get(array) {
            Some(value) => value.clone(),
            None => self.unknown_array(array),
        }
    }

    fn assign(&mut self, l: &Lvalue, value: String) -> Result<(), String> {
        let place = place(l).ok_or("a pointer is left")?;
        let width = self.width(self.kind_of(&place));
        if indices(l).is_empty() {
            self.about.insert(place.clone());
            let new = self.constant(&sort(width));
            self.fact('s', format!("(= {new} {value})"), true, None);
            self.scalars.insert(place, new);
        } else {
            let index = self.index(l, &place)?;
            let old = self.array(&place);
            let new = self.constant(&array_sort(width));
            self.fact('w', format!("(= {new} (store {old} {index} {value}))"), false, None);
            self.arrays.insert(place, new);
        }
        Ok(())
    }

    /// Everything inside an object becomes 0, or arbitrary.
    fn whole(&mut self, l: &Lvalue, zero: bool) -> Result<(), String> {
        if !indices(l).is_empty() {
            if let Type::Int(kind) = l.ty {
                let value = if zero { number(0, self.width(kind)) } else { self.constant(&sort(self.width(kind))) };
                return self.assign(l, value);
            }
            return Err("an element that is an object becomes a whole".to_owned());
        }
        for place in self.subject.below(l).ok_or("a pointer is left")? {
            let width = self.width(self.kind_of(&place));
            if place.path.contains(&None) {
                let new = self.unknown_array(&place);
                if zero {
                    let sort = array_sort(width);
                    self.fact('w', format!("(= {new} ((as const {sort}) {}))", number(0, width)), false, None);
                }
            } else {
                let new = self.unknown(&place);
                if zero {
                    self.about.insert(place);
                    self.fact('s', format!("(= {new} {})", number(0, width)), true, None);
                }
            }
        }
        Ok(())
    }

    /// The number of a cell, row by row, in 64 bits.
    fn index(&mut self, l: &Lvalue, place: &Place) -> Result<String, String> {
        let lengths = self.subject.arrays.get(place).cloned().unwrap_or_default();
        let mut number: Option<String> = None;
        for (n, e) in indices(l).into_iter().enumerate() {
            let digit = self.wide(e)?;
            number = Some(match number {
                None => digit,
                Some(rows) => {
                    let length = self.length(lengths.get(n).copied().unwrap_or(Length::Unknown));
                    format!("(bvadd (bvmul {rows} {}) {digit})", length.ok_or("the length of a row is unknown")?)
                }
            });
        }
        number.ok_or_else(|| "an access has no index".to_owned())
    }

    /// An integer in 64 bits.
    fn wide(&mut self, e: &Expr) -> Result<String, String> {
        let kind = e.ty.as_int().ok_or("an index is no integer")?;
        let term = self.term(e)?;
        Ok(extended(&term, self.width(kind), 64, kind.is_signed()))
    }

    fn length(&mut self, length: Length) -> Option<String> {
        match length {
            Length::Constant(n) => Some(number(i128::from(n), 64)),
            Length::Variable(v) => {
                let place = Place { variable: v, path: Vec::new() };
                let kind = self.kind_of(&place);
                let value = self.scalar(&place);
                Some(extended(&value, self.width(kind), 64, kind.is_signed()))
            }
            Length::Unknown => None,
        }
    }

    /// What must hold for a step to be defined.
    fn defined(&mut self, s: &Stmt) -> Result<(), String> {
        for check in checks_of(&self.subject.program, s) {
            let condition = match check.condition {
                CheckCondition::Index { index, length } => {
                    let index = self.wide(index)?;
                    let low = format!("(bvsge {index} {})", number(0, 64));
                    match self.length(length) {
                        Some(length) => format!("(and {low} (bvslt {index} {length}))"),
                        None => low,
                    }
                }
                CheckCondition::NoOverflow { operation } => match self.in_range(operation)? {
                    Some(condition) => condition,
                    None => continue,
                },
                CheckCondition::NonZero { divisor } => {
                    let Some(kind) = divisor.ty.as_int() else { continue };
                    format!("(not (= {} {}))", self.term(divisor)?, number(0, self.width(kind)))
                }
                CheckCondition::Shift { operation } => self.shift_is_defined(operation)?,
                CheckCondition::ArrayLength { length: LengthOperand::Variable(v), least } => {
                    let Some(length) = self.length(Length::Variable(v)) else { continue };
                    format!("(bvsge {length} {})", number(least, 64))
                }
                CheckCondition::ArrayLength { .. }
                | CheckCondition::Dereference { .. }
                | CheckCondition::PointerArithmetic { .. } => return Err("a pointer is left".to_owned()),
            };
            let mut all = condition;
            for guard in check.guards.iter().rev() {
                let truth = self.truth(guard.condition)?;
                let truth = if guard.holds { truth } else { format!("(not {truth})") };
                all = format!("(=> {truth} {all})");
            }
            // The statement that has it is one that writes this.
            if let StmtKind::Assign(l, _) = &s.kind
                && let Some(target) = place(l).filter(|p| !p.path.contains(&None))
            {
                self.about.insert(target);
            }
            self.fact('d', all, true, None);
        }
        Ok(())
    }

    /// Whether a signed operation stays in range. `None` where it always does.
    fn in_range(&mut self, e: &Expr) -> Result<Option<String>, String> {
        let Some(kind) = e.ty.as_int() else { return Ok(None) };
        let width = self.width(kind);
        let least = number(kind.min(self.model), width);
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Some(format!("(not (= {} {least}))", self.term(a)?)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let more = if *op == BinaryOp::Mul { width * 2 } else { width + 1 };
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (a, b) = (extended(&a, width, more, true), extended(&b, width, more, true));
                let result = format!("({} {a} {b})", operator(*op, true));
                let kept = format!("((_ extract {} 0) {result})", width - 1);
                Some(format!("(= {result} {})", extended(&kept, width, more, true)))
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Some(format!("(not (and (= {a} {least}) (= {b} {})))", number(-1, width)))
            }
            _ => None,
        })
    }

    fn shift_is_defined(&mut self, e: &Expr) -> Result<String, String> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return Err("a shift has no operands".to_owned()) };
        let (Some(kind), Some(by)) = (a.ty.as_int(), b.ty.as_int()) else {
            return Err("a shift is no integer".to_owned());
        };
        let (width, wide) = (self.width(kind), self.wide(b)?);
        // A large unsigned amount is negative in 64 bits, or more than the width.
        let mut all =
            format!("(and (bvsge {wide} {}) (bvslt {wide} {}))", number(0, 64), number(i128::from(width), 64));
        let _ = by;
        if *op == BinaryOp::ShiftLeft && kind.is_signed() {
            let left = self.term(a)?;
            let amount = resized(&wide, 64, width);
            let result = format!("(bvshl {left} {amount})");
            let zero = number(0, width);
            // Nothing is lost, and the sign stays.
            let _ = write!(all, " (bvsge {left} {zero}) (= (bvashr {result} {amount}) {left}) (bvsge {result} {zero})");
            all = format!("(and {all})");
        }
        Ok(all)
    }

    /// Whether an expression is not 0.
    fn truth(&mut self, e: &Expr) -> Result<String, String> {
        Ok(match &e.kind {
            ExprKind::Unary(UnaryOp::Not, a) => format!("(not {})", self.truth(a)?),
            ExprKind::And(a, b) => format!("(and {} {})", self.truth(a)?, self.truth(b)?),
            ExprKind::Or(a, b) => format!("(or {} {})", self.truth(a)?, self.truth(b)?),
            ExprKind::Binary(op, a, b) if op.is_comparison() => match a.ty.as_int() {
                Some(kind) => {
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    match op {
                        BinaryOp::Equal => format!("(= {a} {b})"),
                        BinaryOp::NotEqual => format!("(not (= {a} {b}))"),
                        _ => format!("({} {a} {b})", operator(*op, kind.is_signed())),
                    }
                }
                // Floats and pointers are not looked at: either is possible.
                None => self.constant("Bool"),
            },
            _ => match e.ty.as_int() {
                Some(kind) => format!("(not (= {} {}))", self.term(e)?, number(0, self.width(kind))),
                None => self.constant("Bool"),
            },
        })
    }

    /// The value of an expression of an integer type.
    fn term(&mut self, e: &Expr) -> Result<String, String> {
        let kind = e.ty.as_int().ok_or("a value is no integer")?;
        let width = self.width(kind);
        let as_value = |truth: String| format!("(ite {truth} {} {})", number(1, width), number(0, width));
        Ok(match &e.kind {
            ExprKind::Int(n) => number(*n, width),
            ExprKind::Load(l) => self.load(l)?,
            ExprKind::Unary(UnaryOp::Negate, a) => format!("(bvneg {})", self.term(a)?),
            ExprKind::Unary(UnaryOp::BitNot, a) => format!("(bvnot {})", self.term(a)?),
            ExprKind::Unary(UnaryOp::Not, _) | ExprKind::And(..) | ExprKind::Or(..) => as_value(self.truth(e)?),
            ExprKind::Binary(op, ..) if op.is_comparison() => as_value(self.truth(e)?),
            ExprKind::Binary(op @ (BinaryOp::ShiftLeft | BinaryOp::ShiftRight), a, b) => {
                let (left, amount) = (self.term(a)?, self.wide(b)?);
                format!("({} {left} {})", operator(*op, kind.is_signed()), resized(&amount, 64, width))
            }
            ExprKind::Binary(BinaryOp::PointerDiff | BinaryOp::PointerAdd, ..) => {
                return Err("pointers are subtracted".to_owned());
            }
            ExprKind::Binary(op, a, b) => {
                format!("({} {} {})", operator(*op, kind.is_signed()), self.term(a)?, self.term(b)?)
            }
            ExprKind::Cast(a) => match a.ty.as_int() {
                Some(_) if kind == IntKind::Bool => as_value(self.truth(a)?),
                Some(from) => {
                    let value = self.term(a)?;
                    let old = self.width(from);
                    if width > old {
                        extended(&value, old, width, from.is_signed())
                    } else {
                        resized(&value, old, width)
                    }
                }
                // A float, or an address: any value.
                None => self.constant(&sort(width)),
            },
            ExprKind::Conditional(c, a, b) => {
                format!("(ite {} {} {})", self.truth(c)?, self.term(a)?, self.term(b)?)
            }
            ExprKind::Float(_) | ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => self.constant(&sort(width)),
        })
    }

    fn load(&mut self, l: &Lvalue) -> Result<String, String> {
        let place = place(l).ok_or("a pointer is left")?;
        if indices(l).is_empty() {
            return Ok(self.scalar(&place));
        }
        if let Some(value) = self.reads.get(&std::ptr::from_ref(l)) {
            return Ok(value.clone());
        }
        let outer = std::mem::take(&mut self.about);
        let index = self.index(l, &place)?;
        let array = self.array(&place);
        let value = self.constant(&sort(self.width(self.kind_of(&place))));
        if let Some(first) = self.first.get(&place) {
            let cell = format!("(select {first} {index})");
            self.out.cells.push((place.variable, index.clone(), cell));
        }
        // The abstraction evaluates the index wherever it evaluates the read: what it is about counts for both.
        let inside = self.about.clone();
        let read = Read { array: place, index: index.clone() };
        self.fact('r', format!("(= {value} (select {array} {index}))"), false, Some(read));
        self.about = outer;
        self.about.extend(inside);
        self.reads.insert(std::ptr::from_ref(l), value.clone());
        Ok(value)
    }
}

fn sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

fn array_sort(width: u32) -> String {
    format!("(Array (_ BitVec 64) {})", sort(width))
}

/// A number, modulo 2 to the width.
pub(super) fn number(n: i128, width: u32) -> String {
    let modulus = 1i128 << width.min(100);
    format!("(_ bv{} {width})", n.rem_euclid(modulus))
}

fn extended(term: &str, from: u32, to: u32, signed: bool) -> String {
    match to.checked_sub(from) {
        None | Some(0) => term.to_owned(),
        Some(more) => format!("((_ {} {more}) {term})", if signed { "sign_extend" } else { "zero_extend" }),
    }
}

/// The low bits, or more bits that are 0.
fn resized(term: &str, from: u32, to: u32) -> String {
    if to < from { format!("((_ extract {} 0) {term})", to - 1) } else { extended(term, from, to, false) }
}

fn operator(op: BinaryOp, signed: bool) -> &'static str {
    match (op, signed) {
        (BinaryOp::Add, _) => "bvadd",
        (BinaryOp::Sub, _) => "bvsub",
        (BinaryOp::Mul, _) => "bvmul",
        (BinaryOp::Div, true) => "bvsdiv",
        (BinaryOp::Div, false) => "bvudiv",
        (BinaryOp::Rem, true) => "bvsrem",
        (BinaryOp::Rem, false) => "bvurem",
        (BinaryOp::ShiftLeft, _) => "bvshl",
        (BinaryOp::ShiftRight, true) => "bvashr",
        (BinaryOp::ShiftRight, false) => "bvlshr",
        (BinaryOp::BitAnd, _) => "bvand",
        (BinaryOp::BitOr, _) => "bvor",
        (BinaryOp::BitXor, _) => "bvxor",
        (BinaryOp::Less, true) => "bvslt",
        (BinaryOp::Less, false) => "bvult",
        (BinaryOp::LessEqual, true) => "bvsle",
        (BinaryOp::LessEqual, false) => "bvule",
        (BinaryOp::Greater, true) => "bvsgt",
        (BinaryOp::Greater, false) => "bvugt",
        (BinaryOp::GreaterEqual, true) => "bvsge",
        (BinaryOp::GreaterEqual, false) => "bvuge",
        (BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::PointerAdd | BinaryOp::PointerDiff, _) => "=",
    }
}
