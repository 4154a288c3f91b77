//! Executes a program once on symbols, each loop as one arbitrary iteration.

use super::candidates::{Guess, MOST, guessed, guesses};
use super::claims::{Reading, first_claims, last_claims, mentions};
use super::heads::{AtHead, at_head};
use super::proposals::{Proposals, Runs, proposals};
use super::state::{Part, Region, State, Symbols, dimensions, regions, sort};
use super::values::{Evaluation, Place, unusual};
use super::wording::{shown, with_names_of_source};
use crate::program::{
    AssertionId, Base, Claim, ClaimRole, Expr, ExprKind, Formula, IntKind, LabelId, Location, Loop, LoopKind, Lvalue,
    Program, Step, Stmt, StmtKind, Type, Use, VarId, each_part, each_stmt,
};
use crate::reduce::Refusal;
use crate::reduce::normal::Inlined;
use crate::smt::{Schema, Sort, Symbol, Term, Unfolding};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The greatest number of declarations in a question.
const MOST_DECLARATIONS: usize = 20_000;

/// An assertion that the program evaluates: it holds if what is known before it and its negation
/// have no model.
#[derive(Debug)]
pub(super) struct Execution {
    /// How many of the declarations, of the facts and of the guesses there were.
    pub(super) declarations: usize,
    pub(super) facts: usize,
    pub(super) candidates: usize,
    /// Whether a run comes here.
    pub(super) path: Term,
    /// The condition; `None` if it mentions what is not followed.
    pub(super) goal: Option<Term>,
}

/// A guess about a loop, and what must be shown for it.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Whether it holds, as a constant.
    pub(super) flag: Term,
    /// The number of the loop, as the executions of loops are counted.
    pub(super) of_loop: usize,
    /// How many quantifiers it nests.
    pub(super) depth: usize,
    /// The candidates that say more, as far as runs show.
    pub(super) below: Vec<usize>,
    /// Where the loop stands.
    pub(super) at: Location,
    /// The guess as in ACSL; `None` if it is about something that the source does not name.
    pub(super) text: Option<String>,
    pub(super) questions: Vec<Execution>,
}

/// What must be shown for each assertion of a program (the verification conditions).
#[derive(Debug)]
pub struct Conditions {
    pub(super) symbols: Symbols,
    pub(super) executions: BTreeMap<AssertionId, Vec<Execution>>,
    /// What loops may leave alone.
    pub(super) candidates: Vec<Candidate>,
    /// By loop, as [`Candidate::of_loop`] counts them: the numbers that it mentions.
    pub(super) heads: BTreeMap<usize, Vec<AtHead>>,
    /// Which of them hold, once that is known.
    pub(super) settled: OnceCell<Vec<bool>>,
    pub(super) unfollowed: BTreeSet<AssertionId>,
    /// What is known of the functions that formulas apply.
    pub(super) unfoldings: Vec<Unfolding>,
    pub(super) lemmas: Vec<Schema>,
}

impl Conditions {
    /// Finds the conditions of a program. `runs` says which proposals for invariants to leave out.
    ///
    /// # Errors
    /// Something in the program has no meaning here.
    pub fn of(inlined: &Inlined, runs: &mut Runs<'_>) -> Result<Conditions, Refusal> {
        let (program, body) = inlined.parts()?;
        let (program, body) = &super::offsets::resolved(program, body, inlined.sizes());
        let proposals = proposals(program, body, runs);
        let mut executor = Executor {
            program,
            symbols: Symbols::default(),
            executions: BTreeMap::new(),
            candidates: Vec::new(),
            heads: BTreeMap::new(),
            pending: HashMap::new(),
            passed: HashSet::new(),
            loops: Vec::new(),
            held: Vec::new(),
            proposals,
            named: with_names_of_source(program),
        };
        for (n, function) in program.logic.iter().enumerate() {
            let sequence = [Sort::array(Sort::Int, Sort::Int), Sort::Int];
            let mut sorts: Vec<Sort> = std::iter::repeat_n(sequence, function.elements).flatten().collect();
            sorts.extend(vec![Sort::Int; function.numbers.len()]);
            let name = Symbol::new(&format!("{}.{n}", function.name));
            let declared = executor.symbols.declarations.function(name, sorts, Sort::Int);
            executor.symbols.functions.push(declared);
        }
        let start = executor.block(&program.initialisers, Some(Symbols::start()))?;
        executor.block(body, start)?;
        if !executor.pending.is_empty() {
            return Err(Refusal::of_all("a jump goes backward or into a loop"));
        }
        let (mut symbols, nowhere) = (executor.symbols, Symbols::start());
        let unfoldings = (0..program.logic.len())
            .filter_map(|n| Reading::new(program, &mut symbols, &nowhere).unfolding(n))
            .collect();
        let lemmas =
            program.lemmas.iter().filter_map(|l| Reading::new(program, &mut symbols, &nowhere).lemma(l)).collect();
        Ok(Conditions {
            unfoldings,
            lemmas,
            symbols,
            executions: executor.executions,
            candidates: executor.candidates,
            heads: executor.heads,
            settled: OnceCell::new(),
            unfollowed: inlined.unfollowed().clone(),
        })
    }
}

/// What leaves one iteration of a loop other than at its end.
#[derive(Default)]
struct Exits {
    breaks: Vec<State>,
    continues: Vec<State>,
}

struct Executor<'p> {
    program: &'p Program,
    symbols: Symbols,
    executions: BTreeMap<AssertionId, Vec<Execution>>,
    candidates: Vec<Candidate>,
    /// As [`Conditions::heads`].
    heads: BTreeMap<usize, Vec<AtHead>>,
    /// The paths that have jumped to a label further on.
    pending: HashMap<LabelId, Vec<State>>,
    /// The labels that were passed.
    passed: HashSet<LabelId>,
    loops: Vec<Exits>,
    /// What was asserted or assumed, as long as nothing it depends on is written.
    held: Vec<Formula>,
    /// What may hold at the heads of loops.
    proposals: Proposals,
    /// The program with the names of the source.
    named: Program,
}

impl<'p> Executor<'p> {
    /// Executes a block. A state of `None` stands for no run at all.
    fn block(&mut self, block: &'p [Stmt], mut state: Option<State>) -> Result<Option<State>, Refusal> {
        for s in block {
            state = self.stmt(s, state)?;
            if self.symbols.declarations.count() > MOST_DECLARATIONS {
                return Err(Refusal::of_all("the question for the solver is too large"));
            }
        }
        Ok(state)
    }

    fn stmt(&mut self, s: &'p Stmt, state: Option<State>) -> Result<Option<State>, Refusal> {
        match &s.kind {
            StmtKind::Claim(_) | StmtKind::Loop(_) | StmtKind::Block(_) | StmtKind::Skip => {}
            StmtKind::Snapshot(id) => self.held.retain(|f| !f.reads_snapshot(*id)),
            StmtKind::Declare(v) => self.held.retain(|f| !mentions(f, *v)),
            StmtKind::Assign(l, _) if l.as_var().is_some() => {
                let v = l.as_var();
                self.held.retain(|f| v.is_some_and(|v| !mentions(f, v)));
            }
            _ => self.held.clear(),
        }
        match &s.kind {
            StmtKind::Label(label, _) => {
                self.passed.insert(*label);
                let mut paths = self.pending.remove(label).unwrap_or_default();
                paths.extend(state);
                Ok(self.joined(paths))
            }
            StmtKind::Block(inner) => self.block(inner, state),
            StmtKind::If(condition, then, otherwise) => {
                let (yes, no) = match state {
                    None => (None, None),
                    Some(mut state) => {
                        let condition = self.condition(condition, &mut state)?;
                        let (mut yes, mut no) = (state.clone(), state);
                        self.symbols.assume(&mut yes, condition.clone());
                        self.symbols.assume(&mut no, condition.negated());
                        (Some(yes), Some(no))
                    }
                };
                let yes = self.block(then, yes)?;
                self.held.clear();
                let no = self.block(otherwise, no)?;
                self.held.clear();
                Ok(self.joined([yes, no].into_iter().flatten().collect()))
            }
            StmtKind::Loop(l) => self.run_loop(s, l, state),
            _ => match state {
                None => Ok(None),
                Some(state) => self.step(s, state),
            },
        }
    }

    /// A statement without others inside, on a path that runs take.
    fn step(&mut self, s: &'p Stmt, mut state: State) -> Result<Option<State>, Refusal> {
        match &s.kind {
            StmtKind::Declare(v) => self.forget_variable(*v, &mut state, s.location)?,
            StmtKind::Assign(l, e) => self.assign(l, e, &mut state)?,
            StmtKind::Input(l, _) | StmtKind::Havoc(l) => self.overwrite(l, None, &mut state)?,
            StmtKind::Zero(l) => self.overwrite(l, Some(0), &mut state)?,
            StmtKind::Allocate { target, count, .. } => {
                self.evaluate(count, &mut state)?;
                self.overwrite(target, None, &mut state)?;
            }
            StmtKind::Assume(e) => {
                let condition = self.condition(e, &mut state)?;
                self.symbols.assume(&mut state, condition);
            }
            StmtKind::Assert(e, assertion) => {
                let condition = self.condition(e, &mut state)?;
                self.claim(*assertion, &state, Some(condition.clone()));
                self.symbols.assume(&mut state, condition);
            }
            StmtKind::Claim(claim) => self.claimed(claim, &mut state),
            StmtKind::Snapshot(id) => {
                let mut taken = state.clone();
                // Claims do not look further back from there.
                taken.snapshots.clear();
                state.snapshots.insert(*id, Rc::new(taken));
            }
            StmtKind::Goto(label) => {
                if self.passed.contains(label) {
                    return Err(Refusal::at(s.location, "a jump goes backward or into a loop"));
                }
                self.pending.entry(*label).or_default().push(state);
                return Ok(None);
            }
            StmtKind::Break | StmtKind::Continue => {
                let Some(exits) = self.loops.last_mut() else { return Ok(None) };
                let to = if matches!(s.kind, StmtKind::Break) { &mut exits.breaks } else { &mut exits.continues };
                to.push(state);
                return Ok(None);
            }
            StmtKind::Return(_) | StmtKind::Stop => return Ok(None),
            StmtKind::Call { .. } | StmtKind::HavocReachable(_) => {
                return Err(Refusal::at(s.location, "unknown code is called"));
            }
            // What is presumed, or required of memory, restricts runs only.
            StmtKind::Blocks(_) | StmtKind::Presume(_) | StmtKind::Skip => {}
            StmtKind::If(..) | StmtKind::Loop(_) | StmtKind::Block(_) | StmtKind::Label(..) => {}
        }
        Ok(Some(state))
    }

    /// Records an assertion.
    fn claim(&mut self, assertion: AssertionId, state: &State, goal: Option<Term>) {
        let execution = self.execution(state, goal);
        self.executions.entry(assertion).or_default().push(execution);
    }

    fn execution(&self, state: &State, goal: Option<Term>) -> Execution {
        Execution {
            declarations: self.symbols.declarations.count(),
            facts: self.symbols.facts.len(),
            candidates: self.candidates.len(),
            path: state.path.clone(),
            goal,
        }
    }

    /// Makes guesses about a loop, and assumes them at its head. Returns them with their numbers.
    fn assume_guesses(&mut self, s: &Stmt, l: &Loop, entry: &State, head: &mut State) -> Vec<(usize, Guess)> {
        let mut made = Vec::new();
        let of_loop = self.candidates.last().map_or(0, |c| c.of_loop + 1);
        let at_head = at_head(self.program, &self.named, &mut self.symbols, s, [entry, head]);
        self.heads.insert(of_loop, at_head);
        let proposed = self.proposals.remove(&s.id()).unwrap_or_default();
        let (proposed, below): (Vec<_>, Vec<_>) = proposed.into_iter().map(|p| (p.formula, p.below)).unzip();
        // The numbers of the candidates that the proposals became.
        let mut numbers: Vec<Option<usize>> = vec![None; below.len()];
        let plain = guesses(l, s).into_iter().map(|guess| (guess, None));
        let proposed = proposed.into_iter().enumerate().map(|(n, formula)| (Guess::Proposed(formula), Some(n)));
        for (guess, proposal) in plain.chain(proposed) {
            if self.candidates.len() >= MOST {
                break;
            }
            let (program, symbols) = (self.program, &mut self.symbols);
            let first = guessed(&guess, program, symbols, entry, entry);
            let Some((first, then)) = first.zip(guessed(&guess, program, symbols, entry, head)) else { continue };
            let symbol = self.symbols.symbol();
            let flag = self.symbols.declarations.constant(symbol, Sort::Bool);
            self.symbols.assume(head, flag.clone().implies(then));
            let questions = vec![self.execution(entry, Some(first))];
            let text = shown(&guess, &self.named);
            let depth = guess.depth();
            if let Some(n) = proposal {
                numbers[n] = Some(self.candidates.len());
            }
            made.push((self.candidates.len(), guess));
            let below = Vec::new();
            self.candidates.push(Candidate { flag, of_loop, depth, below, at: s.location, text, questions });
        }
        for (number, below) in numbers.iter().zip(below) {
            if let Some(number) = number {
                self.candidates[*number].below = below.iter().filter_map(|m| numbers[*m]).collect();
            }
        }
        made
    }

    fn claimed(&mut self, claim: &Claim, state: &mut State) {
        // Of what is assumed, all that is followed is known.
        if let (ClaimRole::Assume | ClaimRole::Follows, Formula::And(a, b)) = (claim.role, &claim.formula) {
            for part in [a, b] {
                self.claimed(&Claim { formula: (**part).clone(), role: claim.role }, state);
            }
            self.held.push(claim.formula.clone());
            return;
        }
        let condition = Reading::new(self.program, &mut self.symbols, state).formula(&claim.formula);
        if let Some(assertion) = claim.role.assertion() {
            self.claim(assertion, state, condition.clone());
        }
        // Runs in which it is false are not considered any further. After a check they are.
        if !matches!(claim.role, ClaimRole::Check(_)) {
            self.held.push(claim.formula.clone());
            if let Some(condition) = condition {
                self.symbols.assume(state, condition);
            }
        }
    }

    /// One arbitrary iteration of a loop, and the states in which the loop ends.
    ///
    /// In a loop that tests at the end, each iteration begins with its invariants. They are
    /// recorded where an iteration is about to begin: before the loop, and after the test.
    ///
    /// The state at the head is that of the last iteration which a run begins (or, where it leaves
    /// at the test, of that test). What no iteration writes has the value that it had before the
    /// loop. What holds at the head: formulas that were claimed before the loop, as long as nothing
    /// else ran, and again at the end of every iteration. A run with a false one has ended.
    fn run_loop(&mut self, s: &'p Stmt, l: &'p Loop, state: Option<State>) -> Result<Option<State>, Refusal> {
        let before = std::mem::take(&mut self.held);
        let mut inside: HashSet<LabelId> = HashSet::new();
        for block in s.blocks() {
            each_stmt(block, &mut |s| {
                if let StmtKind::Label(label, _) = s.kind {
                    inside.insert(label);
                }
            });
        }
        if inside.iter().any(|label| self.pending.contains_key(label)) {
            return Err(Refusal::at(s.location, "a jump goes backward or into a loop"));
        }
        let Some(mut head) = state else {
            self.passed.extend(&inside);
            return Ok(None);
        };
        let (first, rest) = match l.kind {
            LoopKind::DoWhile => first_claims(&l.body),
            LoopKind::While | LoopKind::For => (Vec::new(), &l.body[..]),
        };
        self.assert_all(&first, head.clone());
        let entry = head.clone();
        self.forget_written(s, &mut head)?;
        let repeated = last_claims(&l.step);
        let known = before.iter().filter(|f| l.kind != LoopKind::DoWhile && repeated.contains(f));
        for formula in known.chain(first.iter().map(|(_, formula)| *formula)) {
            if let Some(condition) = Reading::new(self.program, &mut self.symbols, &head).formula(formula) {
                self.symbols.assume(&mut head, condition);
            }
        }
        let guesses = self.assume_guesses(s, l, &entry, &mut head);
        let mut ends = Vec::new();
        let begin = match l.kind {
            LoopKind::DoWhile => head,
            LoopKind::While | LoopKind::For => {
                let condition = self.condition(&l.condition, &mut head)?;
                let mut over = head.clone();
                self.symbols.assume(&mut over, condition.clone().negated());
                ends.push(over);
                self.symbols.assume(&mut head, condition);
                head
            }
        };
        self.loops.push(Exits::default());
        let end = self.block(rest, Some(begin));
        let exits = self.loops.pop().unwrap_or_default();
        self.held.clear();
        let mut paths = exits.continues;
        paths.extend(end?);
        let end = self.joined(paths);
        let mut end = self.block(&l.step, end)?;
        self.held.clear();
        if let (LoopKind::DoWhile, Some(end)) = (l.kind, &mut end) {
            let condition = self.condition(&l.condition, end)?;
            let mut over = end.clone();
            self.symbols.assume(&mut over, condition.clone().negated());
            ends.push(over);
            self.symbols.assume(end, condition);
            self.assert_all(&first, end.clone());
        }
        if let Some(end) = &end {
            for (n, guess) in guesses {
                let goal = guessed(&guess, self.program, &mut self.symbols, &entry, end);
                let question = self.execution(end, goal);
                self.candidates[n].questions.push(question);
            }
        }
        ends.extend(exits.breaks);
        Ok(self.joined(ends))
    }

    /// Records the assertions with which each iteration of a loop begins, one after the other,
    /// where an iteration is about to begin.
    fn assert_all(&mut self, claims: &[(AssertionId, &Formula)], mut state: State) {
        for (assertion, formula) in claims {
            let condition = Reading::new(self.program, &mut self.symbols, &state).formula(formula);
            self.claim(*assertion, &state, condition.clone());
            if let Some(condition) = condition {
                self.symbols.assume(&mut state, condition);
            }
        }
    }

    /// Gives arbitrary values to what a loop may write. The snapshots that it takes are not known.
    fn forget_written(&mut self, s: &Stmt, state: &mut State) -> Result<(), Refusal> {
        let mut written: Vec<Lvalue> = Vec::new();
        let mut declared: Vec<VarId> = Vec::new();
        for block in s.blocks() {
            each_stmt(block, &mut |s| {
                match &s.kind {
                    StmtKind::Declare(v) => declared.push(*v),
                    StmtKind::Snapshot(id) => _ = state.snapshots.remove(id),
                    _ => {}
                }
                each_part(s, &mut |part| {
                    if let crate::program::Part::Lvalue(l, Use::Write) = part {
                        written.push(l.clone());
                    }
                });
            });
        }
        for v in declared {
            self.forget_variable(v, state, s.location)?;
        }
        for l in written {
            let Base::Var(v) = l.base else {
                return Err(Refusal::at(l.location, "it writes through a pointer that may point to several objects"));
            };
            let mut parts = Vec::new();
            for step in &l.path {
                parts.push(match step {
                    Step::Index(_) => Part::Elements,
                    Step::Field(id, n) => Part::Member(*id, *n),
                });
            }
            self.forget_regions((v, parts), &l.ty, state, s.location)?;
        }
        Ok(())
    }

    fn forget_variable(&mut self, v: VarId, state: &mut State, at: Location) -> Result<(), Refusal> {
        let program = self.program;
        self.forget_regions((v, Vec::new()), &program.variable(v).ty, state, at)
    }

    fn forget_regions(&mut self, (v, path): Region, ty: &Type, state: &mut State, at: Location) -> Result<(), Refusal> {
        for (parts, kind) in self.regions(ty, &path, at)? {
            self.symbols.forget(state, (v, parts), kind, self.program.data_model);
        }
        Ok(())
    }

    /// [`regions`]
    fn regions(&self, ty: &Type, path: &[Part], at: Location) -> Result<Vec<(Vec<Part>, IntKind)>, Refusal> {
        regions(self.program, ty, path).ok_or_else(|| unusual(at))
    }

    /// Writes one number, or arbitrary numbers, to all scalars of an object.
    fn overwrite(&mut self, l: &Lvalue, number: Option<i128>, state: &mut State) -> Result<(), Refusal> {
        let place = self.place(l, state)?;
        for (parts, kind) in self.regions(&l.ty, &place.region.1, l.location)? {
            let rest = dimensions(&parts) - place.indexes.len();
            let new = match number {
                Some(n) => filled(n, rest),
                None => self.symbols.contents(rest, kind, self.program.data_model),
            };
            let region = (place.region.0, parts);
            self.store(region, &place.indexes, new, kind, state);
        }
        Ok(())
    }

    fn assign(&mut self, l: &Lvalue, e: &Expr, state: &mut State) -> Result<(), Refusal> {
        let model = self.program.data_model;
        match (&l.ty, &e.kind) {
            (Type::Int(kind), _) => {
                let value = self.evaluate(e, state)?;
                let place = self.place(l, state)?;
                self.store(place.region, &place.indexes, value, *kind, state);
            }
            (Type::Struct(_), ExprKind::Load(from)) if matches!(from.base, Base::Var(_)) => {
                let (from, to) = (self.place(from, state)?, self.place(l, state)?);
                // All is read before anything is written.
                let mut values = Vec::new();
                for (parts, kind) in self.regions(&l.ty, &from.region.1, l.location)? {
                    let contents = self.symbols.value(state, &(from.region.0, parts), kind, model);
                    values.push(from.indexes.iter().cloned().fold(contents, Term::select));
                }
                let written = self.regions(&l.ty, &to.region.1, l.location)?;
                for ((parts, kind), value) in written.into_iter().zip(values) {
                    self.store((to.region.0, parts), &to.indexes, value, kind, state);
                }
            }
            (Type::Struct(_), _) => self.overwrite(l, None, state)?,
            // Pointers and floating values are not followed.
            _ => {
                self.evaluate(e, state)?;
                self.place(l, state)?;
            }
        }
        Ok(())
    }

    /// Writes to the part of a region at some indexes.
    fn store(&mut self, region: Region, indexes: &[Term], value: Term, kind: IntKind, state: &mut State) {
        let whole = self.symbols.value(state, &region, kind, self.program.data_model);
        self.symbols.set(state, region, stored(whole, indexes, value));
    }

    fn condition(&mut self, e: &Expr, state: &mut State) -> Result<Term, Refusal> {
        let condition = self.evaluated(state, |evaluation| evaluation.condition(e))?;
        Ok(self.symbols.define(condition))
    }

    fn evaluate(&mut self, e: &Expr, state: &mut State) -> Result<Term, Refusal> {
        let value = self.evaluated(state, |evaluation| evaluation.value(e))?;
        Ok(self.symbols.define(value.term))
    }

    fn place(&mut self, l: &Lvalue, state: &mut State) -> Result<Place, Refusal> {
        self.evaluated(state, |evaluation| evaluation.place(l))
    }

    /// The result of an evaluation. The path goes on for runs in which it is defined.
    fn evaluated<T>(
        &mut self,
        state: &mut State,
        of: impl FnOnce(&mut Evaluation<'_, 'p>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut evaluation = Evaluation::new(self.program, &mut self.symbols, state);
        let result = of(&mut evaluation)?;
        let known = evaluation.known;
        known.into_iter().for_each(|known| self.symbols.assume(state, known));
        Ok(result)
    }

    fn joined(&mut self, paths: Vec<State>) -> Option<State> {
        let (program, symbols) = (self.program, &mut self.symbols);
        paths.into_iter().reduce(|a, b| symbols.join(a, b, program))
    }
}

/// An array with `n` in all cells.
fn filled(n: i128, dimensions: usize) -> Term {
    (1..=dimensions).fold(Term::int(n), |element, d| Term::everywhere(sort(d), element))
}

/// `whole` with the value at the indexes.
fn stored(whole: Term, indexes: &[Term], value: Term) -> Term {
    match indexes {
        [] => value,
        [index, rest @ ..] => {
            let part = stored(whole.clone().select(index.clone()), rest, value);
            whole.store(index.clone(), part)
        }
    }
}
