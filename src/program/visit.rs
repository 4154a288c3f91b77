//! Walks over statements, expressions, lvalues and formulas: [`Visit`] reads them, [`VisitMut`]
//! changes them in place.
//!
//! Both are made by one macro, so they visit the same parts in the same order. Each has a method
//! for each kind of part; its default visits what is inside. A method that is overridden calls the
//! `walk_…` method of the same name to go on inside.

use super::{
    Application, Base, Block, Callee, Claim, Elements, Expr, ExprKind, ForAll, Formula, FunctionId, LabelId, Length,
    Loop, Lvalue, Range, Root, SnapshotId, Step, Stmt, StmtKind, Term, TermLvalue, TermStep, Type, VarId,
};

/// How an lvalue is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its value is read.
    Read,
    /// Its value changes.
    Write,
    /// Its address is taken.
    Address,
}

/// `($($r)+)` is the reference, `& 'p` or `&mut`; the other parameters name the accessors that give
/// such references.
macro_rules! visitor {
    ($(#[$doc:meta])* $Visit:ident $(<$life:lifetime>)?, ($($r:tt)+), $as_ref:ident, $blocks:ident, $operands:ident, $ranges:ident) => {
        $(#[$doc])*
        pub trait $Visit $(<$life>)? {
            /// A sequence of statements.
            fn block(&mut self, block: $($r)+ Block) {
                for s in block {
                    self.stmt(s);
                }
            }

            /// A statement, with the statements inside it.
            fn stmt(&mut self, s: $($r)+ Stmt) {
                self.walk_stmt(s);
            }

            /// An expression.
            fn expr(&mut self, e: $($r)+ Expr) {
                self.walk_expr(e);
            }

            /// An lvalue, and what is done with it.
            fn lvalue(&mut self, l: $($r)+ Lvalue, _how: Use) {
                self.walk_lvalue(l);
            }

            /// An object of a formula.
            fn place(&mut self, p: $($r)+ TermLvalue) {
                self.walk_place(p);
            }

            /// The type of an expression, an lvalue, a place or an allocation.
            fn ty(&mut self, ty: $($r)+ Type) {
                self.walk_ty(ty);
            }

            /// A variable: declared, the base of an lvalue, or the length of an array.
            fn variable(&mut self, _v: $($r)+ VarId) {}

            /// A function that is called by its name, or whose address is taken.
            fn function(&mut self, _f: $($r)+ FunctionId) {}

            /// A label, or the target of a jump.
            fn label(&mut self, _l: $($r)+ LabelId) {}

            /// A snapshot that is taken, or that a term reads.
            fn snapshot(&mut self, _s: $($r)+ SnapshotId) {}

            /// The parts of a statement, then the statements inside it.
            fn walk_stmt(&mut self, s: $($r)+ Stmt) {
                self.parts(s);
                for block in s.$blocks() {
                    self.block(block);
                }
            }

            /// The parts of the statement itself, not of the statements inside it.
            fn parts(&mut self, s: $($r)+ Stmt) {
                self.walk_parts(s);
            }

            /// Visits what a statement reads, writes, declares and jumps to, in the order of the
            /// source.
            fn walk_parts(&mut self, s: $($r)+ Stmt) {
                let Stmt { kind, .. } = s;
                match kind {
                    StmtKind::Declare(v) => self.variable(v),
                    StmtKind::Assign(l, e) => {
                        self.lvalue(l, Use::Write);
                        self.expr(e);
                    }
                    StmtKind::Input(l, _) | StmtKind::Zero(l) | StmtKind::Havoc(l) => self.lvalue(l, Use::Write),
                    StmtKind::HavocReachable(reached) => {
                        for e in reached.$operands() {
                            self.expr(e);
                        }
                    }
                    StmtKind::Blocks(blocks) => {
                        for e in blocks.$operands() {
                            self.expr(e);
                        }
                    }
                    StmtKind::Allocate { target, element, count, zeroed: _ } => {
                        self.lvalue(target, Use::Write);
                        self.ty(element);
                        self.expr(count);
                    }
                    StmtKind::Call { target, callee, arguments } => {
                        if let Some(l) = target {
                            self.lvalue(l, Use::Write);
                        }
                        match callee {
                            Callee::Function(f) => self.function(f),
                            Callee::Pointer(e) => self.expr(e),
                        }
                        for e in arguments {
                            self.expr(e);
                        }
                    }
                    StmtKind::If(e, ..)
                    | StmtKind::Assume(e)
                    | StmtKind::Assert(e, _)
                    | StmtKind::Return(Some(e)) => self.expr(e),
                    StmtKind::Loop(l) => {
                        let Loop { condition, .. } = l.$as_ref();
                        self.expr(condition);
                    }
                    StmtKind::Label(l, _) | StmtKind::Goto(l) => self.label(l),
                    StmtKind::Snapshot(id) => self.snapshot(id),
                    StmtKind::Claim(claim) => {
                        let Claim { formula, .. } = claim.$as_ref();
                        self.formula(formula);
                    }
                    StmtKind::Presume(presumption) => {
                        for e in presumption.$operands() {
                            self.expr(e);
                        }
                    }
                    StmtKind::Return(None)
                    | StmtKind::Block(_)
                    | StmtKind::Break
                    | StmtKind::Continue
                    | StmtKind::Stop
                    | StmtKind::Skip => {}
                }
            }

            /// What is inside an expression, then its type.
            fn walk_expr(&mut self, e: $($r)+ Expr) {
                let Expr { kind, ty, .. } = e;
                match kind {
                    ExprKind::Int(_) | ExprKind::Float(_) => {}
                    ExprKind::FunctionAddress(f) => self.function(f),
                    ExprKind::Load(l) => self.lvalue(l, Use::Read),
                    ExprKind::AddressOf(l) => self.lvalue(l, Use::Address),
                    ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a),
                    ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                        self.expr(a);
                        self.expr(b);
                    }
                    ExprKind::Conditional(c, a, b) => {
                        self.expr(c);
                        self.expr(a);
                        self.expr(b);
                    }
                }
                self.ty(ty);
            }

            /// The base, the indexes, the type.
            fn walk_lvalue(&mut self, l: $($r)+ Lvalue) {
                let Lvalue { base, path, ty, .. } = l;
                match base {
                    Base::Var(v) => self.variable(v),
                    Base::Deref(pointer) => self.expr(pointer),
                }
                for step in path {
                    if let Step::Index(e) = step {
                        self.expr(e);
                    }
                }
                self.ty(ty);
            }

            /// The variables that are lengths of arrays in a type.
            fn walk_ty(&mut self, ty: $($r)+ Type) {
                match ty {
                    Type::Pointer(to) => self.ty(to),
                    Type::Array(element, length) => {
                        if let Length::Variable(v) = length {
                            self.variable(v);
                        }
                        self.ty(element);
                    }
                    Type::Void | Type::Int(_) | Type::Float(_) | Type::Struct(_) | Type::Function => {}
                }
            }

            /// A formula: its places, from left to right.
            fn formula(&mut self, formula: $($r)+ Formula) {
                self.walk_formula(formula);
            }

            /// What is inside a formula, from left to right.
            fn walk_formula(&mut self, formula: $($r)+ Formula) {
                match formula {
                    Formula::Constant(_) => {}
                    Formula::Compare(_, a, b) => {
                        self.term(a);
                        self.term(b);
                    }
                    Formula::Not(a) => self.formula(a),
                    Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                        self.formula(a);
                        self.formula(b);
                    }
                    Formula::ForAll(quantifier) => {
                        let ForAll { low, high, body, .. } = quantifier.$as_ref();
                        self.term(low);
                        self.term(high);
                        self.formula(body);
                    }
                    Formula::Memory(memory) => {
                        for range in memory.$ranges() {
                            let Range { pointer, first, count } = range;
                            self.expr(pointer);
                            self.term(first);
                            self.term(count);
                        }
                    }
                }
            }

            /// A term.
            fn term(&mut self, term: $($r)+ Term) {
                self.walk_term(term);
            }

            /// The places of a term, from left to right.
            fn walk_term(&mut self, term: $($r)+ Term) {
                match term {
                    Term::Int(_) | Term::Bound(_) => {}
                    Term::Read(place) => self.place(place),
                    Term::At(id, place) => {
                        self.snapshot(id);
                        self.place(place);
                    }
                    Term::Apply(applied) => {
                        let Application { numbers, elements, .. } = applied.$as_ref();
                        for t in numbers {
                            self.term(t);
                        }
                        for Elements { first, at } in elements {
                            if let Some(at) = at {
                                self.snapshot(at);
                            }
                            self.place(first);
                        }
                    }
                    Term::If(c, a, b) => {
                        self.formula(c);
                        self.term(a);
                        self.term(b);
                    }
                    Term::Negate(a) => self.term(a),
                    Term::Binary(_, a, b) => {
                        self.term(a);
                        self.term(b);
                    }
                }
            }

            /// Where a place starts, the terms by which it is found, its type.
            fn walk_place(&mut self, p: $($r)+ TermLvalue) {
                let TermLvalue { root, steps, ty, .. } = p;
                match root {
                    Root::Variable(l) => self.lvalue(l, Use::Read),
                    Root::Pointer { pointer, offset } => {
                        self.expr(pointer);
                        if let Some(offset) = offset {
                            self.term(offset);
                        }
                    }
                    Root::Elements { offset, .. } => {
                        if let Some(offset) = offset {
                            self.term(offset);
                        }
                    }
                }
                for step in steps {
                    if let TermStep::Index(t) = step {
                        self.term(t);
                    }
                }
                self.ty(ty);
            }
        }
    };
}

visitor! {
    /// Reads the parts of a program.
    Visit<'p>, (&'p), as_ref, blocks, operands, ranges
}

visitor! {
    /// Changes the parts of a program in place.
    VisitMut, (&mut), as_mut, blocks_mut, operands_mut, ranges_mut
}

impl Expr {
    /// A copy that was changed.
    #[must_use]
    pub fn rewritten(&self, with: &mut dyn VisitMut) -> Expr {
        let mut e = self.clone();
        with.expr(&mut e);
        e
    }
}

impl Lvalue {
    /// A copy that was changed.
    #[must_use]
    pub fn rewritten(&self, how: Use, with: &mut dyn VisitMut) -> Lvalue {
        let mut l = self.clone();
        with.lvalue(&mut l, how);
        l
    }
}

/// A copy of the block that was changed.
#[must_use]
pub fn rewritten(block: &[Stmt], with: &mut dyn VisitMut) -> Block {
    let mut block = block.to_vec();
    with.block(&mut block);
    block
}

/// What a walk over the expressions of a statement visits.
#[derive(Clone, Copy)]
pub enum Part<'p> {
    /// An expression.
    Expr(&'p Expr),
    /// An lvalue, and whether it is written (the target of the statement), read, or has its address
    /// taken.
    Lvalue(&'p Lvalue, Use),
}

struct Parts<'f, F>(&'f mut F);

impl<'p, F: FnMut(Part<'p>)> Visit<'p> for Parts<'_, F> {
    fn expr(&mut self, e: &'p Expr) {
        (self.0)(Part::Expr(e));
        self.walk_expr(e);
    }

    fn lvalue(&mut self, l: &'p Lvalue, how: Use) {
        (self.0)(Part::Lvalue(l, how));
        self.walk_lvalue(l);
    }

    fn ty(&mut self, _: &'p Type) {}
}

/// Calls `f` on every expression and lvalue of the statement itself (not of statements inside it),
/// outer before inner.
pub fn each_part<'p>(stmt: &'p Stmt, f: &mut impl FnMut(Part<'p>)) {
    Parts(f).parts(stmt);
}

/// Calls `f` on every expression of the statement itself, outer before inner.
pub fn each_expr<'p>(stmt: &'p Stmt, f: &mut impl FnMut(&'p Expr)) {
    each_part(stmt, &mut |part| {
        if let Part::Expr(e) = part {
            f(e);
        }
    });
}

/// Calls `f` on every expression and lvalue inside an expression, the expression itself first.
pub fn each_part_of_expr<'p>(e: &'p Expr, f: &mut impl FnMut(Part<'p>)) {
    Parts(f).expr(e);
}

/// Calls `f` on an lvalue and on every expression and lvalue inside it.
pub fn each_part_of_lvalue<'p>(l: &'p Lvalue, how: Use, f: &mut impl FnMut(Part<'p>)) {
    Parts(f).lvalue(l, how);
}

/// Calls `f` on every statement of a block, outer before inner.
pub fn each_stmt<'p>(block: &'p [Stmt], f: &mut impl FnMut(&'p Stmt)) {
    // Not recursive: inlined calls nest statements deeply.
    let mut stack: Vec<std::slice::Iter<'p, Stmt>> = vec![block.iter()];
    while let Some(top) = stack.last_mut() {
        match top.next() {
            None => _ = stack.pop(),
            Some(stmt) => {
                f(stmt);
                stack.extend(stmt.blocks().map(|b| b.iter()).rev());
            }
        }
    }
}
