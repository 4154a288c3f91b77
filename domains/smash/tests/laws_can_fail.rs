//! The laws of memory domains catch every one of a list of faults. (This crate's unit tests show
//! that a right domain passes.)

use smalti_core::laws::{self, Config, ExplicitDomain};
use smalti_core::{
    ArrayId, Cell, Constraint, Facts, FieldId, Interval, Lattice, LinearExpr, Memory, MemoryDomain, Subjects,
    Thresholds, Var,
};
use smalti_smash::{Smash, SmashDomain};

/// The fault of a [`Broken`] domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    LeqIgnoresArrays,
    JoinKeepsLeft,
    WideningIsJoin,
    AssignDoesNothing,
    ForgetDoesNothing,
    EmptyArraysDoNotExist,
    CreateKeepsOldCells,
    DropDoesNothing,
    FillDoesNothing,
    WeakenDoesNothing,
    WeakenLosesOldValues,
    ReadDoesNothing,
    ReadStopsShort,
    WriteDoesNothing,
    WriteIsFill,
    AssumeCellIsFill,
    AssumeCellHoldsForAll,
    BoundsAreTooTight,
    EntailsTooMuch,
    NeverUnreachable,
    AlwaysUnreachable,
    PrintsTooMuchOfScalars,
    PrintsTooMuchOfCells,
    PrintsDeadArrays,
    SubjectsLackScalars,
    RestrictionKeepsTooMuch,
    RestrictionLosesStates,
}

const FAULTS: [Fault; 27] = [
    Fault::LeqIgnoresArrays,
    Fault::JoinKeepsLeft,
    Fault::WideningIsJoin,
    Fault::AssignDoesNothing,
    Fault::ForgetDoesNothing,
    Fault::EmptyArraysDoNotExist,
    Fault::CreateKeepsOldCells,
    Fault::DropDoesNothing,
    Fault::FillDoesNothing,
    Fault::WeakenDoesNothing,
    Fault::WeakenLosesOldValues,
    Fault::ReadDoesNothing,
    Fault::ReadStopsShort,
    Fault::WriteDoesNothing,
    Fault::WriteIsFill,
    Fault::AssumeCellIsFill,
    Fault::AssumeCellHoldsForAll,
    Fault::BoundsAreTooTight,
    Fault::EntailsTooMuch,
    Fault::NeverUnreachable,
    Fault::AlwaysUnreachable,
    Fault::PrintsTooMuchOfScalars,
    Fault::PrintsTooMuchOfCells,
    Fault::PrintsDeadArrays,
    Fault::SubjectsLackScalars,
    Fault::RestrictionKeepsTooMuch,
    Fault::RestrictionLosesStates,
];

/// Smashing over the reference domain, with a fault.
#[derive(Clone, Debug)]
struct Broken {
    inner: Smash<laws::Explicit>,
    fault: Fault,
}

struct BrokenDomain(Fault);

fn right() -> SmashDomain<ExplicitDomain> {
    SmashDomain::new(ExplicitDomain)
}

impl MemoryDomain for BrokenDomain {
    type Element = Broken;

    fn name(&self) -> String {
        format!("{:?}", self.0)
    }

    fn top(&self) -> Broken {
        Broken { inner: right().top(), fault: self.0 }
    }

    fn bottom(&self) -> Broken {
        Broken { inner: right().bottom(), fault: self.0 }
    }
}

impl Broken {
    fn live(&self, array: ArrayId) -> bool {
        self.inner.facts().arrays.iter().any(|a| a.array == array)
    }
}

impl Lattice for Broken {
    fn is_bottom(&self) -> bool {
        self.inner.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        let mut other = other.inner.clone();
        if self.fault == Fault::LeqIgnoresArrays {
            other.facts().arrays.iter().for_each(|a| other.drop_array(a.array));
        }
        self.inner.leq(&other)
    }

    fn join_with(&mut self, other: &Self) {
        if self.fault != Fault::JoinKeepsLeft || self.is_bottom() {
            self.inner.join_with(&other.inner);
        }
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        if prev.fault == Fault::WideningIsJoin {
            return next.clone();
        }
        Broken { inner: Smash::widen(&prev.inner, &next.inner, thresholds), fault: prev.fault }
    }
}

impl Memory for Broken {
    fn assign(&mut self, v: Var, e: &LinearExpr) {
        if self.fault != Fault::AssignDoesNothing {
            self.inner.assign(v, e);
        }
    }

    fn forget(&mut self, vars: &[Var]) {
        if self.fault != Fault::ForgetDoesNothing {
            self.inner.forget(vars);
        }
    }

    fn assume(&mut self, c: &Constraint) {
        self.inner.assume(c);
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        let bounds = self.inner.bounds(e)?;
        match self.fault {
            Fault::BoundsAreTooTight => Interval::new(bounds.lo().map(|l| l.saturating_add(1)), bounds.hi()),
            _ => Some(bounds),
        }
    }

    fn entails(&self, c: &Constraint) -> bool {
        let weaker = c.expr.add_constant(1).map(Constraint::non_negative);
        match (self.fault, weaker) {
            (Fault::EntailsTooMuch, Some(weaker)) => self.inner.entails(&weaker),
            _ => self.inner.entails(c),
        }
    }

    fn create_array(&mut self, array: ArrayId, fields: &[FieldId], length: Var) {
        if self.fault == Fault::CreateKeepsOldCells && self.live(array) {
            return;
        }
        if self.fault == Fault::EmptyArraysDoNotExist {
            let some = Constraint::ge(&LinearExpr::var(length), &LinearExpr::constant(1));
            self.inner.assume(&some.unwrap());
        }
        self.inner.create_array(array, fields, length);
    }

    fn drop_array(&mut self, array: ArrayId) {
        if self.fault != Fault::DropDoesNothing {
            self.inner.drop_array(array);
        }
    }

    fn fill(&mut self, array: ArrayId, field: FieldId, value: &LinearExpr) {
        if self.fault != Fault::FillDoesNothing {
            self.inner.fill(array, field, value);
        }
    }

    fn weaken(&mut self, array: ArrayId, field: FieldId, range: Interval) {
        match (self.fault, range.lo()) {
            (Fault::WeakenDoesNothing, _) => {}
            (Fault::WeakenLosesOldValues, Some(lo)) => self.inner.fill(array, field, &LinearExpr::constant(lo)),
            _ => self.inner.weaken(array, field, range),
        }
    }

    fn read(&mut self, dst: Var, cell: &Cell) {
        if self.fault != Fault::ReadDoesNothing {
            self.inner.read(dst, cell);
        }
        if self.fault == Fault::ReadStopsShort {
            self.inner.assume(&Constraint::ge(&LinearExpr::constant(4), &LinearExpr::var(dst)).unwrap());
        }
    }

    fn write(&mut self, cell: &Cell, value: &LinearExpr) {
        match self.fault {
            Fault::WriteDoesNothing => {}
            Fault::WriteIsFill => self.inner.fill(cell.array, cell.field, value),
            _ => self.inner.write(cell, value),
        }
    }

    fn assume_cell(&mut self, cell: &Cell, value: &LinearExpr) {
        self.inner.assume_cell(cell, value);
        match self.fault {
            Fault::AssumeCellIsFill => self.inner.fill(cell.array, cell.field, value),
            Fault::AssumeCellHoldsForAll if self.live(cell.array) => {
                let dimension = LinearExpr::var(Var::summary(cell.array, cell.field));
                self.inner.assume(
                    &Constraint::eq(&dimension, value)
                        .unwrap_or_else(|| Constraint::non_negative(LinearExpr::constant(0))),
                );
            }
            _ => {}
        }
    }

    fn facts(&self) -> Facts {
        let mut facts = self.inner.facts();
        match self.fault {
            Fault::NeverUnreachable => facts.unreachable = false,
            Fault::AlwaysUnreachable => facts.unreachable = true,
            Fault::PrintsTooMuchOfScalars => {
                facts.scalars.push(Constraint::non_negative(LinearExpr::var(Var::scalar(1))));
            }
            Fault::PrintsTooMuchOfCells => {
                for group in facts.arrays.iter_mut().flat_map(|a| &mut a.groups) {
                    let field = LinearExpr::var(group.fields[0].1);
                    group.constraints.push(Constraint::non_negative(field));
                }
            }
            Fault::PrintsDeadArrays if facts.arrays.is_empty() => {
                facts.arrays.push(smalti_core::ArrayFacts { array: ArrayId(1), groups: Vec::new() });
            }
            _ => {}
        }
        facts
    }

    fn subjects(&self) -> Subjects {
        let mut subjects = self.inner.subjects();
        if self.fault == Fault::SubjectsLackScalars {
            subjects.scalars.pop_last();
        }
        if self.fault == Fault::PrintsDeadArrays {
            subjects.arrays.insert(ArrayId(1));
        }
        subjects
    }

    fn restricted(&self, to: &Subjects) -> Self {
        let mut result = self.clone();
        if self.fault != Fault::RestrictionKeepsTooMuch {
            result.inner = self.inner.restricted(to);
        }
        if self.fault == Fault::RestrictionLosesStates {
            result.inner.assume(&Constraint::non_negative(LinearExpr::var(Var::scalar(0))));
        }
        result
    }
}

#[test]
fn every_fault_is_caught_and_named() {
    // Some faults need an operation to come twice.
    let usual = Config::default();
    let config = Config { cases: usual.cases.saturating_mul(4), smallest: false, ..usual };
    let survivors: Vec<Fault> = FAULTS
        .into_iter()
        .filter(|fault| match laws::check_memory(&BrokenDomain(*fault), config) {
            Ok(()) => true,
            Err(message) => {
                assert!(message.starts_with(&format!("{fault:?}: the law")), "{message}");
                false
            }
        })
        .collect();
    assert!(survivors.is_empty(), "the laws do not see {survivors:?}");
}
