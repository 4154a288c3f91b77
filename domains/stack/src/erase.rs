//! How types are erased: a domain and its elements whose type is known at run time only.
//!
//! **Representation.** A boxed element. Both sides of a binary operation come from the same domain,
//! which is checked: two different ones are a bug of the caller and panic.

/// Makes `$AnyDomain`, any domain of an interface `$Domain`, and `$AnyElement`, any element of such
/// a domain with the interface `$Element`.
///
/// `passes` lists the methods of `$Element` that do not mention its own type: they are passed on to
/// the element inside. The other methods, apart from those of the lattice, are written out, three
/// times each: `declared` without the own type in its signature, `inside` for the element inside,
/// `outside` for `$AnyElement`.
macro_rules! erase {
    (
        $(#[$domain_doc:meta])* domain $AnyDomain:ident: $Domain:ident;
        $(#[$element_doc:meta])* element $AnyElement:ident: $Element:ident;
        mixed $mixed:literal;
        passes { $(fn $method:ident(&$($me:ident)+ $(, $arg:ident: $type:ty)*) $(-> $result:ty)?;)* }
        declared { $($declared:tt)* }
        inside { $($inside:tt)* }
        outside { $($outside:tt)* }
    ) => {
        $(#[$domain_doc])*
        #[derive(Clone)]
        pub struct $AnyDomain {
            name: std::rc::Rc<str>,
            domain: std::rc::Rc<dyn ErasedDomain>,
        }

        impl $AnyDomain {
            /// `domain`, its type forgotten.
            pub fn new<D: $Domain + 'static>(domain: D) -> Self {
                $AnyDomain { name: domain.name().into(), domain: std::rc::Rc::new(domain) }
            }
        }

        impl std::fmt::Debug for $AnyDomain {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_tuple(stringify!($AnyDomain)).field(&self.name()).finish()
            }
        }

        impl $Domain for $AnyDomain {
            type Element = $AnyElement;

            fn name(&self) -> String {
                self.name.to_string()
            }

            fn top(&self) -> $AnyElement {
                self.domain.erased_top()
            }

            fn bottom(&self) -> $AnyElement {
                self.domain.erased_bottom()
            }
        }

        /// The methods of the domain inside that make elements. They have names of their own, so
        /// that they hide none of its methods.
        trait ErasedDomain {
            fn erased_top(&self) -> $AnyElement;
            fn erased_bottom(&self) -> $AnyElement;
        }

        impl<D: $Domain + 'static> ErasedDomain for D {
            fn erased_top(&self) -> $AnyElement {
                $AnyElement(Box::new(Inside(self.top())))
            }

            fn erased_bottom(&self) -> $AnyElement {
                $AnyElement(Box::new(Inside(self.bottom())))
            }
        }

        $(#[$element_doc])*
        pub struct $AnyElement(Box<dyn Erased>);

        /// An element, so that [`Erased`] is implemented for nothing that has methods of the same
        /// names.
        struct Inside<E>(E);

        impl<E: $Element + 'static> Inside<E> {
            fn same(other: &dyn Erased) -> &E {
                let inside: Option<&Inside<E>> = other.as_any().downcast_ref();
                &inside.expect($mixed).0
            }
        }

        /// The interface without the element's own type in its signatures.
        trait Erased {
            fn as_any(&self) -> &dyn std::any::Any;
            fn copy(&self) -> Box<dyn Erased>;
            fn is_bottom(&self) -> bool;
            fn leq(&self, other: &dyn Erased) -> bool;
            fn leq_at_once(&self, other: &dyn Erased) -> bool;
            fn join_with(&mut self, other: &dyn Erased);
            /// `self` is the previous iterate.
            fn widen(&self, next: &dyn Erased, thresholds: &smalti_core::Thresholds) -> Box<dyn Erased>;
            $(fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)?;)*
            $($declared)*
        }

        impl<E: $Element + 'static> Erased for Inside<E> {
            fn as_any(&self) -> &dyn std::any::Any {
                self
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

            fn widen(&self, next: &dyn Erased, thresholds: &smalti_core::Thresholds) -> Box<dyn Erased> {
                Box::new(Inside(E::widen(&self.0, Self::same(next), thresholds)))
            }

            $($crate::erase::pass! { fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)? })*
            $($inside)*
        }

        impl Clone for $AnyElement {
            fn clone(&self) -> Self {
                $AnyElement(self.0.copy())
            }
        }

        impl smalti_core::Lattice for $AnyElement {
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

            fn widen(prev: &Self, next: &Self, thresholds: &smalti_core::Thresholds) -> Self {
                $AnyElement(prev.0.widen(&*next.0, thresholds))
            }
        }

        impl $Element for $AnyElement {
            $($crate::erase::pass! { fn $method(&$($me)+ $(, $arg: $type)*) $(-> $result)? })*
            $($outside)*
        }
    };
}

/// A method that is passed on to what is inside.
macro_rules! pass {
    (fn $method:ident(&self $(, $arg:ident: $type:ty)*) $(-> $result:ty)?) => {
        fn $method(&self $(, $arg: $type)*) $(-> $result)? {
            self.0.$method($($arg),*)
        }
    };
    (fn $method:ident(&mut self $(, $arg:ident: $type:ty)*)) => {
        fn $method(&mut self $(, $arg: $type)*) {
            self.0.$method($($arg),*);
        }
    };
}

pub(crate) use {erase, pass};
