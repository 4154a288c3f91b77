//! Arrays: total maps, written as `lambda k. t(k)`; reads apply them.
//!
//! Rules: `(lambda k. t(k))[i] = t(i)`, `lambda k. a[k] = a`, and a write is the lambda
//! `lambda k. ite(k = i, v, a[k])`. A loop's stores are the chain
//! `lambda k. ite(p1(k), t1(k), ite(p2(k), t2(k), ... a[k]))`.

use crate::context::Context;
use crate::name::{Term, Var};
use crate::node::{Node, Sort};

impl Context {
    /// The cell of an array.
    pub fn read(&self, array: Term, index: &[Term]) -> Term {
        if let Node::Lambda(rank, body) = *self.node(array) {
            return self.scoped_all(rank, |vars, ks| {
                let map: Vec<(Var, Term)> = vars.iter().copied().zip(index.iter().copied()).collect();
                self.substitute_all(self.open_all(body, ks), &map)
            });
        }
        self.intern(Node::Read(array, index.to_vec()))
    }

    /// The array whose cell at `k` is `body(k)`.
    pub fn lambda(&self, body: impl FnOnce(Term) -> Term) -> Term {
        self.lambda_of(1, |ks| body(ks[0]))
    }

    /// The array with so many indexes whose cell at `ks` is `body(ks)`.
    pub fn lambda_of(&self, rank: u32, body: impl FnOnce(&[Term]) -> Term) -> Term {
        self.scoped_all(rank, |vars, ks| self.lambda_over(vars, body(ks)))
    }

    /// The array whose cell at the values of the variables is `body`.
    pub fn lambda_over(&self, vars: &[Var], body: Term) -> Term {
        if let Node::Read(array, index) = &*self.node(body) {
            let same = index.len() == vars.len() && index.iter().zip(vars).all(|(&t, &v)| t == self.var(v));
            if same && vars.iter().all(|&v| !self.mentions(*array, v)) {
                return *array;
            }
        }
        self.intern(Node::Lambda(vars.len() as u32, self.close(body, vars)))
    }

    /// The array with another value at one index.
    pub fn store(&self, array: Term, index: &[Term], value: Term) -> Term {
        self.lambda_of(index.len() as u32, |ks| {
            let here: Vec<Term> = ks.iter().zip(index).map(|(&k, &i)| self.eq(k, i)).collect();
            self.ite(self.and(&here), value, self.read(array, ks))
        })
    }

    /// The array with `value(ks)` where `written(ks)`, else as it was: what a loop leaves.
    pub fn overwrite(
        &self,
        array: Term,
        written: impl FnOnce(&[Term]) -> Term,
        value: impl FnOnce(&[Term]) -> Term,
    ) -> Term {
        let Sort::Array(rank) = self.sort(array) else { return array };
        self.lambda_of(rank, |ks| self.ite(written(ks), value(ks), self.read(array, ks)))
    }

    /// The array after a loop with one write: in each iteration `n` with `lo <= n < hi`, in this
    /// order, if `condition(n)`, the cell at `index(n)` is set to `value(n)`. None of the three may
    /// read what the loop writes.
    ///
    /// Cell `k` holds the value of the last iteration that wrote it,
    /// `l = last(n, condition(n) and index(n) = k)`, or its old one. Where the index is affine in
    /// `n`, with any stride and either direction, `l` is solved for, and its range and residue
    /// become the stretch that was written.
    ///
    /// ```
    /// use smalti_terms::{Context, Sort};
    /// let c = Context::new();
    /// let (n, i) = (c.unknown("N"), c.variable("i", Sort::Int));
    /// // for (i = 0; i < N; i++) a[2*i + 1] = i;
    /// let index = c.add(c.scale(2, c.var(i)), c.int(1));
    /// let a = c.after_writes(c.array("a", 1), i, c.int(0), n, c.truth(true), &[index], c.var(i));
    /// let text = "lambda k. if 0 < k <= 2*N and k mod 2 = 1 then (k - 1) div 2 else a[k]";
    /// assert_eq!(c.show(a), text);
    /// ```
    pub fn after_writes(
        &self,
        array: Term,
        iteration: Var,
        lo: Term,
        hi: Term,
        condition: Term,
        index: &[Term],
        value: Term,
    ) -> Term {
        self.lambda_of(index.len() as u32, |ks| {
            let mut writes: Vec<Term> = ks.iter().zip(index).map(|(&k, &i)| self.eq(k, i)).collect();
            writes.push(condition);
            let last = self.last_over(iteration, lo, hi, self.and(&writes));
            let new = self.substitute(value, iteration, last);
            self.ite(self.ge(last, lo), new, self.read(array, ks))
        })
    }
}
