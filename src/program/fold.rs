//! Passes that rebuild blocks of statements.

use super::{Block, Expr, Loop, Stmt, StmtKind, VisitMut};
use std::convert::Infallible;

/// A pass that replaces each statement by any number of statements. It may refuse a program with a
/// reason, and may carry a state.
///
/// [`Fold::fold`] is called on each statement in the order of the source, and adds its replacement
/// to the block. Its default rebuilds the statement from its parts: expressions as
/// [`Fold::rewriter`] changes them, inner blocks by the pass itself.
pub trait Fold {
    /// Why the pass refuses; [`Infallible`] for a pass that never does.
    type Refusal;

    /// Puts the statement, or its replacement, at the end of `out`.
    ///
    /// # Errors
    /// The pass refuses.
    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Self::Refusal> {
        self.fold_inside(s, out)
    }

    /// The visitor that changes expressions and lvalues, if the pass changes any.
    fn rewriter(&mut self) -> Option<&mut dyn VisitMut> {
        None
    }

    /// Rebuilds the branches of an `if`. A pass with a state starts both from the same state, and
    /// computes here its state where they join.
    ///
    /// # Errors
    /// The pass refuses.
    fn fold_branches(&mut self, then: &[Stmt], otherwise: &[Stmt]) -> Result<(Block, Block), Self::Refusal> {
        Ok((self.fold_block(then)?, self.fold_block(otherwise)?))
    }

    /// Rebuilds a loop. A pass with a state computes here its state in each iteration, and after
    /// the loop.
    ///
    /// # Errors
    /// The pass refuses.
    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, Self::Refusal> {
        self.fold_iteration(l)
    }

    /// Rebuilds a block.
    ///
    /// # Errors
    /// The pass refuses.
    fn fold_block(&mut self, block: &[Stmt]) -> Result<Block, Self::Refusal> {
        let mut out = Block::with_capacity(block.len());
        for s in block {
            self.fold(s, &mut out)?;
        }
        Ok(out)
    }

    /// [`Fold::fold_block`] of a pass that never refuses.
    fn rebuilt(&mut self, block: &[Stmt]) -> Block
    where
        Self: Fold<Refusal = Infallible>,
    {
        let Ok(block) = self.fold_block(block);
        block
    }

    /// Rebuilds the condition, the body and the step of a loop, one after the other.
    ///
    /// # Errors
    /// The pass refuses.
    fn fold_iteration(&mut self, l: &Loop) -> Result<Loop, Self::Refusal> {
        let condition = self.fold_expr(&l.condition);
        let body = self.fold_block(&l.body)?;
        let step = self.fold_block(&l.step)?;
        Ok(Loop { id: l.id, kind: l.kind, condition, body, step })
    }

    /// Rebuilds an expression with the rewriter.
    fn fold_expr(&mut self, e: &Expr) -> Expr {
        match self.rewriter() {
            Some(rewriter) => e.rewritten(rewriter),
            None => e.clone(),
        }
    }

    /// Rebuilds the statement from its parts.
    ///
    /// # Errors
    /// The pass refuses a statement inside it.
    fn fold_inside(&mut self, s: &Stmt, out: &mut Block) -> Result<(), Self::Refusal> {
        let new = match &s.kind {
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.fold_expr(condition);
                let (then, otherwise) = self.fold_branches(then, otherwise)?;
                s.with(StmtKind::If(condition, then, otherwise))
            }
            StmtKind::Loop(l) => s.with(StmtKind::Loop(Box::new(self.fold_loop(l)?))),
            StmtKind::Block(b) => s.with(StmtKind::Block(self.fold_block(b)?)),
            _ => {
                let mut new = s.clone();
                if let Some(rewriter) = self.rewriter() {
                    rewriter.parts(&mut new);
                }
                new
            }
        };
        out.push(new);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::{LowerOptions, load_text};
    use crate::program::{Expr, Lvalue, Program, StmtId, TermLvalue, Use, VarId, Visit, print};
    use std::collections::HashSet;

    /// Each form of statement, expression and formula that the text of a program can have.
    const TEXT: &str = "
        extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void unknown(int *);
        extern void *malloc(unsigned long); extern void abort(void); extern void *memset(void *, int, unsigned long);
        struct s { int f; int g[3]; };
        int a[5];
        int twice(int x) { return 2 * x; }
        int main(void) {
            int n = __VERIFIER_nondet_int(), i; struct s t = { 1, { 2 } }; int (*call)(int) = twice;
            if (n < 1 || n > 4) return -n;
            int v[n]; int *p = &a[n]; int *h = malloc(n * sizeof(int)); double d = 1.5;
            for (i = 0; i < n; i++) { if (a[i] == 3) continue; v[i] = t.g[i % 3] + (n ? i : ~i); }
            //@ loop invariant 0 <= i <= n && (\\forall integer k; 0 <= k < i ==> v[k] != -1);
            while (i > 0) { if (!a[i - 1]) break; i--; }
            do { n--; } while (n > 0 && a[n]);
            switch (n) { case 0: unknown(p); case 1: goto end; }
            memset(h, 0, 4); *h = call((int) d) + twice(i);
            if (n == 7) abort();
            end: __VERIFIER_assert(a[0] >= 0);
            return h[0] + v[0];
        }";

    fn program() -> Program {
        load_text("t.c", TEXT, &LowerOptions { preprocess: false, ..LowerOptions::default() }).unwrap()
    }

    /// Notes what a walk visits, in order.
    macro_rules! noting {
        ($name:ident, $Visit:ident $(<$life:lifetime>)?, ($($r:tt)+)) => {
            #[derive(Default)]
            struct $name(Vec<String>);

            impl $(<$life>)? $Visit $(<$life>)? for $name {
                fn stmt(&mut self, s: $($r)+ Stmt) {
                    self.0.push(format!("statement {:?}", s.site));
                    self.walk_stmt(s);
                }
                fn expr(&mut self, e: $($r)+ Expr) {
                    self.0.push(format!("{e:?}"));
                    self.walk_expr(e);
                }
                fn lvalue(&mut self, l: $($r)+ Lvalue, how: Use) {
                    self.0.push(format!("{how:?} {l:?}"));
                    self.walk_lvalue(l);
                }
                fn place(&mut self, p: $($r)+ TermLvalue) {
                    self.0.push(format!("{p:?}"));
                    self.walk_place(p);
                }
                fn variable(&mut self, v: $($r)+ VarId) {
                    self.0.push(format!("{v:?}"));
                }
            }
        };
    }

    noting!(Reader, Visit<'p>, (&'p));
    noting!(Changer, VisitMut, (&mut));

    #[test]
    fn both_visitors_visit_the_same_parts() {
        let mut program = program();
        let mut read = Reader::default();
        program.blocks().for_each(|b| read.block(b));
        let mut changed = Changer::default();
        changed.block(&mut program.initialisers);
        program.functions.iter_mut().filter_map(|f| f.body.as_mut()).for_each(|b| changed.block(b));
        assert_eq!(read.0, changed.0);
        assert!(read.0.iter().any(|v| v.starts_with("TermLvalue")), "the invariant is a formula");
        assert!(read.0.len() > 300, "{}", read.0.len());
    }

    struct Copy;

    impl Fold for Copy {
        type Refusal = Infallible;
    }

    #[test]
    fn a_fold_that_changes_nothing_gives_the_same_program_of_other_instances() {
        let source = program();
        let mut copied = source.clone();
        for (copy, f) in copied.functions.iter_mut().zip(&source.functions) {
            let Some(body) = &f.body else { continue };
            copy.body = Some(Copy.rebuilt(body));
        }
        let text = |p: &Program| print::to_c(p, &mut print::Plain);
        assert_eq!(text(&source), text(&copied));
        let mut ids: HashSet<StmtId> = HashSet::new();
        let mut count = 0;
        for program in [&source, &copied] {
            program.each_stmt(|s| {
                ids.insert(s.id());
                count += 1;
            });
        }
        assert_eq!(ids.len(), count);
    }

    /// Counts what is set where branches join.
    #[derive(Default)]
    struct Joins {
        set: usize,
        joined: Vec<usize>,
    }

    impl Fold for Joins {
        type Refusal = &'static str;

        fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), &'static str> {
            match s.kind {
                StmtKind::Call { .. } => return Err("a call"),
                StmtKind::Assign(..) => self.set += 1,
                StmtKind::Skip => return Ok(()),
                _ => {}
            }
            self.fold_inside(s, out)
        }

        fn fold_branches(&mut self, then: &[Stmt], otherwise: &[Stmt]) -> Result<(Block, Block), &'static str> {
            let before = self.set;
            let then = self.fold_block(then)?;
            let after_then = std::mem::replace(&mut self.set, before);
            let otherwise = self.fold_block(otherwise)?;
            self.set = self.set.max(after_then);
            self.joined.push(self.set);
            Ok((then, otherwise))
        }
    }

    #[test]
    fn a_fold_carries_a_state_and_refuses() {
        let text = "int a, b; int main(void) { a = 1; if (b) { a = 2; if (a) a = 3; } else b = 4; b = 5; return a; }";
        let load =
            |text| load_text("t.c", text, &LowerOptions { preprocess: false, ..LowerOptions::default() }).unwrap();
        let body = |p: &Program| p.function(p.entry).body.clone().unwrap();
        let mut joins = Joins::default();
        joins.fold_block(&body(&load(text))).unwrap();
        assert_eq!((joins.joined, joins.set), (vec![3, 3], 4));
        let calls = load("void f(void); int main(void) { for (;;) { f(); } }");
        assert_eq!(Joins::default().fold_block(&body(&calls)).unwrap_err(), "a call");
    }
}
