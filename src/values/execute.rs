//! Executes statements on abstract states.
//!
//! A loop is executed iteration by iteration, with one state for each, as long as that is cheap:
//! what differs between iterations is kept apart ("semantic loop unrolling": Cousot et al., "The
//! ASTRÉE analyzer", ESOP 2005). What is left is covered by one state for all further iterations,
//! found by widening and a few descending steps (Cousot & Cousot, POPL 1977).

use super::context::ContextId;
use super::engine::Values;
use super::footprint::{Change, Forgotten, Reach};
use super::implications::Implications;
use super::memory::Filling;
use super::number::Number;
use super::objects::{ObjectId, Origin};
use super::offsets::Offsets;
use super::outcomes::Returns;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::texts::Texts;
use super::value::{Pointers, Value};
use crate::program::{Block, Expr, LabelId, Loop, LoopKind, Stmt, StmtKind, each_stmt};
use std::collections::BTreeMap;

/// How control leaves a block, other than at its end.
#[derive(Default)]
pub(super) struct Exits {
    pub breaks: Option<State>,
    pub continues: Option<State>,
    pub returns: Returns,
    /// Jumps whose label has not been passed.
    pub jumps: BTreeMap<LabelId, State>,
}

impl Exits {
    /// The states in which control leaves, but for those in which the call ends too.
    fn states(&mut self) -> impl Iterator<Item = &mut State> {
        self.breaks.iter_mut().chain(&mut self.continues).chain(self.jumps.values_mut())
    }
}

/// How often a head is joined before it is widened.
const JOINS: u32 = 2;
/// The most ascending steps at a head; they end before.
const MOST_STEPS: u32 = 200;
/// After so many widened states at a label, or at a head after the limit on its steps, relations of
/// texts and implications are given up. They bound variables again and again, which could keep the
/// search from ending.
const MANY_WIDENINGS: u32 = 20;
/// Descending steps.
const DESCENDING: u32 = 2;
/// After so many steps in a loop, only so many iterations are kept apart after which it is not
/// known whether another one follows, and what was found at its head is remembered.
const MANY_STEPS: u64 = 20_000;
const FEW_UNDECIDED: u64 = 2;
/// After how many iterations all others are executed at once, in a loop that has once had too many:
/// perhaps it does not end.
const FEW_ROUNDS: u64 = 1000;
/// After how many iterations it is looked whether a loop has come back to an earlier state.
const LOOK_BACK: u64 = 16;

impl<'p> Values<'p> {
    /// Executes statements one after the other. Returns what is known after the last one.
    pub(super) fn block(
        &mut self,
        block: &'p Block,
        state: Option<State>,
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        let mut end = None;
        let (mut from, mut state) = (0, state);
        let mut seen: BTreeMap<LabelId, (u64, State)> = BTreeMap::new();
        loop {
            state = self.sequence(&block[from..], state, exits)?;
            end = self.joined(end, state);
            // What is left are jumps back.
            let Some((n, label)) = self.label_in(block, exits) else { break };
            let Some(jumped) = exits.jumps.remove(&label) else { break };
            (from, state) = (n, None);
            let (count, next) = match seen.remove(&label) {
                None => (0, jumped),
                Some((count, old)) if count < self.limits.undecided => {
                    (count + 1, self.joined(Some(old), Some(jumped)).unwrap_or_default())
                }
                Some((count, mut old)) => {
                    if self.is_within(&jumped, &old) {
                        seen.insert(label, (count, old));
                        (from, state) = (block.len(), None);
                        continue;
                    }
                    if count > self.limits.undecided + u64::from(MANY_WIDENINGS) {
                        old.memory.facts.texts = Texts::default();
                    }
                    let both = self.joined(Some(old.clone()), Some(jumped)).unwrap_or_default();
                    let mut widened = self.widened(old, both, &self.last_thresholds);
                    if count > self.limits.undecided + u64::from(MANY_WIDENINGS) {
                        widened.memory.facts.implications = Implications::default();
                    }
                    (count + 1, widened)
                }
            };
            seen.insert(label, (count, next.clone()));
            self.looping += 1;
            exits.jumps.insert(label, next);
        }
        // The objects of the block end with it. Only pointers could tell.
        for stmt in block {
            if let StmtKind::Declare(v) = &stmt.kind
                && self.exposed.contains(v)
                && let object = self.variable(*v)
                // Globals of other files are declared where the program starts.
                && !self.lasts(object)
            {
                let is_several = self.objects.origin(object).is_several();
                for state in end.iter_mut().chain(exits.states()) {
                    self.end_pointers_to(state, *v);
                    if !is_several {
                        state.memory.end(object);
                    }
                }
            }
        }
        Ok(end)
    }

    /// A label in a block to which a jump is open, and the statement that it is in.
    fn label_in(&self, block: &'p Block, exits: &Exits) -> Option<(usize, LabelId)> {
        if exits.jumps.is_empty() {
            return None;
        }
        block.iter().enumerate().find_map(|(n, stmt)| Some((n, self.label_of(stmt, exits)?)))
    }

    /// A label in a statement to which a jump is open.
    fn label_of(&self, stmt: &'p Stmt, exits: &Exits) -> Option<LabelId> {
        if let StmtKind::Label(label, _) = &stmt.kind {
            return exits.jumps.contains_key(label).then_some(*label);
        }
        if exits.jumps.is_empty() {
            return None;
        }
        let mut found = None;
        for block in stmt.blocks() {
            each_stmt(block, &mut |s| {
                if let StmtKind::Label(label, _) = &s.kind
                    && exits.jumps.contains_key(label)
                {
                    found = Some(*label);
                }
            });
        }
        found
    }

    /// Executes a statement. A state is missing if control comes to it only by jumps into it.
    pub(super) fn statement(
        &mut self,
        stmt: &'p Stmt,
        state: Option<State>,
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        if let StmtKind::Label(label, _) = &stmt.kind {
            let jumped = exits.jumps.remove(label);
            return Ok(self.joined(state, jumped));
        }
        let is_entered = state.is_none() && self.label_of(stmt, exits).is_some();
        if state.is_none() && !is_entered {
            return Ok(None);
        }
        self.tick()?;
        #[cfg(feature = "fuzz")]
        if let Some(state) = &state {
            self.keep(stmt, state);
        }
        match &stmt.kind {
            StmtKind::Block(block) => return self.block(block, state, exits),
            StmtKind::If(condition, then, otherwise) => {
                let (yes, no) = match state {
                    Some(state) => self.branches(stmt, state, condition)?,
                    None => (None, None),
                };
                let yes = self.block(then, yes, exits)?;
                let no = self.block(otherwise, no, exits)?;
                return Ok(self.joined(yes, no));
            }
            StmtKind::Loop(l) => {
                if self.label_of(stmt, exits).is_some() {
                    return Err(Stop::GivenUp("a jump into a loop"));
                }
                let Some(state) = state else { return Ok(None) };
                return self.repeat(stmt, l, state, exits);
            }
            _ => {}
        }
        let Some(state) = state else { return Ok(None) };
        match self.checked(stmt, state).and_then(|state| self.simple(stmt, state, exits)) {
            Err(Stop::Unreached) => Ok(None),
            result => result,
        }
    }

    /// The states in which the condition of a statement holds and does not hold.
    fn branches(&mut self, stmt: &'p Stmt, state: State, c: &'p Expr) -> Evaluated<(Option<State>, Option<State>)> {
        match self.checked(stmt, state).and_then(|state| self.split(&state, c)) {
            Err(Stop::Unreached) => Ok((None, None)),
            result => result,
        }
    }

    /// Executes a statement without parts.
    fn simple(&mut self, stmt: &'p Stmt, mut state: State, exits: &mut Exits) -> Evaluated<Option<State>> {
        match &stmt.kind {
            StmtKind::Declare(v) => {
                let object = self.variable(*v);
                // Where a jump passes the declaration again, an array of variable length has ended.
                self.end_pointers_to(&mut state, *v);
                self.begin(&mut state, object, &self.program.variable(*v).ty, self.at_first(*v))?;
            }
            StmtKind::Assign(l, e) => match self.program.unset.copied(stmt) {
                Some(from) if l.ty.is_scalar() && !self.is_written(&state, from)? => {
                    let places = self.places(&state, l, true)?;
                    self.store_as_it_is(&mut state, &places, &l.ty, Value::Any);
                }
                _ => return self.assign_in_cases(state, l, e),
            },
            StmtKind::Input(l, _) => {
                let places = self.places(&state, l, true)?;
                self.set_any(&mut state, &places, &l.ty);
            }
            StmtKind::Havoc(l) => self.havoc(&mut state, l)?,
            StmtKind::Zero(l) => {
                let places = self.places(&state, l, true)?;
                self.fill(&mut state, &places, &l.ty, &Filling::Zero);
                // In objects that last for the whole run, padding begins as zero (C11, 6.7.9p10).
                if !places.known.iter().all(|target| self.lasts(target.object)) {
                    self.forget_padding(&mut state, &places, &l.ty);
                }
            }
            StmtKind::HavocReachable(reached) => {
                let pointers = reached.pointers.iter().map(|p| self.value(&state, p)).collect::<Evaluated<Vec<_>>>()?;
                match &reached.bytes {
                    Some(bytes) => self.write_bytes(&mut state, bytes)?,
                    None => self.unknown_code(&mut state, Reach::Names, &pointers),
                }
            }
            StmtKind::Allocate { target, element, count, zeroed } => {
                let count = self.number(&state, count)?.clamp(Some(0), None).ok_or(Stop::Unreached)?;
                let element = self.size_of(&state, element)?;
                let size = count.mul(element).ok_or(Stop::GivenUp("a block of memory of unknown size"))?;
                let places = self.places(&state, target, true)?;
                let filling = if *zeroed { Filling::Zero } else { self.block_at_first(stmt.site) };
                let object = self.allocate(&mut state, stmt, size, filling);
                self.blocks.insert(object, stmt.site);
                let value = Value::pointer(Pointers::to(object, Offsets::constant(0)));
                self.store(&mut state, &places, &target.ty, value);
            }
            StmtKind::Call { .. } => return self.call_together(stmt, state),
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => {
                self.leave(stmt, state, exits)?;
                return Ok(None);
            }
            StmtKind::Assume(e) => return self.assume(&state, e, true),
            StmtKind::Assert(e, id) => {
                let truth = self.truth(&state, e)?;
                self.record(*id, truth == Some(true));
                return self.assume(&state, e, true);
            }
            StmtKind::Claim(claim) => {
                if let Some(id) = claim.role.assertion() {
                    self.record(id, false);
                }
            }
            StmtKind::Stop => return Ok(None),
            StmtKind::Presume(presumption) => self.presume(&mut state, presumption)?,
            StmtKind::Blocks(_)
            | StmtKind::Snapshot(_)
            | StmtKind::Skip
            | StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::Block(_)
            | StmtKind::Label(..) => {}
        }
        Ok(Some(state))
    }

    /// Executes a statement that leaves its block.
    fn leave(&mut self, stmt: &'p Stmt, state: State, exits: &mut Exits) -> Evaluated<()> {
        match &stmt.kind {
            StmtKind::Return(e) => match e {
                Some(e) => self.add_result(&mut exits.returns, state, e)?,
                None => self.add_return(&mut exits.returns, state),
            },
            StmtKind::Break => exits.breaks = self.joined(exits.breaks.take(), Some(state)),
            StmtKind::Continue => exits.continues = self.joined(exits.continues.take(), Some(state)),
            StmtKind::Goto(label) => self.jump(*label, state, exits),
            _ => {}
        }
        Ok(())
    }

    /// Adds a jump to those whose label has not been passed.
    fn jump(&mut self, label: LabelId, state: State, exits: &mut Exits) {
        let open = exits.jumps.remove(&label);
        if let Some(all) = self.joined(open, Some(state)) {
            exits.jumps.insert(label, all);
        }
    }

    fn allocate(&mut self, state: &mut State, stmt: &'p Stmt, size: Number, filling: Filling) -> ObjectId {
        self.allocations += 1;
        let site = self.objects.site(self.chain, stmt.id());
        let made = state.made.get(&site).copied().unwrap_or(0);
        if self.looping == 0 && made < self.limits.blocks {
            state.made.insert(site, made + 1);
            let object = self.objects.id(Origin::Heap(site, Some(made)));
            state.memory.begin(object, size, filling);
            return object;
        }
        let object = self.objects.id(Origin::Heap(site, None));
        state.memory.begin_another(object, size, filling);
        object
    }

    /// Everything may have changed that can be reached.
    pub(super) fn unknown_changes(&self, state: &mut State, change: Change, reach: Reach) {
        state.memory.forget_all(Forgotten { change, reach }, |object| self.is_changed(object, reach));
    }

    /// Whether a change of which it is not known where may be in the object.
    pub(super) fn is_changed(&self, object: ObjectId, reach: Reach) -> bool {
        let [addressed, named] = &self.reached;
        let variables = match reach {
            Reach::Addresses => addressed,
            Reach::Names => named,
        };
        match self.objects.origin(object) {
            Origin::Variable(v, _) => variables[v.0 as usize],
            Origin::Heap(..) | Origin::Outside(_) => true,
            Origin::Result(_) => false,
        }
    }

    fn repeat(&mut self, stmt: &'p Stmt, l: &'p Loop, state: State, exits: &mut Exits) -> Evaluated<Option<State>> {
        let mut end = None;
        let mut head = state;
        let (mut undecided, mut seen): (u64, Option<State>) = (0, None);
        let (mut rounds, begun) = (0u64, self.steps);
        let known = self.known_head(stmt);
        loop {
            let is_long = undecided > FEW_UNDECIDED && self.steps - begun > MANY_STEPS;
            let is_endless = rounds >= FEW_ROUNDS && self.endless.contains(&stmt.id());
            if rounds >= self.limits.rounds {
                self.endless.insert(stmt.id());
            }
            let are_many = rounds >= self.limits.rounds || undecided > self.limits.undecided;
            if known.is_some() || is_endless || are_many || is_long {
                let all = self.all_iterations(stmt, l, (head, known), exits)?;
                return Ok(self.joined(end, all));
            }
            if rounds.is_multiple_of(LOOK_BACK) {
                if seen.as_ref().is_some_and(|seen| self.is_within(&head, seen)) {
                    // From here on, the runs are among those from the earlier state.
                    return Ok(end);
                }
                if rounds.is_power_of_two() || rounds == 0 || rounds == LOOK_BACK {
                    seen = Some(head.clone());
                }
            }
            let (next, left, is_decided) = self.iteration(stmt, l, head, exits)?;
            end = self.joined(end, left);
            let Some(next) = next else { return Ok(end) };
            undecided += u64::from(!is_decided);
            head = next;
            rounds += 1;
        }
    }

    /// One iteration from the head. Returns what is known when control comes back to the head, when
    /// it leaves the loop, and whether the condition was known.
    fn iteration(
        &mut self,
        stmt: &'p Stmt,
        l: &'p Loop,
        head: State,
        exits: &mut Exits,
    ) -> Evaluated<(Option<State>, Option<State>, bool)> {
        self.tick()?;
        let mut inner = Exits::default();
        let is_last = l.kind == LoopKind::DoWhile;
        let (enter, mut left) = match is_last {
            true => (Some(head), None),
            false => self.branches(stmt, head, &l.condition)?,
        };
        let mut is_decided = is_last || enter.is_none() || left.is_none();
        let end = self.block(&l.body, enter, &mut inner)?;
        let end = self.joined(end, inner.continues.take());
        let end = self.block(&l.step, end, &mut inner)?;
        let next = match (is_last, end) {
            (true, Some(end)) => {
                let (again, out) = self.branches(stmt, end, &l.condition)?;
                is_decided = again.is_none() || out.is_none();
                left = out;
                again
            }
            (_, end) => end,
        };
        // Where there is little time, the loop may also end with the call.
        let is_left = inner.breaks.is_some() || (self.limits.is_joined && !inner.returns.0.is_empty());
        is_decided &= !is_left || next.is_none();
        left = self.joined(left, inner.breaks.take());
        self.leave_loop(inner, exits);
        Ok((next, left, is_decided))
    }

    /// Control leaves a loop together with what is around it.
    fn leave_loop(&mut self, inner: Exits, exits: &mut Exits) {
        self.add_returns(&mut exits.returns, inner.returns);
        for (label, state) in inner.jumps {
            self.jump(label, state, exits);
        }
    }

    /// All iterations from the head at once; perhaps it is known what was last found there. Returns
    /// what is known when control leaves the loop.
    ///
    /// **Why it is sound.** The state at the head is found in silence. It contains the given one
    /// and what an iteration makes of it, so every run at the head is in it; descending steps keep
    /// that. Where the search starts does not matter, if the given state is in it. The last
    /// execution of the body starts from the state that was found, and decides the obligations.
    fn all_iterations(
        &mut self,
        stmt: &'p Stmt,
        l: &'p Loop,
        (first, known): (State, Option<State>),
        exits: &mut Exits,
    ) -> Evaluated<Option<State>> {
        let (context, begun) = (self.remembers_heads(), self.steps);
        let mut head = self.joined(Some(first.clone()), known).unwrap_or_default();
        self.looping += 1;
        self.silent += 1;
        let thresholds = self.thresholds_in(stmt);
        let mut steps = 0;
        let (mut last, mut left, mut out) = loop {
            let mut out = Exits::default();
            let (next, left, _) = self.iteration(stmt, l, head.clone(), &mut out)?;
            let next = match next {
                Some(next) if !self.is_within(&next, &head) => next,
                next => break (next, left, out),
            };
            steps += 1;
            if steps > MOST_STEPS {
                return Err(Stop::OutOfTime);
            }
            let both = self.joined(Some(head.clone()), Some(next)).unwrap_or_default();
            if steps > self.limits.patience + MANY_WIDENINGS {
                head.memory.facts.texts = Texts::default();
            }
            head = match steps {
                n if n <= JOINS => both,
                n if n <= self.limits.patience => self.widened(head, both, &thresholds),
                _ => self.widened(head, both, &self.last_thresholds),
            };
            if steps > self.limits.patience + MANY_WIDENINGS {
                head.memory.facts.implications = Implications::default();
            }
        };
        for _ in 0..DESCENDING {
            let smaller = self.joined(Some(first.clone()), last.take()).unwrap_or_default();
            if !self.is_within(&smaller, &head) || self.is_within(&head, &smaller) {
                break;
            }
            head = smaller;
            out = Exits::default();
            (last, left, _) = self.iteration(stmt, l, head.clone(), &mut out)?;
        }
        if let Some(context) = context.filter(|_| self.steps - begun > MANY_STEPS) {
            self.context(context).heads.insert(stmt.id(), head.clone());
        }
        self.silent -= 1;
        if self.silent > 0 {
            // What is known where control leaves is known already.
            self.leave_loop(out, exits);
        } else {
            (_, left, _) = self.iteration(stmt, l, head, exits)?;
        }
        self.looping -= 1;
        Ok(left)
    }

    /// The context in whose outermost loops the search starts from what it found last, if it took
    /// long: the states in which a context is entered only grow until obligations are decided.
    fn remembers_heads(&self) -> Option<ContextId> {
        self.user.filter(|_| self.limits.is_joined && self.silent > 0 && self.looping == self.outermost)
    }

    /// What was last found at the head of a loop, if the search starts from there.
    fn known_head(&mut self, stmt: &Stmt) -> Option<State> {
        let context = self.remembers_heads()?;
        self.context(context).heads.get(&stmt.id()).cloned()
    }
}
