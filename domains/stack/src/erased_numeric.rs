//! [`AnyNumeric`] and [`AnyElement`]: a numeric domain and its elements whose type is known at run
//! time only. A domain for arrays from outside is built on it. So it can be put on every numeric
//! domain, including those from outside.
//!
//! **Meaning.** That of the domain inside.
//!
//! **Representation.** A boxed element. Both sides of a binary operation come from the same domain,
//! which is checked: two different ones are a bug of the caller and panic.
//!
//! **Sources, and where we differ.** None needed.
//!
//! **Limits.** One allocation for each copy of an element, one indirect call for each operation.

use smalti_core::{Constraint, Interval, Lattice, LinearExpr, Numeric, NumericDomain, Thresholds, Var};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

/// Any numeric domain. Copies share it.
#[derive(Clone)]
pub struct AnyNumeric(Rc<dyn ErasedDomain>);

impl AnyNumeric {
    /// `domain`, its type forgotten.
    pub fn new<D: NumericDomain + 'static>(domain: D) -> Self {
        AnyNumeric(Rc::new(domain))
    }
}

impl fmt::Debug for AnyNumeric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyNumeric").field(&self.name()).finish()
    }
}

impl NumericDomain for AnyNumeric {
    type Element = AnyElement;

    fn name(&self) -> String {
        self.0.erased_name()
    }

    fn top(&self) -> AnyElement {
        self.0.erased_top()
    }

    fn bottom(&self) -> AnyElement {
        self.0.erased_bottom()
    }
}

/// The methods that [`AnyNumeric`] needs of the domain inside. They have names of their own, so
/// that they hide none of its methods.
trait ErasedDomain {
    fn erased_name(&self) -> String;
    fn erased_top(&self) -> AnyElement;
    fn erased_bottom(&self) -> AnyElement;
}

impl<D: NumericDomain + 'static> ErasedDomain for D {
    fn erased_name(&self) -> String {
        self.name()
    }

    fn erased_top(&self) -> AnyElement {
        AnyElement(Box::new(Inside(self.top())))
    }

    fn erased_bottom(&self) -> AnyElement {
        AnyElement(Box::new(Inside(self.bottom())))
    }
}

/// An element of any numeric domain.
pub struct AnyElement(Box<dyn Erased>);

/// An element, so that [`Erased`] is implemented for nothing that has methods of the same names.
struct Inside<N>(N);

impl<N: Numeric + 'static> Inside<N> {
    fn same(other: &dyn Erased) -> &N {
        let inside: Option<&Inside<N>> = other.as_any().downcast_ref();
        &inside.expect("both elements come from the same domain").0
    }
}

/// From the methods of [`Numeric`] that do not speak of its own type, the trait [`Erased`], its
/// implementation for elements, and the implementation of [`Numeric`]: all three pass them on.
macro_rules! erased {
    ($(fn $method:ident(&$($me:ident)+ $(, $arg:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        /// [`Numeric`] without its own type in its signatures.
        trait Erased {
            $(fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)?;)*
            fn as_any(&self) -> &dyn Any;
            fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
            fn copy(&self) -> Box<dyn Erased>;
            fn is_bottom(&self) -> bool;
            fn leq(&self, other: &dyn Erased) -> bool;
            fn leq_at_once(&self, other: &dyn Erased) -> bool;
            fn join_with(&mut self, other: &dyn Erased);
            /// `self` is the previous iterate.
            fn widen(&self, next: &dyn Erased, thresholds: &Thresholds) -> Box<dyn Erased>;
            fn project(&self, keep: &BTreeSet<Var>) -> Box<dyn Erased>;
            fn leq_over(&self, other: &dyn Erased, asked: &dyn Fn(Var) -> bool) -> bool;
            fn meet_with(&mut self, other: &dyn Erased);
        }

        impl<N: Numeric + 'static> Erased for Inside<N> {
            $(erased! { @pass fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)? })*

            fn as_any(&self) -> &dyn Any {
                self
            }

            fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }

            fn copy(&self) -> Box<dyn Erased> {
                Box::new(Inside(self.0.clone()))
            }

            fn is_bottom(&self) -> bool {
                self.0.is_bottom()
            }

            fn leq(&self, other: &dyn Erased) -> bool {
                self.0.leq(Self::same(other))
            }

            fn leq_at_once(&self, other: &dyn Erased) -> bool {
                self.0.leq_at_once(Self::same(other))
            }

            fn join_with(&mut self, other: &dyn Erased) {
                self.0.join_with(Self::same(other));
            }

            fn widen(&self, next: &dyn Erased, thresholds: &Thresholds) -> Box<dyn Erased> {
                Box::new(Inside(N::widen(&self.0, Self::same(next), thresholds)))
            }

            fn project(&self, keep: &BTreeSet<Var>) -> Box<dyn Erased> {
                Box::new(Inside(self.0.project(keep)))
            }

            fn leq_over(&self, other: &dyn Erased, asked: &dyn Fn(Var) -> bool) -> bool {
                self.0.leq_over(Self::same(other), asked)
            }

            fn meet_with(&mut self, other: &dyn Erased) {
                self.0.meet_with(Self::same(other));
            }
        }

        impl Numeric for AnyElement {
            $(erased! { @pass fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)? })*

            fn project(&self, keep: &BTreeSet<Var>) -> Self {
                AnyElement(self.0.project(keep))
            }

            fn leq_over(&self, other: &Self, asked: &dyn Fn(Var) -> bool) -> bool {
                self.0.leq_over(&*other.0, asked)
            }

            fn meet_with(&mut self, other: &Self) {
                self.0.meet_with(&*other.0);
            }
        }
    };
    (@pass fn $method:ident(&self $(, $arg:ident: $type:ty)*) $(-> $result:ty)?) => {
        fn $method(&self $(, $arg: $type)*) $(-> $result)? {
            self.0.$method($($arg),*)
        }
    };
    (@pass fn $method:ident(&mut self $(, $arg:ident: $type:ty)*)) => {
        fn $method(&mut self $(, $arg: $type)*) {
            self.0.$method($($arg),*);
        }
    };
}

erased! {
    fn forget(&mut self, vars: &[Var]);
    fn related(&self, vars: &[Var]) -> Vec<Var>;
    fn tied(&self, vars: &[Var]) -> Vec<Var>;
    fn assign(&mut self, v: Var, e: &LinearExpr);
    fn assume(&mut self, c: &Constraint);
    fn expand(&mut self, v: Var, copy: Var);
    fn fold(&mut self, into: Var, from: Var);
    fn rename(&mut self, pairs: &[(Var, Var)]);
    fn bounds(&self, e: &LinearExpr) -> Option<Interval>;
    fn distance(&self, x: Var, y: Option<Var>) -> Interval;
    fn distances(&self, xs: &[Var], ys: &[Var]) -> Vec<Interval>;
    fn entails(&self, c: &Constraint) -> bool;
    fn constraints(&self) -> Vec<Constraint>;
    fn vars(&self) -> Vec<Var>;
}

impl Clone for AnyElement {
    fn clone(&self) -> Self {
        AnyElement(self.0.copy())
    }
}

impl fmt::Debug for AnyElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

impl Lattice for AnyElement {
    fn is_bottom(&self) -> bool {
        self.0.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.0.leq(&*other.0)
    }

    fn leq_at_once(&self, other: &Self) -> bool {
        self.0.leq_at_once(&*other.0)
    }

    fn join_with(&mut self, other: &Self) {
        self.0.join_with(&*other.0);
    }

    fn widen(prev: &Self, next: &Self, thresholds: &Thresholds) -> Self {
        AnyElement(prev.0.widen(&*next.0, thresholds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smalti_box::BoxDomain;
    use smalti_octagon::OctagonDomain;

    #[test]
    fn the_laws_hold() {
        smalti_core::laws::numeric(&AnyNumeric::new(OctagonDomain));
    }

    #[test]
    #[should_panic(expected = "both elements come from the same domain")]
    fn elements_of_two_domains_do_not_mix() {
        let (a, b) = (AnyNumeric::new(BoxDomain).top(), AnyNumeric::new(OctagonDomain).top());
        _ = a.leq(&b);
    }

    #[test]
    fn debug_shows_what_is_inside() {
        let domain = AnyNumeric::new(BoxDomain);
        assert_eq!(format!("{domain:?}"), "AnyNumeric(\"box\")");
        assert_eq!(format!("{:?}", domain.bottom()), "Bottom");
    }
}
