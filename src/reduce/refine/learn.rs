//! Finds out what an abstraction lacks: section 6 of the paper, figure 3.

use super::encode::{Fact, FactKind, Formula, Read};
use super::{AccessPath, Kept, Subject};
use crate::smt::{Answer, Logic, Script, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// If it is not known which cell matters, all cells of an array of at most this size are kept.
const SMALL: u64 = 64;
/// The most questions about which formulas can be left out, and which indices are fixed.
const MOST_QUESTIONS: usize = 60;

/// What is kept next, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The extended set.
    pub kept: Kept,
    /// Cells that are new, by array.
    pub cells: BTreeMap<AccessPath, BTreeSet<u64>>,
    /// Scalars that are new.
    pub scalars: BTreeSet<AccessPath>,
}

impl Lesson {
    /// What `next` keeps that `kept` does not.
    pub fn new(kept: &Kept, next: Kept) -> Lesson {
        let scalars = next.scalars.difference(&kept.scalars).cloned().collect();
        let mut cells = BTreeMap::new();
        for (array, numbers) in &next.cells {
            let new: BTreeSet<u64> = match kept.cells.get(array) {
                Some(old) => numbers.difference(old).copied().collect(),
                None => numbers.clone(),
            };
            if !new.is_empty() {
                cells.insert(array.clone(), new);
            }
        }
        Lesson { kept: next, cells, scalars }
    }
}

/// Shrinks an unsatisfiable set of formulas to a smaller core. The solver does not make its core
/// small, and here few cells should be read. So the formulas for steps to be defined are left out
/// first, then one read after the other.
///
/// # Errors
/// The error of the solver.
pub fn lessen<E: From<String>>(
    formula: &Formula,
    all: BTreeSet<Symbol>,
    ask: &mut dyn FnMut(&Script) -> Result<Answer, E>,
) -> Result<BTreeSet<Symbol>, E> {
    let script = |names: &BTreeSet<Symbol>| Script {
        logic: Logic::QfAufbv,
        declarations: formula.declarations.clone(),
        assertions: formula
            .facts
            .iter()
            .filter(|f| names.contains(&f.name))
            .map(|f| (f.name.clone(), f.term.clone()))
            .collect(),
        core: true,
        about: "which formulas contradict each other".to_owned(),
        ..Script::default()
    };
    let conditions = formula.facts.iter().filter(|f| matches!(f.kind, FactKind::Definedness));
    let mut without: Vec<BTreeSet<Symbol>> = vec![conditions.map(|f| f.name.clone()).collect()];
    let mut core = match ask(&script(&all))? {
        Answer::Unsatisfiable(core) => core,
        Answer::Unknown(why) => {
            return Err(format!("the solver does not know why the program cannot follow a path ({why})").into());
        }
        Answer::Satisfiable(_) => return Err("the solver contradicts itself".to_owned().into()),
    };
    // The last reads are the likeliest to matter.
    let reads = formula.facts.iter().filter(|f| f.read().is_some()).map(|f| BTreeSet::from([f.name.clone()]));
    without.extend(reads);
    for names in without.into_iter().take(MOST_QUESTIONS) {
        let rest: BTreeSet<Symbol> = core.difference(&names).cloned().collect();
        if rest.len() < core.len()
            && let Answer::Unsatisfiable(smaller) = ask(&script(&rest))?
        {
            core = smaller;
        }
    }
    Ok(core)
}

/// Explains why the program cannot follow a path. From an unsatisfiable set of formulas, computes
/// what the abstraction must keep to know it too. The result is always larger than before, so the
/// refinement ends: at the latest when all scalars and all cells are kept.
///
/// # Errors
/// Says in one clause that nothing more can be kept, or that it is not known what to keep.
pub fn learn<E: From<String>>(
    subject: &Subject,
    formula: &Formula,
    core: &BTreeSet<Symbol>,
    kept: &Kept,
    ask: &mut dyn FnMut(&Script) -> Result<Answer, E>,
) -> Result<Lesson, E> {
    let facts: Vec<&Fact> = formula.facts.iter().filter(|f| core.contains(&f.name)).collect();
    let known: BTreeSet<AccessPath> = facts.iter().flat_map(|f| f.scalars.iter().cloned()).collect();
    let mut next = kept.clone();
    next.scalars.extend(known.intersection(&subject.scalars).cloned());
    let reads: Vec<&Read> = facts.iter().filter_map(|f| f.read()).collect();
    let numerals = numerals(formula, &reads, ask)?;
    for (read, numeral) in reads.iter().zip(numerals) {
        let cells = next.cells.entry(read.array.clone()).or_default();
        match numeral {
            Some(n) => {
                cells.insert(n);
            }
            // The index differs from run to run along the path: then any cell may be the one.
            None => match subject.size(&read.array) {
                Some(size) if size <= SMALL => cells.extend(0..size),
                Some(size) => {
                    return Err(format!(
                        "runs of one path need different ones of the {size} cells of `{}`",
                        subject.name(&read.array)
                    )
                    .into());
                }
                None => {
                    return Err(format!(
                        "runs of one path need different cells of `{}`, whose length is unknown",
                        subject.name(&read.array)
                    )
                    .into());
                }
            },
        }
    }
    if next == *kept {
        // The abstraction does not evaluate the formulas that contradict each other. The remaining
        // scalars of the path may be the reason.
        let all = formula.facts.iter().flat_map(|f| f.scalars.iter().cloned());
        next.scalars.extend(all.filter(|p| subject.scalars.contains(p)));
    }
    if next == *kept {
        return Err("the path shows nothing else that could be kept".to_owned().into());
    }
    Ok(Lesson::new(kept, next))
}

/// The fixed numbers that the indices of some reads have. An index counts as fixed if it has the
/// same number in every run that follows the path as far as scalars go, whatever arrays hold:
/// condition (2) of figure 3. `None` for other indices.
fn numerals<E: From<String>>(
    formula: &Formula,
    reads: &[&Read],
    ask: &mut dyn FnMut(&Script) -> Result<Answer, E>,
) -> Result<Vec<Option<u64>>, E> {
    if reads.is_empty() {
        return Ok(Vec::new());
    }
    let scalars = formula.facts.iter().filter(|f| f.is_scalar());
    let script = Script {
        logic: Logic::QfAufbv,
        declarations: formula.declarations.clone(),
        assertions: scalars.map(|f| (f.name.clone(), f.term.clone())).collect(),
        values: reads.iter().map(|r| r.index.clone()).collect(),
        about: "which cells matter".to_owned(),
        ..Script::default()
    };
    let first = match ask(&script)? {
        Answer::Satisfiable(values) => numbers(&values)?,
        // The scalars alone contradict each other: no cell is needed.
        Answer::Unsatisfiable(_) => return Ok(Vec::new()),
        Answer::Unknown(why) => return Err(format!("the solver does not know which cells matter ({why})").into()),
    };
    let mut fixed: Vec<bool> = vec![true; reads.len()];
    let mut is_shown = false;
    for _ in 0..MOST_QUESTIONS {
        let differs = |n: usize| reads[n].index.clone().equals(Term::bits(first[n], 64)).negated();
        let open: Vec<Term> = (0..reads.len()).filter(|&n| fixed[n]).map(differs).collect();
        if open.is_empty() {
            is_shown = true;
            break;
        }
        let mut script = script.clone();
        let another = Term::or(open.into_iter().chain([Term::bool(false)]));
        script.assertions.push((Symbol::new("another"), another));
        match ask(&script)? {
            Answer::Unsatisfiable(_) => {
                is_shown = true;
                break;
            }
            Answer::Satisfiable(values) => {
                for (n, value) in numbers(&values)?.iter().enumerate().take(reads.len()) {
                    fixed[n] &= *value == first[n];
                }
            }
            Answer::Unknown(why) => return Err(format!("the solver does not know which cells matter ({why})").into()),
        }
    }
    let numeral = |(value, fixed): (&u128, bool)| (fixed && is_shown).then(|| u64::try_from(*value).ok()).flatten();
    Ok(first.iter().zip(fixed).map(numeral).collect())
}

/// The numbers that indices are.
fn numbers(values: &[Value]) -> Result<Vec<u128>, String> {
    let number = |value: &Value| value.bits().ok_or("the solver gives an index that is no number of bits".to_owned());
    values.iter().map(number).collect()
}
