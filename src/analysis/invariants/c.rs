//! Writes invariants as C expressions, for witnesses: formulas without a quantifier, or with one
//! over a few cells.
//!
//! **Why an expression means in C what the formula means.** Formulas speak of mathematical
//! integers. A comparison of two operands without arithmetic means the same in C if one type can
//! hold the values of both. In a sum, every variable is converted to `long long` first. The sum is
//! used only if no partial sum can leave that type, for all values of the variables' types that
//! satisfy the comparisons with constants. Those comparisons stand before it (`&&` evaluates from
//! left to right). Everything else is left out.

use super::formula::{Atom, Atoms, Formula, spelled};
use smalti_core::{Constraint, Interval, LinearExpr, Relation, Var, reduced};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Ranges of at most this many cells become one formula for each cell.
const MOST_CELLS: i128 = 16;
/// The most conjuncts of an invariant.
const MOST_CONJUNCTS: usize = 200;

/// A variable of a formula; for a cell, with the number of the cell.
type Name = (Var, Option<i128>);

/// A constraint over [`Name`]s that all have the same number.
struct Numbered {
    constraint: Constraint,
    cell: Option<i128>,
}

/// The conjunction of all formulas that C can express without overflow; `None` if there is none.
pub fn c_expression(formulas: &[Formula], atoms: &Atoms) -> Option<String> {
    let mut all: Vec<Numbered> = Vec::new();
    for formula in formulas {
        all.extend(numbered(formula, atoms));
    }
    // Comparisons with constants come first: what follows is evaluated only where they hold.
    let (single, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|n| n.constraint.expr.terms().len() == 1);
    let mut known: BTreeMap<Name, Interval> = BTreeMap::new();
    let mut texts: Vec<String> = Vec::new();
    for n in single.iter().chain(&others) {
        let Some(text) = text(n, atoms, &known) else { continue };
        if let [(v, _)] = n.constraint.expr.terms()
            && let Some(range) = range_of(&n.constraint, *v)
        {
            let name = (*v, n.cell.filter(|_| is_cell(atoms, *v)));
            let before = known.get(&name).copied().unwrap_or(Interval::TOP);
            known.insert(name, before.meet(range).unwrap_or(before));
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.truncate(MOST_CONJUNCTS);
    (!texts.is_empty()).then(|| texts.join(" && "))
}

fn is_cell(atoms: &Atoms, v: Var) -> bool {
    matches!(atoms.atom(v), Some(Atom::Cell(..)))
}

/// The constraints of a formula: for each cell if its range is short and constant, none if it has
/// another range.
fn numbered(formula: &Formula, atoms: &Atoms) -> Vec<Numbered> {
    let index = (0..).zip(&atoms.all).find(|(_, a)| **a == Atom::Index).map(|(n, _)| Var::scalar(n));
    let cells: Vec<Option<i128>> = match &formula.range {
        None => vec![None],
        Some(range) => match (range.low.as_constant(), range.high.as_constant()) {
            (Some(low), Some(high)) if high.saturating_sub(low) <= MOST_CELLS => (low..high).map(Some).collect(),
            _ => return Vec::new(),
        },
    };
    let mut found = Vec::new();
    for cell in cells {
        let at = |constraints: &[Constraint]| -> Vec<Constraint> {
            let number = |c: &Constraint| match (index, cell) {
                (Some(index), Some(n)) => {
                    let expr = c.expr.substitute(index, &LinearExpr::constant(n))?;
                    Some(Constraint { expr, relation: c.relation })
                }
                _ => Some(c.clone()),
            };
            constraints.iter().filter_map(number).collect()
        };
        let body = at(&formula.body);
        let mut given = at(&formula.given);
        given.extend(atoms.of_types(&[&given[..], &body].concat()));
        let Some(constraints) = reduced(&given, &body) else { continue };
        found.extend(constraints.into_iter().map(|constraint| Numbered { constraint, cell }));
    }
    found
}

/// The values that a comparison of one variable with a constant allows.
fn range_of(c: &Constraint, v: Var) -> Option<Interval> {
    let (low, high) = super::formula::ends_of(c, v);
    // The upper end is one past the last.
    let low = low.and_then(|e| e.as_constant());
    let high = high.and_then(|e| e.as_constant()).and_then(|h| h.checked_sub(1));
    match (low, high) {
        (None, None) => None,
        (low, high) => Interval::new(low, high),
    }
}

/// One operand of a sum.
struct Term {
    text: String,
    factor: i128,
    /// What its type can hold.
    by_type: Interval,
    /// What the comparisons before it leave of that.
    known: Interval,
}

struct Side {
    terms: Vec<Term>,
    constant: i128,
}

impl Side {
    /// The only operand, if there is nothing else.
    fn atom(&self) -> Option<&Term> {
        match &self.terms[..] {
            [term] if term.factor == 1 && self.constant == 0 => Some(term),
            _ => None,
        }
    }

    /// The sum in `long long`, if no partial sum can leave that type.
    fn sum(&self) -> Option<String> {
        let mut most = self.constant.checked_abs()?;
        let mut text = String::new();
        for term in &self.terms {
            if !within(term.by_type, i64::MIN.into(), i64::MAX.into()) {
                return None;
            }
            let known = term.by_type.meet(term.known)?;
            let largest = known.lo()?.checked_abs()?.max(known.hi()?.checked_abs()?);
            most = most.checked_add(term.factor.checked_mul(largest)?)?;
            if !text.is_empty() {
                text.push_str(" + ");
            }
            match term.factor {
                1 => _ = write!(text, "(long long)({})", term.text),
                factor => _ = write!(text, "{factor}LL * (long long)({})", term.text),
            }
        }
        match self.constant {
            0 if !text.is_empty() => {}
            c if text.is_empty() => _ = write!(text, "{c}LL"),
            c if c > 0 => _ = write!(text, " + {c}LL"),
            c => _ = write!(text, " - {}LL", c.unsigned_abs()),
        }
        (most <= i64::MAX.into()).then_some(text)
    }
}

fn within(range: Interval, low: i128, high: i128) -> bool {
    range.lo().is_some_and(|lo| lo >= low) && range.hi().is_some_and(|hi| hi <= high)
}

/// Whether values of the type are of type `int` or are promoted to it in every expression.
fn is_int(range: Interval) -> bool {
    within(range, i32::MIN.into(), i32::MAX.into())
}

fn text(n: &Numbered, atoms: &Atoms, known: &BTreeMap<Name, Interval>) -> Option<String> {
    let (mut more, mut less) = (Side { terms: Vec::new(), constant: 0 }, Side { terms: Vec::new(), constant: 0 });
    for (v, factor) in n.constraint.expr.terms() {
        let (text, by_type) = spelled(atoms, *v, n.cell)?;
        let name = (*v, n.cell.filter(|_| is_cell(atoms, *v)));
        let known = known.get(&name).copied().unwrap_or(Interval::TOP);
        let side = if *factor > 0 { &mut more } else { &mut less };
        side.terms.push(Term { text, factor: factor.checked_abs()?, by_type, known });
    }
    let mut constant = n.constraint.expr.constant_part();
    let mut operator = match n.constraint.relation {
        Relation::NonNegative => "<=",
        Relation::Zero => "==",
        Relation::NonZero => "!=",
    };
    // `more + constant >= less`. Variables stand left of a constant. A constant stands on the side
    // on which it is positive.
    if less.terms.is_empty() || more.terms.is_empty() {
        let (side, bound) = if less.terms.is_empty() { (&more, constant.checked_neg()?) } else { (&less, constant) };
        let operator = match n.constraint.relation {
            Relation::NonNegative if less.terms.is_empty() => ">=",
            _ => operator,
        };
        return against_constant(side, operator, bound);
    }
    if constant == -1 && operator == "<=" {
        (operator, constant) = ("<", 0);
    }
    if constant > 0 {
        more.constant = constant;
    } else {
        less.constant = constant.checked_neg()?;
    }
    let pair = match (less.atom(), more.atom()) {
        (Some(a), Some(b)) if is_int(a.by_type) && is_int(b.by_type) => Some((a, b)),
        // Conversions keep values that are not negative, whatever the types of the two sides.
        (Some(a), Some(b)) => {
            let unsigned = |t: &Term| within(t.by_type, 0, u64::MAX.into());
            (unsigned(a) && unsigned(b)).then_some((a, b))
        }
        _ => None,
    };
    match pair {
        Some((a, b)) => Some(format!("{} {operator} {}", a.text, b.text)),
        None => {
            // A lone `long long` needs no arithmetic, but its least value has no absolute value.
            let side = |s: &Side| match s.atom() {
                Some(t) if within(t.by_type, i64::MIN.into(), i64::MAX.into()) => {
                    Some(format!("(long long)({})", t.text))
                }
                _ => s.sum(),
            };
            Some(format!("{} {operator} {}", side(&less)?, side(&more)?))
        }
    }
}

fn against_constant(side: &Side, operator: &str, bound: i128) -> Option<String> {
    let Some(atom) = side.atom() else {
        let bound = Side { terms: Vec::new(), constant: bound };
        return Some(format!("{} {operator} {}", side.sum()?, bound.sum()?));
    };
    let number = Interval::constant(bound);
    if is_int(atom.by_type) && is_int(number) {
        return Some(format!("{} {operator} {bound}", atom.text));
    }
    if within(atom.by_type, i64::MIN.into(), i64::MAX.into()) && within(number, (-i64::MAX).into(), i64::MAX.into()) {
        return Some(format!("(long long)({}) {operator} {bound}LL", atom.text));
    }
    let unsigned = within(atom.by_type, 0, u64::MAX.into()) && within(number, 0, u64::MAX.into());
    unsigned.then(|| format!("{} {operator} {bound}ULL", atom.text))
}
