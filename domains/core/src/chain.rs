//! Chains of comparisons between sums, as people write them: `0 <= i < n`.
//!
//! Unlike a [`Constraint`](crate::Constraint), a chain keeps the order in which its parts are
//! written. What the parts are named by is the type `N`: a [`Var`](crate::Var) inside the domains,
//! a name for a reader.

use std::fmt::{self, Display, Formatter};

/// A sum of terms and a constant, in the order in which it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sum<N> {
    /// The terms, each with its coefficient, which is not 0.
    pub terms: Vec<(N, i128)>,
    /// The constant; written last, and only if it is not 0 or there are no terms.
    pub constant: i128,
}

/// How a comparison is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// Some sums, each compared with the one after it: the conjunction of these comparisons.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chain<N> {
    /// The first sum.
    pub first: Sum<N>,
    /// The comparisons, each with the sum on its right; at least one.
    pub rest: Vec<(Comparison, Sum<N>)>,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::AtMost,
        Comparison::Greater,
        Comparison::AtLeast,
    ];

    /// The operator, as in C.
    pub fn operator(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        }
    }
}

impl<N> Sum<N> {
    /// The sum that is a number.
    pub fn constant(constant: i128) -> Sum<N> {
        Sum { terms: Vec::new(), constant }
    }

    /// The sum with what `name` makes of the names of its terms.
    pub fn map<M>(&self, mut name: impl FnMut(&N) -> M) -> Sum<M> {
        Sum { terms: self.terms.iter().map(|(n, c)| (name(n), *c)).collect(), constant: self.constant }
    }
}

impl<N> Chain<N> {
    /// The chain of one comparison.
    pub fn new(left: Sum<N>, comparison: Comparison, right: Sum<N>) -> Chain<N> {
        Chain { first: left, rest: vec![(comparison, right)] }
    }

    /// The chain with what `name` makes of the names of its terms.
    pub fn map<M>(&self, mut name: impl FnMut(&N) -> M) -> Chain<M> {
        let rest = self.rest.iter().map(|(c, s)| (*c, s.map(&mut name))).collect();
        Chain { first: self.first.map(&mut name), rest }
    }

    /// The single comparisons.
    pub fn comparisons(&self) -> impl Iterator<Item = (&Sum<N>, Comparison, &Sum<N>)> {
        let left = std::iter::once(&self.first).chain(self.rest.iter().map(|(_, sum)| sum));
        left.zip(&self.rest).map(|(left, (comparison, right))| (left, *comparison, right))
    }

    /// All sums.
    pub fn sums(&self) -> impl Iterator<Item = &Sum<N>> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, sum)| sum))
    }
}

/// Writes `2*n - i + 1`; with the flag `#` without spaces: `2*n-i+1`.
impl<N: Display> Display for Sum<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let space = if f.alternate() { "" } else { " " };
        for (n, (name, coefficient)) in self.terms.iter().enumerate() {
            match (n, *coefficient < 0) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => write!(f, "{space}+{space}")?,
                (_, true) => write!(f, "{space}-{space}")?,
            }
            if coefficient.unsigned_abs() != 1 {
                write!(f, "{}*", coefficient.unsigned_abs())?;
            }
            write!(f, "{name}")?;
        }
        match self.constant {
            constant if self.terms.is_empty() => write!(f, "{constant}"),
            0 => Ok(()),
            1.. => write!(f, "{space}+{space}{}", self.constant),
            _ => write!(f, "{space}-{space}{}", self.constant.unsigned_abs()),
        }
    }
}

/// Writes `0 <= i < n`.
impl<N: Display> Display for Chain<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        self.rest.iter().try_for_each(|(comparison, sum)| write!(f, " {} {sum}", comparison.operator()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_chains_are_written_in_their_order() {
        let sum = |terms: &[(&'static str, i128)], constant| Sum { terms: terms.to_vec(), constant };
        let first = sum(&[("n", 2), ("i", -1)], 1);
        assert_eq!((first.to_string(), format!("{first:#}")), ("2*n - i + 1".into(), "2*n-i+1".into()));
        assert_eq!(sum(&[("x", -1)], i128::MIN).to_string(), format!("-x - {}", i128::MIN.unsigned_abs()));
        assert_eq!(sum(&[], 0).to_string(), "0");
        let chain =
            Chain { first, rest: vec![(Comparison::AtMost, sum(&[("k", 1)], 0)), (Comparison::Less, sum(&[], -3))] };
        assert_eq!(chain.to_string(), "2*n - i + 1 <= k < -3");
        assert_eq!(chain.comparisons().count(), 2);
        assert_eq!(chain.map(|name| name.len()).sums().count(), 3);
    }
}
