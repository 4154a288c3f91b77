//! The laws pass on a right domain and catch every one of a list of faults. Without this test a law
//! that checks nothing would go unnoticed.
#![cfg(feature = "laws")]

use smalti_core::laws::{self, Config, Explicit, ExplicitDomain};
use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Relation, Thresholds, Var};

/// The fault of a [`Broken`] domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    LeqIsAlwaysTrue,
    LeqIsNeverTrue,
    LeqIgnoresUnmentioned,
    JoinKeepsLeft,
    JoinKeepsColumnsOfOneSide,
    WideningIsJoin,
    WideningReturnsPrevious,
    ForgetDoesNothing,
    ForgetOnBottomGivesTop,
    AssignKeepsOldConstraints,
    AssignForgetsSign,
    AssignPanicsOnLargeNumbers,
    AssumeIsStrict,
    AssumeDoesNothing,
    DisequalityIsEquality,
    MeetIsBottom,
    ExpandEquates,
    FoldDropsOneSide,
    RenameIsSequential,
    BoundsAreTooTight,
    BoundsOfBottom,
    EntailsTooMuch,
    PrintsTooMuch,
    VariablesAreNotSorted,
}

const FAULTS: [Fault; 24] = [
    Fault::LeqIsAlwaysTrue,
    Fault::LeqIsNeverTrue,
    Fault::LeqIgnoresUnmentioned,
    Fault::JoinKeepsLeft,
    Fault::JoinKeepsColumnsOfOneSide,
    Fault::WideningIsJoin,
    Fault::WideningReturnsPrevious,
    Fault::ForgetDoesNothing,
    Fault::ForgetOnBottomGivesTop,
    Fault::AssignKeepsOldConstraints,
    Fault::AssignForgetsSign,
    Fault::AssignPanicsOnLargeNumbers,
    Fault::AssumeIsStrict,
    Fault::AssumeDoesNothing,
    Fault::DisequalityIsEquality,
    Fault::MeetIsBottom,
    Fault::ExpandEquates,
    Fault::FoldDropsOneSide,
    Fault::RenameIsSequential,
    Fault::BoundsAreTooTight,
    Fault::BoundsOfBottom,
    Fault::EntailsTooMuch,
    Fault::PrintsTooMuch,
    Fault::VariablesAreNotSorted,
];

/// The reference domain with a fault.
#[derive(Clone, Debug)]
struct Broken {
    inner: Explicit,
    fault: Fault,
}

struct BrokenDomain(Fault);

impl NumericDomain for BrokenDomain {
    type Element = Broken;

    fn name(&self) -> String {
        format!("{:?}", self.0)
    }

    fn top(&self) -> Broken {
        Broken { inner: ExplicitDomain.top(), fault: self.0 }
    }

    fn bottom(&self) -> Broken {
        Broken { inner: ExplicitDomain.bottom(), fault: self.0 }
    }
}

fn is_large(e: &LinearExpr) -> bool {
    e.terms().iter().any(|t| i64::try_from(t.1).is_err()) || i64::try_from(e.constant_part()).is_err()
}

impl Lattice for Broken {
    fn is_bottom(&self) -> bool {
        self.inner.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        match self.fault {
            Fault::LeqIsAlwaysTrue => true,
            Fault::LeqIsNeverTrue => self.is_bottom(),
            Fault::LeqIgnoresUnmentioned => {
                let unmentioned: Vec<Var> =
                    other.inner.vars().into_iter().filter(|v| !self.inner.vars().contains(v)).collect();
                let mut other = other.inner.clone();
                other.forget(&unmentioned);
                self.inner.leq(&other)
            }
            _ => self.inner.leq(&other.inner),
        }
    }

    fn join_with(&mut self, other: &Self) {
        match self.fault {
            Fault::JoinKeepsLeft if !self.is_bottom() => {}
            Fault::JoinKeepsColumnsOfOneSide if !self.is_bottom() => {
                // A variable that `other` does not mention keeps what `self` knows of it.
                let mut known = self.inner.clone();
                known.forget(&other.inner.vars());
                self.inner.join_with(&other.inner);
                self.inner.meet_with(&known);
            }
            _ => self.inner.join_with(&other.inner),
        }
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        let inner = match prev.fault {
            Fault::WideningIsJoin => next.inner.clone(),
            Fault::WideningReturnsPrevious => prev.inner.clone(),
            _ => Explicit::widen(&prev.inner, &next.inner, thresholds),
        };
        Broken { inner, fault: prev.fault }
    }
}

impl Numeric for Broken {
    fn forget(&mut self, vars: &[Var]) {
        match self.fault {
            Fault::ForgetDoesNothing => {}
            Fault::ForgetOnBottomGivesTop if self.is_bottom() => self.inner = ExplicitDomain.top(),
            _ => self.inner.forget(vars),
        }
    }

    fn assign(&mut self, v: Var, e: &LinearExpr) {
        match self.fault {
            Fault::AssignKeepsOldConstraints => self.inner.assume(&Constraint::eq(&LinearExpr::var(v), e).unwrap()),
            Fault::AssignForgetsSign => {
                let terms = e.terms().iter().map(|(v, c)| (*v, c.saturating_abs()));
                self.inner.assign(v, &LinearExpr::new(terms, e.constant_part()).unwrap());
            }
            Fault::AssignPanicsOnLargeNumbers => {
                assert!(!is_large(e), "too large");
                self.inner.assign(v, e);
            }
            _ => self.inner.assign(v, e),
        }
    }

    fn assume(&mut self, c: &Constraint) {
        match (self.fault, c.relation) {
            (Fault::AssumeIsStrict, Relation::NonNegative) => {
                let stricter = c.expr.add_constant(-1).unwrap_or_else(|| c.expr.clone());
                self.inner.assume(&Constraint::non_negative(stricter));
            }
            (Fault::AssumeDoesNothing, _) => {}
            (Fault::DisequalityIsEquality, Relation::NonZero) => {
                self.inner.assume(&Constraint { expr: c.expr.clone(), relation: Relation::Zero });
            }
            _ => self.inner.assume(c),
        }
    }

    fn meet_with(&mut self, other: &Self) {
        match self.fault {
            Fault::MeetIsBottom => self.inner = ExplicitDomain.bottom(),
            _ => self.inner.meet_with(&other.inner),
        }
    }

    fn expand(&mut self, v: Var, copy: Var) {
        match self.fault {
            Fault::ExpandEquates => self.inner.assign(copy, &LinearExpr::var(v)),
            _ => self.inner.expand(v, copy),
        }
    }

    fn fold(&mut self, into: Var, from: Var) {
        match self.fault {
            Fault::FoldDropsOneSide => self.inner.forget(&[from]),
            _ => self.inner.fold(into, from),
        }
    }

    fn rename(&mut self, pairs: &[(Var, Var)]) {
        match self.fault {
            Fault::RenameIsSequential => {
                for (from, to) in pairs {
                    self.inner.forget(&[*to]);
                    self.inner.rename(&[(*from, *to)]);
                }
            }
            _ => self.inner.rename(pairs),
        }
    }

    fn bounds(&self, e: &LinearExpr) -> Option<Interval> {
        let bounds = self.inner.bounds(e);
        match (self.fault, bounds) {
            (Fault::BoundsAreTooTight, Some(b)) => Interval::new(b.lo(), b.hi().map(|h| h.saturating_sub(1))),
            (Fault::BoundsOfBottom, None) => Some(Interval::TOP),
            _ => bounds,
        }
    }

    fn entails(&self, c: &Constraint) -> bool {
        match self.fault {
            Fault::EntailsTooMuch => {
                let weaker = c.expr.add_constant(1).map(Constraint::non_negative);
                self.inner.entails(&weaker.unwrap_or_else(|| c.clone()))
            }
            _ => self.inner.entails(c),
        }
    }

    fn constraints(&self) -> Vec<Constraint> {
        let mut all = self.inner.constraints();
        if self.fault == Fault::PrintsTooMuch {
            all.extend(self.inner.vars().first().map(|v| Constraint::non_negative(LinearExpr::var(*v))));
        }
        all
    }

    fn vars(&self) -> Vec<Var> {
        let mut vars = self.inner.vars();
        if self.fault == Fault::VariablesAreNotSorted {
            vars.reverse();
        }
        vars
    }
}

#[test]
fn the_reference_domain_obeys_the_laws() {
    laws::numeric(&ExplicitDomain);
}

#[test]
fn every_fault_is_caught_and_named() {
    // A fault that panics is caught too; its panics are not for the reader.
    let config = Config { smallest: false, ..Config::default() };
    let survivors: Vec<Fault> = FAULTS
        .into_iter()
        .filter(|fault| match laws::check_numeric(&BrokenDomain(*fault), config) {
            Ok(()) => true,
            Err(message) => {
                assert!(message.starts_with(&format!("{fault:?}: the law")), "{message}");
                false
            }
        })
        .collect();
    assert!(survivors.is_empty(), "the laws do not see {survivors:?}");
}

#[test]
fn a_run_is_a_function_of_the_seed() {
    let broken = BrokenDomain(Fault::FoldDropsOneSide);
    let run = |seed| laws::check_numeric(&broken, Config { cases: 200, seed, ..Config::default() }).unwrap_err();
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
