//! The domain.

use crate::Factored;
use crate::store::Store;
use smalti_core::NumericDomain;
use std::rc::Rc;

/// Makes elements of the domain below, in factors. It goes by the name of that domain, whose
/// meaning it has.
pub struct FactoredDomain<D: NumericDomain> {
    below: D,
    store: Rc<Store<D::Element>>,
}

impl<D: NumericDomain> FactoredDomain<D> {
    /// The elements of `below`, in factors.
    pub fn new(below: D) -> Self {
        FactoredDomain { store: Rc::new(Store::new(below.top())), below }
    }

    /// The domain below.
    pub fn below(&self) -> &D {
        &self.below
    }
}

impl<D: NumericDomain> NumericDomain for FactoredDomain<D> {
    type Element = Factored<D::Element>;

    fn name(&self) -> String {
        self.below.name()
    }

    fn top(&self) -> Self::Element {
        Factored::top(Rc::clone(&self.store))
    }

    fn bottom(&self) -> Self::Element {
        Factored::bottom(Rc::clone(&self.store))
    }
}
