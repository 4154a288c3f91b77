//! Finds the blocks of the source in which variables are declared. A pointer that is declared in
//! the same block as its target, or further inside, cannot be named after the target's lifetime has
//! ended.

use crate::program::{Block, FunctionId, Program, StmtKind, Storage, VarId};
use std::collections::HashMap;

/// By local variable: the blocks around its declaration, from the outside in. A variable without a
/// declaration belongs to the call as a whole.
#[derive(Default)]
pub(super) struct Scopes {
    around: HashMap<VarId, Vec<u32>>,
    count: u32,
}

impl Scopes {
    /// The scopes of a function.
    pub(super) fn new(program: &Program, function: FunctionId) -> Scopes {
        let mut scopes = Scopes::default();
        if let Some(body) = &program.function(function).body {
            scopes.block(body, &mut Vec::new());
        }
        scopes
    }

    fn block(&mut self, block: &Block, around: &mut Vec<u32>) {
        for stmt in block {
            if let StmtKind::Declare(v) = &stmt.kind {
                self.around.insert(*v, around.clone());
            }
            for b in stmt.blocks() {
                self.count += 1;
                around.push(self.count);
                self.block(b, around);
                around.pop();
            }
        }
    }

    /// Whether `object` exists wherever the program can name `pointer`, which points to it.
    pub(super) fn outlives(&self, program: &Program, object: VarId, pointer: VarId) -> bool {
        let is_global = |v: VarId| program.variable(v).storage == Storage::Global;
        let around = |v: VarId| self.around.get(&v).map(Vec::as_slice).unwrap_or_default();
        is_global(object) || !is_global(pointer) && around(pointer).starts_with(around(object))
    }
}
