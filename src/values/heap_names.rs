//! How heap blocks are told apart where calls are executed together.
//!
//! A block has the name of its allocation. Two things keep names apart that one allocation would
//! give to many blocks, or to none for certain:
//!
//! * *Allocators*: short functions that make a block and return a pointer (`xmalloc`, `new_node`).
//!   Their calls are executed one by one, so each call has blocks of its own ("heap cloning":
//!   Nystrom, Kim, Hwu, "Importance of heap specialization in pointer analysis", PASTE 2004).
//! * Functions that run *once*: an allocation in one, outside of loops, makes one block, and what
//!   is written to it replaces what was there.
//!
//! **Why it is sound.** Names only say which blocks are kept apart. That a name stands for one
//! block at most is said of allocations that no run comes to twice: the entry function is called
//! once, and so is a function that has one call, by its name, outside of loops, in a function that
//! is called once. Control that comes back to `setjmp` repeats what comes after it; then nothing
//! runs once.

use crate::program::{Callee, FunctionId, Program, Stmt, StmtKind, Type, each_stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of an allocator, and how many of them call each other at most.
const MOST_STATEMENTS: usize = 40;
const MOST_LEVELS: u32 = 3;

/// How the calls of functions make blocks.
#[derive(Default)]
pub(super) struct HeapNames {
    once: BTreeSet<FunctionId>,
    allocators: BTreeSet<FunctionId>,
}

/// What a function does that matters here.
struct Summary {
    /// The functions that it calls by name, and whether the call may be repeated in one call.
    calls: Vec<(FunctionId, bool)>,
    allocates: bool,
    statements: usize,
}

impl HeapNames {
    pub(super) fn of(program: &Program) -> HeapNames {
        let all: BTreeMap<FunctionId, Summary> = (0..)
            .map(FunctionId)
            .zip(&program.functions)
            .filter_map(|(f, function)| Some((f, Summary::of(function.body.as_deref()?))))
            .collect();
        HeapNames { once: once(program, &all), allocators: allocators(program, &all) }
    }

    /// Whether the function is called at most once.
    pub(super) fn runs_once(&self, f: FunctionId) -> bool {
        self.once.contains(&f)
    }

    pub(super) fn is_allocator(&self, f: FunctionId) -> bool {
        self.allocators.contains(&f)
    }
}

impl Summary {
    fn of(body: &[Stmt]) -> Summary {
        let (mut allocates, mut statements) = (false, 0);
        let (mut labels, mut goes_back) = (BTreeSet::new(), false);
        each_stmt(body, &mut |s| {
            statements += 1;
            match &s.kind {
                StmtKind::Allocate { .. } => allocates = true,
                StmtKind::Label(label, _) => _ = labels.insert(*label),
                StmtKind::Goto(label) => goes_back |= labels.contains(label),
                _ => {}
            }
        });
        let mut calls = Vec::new();
        add_calls(body, goes_back, &mut calls);
        Summary { calls, allocates, statements }
    }
}

fn add_calls(block: &[Stmt], is_repeated: bool, found: &mut Vec<(FunctionId, bool)>) {
    for s in block {
        match &s.kind {
            StmtKind::Call { callee: Callee::Function(f), .. } => found.push((*f, is_repeated)),
            StmtKind::If(_, a, b) => {
                add_calls(a, is_repeated, found);
                add_calls(b, is_repeated, found);
            }
            StmtKind::Block(block) => add_calls(block, is_repeated, found),
            StmtKind::Loop(_) => each_stmt(std::slice::from_ref(s), &mut |inner| {
                if let StmtKind::Call { callee: Callee::Function(f), .. } = &inner.kind {
                    found.push((*f, true));
                }
            }),
            _ => {}
        }
    }
}

/// The functions that are called at most once.
fn once(program: &Program, all: &BTreeMap<FunctionId, Summary>) -> BTreeSet<FunctionId> {
    if program.comes_back() {
        return BTreeSet::new();
    }
    let mut calls: BTreeMap<FunctionId, Vec<(FunctionId, bool)>> = BTreeMap::new();
    for (caller, summary) in all {
        for (f, is_repeated) in &summary.calls {
            calls.entry(*f).or_default().push((*caller, *is_repeated));
        }
    }
    let taken = program.address_taken_functions();
    let mut found = BTreeSet::new();
    let is_free = |f: &FunctionId| !taken.contains(f);
    if !calls.contains_key(&program.entry) && is_free(&program.entry) {
        found.insert(program.entry);
    }
    loop {
        let is_once = |f: &FunctionId| match calls.get(f).map(Vec::as_slice) {
            Some([(caller, false)]) => found.contains(caller),
            _ => false,
        };
        let new: Vec<FunctionId> =
            all.keys().filter(|f| !found.contains(f) && is_free(f) && is_once(f)).copied().collect();
        if new.is_empty() {
            return found;
        }
        found.extend(new);
    }
}

/// The functions that make a block, themselves or by others, and return a pointer.
fn allocators(program: &Program, all: &BTreeMap<FunctionId, Summary>) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for _ in 0..MOST_LEVELS {
        let makes = |summary: &Summary| summary.allocates || summary.calls.iter().any(|(g, _)| found.contains(g));
        let is_one = |(f, summary): &(&FunctionId, &Summary)| {
            let returns_pointer = matches!(program.function(**f).result, Type::Pointer(_));
            returns_pointer && summary.statements <= MOST_STATEMENTS && makes(summary)
        };
        let new: Vec<FunctionId> = all.iter().filter(is_one).map(|(f, _)| *f).collect();
        found.extend(new);
    }
    found
}
