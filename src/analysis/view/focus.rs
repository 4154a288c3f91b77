//! Finds what is relevant at a line: the arrays and scalars that its statements and obligations
//! mention.
//!
//! A state with few arrays and scalars is shown as a whole. Of a larger one, only what the line
//! mentions is shown, with what the domain relates it to. The view also tells how much is left out.
//! At the head of a loop, what its body mentions is relevant too; at a call, what the called
//! function mentions, up to a limit.

use crate::analysis::Solved;
use crate::analysis::layout::{BlockId, Home, Layout, Meaning};
use crate::analysis::pointers::Pointers;
use crate::annotate::scopes::calls;
use crate::inline::Inlined;
use crate::program::{
    Base, Block, Expr, ExprKind, FileId, Length, Lvalue, Part, Program, SiteId, Stmt, StmtId, StmtKind, Type, each_part,
};
use smalti_core::{ArrayId, Memory, Subjects, Var};
use smalti_stack::AnyState;
use std::collections::HashMap;

/// A state with no more arrays than this is shown as a whole, unless it has many scalars.
const MOST_ARRAYS: usize = 12;
/// A state with no more scalars than this is shown as a whole, unless it has many arrays.
const MOST_SCALARS: usize = 40;

/// What is not shown of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// The number of arrays left out.
    pub arrays: usize,
    /// The number of scalars left out.
    pub scalars: usize,
}

impl LeftOut {
    /// Whether everything is shown.
    pub fn is_nothing(&self) -> bool {
        *self == LeftOut::default()
    }
}

/// What each line of an inlined program mentions.
pub(in crate::analysis) struct Focus {
    lines: Vec<Mentioned>,
    /// By a statement: its line.
    by_stmt: HashMap<StmtId, usize>,
    /// By a loop: what its line and its body mention.
    heads: HashMap<StmtId, Mentioned>,
}

/// What is mentioned, in the order of the text.
#[derive(Clone, Default)]
struct Mentioned {
    arrays: Vec<ArrayId>,
    scalars: Vec<Var>,
    all: Subjects,
}

impl Mentioned {
    fn array(&mut self, array: ArrayId) {
        if self.all.arrays.insert(array) {
            self.arrays.push(array);
        }
    }

    fn scalar(&mut self, v: Var) {
        if self.all.scalars.insert(v) {
            self.scalars.push(v);
        }
    }

    /// Adds what `more` mentions, as far as the limits allow.
    fn add(&mut self, more: &Mentioned) {
        for array in &more.arrays {
            if self.arrays.len() < MOST_ARRAYS {
                self.array(*array);
            }
        }
        for v in &more.scalars {
            if self.scalars.len() < MOST_SCALARS {
                self.scalar(*v);
            }
        }
    }
}

impl Focus {
    /// The focus of a solved program.
    pub(in crate::analysis) fn new(solved: &Solved<'_>, source: &Program, inlined: &Inlined) -> Focus {
        let program = &inlined.program;
        let calls = calls(source);
        let mut walker = Walker {
            program,
            layout: &solved.model.layout,
            pointers: &solved.model.pointers,
            is_call: &|site| calls.contains_key(&site),
            focus: Focus { lines: Vec::new(), by_stmt: HashMap::new(), heads: HashMap::new() },
            numbers: HashMap::new(),
            copies: 0,
        };
        walker.block(&program.initialisers, 0);
        if let Some(body) = &program.function(program.entry).body {
            walker.block(body, 0);
        }
        walker.focus
    }

    /// What the line of that statement mentions.
    pub(in crate::analysis) fn of(&self, stmt: &Stmt) -> Option<&Subjects> {
        self.by_stmt.get(&stmt.id()).map(|n| &self.lines[*n].all)
    }

    /// What the line of that loop and its body mention.
    pub(in crate::analysis) fn at_head(&self, of: &Stmt) -> Option<&Subjects> {
        self.heads.get(&of.id()).map(|m| &m.all)
    }
}

/// The state restricted to these subjects, if it is too large to be shown as a whole, and how much
/// is left out.
pub(in crate::analysis) fn narrowed(
    solved: &Solved<'_>,
    memory: &AnyState,
    to: Option<&Subjects>,
) -> Option<(AnyState, LeftOut)> {
    let (program, layout) = (&solved.model.program, &solved.model.layout);
    let all = size(program, layout, &memory.subjects());
    if all.arrays <= MOST_ARRAYS && all.scalars <= MOST_SCALARS {
        return None;
    }
    let narrow = memory.restricted(to?);
    let left = size(program, layout, &narrow.subjects());
    let arrays = all.arrays.saturating_sub(left.arrays);
    Some((narrow, LeftOut { arrays, scalars: all.scalars.saturating_sub(left.scalars) }))
}

/// How many of the subjects are named by the source.
fn size(program: &Program, layout: &Layout, of: &Subjects) -> LeftOut {
    let is_named = |block: BlockId| match block {
        BlockId::Variable(v) => !program.variable(v).is_hidden(),
        BlockId::Heap(_) => true,
    };
    let is_leaf = |v: &Var| {
        let meaning = usize::try_from(v.0).ok().and_then(|n| layout.meanings.get(n));
        matches!(meaning, Some(Meaning::Leaf(leaf)) if is_named(layout.leaf(*leaf).block))
    };
    LeftOut {
        arrays: of.arrays.iter().filter(|a| is_named(layout.array(**a).block)).count(),
        scalars: of.scalars.iter().filter(|v| is_leaf(v)).count(),
    }
}

struct Walker<'a> {
    program: &'a Program,
    layout: &'a Layout,
    pointers: &'a Pointers,
    is_call: &'a dyn Fn(SiteId) -> bool,
    focus: Focus,
    /// By copy of a function, file and line.
    numbers: HashMap<(usize, FileId, u32), usize>,
    copies: usize,
}

impl Walker<'_> {
    /// Notes what is mentioned, and returns the beginning of it.
    fn block(&mut self, block: &Block, copy: usize) -> Mentioned {
        let mut found = Mentioned::default();
        for stmt in block {
            found.add(&self.stmt(stmt, copy));
        }
        found
    }

    fn stmt(&mut self, stmt: &Stmt, copy: usize) -> Mentioned {
        let mut own = Mentioned::default();
        self.mentioned(stmt, &mut own);
        let key = (copy, stmt.location.file, stmt.location.line);
        let next = self.focus.lines.len();
        let line = *self.numbers.entry(key).or_insert(next);
        if line == next {
            self.focus.lines.push(Mentioned::default());
        }
        self.focus.by_stmt.insert(stmt.id(), line);
        let here = &mut self.focus.lines[line];
        own.arrays.iter().for_each(|a| here.array(*a));
        own.scalars.iter().for_each(|v| here.scalar(*v));
        match &stmt.kind {
            StmtKind::If(_, then, other) => {
                let inside = [self.block(then, copy), self.block(other, copy)];
                inside.iter().for_each(|m| own.add(m));
            }
            StmtKind::Loop(l) => {
                let inside = [self.block(&l.body, copy), self.block(&l.step, copy)];
                inside.iter().for_each(|m| own.add(m));
                let mut head = self.focus.lines[line].clone();
                head.add(&own);
                self.focus.heads.insert(stmt.id(), head);
            }
            StmtKind::Block(inner) if (self.is_call)(stmt.site) => {
                self.copies += 1;
                let inside = self.block(inner, self.copies);
                self.focus.lines[line].add(&inside);
                own.add(&inside);
            }
            StmtKind::Block(inner) => own.add(&self.block(inner, copy)),
            _ => {}
        }
        own
    }

    /// What the statement itself mentions, not those inside it.
    fn mentioned(&self, stmt: &Stmt, found: &mut Mentioned) {
        each_part(stmt, &mut |part| match part {
            Part::Lvalue(l, _) => self.lvalue(l, found),
            Part::Expr(Expr { kind: ExprKind::Load(l), .. }) => self.lvalue(l, found),
            Part::Expr(_) => {}
        });
        if let StmtKind::Declare(v) = stmt.kind {
            self.block_of(BlockId::Variable(v), found);
        }
    }

    fn lvalue(&self, l: &Lvalue, found: &mut Mentioned) {
        let places = self.pointers.anywhere(self.program, self.layout).places_of(l);
        for t in &places.targets.set {
            for leaf in self.layout.leaves_below(t.block, &t.path) {
                if let Home::Scalar(v) = self.layout.leaf(leaf).home {
                    found.scalar(v);
                }
            }
            for array in self.layout.arrays_of(t.block) {
                let prefix = &self.layout.array(array).prefix;
                if prefix.starts_with(&t.path) || t.path.starts_with(prefix) {
                    found.array(array);
                }
            }
        }
        places.blurred.iter().for_each(|block| self.block_of(*block, found));
        if let Base::Var(v) = l.base {
            self.lengths(&self.program.variable(v).ty, found);
        }
    }

    fn block_of(&self, block: BlockId, found: &mut Mentioned) {
        self.layout.arrays_of(block).for_each(|array| found.array(array));
        for leaf in self.layout.leaves_below(block, &[]) {
            if let Home::Scalar(v) = self.layout.leaf(leaf).home {
                found.scalar(v);
            }
        }
        if let BlockId::Variable(v) = block {
            self.lengths(&self.program.variable(v).ty, found);
        }
    }

    /// Adds the variables that are lengths of arrays in the type.
    fn lengths(&self, mut ty: &Type, found: &mut Mentioned) {
        while let Type::Array(inner, length) = ty {
            if let Length::Variable(v) = length
                && let Some(v) = self.layout.scalar(*v)
            {
                found.scalar(v);
            }
            ty = inner;
        }
    }
}
