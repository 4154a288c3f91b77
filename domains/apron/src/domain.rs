//! Domains: they make elements.

use crate::element::ApronElement;
use crate::kind::Kind;
use crate::manager::Manager;
use apron_sys::{Library, LoadError};
use smalti_core::NumericDomain;
use std::rc::Rc;

/// Makes the elements of one of APRON's domains, in the thread that made it.
pub struct ApronDomain {
    manager: Rc<Manager>,
}

impl ApronDomain {
    /// The domain of one kind, for this thread.
    ///
    /// # Errors
    ///
    /// When APRON cannot be loaded; the error says in one sentence what was looked for and what to
    /// do.
    pub fn new(kind: Kind) -> Result<ApronDomain, LoadError> {
        Ok(ApronDomain { manager: Rc::new(Manager::new(Library::load()?, kind)?) })
    }

    /// The kind it was made of.
    pub fn kind(&self) -> Kind {
        self.manager.kind()
    }

    /// How many calls of APRON have raised an exception (a polyhedron that grew too large, say) and
    /// were answered with less than was asked.
    pub fn exceptions(&self) -> u64 {
        self.manager.exceptions()
    }
}

impl NumericDomain for ApronDomain {
    type Element = ApronElement;

    fn name(&self) -> String {
        self.kind().name().to_string()
    }

    fn top(&self) -> ApronElement {
        ApronElement::top(Rc::clone(&self.manager))
    }

    fn bottom(&self) -> ApronElement {
        ApronElement::bottom(Rc::clone(&self.manager))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_core::{Constraint, Lattice, LinearExpr, Numeric, Thresholds, Var};

    /// Operations in both forms, on a value with a single owner and on one that is shared.
    fn work(domain: &ApronDomain) {
        let [x, y, z] = [0, 1, 2].map(Var::scalar);
        let mut a = domain.top();
        a.assume(&Constraint::non_negative(LinearExpr::new([(x, 1), (y, -2)], 3).unwrap()));
        a.assign(z, &LinearExpr::new([(x, 1)], 1).unwrap());
        let shared = a.clone();
        a.expand(x, Var::fresh(0));
        a.fold(z, Var::fresh(0));
        a.rename(&[(x, y), (y, x)]);
        a.join_with(&shared);
        a.meet_with(&shared);
        a.forget(&[y]);
        _ = ApronElement::widen(&shared, &a, &Thresholds::new([4, 9]));
        _ = (a.leq(&shared), a.constraints(), a.vars(), a.bounds(&LinearExpr::var(x)));
        a.assume(&Constraint::never());
    }

    #[test]
    fn every_value_is_freed_once() {
        if Library::for_test().is_none() {
            return;
        }
        for domain in Kind::ALL.iter().filter_map(|kind| ApronDomain::new(*kind).ok()) {
            work(&domain);
            assert_eq!((Rc::strong_count(&domain.manager), domain.manager.references()), (1, 1), "{}", domain.name());
        }
    }
}
