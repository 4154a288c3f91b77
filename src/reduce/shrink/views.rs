//! Finds the views of a program as one loop, and a property of the state after it.

use super::super::Refusal;
use super::super::effects::Effects;
use super::super::normal::{Counted, NormalPart, writes_first};
use super::super::terms;
use super::coalesce::{Cascade, coalesce};
use super::form::WIDE;
use super::form::{Form, Quantifier, Way};
use super::grid::Flat;
use crate::program::{AssertionId, Block, Expr, IntKind, Program};

/// The forms of a program, the most promising first; if there is none, the reason why.
pub(super) fn forms(flat: &Flat, assertion: AssertionId, ways: &[Way]) -> Result<Vec<Form>, Refusal> {
    let mut out = Vec::new();
    let mut refusal = None;
    for way in ways {
        match form(flat, assertion, *way) {
            Ok(Some(form)) => out.push(form),
            Ok(None) => {}
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    if out.is_empty() {
        return Err(refusal.unwrap_or_else(|| Refusal::of_all("the program has no loop that counts")));
    }
    Ok(out)
}

/// The ways in which any property may be viewed.
pub(super) const WAYS: [Way; 5] = [Way::Coalesced, Way::Clauses, Way::Reversed, Way::Witness, Way::AnyPosition];
/// The ways in which a property of each position may be viewed, if it does not depend on the order
/// of the positions.
pub(super) const CLAUSES: [Way; 3] = [Way::Clauses, Way::Reversed, Way::AnyPosition];

fn form(flat: &Flat, assertion: AssertionId, way: Way) -> Result<Option<Form>, Refusal> {
    let normal = &flat.normal;
    // straights[0] loop[0] straights[1] loop[1] ...
    let mut straights: Vec<Block> = vec![Vec::new()];
    let mut loops: Vec<Counted> = Vec::new();
    for part in &normal.parts {
        match part {
            NormalPart::Straight(b) => {
                if let Some(last) = straights.last_mut() {
                    last.extend(b.iter().cloned());
                }
            }
            NormalPart::Loop(l) => {
                loops.push(l.clone());
                straights.push(Vec::new());
            }
        }
    }
    let asserting: Vec<usize> = (0..loops.len()).filter(|&n| terms::asserts(&loops[n].body, assertion)).collect();
    let last = loops.len().wrapping_sub(1);
    let mut closing = Block::new();
    let property = match way {
        Way::Search => {
            let searched = loops.pop();
            closing = straights.pop().unwrap_or_default();
            searched
        }
        Way::Coalesced => None,
        Way::Clauses | Way::Reversed | Way::AnyPosition => {
            // It must be the only asserting loop, the last loop, and leave nothing for later code.
            if asserting != [last] || straights.iter().any(|s| terms::asserts(s, assertion)) || loops.len() < 2 {
                return Ok(None);
            }
            let property = loops.pop();
            let rest = straights.pop().unwrap_or_default();
            if !rest.is_empty() || property.as_ref().is_some_and(|p| !is_pure(p)) {
                return Ok(None);
            }
            property
        }
        Way::Witness => {
            if !asserting.is_empty() {
                return Ok(None);
            }
            None
        }
    };
    if loops.is_empty() {
        return Ok((way == Way::Coalesced).then(|| without_loop(&normal.program, straights.concat())));
    }
    // As few loops as possible, from the beginning, become arbitrary values.
    let mut refusal = None;
    for dropped in 0..loops.len() {
        if loops[..dropped].iter().any(|l| terms::asserts(&l.body, assertion)) {
            break;
        }
        let mut program = normal.program.clone();
        let cascade =
            Cascade { straights: &straights, loops: &loops, property: property.as_ref(), closing: &closing, flat };
        match coalesce(&mut program, &cascade, dropped, assertion, way) {
            Ok(form) => return Ok(form),
            Err(why) => {
                refusal.get_or_insert(why);
            }
        }
    }
    Err(refusal
        .unwrap_or_else(|| Refusal::at(loops[0].location, "the assertion stands in a loop that others depend on")))
}

/// A program without loops: no iterations.
fn without_loop(program: &Program, before: Block) -> Form {
    let mut program = program.clone();
    let at = program.function(program.entry).location;
    let position = terms::fresh(&mut program, "position", WIDE, at);
    let none = Expr::int(0, IntKind::LongLong, at);
    Form {
        program,
        before,
        position,
        low: none.clone(),
        high: none,
        bounded: Vec::new(),
        body: Vec::new(),
        after: Vec::new(),
        clause: Vec::new(),
        closing: Vec::new(),
        quantifier: Quantifier::Universal,
        loops: Vec::new(),
        dropped: Vec::new(),
        known: Vec::new(),
        property: "of a program without loops".to_owned(),
    }
}

/// Whether each iteration is the only one that reads what it writes.
fn is_pure(l: &Counted) -> bool {
    let effects = Effects::of(&l.body);
    effects.writes.iter().all(|&v| writes_first(&l.body, v))
}
