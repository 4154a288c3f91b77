//! `assigns` and `loop assigns`: what a function or a loop may write.
//!
//! Each write to anything else than a local variable is claimed to be to one of the listed
//! locations: `a[i] = v` under `assigns a[0 .. n - 1]` is the claim `0 <= i <= n - 1` before it.
//! Terms of locations are evaluated where the function begins, or where the loop does. Code after a
//! write does not rely on the claim.
//!
//! **Why this is sound.** A location that is not written is not changed. A write counts as one to a
//! listed location only if both go through the same variable, and that variable holds the same
//! pointer all the time. For a location behind a pointer in memory (`s->data[i]`), a copy of that
//! pointer is kept, and a write is claimed to be to an element there, whatever pointer it goes
//! through. (A location that is written back to its old value would be allowed, and
//! is not here.) Where a write is not of that kind, the clause stays open. It is never refuted by
//! that, because two pointers may lead to the same object.

use super::behaviors::Behaviors;
use super::prototypes::ParameterNames;
use super::resolve::{Logic, span};
use super::syntax::{Clause, ClauseKind, Node, NodeKind};
use super::{LoopAssigns, behaviors::under};
use crate::lower::context::{Lowered, Lowerer, Symbol};
use crate::lower::error::InputErrorKind;
use crate::program::exact::term_of;
use crate::program::{
    Assertion, AssertionId, Base, BinaryOp, Block, Callee, Claim, ClaimRole, Expr, ExprKind, Fold, Formula, FunctionId,
    Length, Location, Loop, LoopId, Lvalue, Memory, Origin, Part, Program, Range, Root, Step, Stmt, StmtKind, Storage,
    StructId, Term, TermOp, Type, Use, VarId, each_part, each_stmt,
};
use lang_c::span::Span;
use std::collections::{BTreeSet, HashMap};

/// What may be written, according to one clause.
pub(in crate::lower) struct Frame {
    pub(super) of: FrameOf,
    pub(super) allowed: Vec<Allowed>,
    /// Whether it counts in all runs that `condition` allows, and not only in those to which a
    /// behavior applies.
    pub(super) always: bool,
    /// In which runs it counts.
    pub(super) condition: Formula,
    pub(super) kind: ClauseKind,
    /// Where the clause stands, and its text.
    pub(super) place: (Location, String),
}

/// An `assigns` of a contract.
pub(super) struct AssignsClause {
    pub(super) nodes: Vec<Node>,
    /// What the new values depend on.
    pub(super) from: Vec<Node>,
    /// The behavior that it belongs to.
    pub(super) behavior: Option<String>,
    /// Its names of the parameters, if they differ from those of the definition.
    pub(super) names: Option<ParameterNames>,
    pub(super) place: (Location, String),
}

/// What a clause is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameOf {
    Function(FunctionId),
    Loop(LoopId),
}

/// Locations that may be written.
#[derive(Clone)]
pub(in crate::lower) struct Allowed {
    pub(super) variable: VarId,
    /// If the locations are behind the pointer that the variable holds: from which element to
    /// which.
    pub(super) behind: Option<Indexes>,
    pub(super) steps: Vec<AllowedStep>,
}

/// A step to a part of an object.
#[derive(Clone)]
pub(in crate::lower) enum AllowedStep {
    Field(StructId, u32),
    Index(Indexes),
}

/// No index is as far from 0, because no object is as large.
const FARTHEST: i128 = 1 << 65;

/// From which index to which; all, if there are no bounds.
pub(in crate::lower) type Indexes = Option<(Term, Term)>;

impl Lowerer<'_> {
    /// The locations that a clause lists.
    pub(super) fn locations(&mut self, nodes: &[Node], logic: &mut Logic) -> Lowered<Vec<Allowed>> {
        let mut found = Vec::new();
        for node in nodes {
            match &node.kind {
                NodeKind::Set(all) => found.extend(self.locations(all, logic)?),
                NodeKind::Call(name, _, all) if name == "\\union" => found.extend(self.locations(all, logic)?),
                NodeKind::Call(name, _, all) if name == "\\inter" => found.extend(self.in_all(all, node, logic)?),
                _ => found.push(self.location(node, logic)?.0),
            }
        }
        Ok(found)
    }

    /// The locations that are in all sets. Only whole variables are known to be the same.
    fn in_all(&mut self, sets: &[Node], node: &Node, logic: &mut Logic) -> Lowered<Vec<Allowed>> {
        let mut common: Option<Vec<Allowed>> = None;
        for set in sets {
            let listed = self.locations(std::slice::from_ref(set), logic)?;
            if listed.iter().any(|a| a.behind.is_some() || !a.steps.is_empty()) {
                return self.unsupported(span(node), "`\\inter` of anything but variables is not supported");
            }
            common = Some(match common {
                None => listed,
                Some(all) => all.into_iter().filter(|a| listed.iter().any(|b| a.variable == b.variable)).collect(),
            });
        }
        Ok(common.unwrap_or_default())
    }

    /// What a clause says its values depend on is not checked, but must exist.
    pub(super) fn dependencies(&mut self, nodes: &[Node], logic: &mut Logic) -> Lowered<()> {
        for node in nodes {
            match self.locations(std::slice::from_ref(node), logic) {
                Err(e) if !matches!(e.kind(), InputErrorKind::Unsupported) => return Err(e),
                _ if matches!(node.kind, NodeKind::Number(_)) => return self.wrong(span(node), "this is no location"),
                _ => {}
            }
        }
        Ok(())
    }

    fn location(&mut self, node: &Node, logic: &mut Logic) -> Lowered<(Allowed, Type)> {
        match &node.kind {
            NodeKind::Name(name) => {
                let Some(Symbol::Variable(variable)) = self.lookup(name).cloned() else {
                    return self.wrong(span(node), format!("`{name}` is not an object"));
                };
                let ty = self.program.variable(variable).ty.clone();
                Ok((Allowed { variable, behind: None, steps: Vec::new() }, ty))
            }
            NodeKind::Index(inner, index) => {
                let indexes = match &index.kind {
                    NodeKind::All => None,
                    NodeKind::Range(low, high) => {
                        let (low, high) = (self.end_of_range(low, logic)?, self.end_of_range(high, logic)?);
                        Some((low.unwrap_or(Term::Int(-FARTHEST)), high.unwrap_or(Term::Int(FARTHEST))))
                    }
                    _ => {
                        let (term, _) = self.term_of(index, logic)?;
                        let index = self.settled_number(term, index)?;
                        Some((index.clone(), index))
                    }
                };
                let (mut allowed, ty) = self.location(inner, logic)?;
                match ty {
                    Type::Array(element, length) => {
                        // No index lies outside of an array.
                        let indexes = match (indexes, length) {
                            (Some((low, high)), Length::Constant(n)) => {
                                let low = if low == Term::Int(-FARTHEST) { Term::Int(0) } else { low };
                                let last = Term::Int(i128::from(n) - 1);
                                Some((low, if high == Term::Int(FARTHEST) { last } else { high }))
                            }
                            (indexes, _) => indexes,
                        };
                        allowed.steps.push(AllowedStep::Index(indexes));
                        Ok((allowed, *element))
                    }
                    Type::Pointer(to) => {
                        let variable = self.held_pointer(&allowed, node)?;
                        Ok((Allowed { variable, behind: Some(indexes), steps: Vec::new() }, *to))
                    }
                    _ => self.unsupported(span(node), "only cells behind pointers, and of arrays, are supported"),
                }
            }
            NodeKind::Arrow(inner, name) => {
                let (allowed, ty) = self.location(inner, logic)?;
                match ty {
                    Type::Pointer(to) => {
                        let (variable, first) = (self.held_pointer(&allowed, node)?, Term::Int(0));
                        let behind = Some(Some((first.clone(), first)));
                        self.member_location(Allowed { variable, behind, steps: Vec::new() }, *to, name, node)
                    }
                    _ => self.unsupported(span(node), "only members behind pointers are supported"),
                }
            }
            NodeKind::Member(inner, name) => {
                let (allowed, ty) = self.location(inner, logic)?;
                self.member_location(allowed, ty, name, node)
            }
            _ => self.unsupported(span(node), "this is not a location that is supported"),
        }
    }

    /// An end of a range, if it has one.
    fn end_of_range(&mut self, node: &Node, logic: &mut Logic) -> Lowered<Option<Term>> {
        match node.kind {
            NodeKind::All => Ok(None),
            _ => {
                let (term, _) = self.term_of(node, logic)?;
                Ok(Some(self.settled_number(term, node)?))
            }
        }
    }

    fn member_location(&self, mut allowed: Allowed, ty: Type, name: &str, node: &Node) -> Lowered<(Allowed, Type)> {
        let Type::Struct(id) = ty else { return self.wrong(span(node), "only structures have members") };
        let Some(path) = self.find_member(id, name) else {
            return self.wrong(span(node), format!("there is no member `{name}`"));
        };
        let mut ty = Type::Struct(id);
        for (id, field) in path {
            let structure = self.program.structure(id);
            if structure.is_union {
                return self.unsupported(span(node), "annotations about unions are not supported");
            }
            ty = structure.members.get(field as usize).map_or(Type::Void, |m| m.ty.clone());
            allowed.steps.push(AllowedStep::Field(id, field));
        }
        Ok((allowed, ty))
    }

    /// What a loop may write, by all its clauses together. Those for one behavior list locations
    /// together.
    pub(super) fn loop_assigns(&mut self, clauses: Vec<Clause>) -> Vec<LoopAssigns> {
        let mut read = Vec::new();
        for clause in clauses {
            let ClauseKind::LoopAssigns(nodes) = &clause.kind else { continue };
            let allowed = self.locations(nodes, &mut Logic::default()).and_then(|allowed| {
                self.dependencies(&clause.from, &mut Logic::default())?;
                Ok(allowed)
            });
            match allowed {
                Ok(allowed) => {
                    let place = (self.at(Span::span(clause.start, clause.end)), self.clause_text(&clause));
                    read.push((allowed, clause, place));
                }
                Err(e) => self.unjudged_here(&clause, &self.reason(&e)),
            }
        }
        let mut found = Vec::new();
        for (_, clause, place) in &read {
            let node = Node { kind: NodeKind::True, start: clause.start, end: clause.end };
            // When a behavior applies is found out once, for all that is written.
            match self.only_for(&clause.only_for, Formula::Constant(false), &node) {
                Ok(not) => {
                    let condition = match not {
                        Formula::Implies(applies, _) => *applies,
                        _ => Formula::Constant(true),
                    };
                    let of_it = read.iter().filter(|other| other.1.only_for == clause.only_for);
                    let allowed = of_it.flat_map(|(allowed, ..)| allowed.iter().cloned()).collect();
                    found.push(LoopAssigns { allowed, condition, kind: clause.kind.clone(), place: place.clone() });
                }
                Err(e) => self.unjudged_here(clause, &self.reason(&e)),
            }
        }
        found
    }

    /// Notes what a function may write, by all its clauses together. `saved` says where the values
    /// of parameters at the call are kept.
    pub(super) fn function_assigns(
        &mut self,
        id: FunctionId,
        parameters: &[VarId],
        saved: &HashMap<VarId, VarId>,
        clauses: Vec<AssignsClause>,
        behaviors: &Behaviors,
    ) {
        let mut read = Vec::new();
        for AssignsClause { nodes, from, behavior, names, place } in clauses {
            let mut logic = Logic { after: true, saved: saved.clone(), ..Logic::default() };
            let locations = self.with_names(names.as_ref(), parameters, |l| {
                let allowed = l.locations(&nodes, &mut logic)?;
                l.dependencies(&from, &mut logic)?;
                Ok(allowed)
            });
            match locations {
                Ok(allowed) => read.push((allowed, behavior, ClauseKind::Assigns(nodes), place)),
                Err(e) => {
                    let (function, reason) = (self.function_name().to_owned(), self.reason(&e));
                    self.unjudged_at(&function, &ClauseKind::Assigns(nodes), place, &reason);
                }
            }
        }
        let of = FrameOf::Function(id);
        for (_, behavior, kind, place) in &read {
            // The clauses of one behavior, and those of none, list locations together.
            let of_it = read.iter().filter(|other| other.1 == *behavior);
            let allowed = of_it.flat_map(|(allowed, ..)| allowed.iter().cloned()).collect();
            let (kind, place) = (kind.clone(), place.clone());
            let condition = match behavior {
                None => Some(Formula::Constant(true)),
                Some(name) => {
                    let logic = Logic { after: true, saved: saved.clone(), ..Logic::default() };
                    self.applied_at_start(behaviors, name, parameters, &logic, place.0).ok()
                }
            };
            let always = condition.is_some();
            let condition = condition.unwrap_or(Formula::Constant(true));
            self.annotations.frames.push(Frame { of, allowed, always, condition, kind, place });
        }
    }

    /// Claims of each write of a function or loop that it may be made.
    pub(in crate::lower) fn frames(&mut self) {
        for Frame { of, allowed, always, condition, kind, place } in std::mem::take(&mut self.annotations.frames) {
            let is_of = |f: &crate::program::Function| match (of, &f.body) {
                (FrameOf::Loop(id), Some(body)) => has_loop(body, id),
                _ => false,
            };
            let function = match of {
                FrameOf::Function(id) => Some(id.0 as usize),
                FrameOf::Loop(_) => self.program.functions.iter().position(is_of),
            };
            // A loop that was left out runs in no program.
            let Some(n) = function else { continue };
            let name = self.program.functions[n].name.clone();
            let Some(body) = self.program.functions[n].body.clone() else { continue };
            let id = AssertionId(u32::try_from(self.program.assertions.len()).unwrap_or(u32::MAX));
            let mut claims = Writes {
                program: &self.program,
                by_contract: &self.annotations.by_contract,
                of,
                allowed: &allowed,
                written: written_variables(&body, of),
                inside: matches!(of, FrameOf::Function(_)),
                always,
                condition: &condition,
                declared: BTreeSet::new(),
                id,
            };
            let rebuilt = claims.fold_block(&body);
            let mut body = match rebuilt {
                Ok(body) => body,
                Err(reason) => {
                    self.unjudged_at(&name, &kind, place, &reason);
                    continue;
                }
            };
            let (location, condition) = place;
            let text = self.obligation_id(&name, "assigns", "");
            self.push_obligation(Assertion {
                id: text,
                function: name,
                location,
                condition,
                failure: None,
                unsupported: None,
            });
            if let FrameOf::Function(_) = of {
                // That there is nothing to claim is an answer too.
                body.insert(0, self.stmt(nothing_else(id), location));
            }
            self.program.functions[n].body = Some(body);
        }
    }
}

/// Why a clause is not checked.
const NOT_LISTED: &str = "something is written that is not known to be listed";

fn nothing_else(id: AssertionId) -> StmtKind {
    StmtKind::Claim(Box::new(Claim { formula: Formula::Constant(true), role: ClaimRole::Check(id) }))
}

fn has_loop(body: &Block, id: LoopId) -> bool {
    let mut found = false;
    each_stmt(body, &mut |s| found |= matches!(&s.kind, StmtKind::Loop(l) if l.id == id));
    found
}

/// The variables that the function or loop writes by their names, or whose address is taken: they
/// may hold different values at different times.
fn written_variables(body: &Block, of: FrameOf) -> BTreeSet<VarId> {
    let (mut written, mut addressed) = (BTreeSet::new(), BTreeSet::new());
    let mut writes = |s: &Stmt| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), .. }, Use::Write) = part {
                written.insert(*v);
            }
        });
    };
    each_stmt(body, &mut |s| match (&s.kind, of) {
        (_, FrameOf::Function(_)) => writes(s),
        (StmtKind::Loop(l), FrameOf::Loop(id)) if l.id == id => {
            each_stmt(&l.body, &mut writes);
            each_stmt(&l.step, &mut writes);
        }
        _ => {}
    });
    each_stmt(body, &mut |s| {
        each_part(s, &mut |part| {
            if let Part::Lvalue(Lvalue { base: Base::Var(v), path, .. }, Use::Address) = part
                && path.is_empty()
            {
                addressed.insert(*v);
            }
        });
    });
    written.extend(addressed);
    written
}

/// Puts a claim before each write.
struct Writes<'p> {
    program: &'p Program,
    /// The locations that functions without a body may write, by their contracts.
    by_contract: &'p HashMap<FunctionId, Vec<Allowed>>,
    of: FrameOf,
    allowed: &'p [Allowed],
    /// The variables whose values may change.
    written: BTreeSet<VarId>,
    /// Whether this is the function, or inside of the loop.
    inside: bool,
    /// Whether the clause counts in all runs that `condition` allows.
    always: bool,
    condition: &'p Formula,
    /// The variables that the loop declares.
    declared: BTreeSet<VarId>,
    id: AssertionId,
}

impl Fold for Writes<'_> {
    type Refusal = String;

    fn fold(&mut self, s: &Stmt, out: &mut Block) -> Result<(), String> {
        if !self.inside {
            if let (StmtKind::Loop(l), FrameOf::Loop(id)) = (&s.kind, self.of)
                && l.id == id
            {
                out.push(s.with(nothing_else(self.id)));
            }
            return self.fold_inside(s, out);
        }
        match &s.kind {
            StmtKind::Declare(v) => _ = self.declared.insert(*v),
            StmtKind::Blocks(_) | StmtKind::HavocReachable(_) => {
                return Err(self.cannot_follow(s, "memory is written by a library function"));
            }
            StmtKind::Call { callee, arguments, .. } => {
                let by_contract = match callee {
                    Callee::Function(f) => self.by_contract.get(f).map(|listed| (*f, listed)),
                    Callee::Pointer(_) => None,
                };
                if let Some((f, listed)) = by_contract {
                    for location in listed {
                        let formula = self.written_by_call(f, location, arguments);
                        let formula = formula.ok_or_else(|| self.cannot_follow(s, NOT_LISTED))?;
                        self.check(formula, s, out)?;
                    }
                } else if !matches!(callee, Callee::Function(f) if writes_locals_only(self.program, *f)) {
                    return Err(self.cannot_follow(s, "a function is called that may write memory"));
                }
            }
            _ => {}
        }
        let mut targets = Vec::new();
        each_part(s, &mut |part| {
            if let Part::Lvalue(l, Use::Write) = part {
                targets.push(l.clone());
            }
        });
        for target in &targets {
            if let Some(formula) = self.claim(target, s)? {
                self.check(formula, s, out)?;
            }
        }
        self.fold_inside(s, out)
    }

    fn fold_loop(&mut self, l: &Loop) -> Result<Loop, String> {
        let outer = self.inside;
        self.inside |= self.of == FrameOf::Loop(l.id);
        let rebuilt = self.fold_iteration(l);
        self.inside = outer;
        rebuilt
    }
}

impl Writes<'_> {
    /// Puts a claim before a statement.
    fn check(&self, formula: Formula, s: &Stmt, out: &mut Block) -> Result<(), String> {
        if !self.always && formula != Formula::Constant(true) {
            return Err(self.cannot_follow(s, "whether the behavior applies is not known where this is written"));
        }
        let formula = match formula {
            Formula::Constant(true) => formula,
            formula => under(self.condition.clone(), formula),
        };
        let claim = Claim { formula, role: ClaimRole::Check(self.id) };
        out.push(s.with(StmtKind::Claim(Box::new(claim))));
        Ok(())
    }

    /// The condition under which a location that a called function may write is among those listed;
    /// `None` if that is not known.
    fn written_by_call(&self, f: FunctionId, location: &Allowed, arguments: &[Expr]) -> Option<Formula> {
        let parameters = &self.program.function(f).parameters;
        let mut values = Vec::new();
        for (p, argument) in parameters.iter().zip(arguments) {
            values.push((*p, argument));
        }
        // An index of the function's contract, in terms of the call.
        let translated = |indexes: &Indexes| -> Option<Indexes> {
            let Some((low, high)) = indexes else { return Some(None) };
            Some(Some((self.at_call(low, &values)?, self.at_call(high, &values)?)))
        };
        let mut steps = Vec::new();
        for step in &location.steps {
            steps.push(match step {
                AllowedStep::Field(id, n) => AllowedStep::Field(*id, *n),
                AllowedStep::Index(indexes) => AllowedStep::Index(translated(indexes)?),
            });
        }
        let of = match &location.behind {
            None if parameters.contains(&location.variable) => return Some(Formula::Constant(true)),
            None => Allowed { variable: location.variable, behind: None, steps },
            Some(indexes) => {
                let (_, argument) = values.iter().find(|(p, _)| *p == location.variable)?;
                let indexes = translated(indexes)?;
                self.behind_argument(argument, indexes, steps)?
            }
        };
        if of.behind.is_none() && self.is_own(of.variable) {
            return Some(Formula::Constant(true));
        }
        let mut either = Vec::new();
        for allowed in self.allowed {
            let mut all = Vec::new();
            if self.covers(allowed, &of, &mut all).is_some() {
                let all = all.into_iter().reduce(Formula::and);
                either.push(all.unwrap_or(Formula::Constant(true)));
            }
        }
        either.into_iter().reduce(Formula::or)
    }

    /// What lies behind an argument, from which element to which.
    fn behind_argument(&self, argument: &Expr, indexes: Indexes, steps: Vec<AllowedStep>) -> Option<Allowed> {
        let moved = |indexes: Indexes, by: Option<Term>| match (indexes, by) {
            (Some((low, high)), Some(by)) => {
                let add = |t: Term| Term::Binary(TermOp::Add, Box::new(by.clone()), Box::new(t));
                Some((add(low), add(high)))
            }
            (indexes, _) => indexes,
        };
        if let ExprKind::Cast(a) = &argument.kind
            && a.ty.pointee() == argument.ty.pointee()
        {
            return self.behind_argument(a, indexes, steps);
        }
        if let ExprKind::AddressOf(l) = &argument.kind {
            return match (&l.base, &l.path[..]) {
                (Base::Deref(pointer), []) => self.behind_argument(pointer, indexes, steps),
                (Base::Var(v), path) => {
                    let mut all = Vec::new();
                    let mut indexes = Some(indexes);
                    for (n, step) in path.iter().enumerate() {
                        all.push(match step {
                            Step::Field(id, m) => AllowedStep::Field(*id, *m),
                            Step::Index(index) => {
                                let index = term_of(self.program, index)?;
                                // Pointer arithmetic moves along the innermost array.
                                match indexes.take_if(|_| n + 1 == path.len()) {
                                    Some(indexes) => AllowedStep::Index(moved(indexes, Some(index))),
                                    None => AllowedStep::Index(Some((index.clone(), index))),
                                }
                            }
                        });
                    }
                    let is_one = |i: &Indexes| matches!(i, Some((low, high)) if *low == Term::Int(0) && low == high);
                    if !indexes.is_none_or(|i| is_one(&i)) {
                        return None;
                    }
                    all.extend(steps);
                    Some(Allowed { variable: *v, behind: None, steps: all })
                }
                _ => None,
            };
        }
        let (variable, by) = self.behind(argument)?;
        let is_global = self.program.variable(variable).storage == Storage::Global;
        if is_global || self.written.contains(&variable) {
            return None;
        }
        let by = match by {
            Some(by) => Some(term_of(self.program, by)?),
            None => None,
        };
        Some(Allowed { variable, behind: Some(moved(indexes, by)), steps })
    }

    /// A term of a contract in terms of the call.
    fn at_call(&self, t: &Term, values: &[(VarId, &Expr)]) -> Option<Term> {
        Some(match t {
            Term::Int(n) => Term::Int(*n),
            Term::Read(place) => match &place.root {
                Root::Variable(l) if place.steps.is_empty() => {
                    let (_, argument) = values.iter().find(|(p, _)| l.as_var() == Some(*p))?;
                    term_of(self.program, argument)?
                }
                _ => return None,
            },
            Term::Negate(a) => Term::Negate(Box::new(self.at_call(a, values)?)),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.at_call(a, values)?, self.at_call(b, values)?);
                Term::Binary(*op, Box::new(a), Box::new(b))
            }
            Term::Bound(_) | Term::At(..) | Term::Apply(_) | Term::If(..) => return None,
        })
    }

    /// Adds the conditions under which all of `of` is among the locations; `None` if there are none
    /// that suffice.
    fn covers(&self, allowed: &Allowed, of: &Allowed, needed: &mut Vec<Formula>) -> Option<()> {
        if allowed.variable != of.variable || allowed.behind.is_some() != of.behind.is_some() {
            return None;
        }
        let mut inside = |listed: &Indexes, written: &Indexes| -> Option<()> {
            match (listed, written) {
                (None, _) => Some(()),
                (Some(_), None) => None,
                (Some((low, high)), Some((first, last))) => {
                    if !self.is_fixed(low) || !self.is_fixed(high) {
                        return None;
                    }
                    let at_most = |a: &Term, b: &Term| Formula::at_most(a.clone(), b.clone());
                    let both = Formula::and(at_most(low, first), at_most(last, high));
                    needed.push(match first == last {
                        true => both,
                        // No index is one of them.
                        false => Formula::Implies(Box::new(at_most(first, last)), Box::new(both)),
                    });
                    Some(())
                }
            }
        };
        if let (Some(listed), Some(written)) = (&allowed.behind, &of.behind) {
            inside(listed, written)?;
        }
        if of.steps.len() < allowed.steps.len() {
            return None;
        }
        for (listed, written) in allowed.steps.iter().zip(&of.steps) {
            match (listed, written) {
                (AllowedStep::Field(id, n), AllowedStep::Field(other, m)) if (id, n) == (other, m) => {}
                (AllowedStep::Index(listed), AllowedStep::Index(written)) => inside(listed, written)?,
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether a variable is local to what the clause is about.
    fn is_own(&self, v: VarId) -> bool {
        let variable = self.program.variable(v);
        let is_own = match self.of {
            FrameOf::Function(_) => true,
            FrameOf::Loop(_) => self.declared.contains(&v) || variable.origin.is_hidden(),
        };
        is_own && matches!(variable.storage, Storage::Local | Storage::Parameter)
    }

    fn cannot_follow(&self, s: &Stmt, what: &str) -> String {
        format!("{what} ({})", self.program.sources.describe(s.location))
    }

    /// What must hold for a write; `None` if it may always be made.
    fn claim(&self, target: &Lvalue, s: &Stmt) -> Result<Option<Formula>, String> {
        if matches!(target.base, Base::Var(v) if self.is_own(v)) {
            return Ok(None);
        }
        let mut either = Vec::new();
        for allowed in self.allowed {
            either.extend(self.among(target, allowed));
        }
        match either.into_iter().reduce(Formula::or) {
            Some(formula) => Ok(Some(formula)),
            // Nothing may be written in the runs to which the behavior applies.
            None if self.allowed.is_empty() && self.always && *self.condition != Formula::Constant(true) => {
                Ok(Some(Formula::Constant(false)))
            }
            None => Err(self.cannot_follow(s, NOT_LISTED)),
        }
    }

    /// The condition under which an lvalue is among the locations; `None` if that is not known.
    fn among(&self, target: &Lvalue, allowed: &Allowed) -> Option<Formula> {
        let mut needed = Vec::new();
        match (&target.base, &allowed.behind) {
            (Base::Var(v), None) if *v == allowed.variable => {}
            (Base::Deref(pointer), Some(indexes)) if self.program.variable(allowed.variable).origin == Origin::Old => {
                needed.push(self.within(pointer, allowed.variable, indexes)?);
            }
            (Base::Deref(pointer), Some(indexes)) => {
                let (variable, index) = self.behind(pointer)?;
                // Other names may lead to a global, and may change where it points.
                let is_global = self.program.variable(variable).storage == Storage::Global;
                if variable != allowed.variable || is_global || self.written.contains(&variable) {
                    return None;
                }
                needed.push(self.between(index, indexes)?);
            }
            _ => return None,
        }
        if target.path.len() < allowed.steps.len() {
            return None;
        }
        for (step, listed) in target.path.iter().zip(&allowed.steps) {
            match (step, listed) {
                (Step::Field(id, n), AllowedStep::Field(other, m)) if (id, n) == (other, m) => {}
                (Step::Index(index), AllowedStep::Index(indexes)) => needed.push(self.between(Some(index), indexes)?),
                _ => return None,
            }
        }
        let all = needed.into_iter().reduce(Formula::and);
        Some(all.unwrap_or(Formula::Constant(true)))
    }

    /// That a pointer leads to one of the elements behind a kept pointer.
    fn within(&self, pointer: &Expr, kept: VarId, indexes: &Indexes) -> Option<Formula> {
        let kept = Expr::load(Lvalue::var(self.program, kept, pointer.location));
        let (low, high) = indexes.as_ref().filter(|_| kept.ty == pointer.ty)?;
        if !self.is_fixed(low) || !self.is_fixed(high) {
            return None;
        }
        let (start, first) = match &pointer.kind {
            ExprKind::Binary(BinaryOp::PointerAdd, p, by) => ((**p).clone(), term_of(self.program, by)?),
            _ => (pointer.clone(), Term::Int(0)),
        };
        let count = match low == high {
            true => Term::Int(1),
            false => Term::binary(TermOp::Add, Term::binary(TermOp::Sub, high.clone(), low.clone()), Term::Int(1)),
        };
        let written = Range { pointer: start, first, count: Term::Int(1) };
        let listed = Range { pointer: kept, first: low.clone(), count };
        Some(Formula::Memory(Box::new(Memory::Within(written, listed))))
    }

    /// The variable that holds a pointer, and by how many elements it is moved.
    fn behind<'e>(&self, pointer: &'e Expr) -> Option<(VarId, Option<&'e Expr>)> {
        let held = |e: &Expr| match &e.kind {
            ExprKind::Load(l) => l.as_var(),
            _ => None,
        };
        match &pointer.kind {
            ExprKind::Binary(BinaryOp::PointerAdd, p, by) => Some((held(p)?, Some(by))),
            _ => Some((held(pointer)?, None)),
        }
    }

    /// `low <= index <= high`; no index is 0. The bounds must have the values that they had at the
    /// start.
    fn between(&self, index: Option<&Expr>, indexes: &Indexes) -> Option<Formula> {
        let Some((low, high)) = indexes else { return Some(Formula::Constant(true)) };
        if !self.is_fixed(low) || !self.is_fixed(high) {
            return None;
        }
        let index = match index {
            None => Term::Int(0),
            Some(index) => term_of(self.program, index)?,
        };
        Some(Formula::and(Formula::at_most(low.clone(), index.clone()), Formula::at_most(index, high.clone())))
    }

    /// Whether a term has one value all the time.
    fn is_fixed(&self, t: &Term) -> bool {
        match t {
            Term::Int(_) | Term::Bound(_) => true,
            Term::Read(place) => match &place.root {
                Root::Variable(l) if place.steps.is_empty() => l.as_var().is_some_and(|v| {
                    let variable = self.program.variable(v);
                    let is_local = matches!(variable.storage, Storage::Local | Storage::Parameter);
                    is_local && (variable.origin == Origin::Old || !self.written.contains(&v))
                }),
                _ => false,
            },
            // Snapshots of loops are taken again.
            Term::At(..) | Term::Apply(_) | Term::If(..) => false,
            Term::Negate(a) => self.is_fixed(a),
            Term::Binary(_, a, b) => self.is_fixed(a) && self.is_fixed(b),
        }
    }
}

/// Whether a function, and all that it calls, writes only its own variables.
fn writes_locals_only(program: &Program, function: FunctionId) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![function]);
    let mut only = true;
    while let Some(f) = open.pop() {
        if !seen.insert(f) {
            continue;
        }
        let Some(body) = &program.function(f).body else { return false };
        each_stmt(body, &mut |s| {
            match &s.kind {
                StmtKind::Blocks(_) | StmtKind::HavocReachable(_) | StmtKind::Allocate { .. } => only = false,
                StmtKind::Call { callee: Callee::Function(callee), .. } => open.push(*callee),
                StmtKind::Call { callee: Callee::Pointer(_), .. } => only = false,
                _ => {}
            }
            each_part(s, &mut |part| {
                if let Part::Lvalue(l, Use::Write) = part {
                    only &= match l.base {
                        Base::Var(v) => matches!(program.variable(v).storage, Storage::Local | Storage::Parameter),
                        Base::Deref(_) => false,
                    };
                }
            });
        });
    }
    only
}
