//! Names, the blocks of C in which they are valid, and the objects that live as long as these
//! blocks.

use super::context::{Lowered, Lowerer, Scope, Symbol, Tag};
use crate::program::{Block, Expr, Location, Stmt, StmtKind, Storage, Type, VarId};

impl Lowerer<'_> {
    pub(super) fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.symbols.get(name))
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// The innermost scope.
    pub(super) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Runs `inside` in a new scope.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.scopes.push(Scope::default());
        let result = inside(self);
        if let Some(mut closed) = self.scopes.pop() {
            let unnamed = std::mem::take(&mut closed.unnamed);
            self.scope().unnamed.extend(unnamed);
            self.note_names(closed);
        }
        result
    }

    /// Lowers a block of C: a scope of its own, which begins with the objects that live as long as
    /// it does, wherever in the block the program makes them.
    pub(super) fn scoped_block<T>(&mut self, inside: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(T, Block)> {
        self.scoped(|l| {
            let (value, statements) = l.collecting(inside)?;
            let mut block = std::mem::take(&mut l.scope().unnamed);
            block.extend(statements);
            Ok((value, block))
        })
    }

    /// Whether the lifetime of objects of the program, not only of smalti's own temporaries, ends
    /// with the block.
    pub(super) fn ends_lives(&self, block: &[Stmt]) -> bool {
        let is_own = |v: &VarId| self.program.variable(*v).origin.is_temporary();
        block.iter().any(|s| matches!(&s.kind, StmtKind::Declare(v) if !is_own(v)))
    }

    /// Emits a block of C that has a value, which is kept.
    pub(super) fn closed(&mut self, mut block: Block, value: Expr, at: Location) -> Expr {
        if value.ty == Type::Void || value.as_int().is_some() {
            self.emit(StmtKind::Block(block), at);
            return value;
        }
        let result = self.temporary(value.ty.clone(), value.location);
        block.push(self.stmt(StmtKind::Assign(result.clone(), value), at));
        self.emit(StmtKind::Block(block), at);
        Expr::load(result)
    }

    /// Lowers a full expression (C11 6.8p4), with which objects of temporary lifetime end
    /// (6.2.4p8).
    pub(super) fn full(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<Expr>) -> Lowered<Expr> {
        self.passing.push(Block::new());
        let result = self.collecting(inside);
        let mut block = self.passing.pop().unwrap_or_default();
        let (value, statements) = result?;
        let statements = self.postponed(statements, &value);
        if block.is_empty() {
            self.out.extend(statements);
            return Ok(value);
        }
        block.extend(statements);
        Ok(self.closed(block, value, at))
    }

    /// Lowers a full expression without a value.
    pub(super) fn full_effects(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.full(at, |l| inside(l).map(|()| super::expressions::void(at))).map(|_| ())
    }

    /// Lowers what is a block in C although it has no braces. If no object's lifetime ends with it,
    /// no block is made.
    pub(super) fn enclosed(&mut self, at: Location, inside: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        let ((), block) = self.scoped_block(inside)?;
        if self.ends_lives(&block) {
            self.emit(StmtKind::Block(block), at);
        } else {
            self.out.extend(block);
        }
        Ok(())
    }

    /// Notes which names of a scope inside of a function mean something else than its own
    /// variables.
    fn note_names(&mut self, closed: Scope) {
        let Some(function) = &self.function else { return };
        for (name, symbol) in closed.symbols {
            if let Symbol::Variable(v) = symbol {
                if self.program.variable(v).storage != Storage::Global {
                    continue;
                }
                let of_file = self.scopes.first().and_then(|file| file.symbols.get(&name));
                if !matches!(of_file, Some(Symbol::Variable(w)) if *w == v) {
                    self.program.block_names.globals.insert(v);
                }
            }
            self.program.block_names.other.entry(function.name.clone()).or_default().insert(name);
        }
    }
}
