//! Terms: what loops compute, as mathematics. Integers, booleans and arrays, with folds over
//! ranges, in a normal form; their exact values; their text.
//!
//! **Meaning.** A term has a value for each meaning of its symbols (a [`Model`]). Integers are
//! those of mathematics, arrays are total maps. Every operation is total: [`Node`] says what
//! quotients by 0, folds over empty ranges and searches without a result are. [`Context::evaluate`]
//! computes the value.
//!
//! **Representation.** A [`Context`] keeps nodes; a [`Term`] is the number of one. Methods of the
//! context that make terms bring them to a normal form, so that terms which are equal for reasons
//! of arithmetic, of ranges or of the order of operands are the same term. The converse does not
//! hold: different terms may have the same values. Arithmetic is polynomials over atoms (`poly`);
//! comparisons are `p >= 0`, `p = 0` and `c` divides `p` (`logic`); arrays are lambdas (`array`);
//! folds are over ranges `[lo, hi)` (`fold`, `sum`, `others`); searches are `search`; machine
//! integers are `wrap`.
//!
//! **Sources, and where we differ.** Each module names its own. The terms are those of Daca,
//! Henzinger, Kupriyanov, "Array folds logic", CAV 2016, and of Dillig, Dillig, Aiken, "Fluid
//! updates: beyond strong vs. weak updates", ESOP 2010, as values instead of formulas.
//!
//! **Use.** Iteration numbers and the values that a loop body starts from are variables
//! ([`Context::variable`]): they can be substituted. Inputs and initial contents are unknowns
//! ([`Context::unknown`], [`Context::array`]); one that is new in each iteration is a symbol
//! applied to the iteration number ([`Context::symbol`], [`Context::apply`]).
//! [`Context::trip_count`] gives the number of iterations, [`Context::sum`] and the other folds
//! what a loop accumulates, [`Context::after_writes`] what it writes, [`Context::first`],
//! [`Context::last`] and [`Context::nth`] what it searches, keeps last and compacts. [`Facts`]
//! simplify and decide, [`Context::query`] asks a solver.
//!
//! **Limits.** See [`Limits`]: work is bounded, and what is too large becomes an unknown of its
//! own. The normal form decides nothing that needs facts about the unknowns: that is what [`Facts`]
//! is for.
//!
//! ```
//! use smalti_terms::Context;
//! let c = Context::new();
//! let (n, zero) = (c.unknown("N"), c.int(0));
//! let a = c.array("a", 1);
//! // for (k = 0; k < N; k++) a[k] = 2*k + 2;
//! let a = c.overwrite(a, |k| c.within(zero, k[0], n), |k| c.add(c.scale(2, k[0]), c.int(2)));
//! // for (k = 0; k < N; k++) sum += a[k];
//! let sum = c.sum(zero, n, |k| c.read(a, &[k]));
//! assert_eq!(c.show(sum), "max(0, N)^2 + max(0, N)");
//! ```
//!
//! A search, `for (i = 0; i < N; i++) { int x = input(); if (a[i] == x) break; }`:
//!
//! ```
//! use smalti_terms::{Context, Facts, Sort};
//! let c = Context::new();
//! let (n, a) = (c.unknown("N"), c.array("a", 1));
//! let input = c.symbol("input", Sort::Int);
//! let exit = |i| c.or(&[c.ge(i, n), c.eq(c.read(a, &[i]), c.apply(input, &[i]))]);
//! let i = c.trip_count(exit).expect("the loop counts up to N");
//! let facts = Facts::new(&c).with(c.ge(n, c.int(0)));
//! let text = facts.show(facts.simplify(i));
//! assert_eq!(text, "first k in 0..N-1 with a[k] = input(k), else N");
//! ```

mod arith;
mod array;
mod bag;
mod bind;
mod cases;
mod choice;
mod context;
mod display;
mod elimination;
mod eval;
mod facts;
mod fold;
mod instances;
mod join;
mod logic;
mod name;
mod node;
mod others;
mod poly;
mod query;
mod range;
mod rank;
mod search;
mod simplify;
mod solution;
mod sum;
mod until;
mod wrap;

pub use context::{Context, Limits};
pub use display::index_names;
pub use eval::{EvalError, Model};
pub use facts::Facts;
pub use name::{Int, IntRange, Symbol, Term, Var};
pub use node::{BitOp, FoldOp, Node, Sort, WrapType};
pub use poly::{Monomial, Poly, Rat};
pub use query::{Query, QueryLimits};
pub use search::Tie;
pub use solution::ByRank;
