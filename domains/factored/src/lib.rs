//! Represents the elements of another numeric domain as independent factors.
//!
//! **Meaning.** Variables that no constraint connects, directly or through others, are in different
//! *factors*. An element is a set of factors over disjoint variables, each a small element of the
//! domain below; `γ` is the set of valuations that are in the `γ` of each. Twenty variables with
//! no more than a lower and an upper bound each are twenty factors of one dimension, where one
//! polyhedron would have a vertex for each of a million corners.
//!
//! **Operations.** The factors that an operation mentions are first put together
//! ([`Numeric::meet_with`] of factors over disjoint variables is their product). The operation is
//! done on the product, and the result is split into factors again. Factors that it does not
//! mention are shared with the element before. Equal factors of one domain are one object, and an
//! operation done on some factors is not repeated. Bounds need no product: the least value of a sum
//! over disjoint variables is the sum of the least values. The join puts together only the factors
//! that differ between the two sides, since `conv((E x A) ∪ (E x B)) = E x conv(A ∪ B)`.
//!
//! **What is asked of the domain below.** Its sets are convex, and its widening depends on what its
//! operands mean, not on how they are represented: factors are put together and taken apart between
//! one widening and the next. This is true of polyhedra, and not of octagons (Miné, HOSC 2006,
//! section 4.4).
//!
//! **Sources, and where we differ.** G. Singh, M. Püschel, M. Vechev: "Fast polyhedra abstract
//! domain", POPL 2017; the same: "A practical construction for decomposing numerical abstract
//! domains", POPL 2018. There the factors of a result are read off the factors of the operands, and
//! may be coarser than need be; here they are read off the constraints of what changed
//! ([`Numeric::constraints`]), so they are as fine as these constraints. A constraint that
//! [`Numeric::constraints`] leaves out, because its numbers do not fit, is lost if it connects two
//! factors.

mod domain;
mod element;
mod factor;
mod memo;
mod store;

pub use domain::FactoredDomain;
pub use element::Factored;
