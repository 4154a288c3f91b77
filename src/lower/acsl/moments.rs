//! Moments: where labels say that a term is evaluated.
//!
//! What an object held at an earlier moment is read from a snapshot of memory ([`Term::At`]). The
//! value of a plain variable of integer or pointer type is copied then, so that every engine can
//! use it.

use super::members::PointerPath;
use super::resolve::{Logic, Value, span};
use super::syntax::{Node, NodeKind, Predicate};
use crate::lower::context::{FunctionState, Lowered, Lowerer};
use crate::program::{
    Block, Expr, LabelId, Location, Lvalue, Origin, Root, SnapshotId, StmtKind, Storage, Term, TermLvalue, Type, VarId,
    VisitMut,
};
use std::collections::HashMap;

/// When a term is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) enum Moment {
    /// Where the annotation stands.
    #[default]
    Now,
    /// A moment before, by its number in the function.
    Before(usize),
    /// In a lemma: the moment of one of its labels, by its number.
    Label(usize),
}

/// The moment at which the function begins.
const START: usize = 0;

/// What annotations need to know of a moment.
#[derive(Default)]
pub(in crate::lower) struct Kept {
    snapshot: Option<SnapshotId>,
    /// The variables that keep the values of others.
    values: HashMap<VarId, VarId>,
    /// The statements that keep all this.
    pub(in crate::lower) statements: Block,
    /// How many variables there were.
    variables: usize,
    /// Whether every run to where it is used has passed it.
    is_passed: bool,
}

/// The moments of the current function that annotations may mention.
pub(in crate::lower) struct Moments {
    /// The start of the function, then the others.
    all: Vec<Kept>,
    /// The loops around, outermost first.
    loops: Vec<LoopMoments>,
    /// When the labels so far were passed last.
    labels: HashMap<String, (LabelId, usize)>,
    /// The pointers that lead to objects where the function begins, by its contract, and to how
    /// many.
    leading: Vec<(PointerPath, Term)>,
    /// The variables that keep pointers in memory as they are where the function begins.
    pointers: Vec<(PointerPath, VarId)>,
}

/// The moments of a loop.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct LoopMoments {
    /// Before it.
    pub(super) entry: Moment,
    /// Where the current iteration began.
    pub(super) current: Moment,
}

impl Default for Moments {
    fn default() -> Self {
        Moments {
            all: vec![Kept::default()],
            loops: Vec::new(),
            labels: HashMap::new(),
            leading: Vec::new(),
            pointers: Vec::new(),
        }
    }
}

impl Moments {
    /// Adds what must be done at the start of the function and at its labels.
    pub(in crate::lower) fn finish(mut self, body: &mut Block) {
        let at_labels: HashMap<LabelId, Block> =
            self.labels.values().map(|(label, n)| (*label, std::mem::take(&mut self.all[*n].statements))).collect();
        if at_labels.values().any(|block| !block.is_empty()) {
            AtLabels(at_labels).block(body);
        }
        body.splice(0..0, std::mem::take(&mut self.all[START].statements));
    }
}

/// Adds statements after labels.
struct AtLabels(HashMap<LabelId, Block>);

impl VisitMut for AtLabels {
    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            self.stmt(&mut block[at]);
            at += 1;
            if let StmtKind::Label(label, _) = &block[at - 1].kind
                && let Some(statements) = self.0.remove(label)
            {
                let count = statements.len();
                block.splice(at..at, statements);
                at += count;
            }
        }
    }
}

impl Logic {
    /// For a formula about the moment at which the function begins, wherever it is used.
    pub(super) fn at_the_start() -> Logic {
        Logic::about(Moment::Before(START))
    }

    /// For a formula about a moment, wherever it is used.
    pub(super) fn about(start: Moment) -> Logic {
        let labels = ["Here", "Old"].into_iter().map(|l| (l.to_owned(), start)).collect();
        Logic { moment: start, labels, ..Logic::default() }
    }
}

impl Lowerer<'_> {
    /// A new moment in the current function.
    fn new_moment(&mut self) -> Moment {
        let Some(f) = &mut self.function else { return Moment::Now };
        f.moments.all.push(Kept { variables: self.program.variables.len(), ..Kept::default() });
        Moment::Before(f.moments.all.len() - 1)
    }

    /// The moments of a loop that begins here.
    pub(super) fn enter_loop(&mut self) {
        let moments = LoopMoments { entry: self.new_moment(), current: self.new_moment() };
        if let Some(f) = &mut self.function {
            f.moments.loops.push(moments);
        }
    }

    /// Ends the innermost loop. Returns what must be done before it, and where iterations begin.
    pub(in crate::lower) fn leave_loop(&mut self) -> (Block, Block) {
        let Some(f) = &mut self.function else { return Default::default() };
        let Some(ended) = f.moments.loops.pop() else { return Default::default() };
        let mut of = |moment| match moment {
            Moment::Before(n) => std::mem::take(&mut f.moments.all[n].statements),
            Moment::Now | Moment::Label(_) => Block::new(),
        };
        (of(ended.entry), of(ended.current))
    }

    /// Notes that a label of the source stands here.
    pub(in crate::lower) fn passed_label(&mut self, name: &str, label: LabelId) {
        if let (Moment::Before(n), Some(f)) = (self.new_moment(), &mut self.function) {
            f.moments.labels.entry(name.to_owned()).or_insert((label, n));
        }
    }

    /// The labels that are known here.
    pub(super) fn known_labels(&self) -> Vec<String> {
        self.function.as_ref().map(|f| f.moments.labels.keys().cloned().collect()).unwrap_or_default()
    }

    /// Ends the meaning of all other labels: their block ends.
    pub(super) fn forget_labels(&mut self, others: &[String]) {
        let Some(f) = &mut self.function else { return };
        let labels = std::mem::take(&mut f.moments.labels);
        f.moments.labels = labels
            .into_iter()
            .map(|(name, found)| match others.contains(&name) || name.contains(' ') {
                true => (name, found),
                false => (format!("{name} {}", found.1), found),
            })
            .collect();
    }

    /// The moment at a label that stands here. `is_passed` says that no run comes to where the
    /// moment is used without passing the label.
    pub(super) fn moment_here(&mut self, name: &str, at: Location, is_passed: bool) -> Moment {
        let id = self.new_label();
        self.hidden_label(id, at);
        self.passed_label(name, id);
        let Some(f) = &mut self.function else { return Moment::Now };
        let Some((_, n)) = f.moments.labels.get(name) else { return Moment::Now };
        f.moments.all[*n].is_passed = is_passed;
        Moment::Before(*n)
    }

    /// Whether a label stands before this in the current function. Its name means nothing from here
    /// on.
    pub(super) fn is_label_again(&mut self, name: &str) -> bool {
        let Some(f) = &mut self.function else { return false };
        let Some(first) = f.moments.labels.remove(name) else { return false };
        f.moments.labels.insert(format!("the first {name}"), first);
        true
    }

    /// Emits what must be done before the innermost loop, as far as that is known.
    pub(super) fn come_to_loop(&mut self) {
        if let Some(f) = &mut self.function
            && let Some(LoopMoments { entry: Moment::Before(n), .. }) = f.moments.loops.last().copied()
        {
            let statements = std::mem::take(&mut f.moments.all[n].statements);
            self.out.extend(statements);
        }
    }

    fn kept(&mut self, number: usize, node: &Node) -> Lowered<&mut Kept> {
        match self.function.as_ref().map(|f| number < f.moments.all.len()) {
            Some(true) => Ok(&mut self.function.as_mut().expect("there is one").moments.all[number]),
            _ => self.wrong(span(node), "no function begins before this"),
        }
    }

    fn snapshot_of(&mut self, number: usize, node: &Node) -> Lowered<SnapshotId> {
        if let Some(id) = self.kept(number, node)?.snapshot {
            return Ok(id);
        }
        let (id, at) = (self.new_snapshot(), self.at(span(node)));
        let statement = self.stmt(StmtKind::Snapshot(id), at);
        let kept = self.kept(number, node)?;
        kept.snapshot = Some(id);
        kept.statements.push(statement);
        Ok(id)
    }

    /// The variable that keeps the value which another had at a moment.
    fn kept_variable(&mut self, v: VarId, number: usize, node: &Node) -> Lowered<VarId> {
        if number == START
            && let Some(saved) = self.function.as_ref().and_then(|f| f.ensures.saved.get(&v))
        {
            return Ok(*saved);
        }
        if let Some(kept) = self.kept(number, node)?.values.get(&v) {
            return Ok(*kept);
        }
        let (kept, statements) = self.collecting(|l| Ok(l.saved_value(v)))?;
        // It lives as long as the function.
        let (declarations, rest): (Block, Block) =
            statements.into_iter().partition(|s| matches!(s.kind, StmtKind::Declare(_)));
        self.kept(START, node)?.statements.splice(0..0, declarations);
        let all = self.kept(number, node)?;
        all.values.insert(v, kept);
        all.statements.extend(rest);
        Ok(kept)
    }

    /// Refuses a variable that does not exist yet at a moment.
    fn must_exist(&self, v: VarId, number: usize, node: &Node) -> Lowered<()> {
        let variable = self.program.variable(v);
        let known = self.function.as_ref().and_then(|f| f.moments.all.get(number)).map_or(0, |kept| kept.variables);
        let is_local = variable.storage == Storage::Local && !variable.origin.is_hidden();
        match number {
            START if is_local => {
                self.wrong(span(node), format!("`{}` does not exist where the function begins", variable.name))
            }
            START => Ok(()),
            _ if is_local && v.0 as usize >= known => {
                self.wrong(span(node), format!("`{}` does not exist at that label", variable.name))
            }
            _ => Ok(()),
        }
    }

    /// A variable of the program that an annotation names.
    pub(super) fn named_variable(&mut self, v: VarId, node: &Node, logic: &Logic) -> Lowered<Value> {
        // The parameters of a postcondition are those of the call.
        let saved = logic.saved.get(&v).copied();
        let place = self.variable_place(saved.unwrap_or(v), node);
        if let (Moment::Before(number), None) = (logic.moment, saved) {
            self.must_exist(v, number, node)?;
            if matches!(place.ty, Type::Pointer(_)) {
                let kept = self.kept_variable(v, number, node)?;
                return Ok(Value::Object(self.variable_place(kept, node)));
            }
        }
        Ok(Value::Object(place))
    }

    /// The number that an object holds at a moment.
    pub(super) fn read_at(&mut self, place: TermLvalue, moment: Moment, node: &Node) -> Lowered<Term> {
        let variable = match &place.root {
            Root::Variable(l) => l.as_var(),
            Root::Pointer { .. } | Root::Elements { .. } => None,
        };
        let is_fixed = variable.is_some_and(|v| {
            matches!(self.program.variable(v).origin, Origin::Old | Origin::Result | Origin::ResultOf(_))
        });
        let number = match moment {
            Moment::Now => return Ok(Term::Read(Box::new(place))),
            Moment::Label(label) => {
                let mut place = place;
                if let Root::Elements { sequence, .. } = &mut place.root {
                    *sequence += label;
                }
                return Ok(Term::Read(Box::new(place)));
            }
            Moment::Before(number) => number,
        };
        if is_fixed {
            return Ok(Term::Read(Box::new(place)));
        }
        if let Some(v) = variable {
            self.must_exist(v, number, node)?;
        }
        // A run may pass by the place of another moment, and has no value then.
        let is_passed = number == START || self.kept(number, node)?.is_passed;
        if let (Some(v), true, true) = (variable, place.steps.is_empty(), is_passed) {
            let kept = self.kept_variable(v, number, node)?;
            return Ok(Term::Read(Box::new(self.variable_place(kept, node))));
        }
        Ok(Term::At(self.snapshot_of(number, node)?, Box::new(place)))
    }

    /// The snapshot of a moment, for elements from a place on.
    pub(super) fn snapshot_for(&mut self, first: &TermLvalue, number: usize, node: &Node) -> Lowered<SnapshotId> {
        if let Root::Variable(l) = &first.root
            && let Some(v) = l.as_var()
        {
            self.must_exist(v, number, node)?;
        }
        self.snapshot_of(number, node)
    }

    /// The value that a pointer in memory has at a moment.
    pub(super) fn pointer_then(&mut self, place: TermLvalue, moment: Moment, node: &Node) -> Lowered<Value> {
        let Moment::Before(number) = moment else { return Ok(Value::Object(place)) };
        let path = PointerPath::of_place(&place).map(|path| self.at_start(path));
        let Some(path) = path.filter(|path| number == START && self.can_be_read(path)) else {
            let message = "pointers in memory at an earlier moment are known only where the function begins, if \
                           the contract says that what they lie in is valid";
            return self.unsupported(span(node), message);
        };
        let known = |f: &FunctionState| f.moments.pointers.iter().find(|(p, _)| *p == path).map(|(_, v)| *v);
        let kept = match self.function.as_ref().and_then(known) {
            Some(kept) => kept,
            None => {
                let (kept, statements) = self.collecting(|l| Ok(l.copy_of(&path, node)))?;
                let Some(kept) = kept else { return self.unsupported(span(node), "this pointer is not supported") };
                self.kept(START, node)?.statements.extend(statements);
                if let Some(f) = &mut self.function {
                    f.moments.pointers.push((path, kept));
                }
                kept
            }
        };
        Ok(Value::Object(self.variable_place(kept, node)))
    }

    /// A variable that keeps what the pointer holds from here on.
    pub(super) fn copy_of(&mut self, path: &PointerPath, node: &Node) -> Option<VarId> {
        let pointer = self.pointer_at(path, self.at(span(node)))?;
        let name = self.name_of_path(path).replace("->", "_").replace('.', "_");
        self.kept_copy(format!("old_{name}"), pointer)
    }

    /// A variable that keeps what the object holds from here on.
    pub(super) fn kept_copy(&mut self, name: String, object: Lvalue) -> Option<VarId> {
        let at = object.location;
        let kept = self.hidden_variable(name, Origin::Old, object.ty.clone(), at);
        let variable = kept.as_var()?;
        self.emit(StmtKind::Assign(kept, Expr::load(object)), at);
        Some(variable)
    }

    /// Notes which pointers lead to objects where the function begins.
    pub(super) fn leads(&mut self, valid: &[(PointerPath, Term)]) {
        if let Some(f) = &mut self.function {
            f.moments.leading.extend(valid.iter().cloned());
        }
    }

    /// The pointer in terms of the variables that the function begins with, and not of copies.
    pub(super) fn at_start(&self, path: PointerPath) -> PointerPath {
        let Some(f) = &self.function else { return path };
        let v = path.variable;
        if let Some((parameter, _)) = f.ensures.saved.iter().find(|(_, saved)| **saved == v) {
            return path.after(PointerPath::of(*parameter));
        }
        match f.moments.pointers.iter().find(|(_, kept)| *kept == v) {
            Some((original, _)) => path.after(original.clone()),
            None => path,
        }
    }

    /// Whether a pointer, given as by [`Lowerer::at_start`], can be read where the function begins:
    /// the contract says that what it lies in is valid.
    pub(super) fn can_be_read(&self, path: &PointerPath) -> bool {
        let is_one = |count: &Term| matches!(count, Term::Int(n) if *n > 0);
        path.pointers_before(|v| matches!(self.program.variable(v).ty, Type::Pointer(_)))
            .all(|before| self.leading().any(|(path, count)| *path == before && is_one(count)))
    }

    /// The snapshot that is taken where the function begins, if there is one.
    pub(super) fn start_snapshot(&self) -> Option<SnapshotId> {
        self.function.as_ref()?.moments.all[START].snapshot
    }

    /// Adds statements to what is done where the function begins.
    pub(super) fn at_the_beginning(&mut self, statements: Block) {
        if let Some(f) = &mut self.function {
            f.moments.all[START].statements.extend(statements);
        }
    }

    /// The pointers that lead to objects where the function begins, and to how many.
    pub(super) fn leading(&self) -> impl Iterator<Item = &(PointerPath, Term)> {
        self.function.iter().flat_map(|f| &f.moments.leading)
    }

    /// `\old(e)`
    pub(super) fn old(&mut self, inner: &Node, logic: &mut Logic) -> Lowered<Value> {
        if let Some(moment) = logic.statement {
            return self.value_at(inner, moment, logic);
        }
        if !logic.after {
            return self.wrong(span(inner), "`\\old` is allowed only in `ensures`");
        }
        self.value_at(inner, Moment::Before(START), logic)
    }

    /// `\at(e, L)`
    pub(super) fn at_moment(&mut self, arguments: &[Node], node: &Node, logic: &mut Logic) -> Lowered<Value> {
        let [inner, Node { kind: NodeKind::Name(label), .. }] = arguments else {
            return self.wrong(span(node), "`\\at` takes a term and a label");
        };
        let moment = self.moment(label, node, logic)?;
        self.value_at(inner, moment, logic)
    }

    fn value_at(&mut self, inner: &Node, moment: Moment, logic: &mut Logic) -> Lowered<Value> {
        let outer = std::mem::replace(&mut logic.moment, moment);
        let before = logic.before;
        logic.before &= moment == Moment::Now;
        let value = self.value_of(inner, logic);
        let value = value.and_then(|value| self.evaluated(value, inner, logic));
        (logic.moment, logic.before) = (outer, before);
        match value? {
            Value::Object(place) if matches!(place.ty, Type::Array(..)) && matches!(moment, Moment::Before(_)) => {
                self.unsupported(span(inner), "whole arrays of an earlier moment are not supported")
            }
            value => Ok(value),
        }
    }

    /// A value that later moments cannot change: an integer instead of the object that holds it, a
    /// struct as it is at this moment.
    pub(super) fn evaluated(&mut self, value: Value, node: &Node, logic: &Logic) -> Lowered<Value> {
        match value {
            Value::Object(place) if matches!(place.ty, Type::Int(_)) => {
                let (term, bits) = self.as_term(Value::Object(place), node, logic.moment)?;
                Ok(Value::Term(term, bits))
            }
            Value::Object(place) if matches!(place.ty, Type::Struct(_)) => Ok(Value::Then(place, logic.moment)),
            value => Ok(value),
        }
    }

    /// What the labels of a definition mean where it is used with these labels, and the moment of
    /// its body.
    pub(super) fn moments(
        &mut self,
        name: &str,
        predicate: &Predicate,
        given: &[String],
        node: &Node,
        logic: &Logic,
    ) -> Lowered<(HashMap<String, Moment>, Moment)> {
        let declared = &predicate.labels;
        if given.is_empty() && declared.len() <= 1 {
            return Ok((declared.iter().map(|label| (label.clone(), logic.moment)).collect(), logic.moment));
        }
        if given.len() != declared.len() && !(declared.is_empty() && given.len() == 1) {
            let (given, declared) = (given.len(), declared.len());
            return self.wrong(span(node), format!("`{name}` takes {declared} labels, but {given} are given"));
        }
        let moments: Vec<Moment> = given.iter().map(|l| self.moment(l, node, logic)).collect::<Lowered<_>>()?;
        let of_body = if let [only] = moments[..] { only } else { logic.moment };
        Ok((declared.iter().cloned().zip(moments).collect(), of_body))
    }

    /// The moment that a label names.
    fn moment(&self, label: &str, node: &Node, logic: &Logic) -> Lowered<Moment> {
        if let Some(known) = logic.labels.get(label) {
            return Ok(*known);
        }
        match label {
            "Here" => Ok(Moment::Now),
            "Post" if logic.after => Ok(Moment::Now),
            // A precondition is about the moment at which the function begins.
            "Pre" | "Old" if logic.at_start => Ok(Moment::Now),
            "Pre" => Ok(Moment::Before(START)),
            "Old" if logic.after => Ok(Moment::Before(START)),
            "LoopEntry" | "LoopCurrent" => match self.function.as_ref().and_then(|f| f.moments.loops.last()) {
                Some(of_loop) if label == "LoopEntry" => Ok(of_loop.entry),
                // An invariant is about the start of each iteration.
                Some(_) if logic.in_invariant => Ok(Moment::Now),
                Some(of_loop) => Ok(of_loop.current),
                None => self.wrong(span(node), format!("the label `{label}` is allowed only in loops")),
            },
            "Old" => self.wrong(span(node), "the label `Old` is allowed only in contracts"),
            "Post" => self.wrong(span(node), "the label `Post` is allowed only in `ensures`"),
            _ => match self.function.as_ref().and_then(|f| f.moments.labels.get(label)) {
                Some((_, n)) => Ok(Moment::Before(*n)),
                None => self.wrong(span(node), format!("there is no label `{label}` before this")),
            },
        }
    }
}
