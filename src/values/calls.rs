//! Calls: each is executed in the state in which it is made.

use super::engine::Values;
use super::evaluate::Places;
use super::execute::Exits;
use super::footprint::{Change, Reach};
use super::locals::{self, Locals};
use super::memory::Filling;
use super::objects::{ObjectId, Origin, Site};
use super::outcomes::Returns;
use super::state::State;
use super::stop::{Evaluated, Stop, if_reached};
use super::value::Value;
use crate::program::{self, Block, Callee, Expr, FunctionId, Lvalue, Stmt, StmtKind, Type, VarId};
use std::rc::Rc;

/// A call in the program.
#[derive(Clone, Copy)]
struct Call<'p> {
    stmt: &'p Stmt,
    target: Option<&'p Lvalue>,
    callee: &'p Callee,
    arguments: &'p [Expr],
    /// Whether what is known after it is kept apart by its result.
    apart: bool,
}

/// An argument.
enum Passed<'p> {
    Scalar(Value),
    Struct(&'p Expr),
}

impl<'p> Values<'p> {
    /// The states after a call: one at most, unless they are kept apart by its result.
    fn call(&mut self, call: Call<'p>, state: State) -> Evaluated<Vec<State>> {
        let (functions, is_unknown) = match call.callee {
            Callee::Function(f) => (vec![*f], false),
            Callee::Pointer(e) => {
                let p = self.pointers(&state, e)?;
                self.calls_through(call.stmt.site, &p);
                // A check comes before: no run goes on with a call of what is no function.
                (p.functions.iter().copied().collect(), p.wild)
            }
        };
        let mut passed = Vec::new();
        for e in call.arguments {
            passed.push(if e.ty.is_scalar() { Passed::Scalar(self.value(&state, e)?) } else { Passed::Struct(e) });
        }
        let places = match call.target {
            Some(l) => Some(self.places(&state, l, true)?),
            None => None,
        };
        let call = Call { apart: call.apart && functions.len() == 1 && !is_unknown, ..call };
        let mut ends = Vec::new();
        for f in functions {
            ends.extend(self.call_of(call, f, state.clone(), places.as_ref(), &passed)?);
        }
        if is_unknown {
            let mut state = state;
            self.unknown_changes(&mut state, Change::Copies, Reach::Names);
            ends.push(self.after_unknown(state, (call.target, places.as_ref()), false));
        }
        if call.apart {
            return Ok(ends);
        }
        Ok(self.joined_all(ends).into_iter().collect())
    }

    /// What is known after a call.
    pub(super) fn call_together(&mut self, stmt: &'p Stmt, state: State) -> Evaluated<Option<State>> {
        let Some(call) = Call::of(stmt) else { return Ok(Some(state)) };
        Ok(self.call(call, state)?.into_iter().next())
    }

    /// [`Values::statement`] for a call, with what is known after it by its result.
    pub(super) fn call_apart(&mut self, stmt: &'p Stmt, state: State) -> Evaluated<Vec<State>> {
        self.tick()?;
        #[cfg(feature = "fuzz")]
        self.keep(stmt, &state);
        let Some(call) = Call::of(stmt) else { return Ok(vec![state]) };
        match self.checked(stmt, state) {
            Ok(state) => match self.call(Call { apart: true, ..call }, state) {
                Err(Stop::Unreached) => Ok(Vec::new()),
                ends => ends,
            },
            Err(Stop::Unreached) => Ok(Vec::new()),
            Err(stop) => Err(stop),
        }
    }

    /// What is known after a call of code that is not there, or is not followed. What it can reach
    /// is changed already. Functions of the library alone call none whose address is taken.
    fn after_unknown(
        &mut self,
        mut state: State,
        target: (Option<&'p Lvalue>, Option<&Places>),
        is_alone: bool,
    ) -> State {
        self.is_called_back |= !is_alone;
        if let (Some(l), Some(places)) = target {
            self.set_any(&mut state, places, &l.ty);
        }
        state
    }

    fn call_of(
        &mut self,
        call: Call<'p>,
        f: FunctionId,
        mut state: State,
        places: Option<&Places>,
        passed: &[Passed<'p>],
    ) -> Evaluated<Vec<State>> {
        let function = self.program.function(f);
        // A contract does not say whom the function calls.
        self.is_called_back |= function.origin == program::Origin::Contract;
        let is_followed = !self.locals(f).jumps_into_loops;
        let Some(body) = function.body.as_ref().filter(|_| is_followed) else {
            let is_alone = self.program.is_of_library(function) && !self.hands_functions;
            if function.body.is_some() {
                self.opaque.insert(f);
                self.unknown_changes(&mut state, Change::Copies, Reach::Names);
            } else {
                let values = passed.iter().filter_map(Passed::scalar);
                let reach = if is_alone { Reach::Addresses } else { Reach::Names };
                self.unknown_code(&mut state, reach, values);
            }
            return Ok(vec![self.after_unknown(state, (call.target, places), is_alone)]);
        };
        let way = self.objects.site(self.chain, call.stmt.id());
        let is_joined = self.is_joined(f, way)?;
        self.begin_jumped_over(&mut state)?;
        for (n, v) in function.parameters.iter().enumerate() {
            let object = match is_joined || self.limits.is_joined {
                true => self.parameter(f, *v, self.depth + 1),
                false => self.objects.id(Origin::Variable(*v, self.depth + 1)),
            };
            let ty = &self.program.variable(*v).ty;
            self.begin(&mut state, object, ty, Filling::Any)?;
            match passed.get(n) {
                Some(Passed::Scalar(value)) => {
                    let walks = self.walks_on(&state, (object, ty), &call.arguments[n])?;
                    self.store(&mut state, &Places::at(object), ty, value.clone());
                    state.memory.facts.texts.extend(walks);
                }
                Some(Passed::Struct(e)) => self.copy(&mut state, &Places::at(object), e)?,
                None => {}
            }
        }
        let returned = match is_joined {
            true => self.call_in_context(f, state)?,
            false => self.call_alone(f, way, body, state, call.apart)?,
        };
        let mut ends = Vec::new();
        for end in returned {
            let Some(end) = self.told_of_arguments(f, end, call.arguments)? else { continue };
            ends.push(self.returned(f, end, (call.target, places))?);
        }
        Ok(ends)
    }

    /// Executes a call. The state is that in which the function is entered. Returns the states in
    /// which it returns.
    pub(super) fn execute_call(
        &mut self,
        f: FunctionId,
        way: Site,
        body: &'p Block,
        state: State,
        apart: bool,
    ) -> Evaluated<Returns> {
        let caller = (self.depth, self.chain, self.calls_itself);
        (self.depth, self.chain, self.calls_itself) = (self.depth + 1, way, false);
        self.open.push(f);
        let returned = self.returns_of(body, Some(state), apart)?;
        self.open.pop();
        (self.depth, self.chain, self.calls_itself) = caller;
        Ok(returned)
    }

    /// Begins the variables of the current call to which pointers may lead, and whose declaration
    /// was jumped over: every object that a call can touch is there.
    fn begin_jumped_over(&mut self, state: &mut State) -> Evaluated<()> {
        let f = self.open.last().copied().unwrap_or(self.program.entry);
        for v in &self.locals(f).exposed {
            let object = self.variable(*v);
            if !state.memory.has(object) {
                self.begin(state, object, &self.program.variable(*v).ty, Filling::Any)?;
            }
        }
        Ok(())
    }

    /// An object of that type begins.
    pub(super) fn begin(
        &mut self,
        state: &mut State,
        object: ObjectId,
        ty: &'p Type,
        filling: Filling,
    ) -> Evaluated<()> {
        let size = self.size_of(state, ty)?;
        match self.objects.origin(object).is_several() {
            true => state.memory.begin_another(object, size, filling),
            false => state.memory.begin(object, size, filling),
        }
        Ok(())
    }

    /// What a call that returns in that state says of variables of the caller that were its
    /// arguments: what it says of its parameters.
    ///
    /// **Sound**: the parameter still has the value that was passed, and so has the variable, since
    /// neither can change in a call. So the variable has one of the values of the parameter.
    fn told_of_arguments(
        &mut self,
        f: FunctionId,
        mut state: State,
        arguments: &'p [Expr],
    ) -> Evaluated<Option<State>> {
        let locals = self.locals(f);
        for (n, v) in &locals.unchanged {
            let Some(e) = arguments.get(*n).filter(|e| e.ty == self.program.variable(*v).ty) else { continue };
            if !e.converted_var().is_some_and(|x| self.is_private(x)) {
                continue;
            }
            let parameter = self.parameter(f, *v, self.depth + 1);
            let value = self.read(&state, &Places::at(parameter), &self.program.variable(*v).ty)?;
            let Some(refined) = if_reached(self.refine(&state, e, &value))? else { return Ok(None) };
            state = refined;
        }
        Ok(Some(state))
    }

    /// What is known after a call of a function that returns in that state.
    fn returned(
        &mut self,
        f: FunctionId,
        mut state: State,
        target: (Option<&'p Lvalue>, Option<&Places>),
    ) -> Evaluated<State> {
        let (result, ty) = (self.objects.id(Origin::Result(self.depth + 1)), &self.program.function(f).result);
        let value = match target {
            (Some(_), Some(_)) if ty.is_scalar() => Some(self.read(&state, &Places::at(result), ty)?),
            _ => None,
        };
        match (target, value) {
            ((Some(l), Some(places)), Some(value)) => {
                let walks = self.walks_back(&state, (result, ty), l);
                self.store(&mut state, places, &l.ty, value);
                state.memory.facts.texts.extend(walks);
                if *ty == l.ty
                    && let Some((from, to)) = self.cell(&Places::at(result), ty).zip(self.cell(places, &l.ty))
                {
                    state.memory.facts.implications.copied(from, to);
                }
            }
            ((Some(l), Some(places)), None) => {
                self.copy_object(&mut state, Some(&Places::at(result)), places, &l.ty)?
            }
            _ => {}
        }
        state.memory.end(result);
        for v in &self.locals(f).all {
            let origin = match self.limits.is_joined {
                true => self.local(*v, self.depth + 1, self.rings.of_function(f).is_some()),
                false => Origin::Variable(*v, self.depth + 1),
            };
            if !origin.is_several() {
                let object = self.objects.id(origin);
                state.memory.end(object);
            }
        }
        Ok(state)
    }

    /// Executes the body of a function. Returns what is known when it returns.
    pub(super) fn body(&mut self, body: &'p Block, state: Option<State>) -> Evaluated<Option<State>> {
        let ends = self.returns_of(body, state, false)?;
        Ok(self.joined_all(ends.states()))
    }

    /// The states in which the body of a function returns, perhaps by the result.
    pub(super) fn returns_of(&mut self, body: &'p Block, state: Option<State>, apart: bool) -> Evaluated<Returns> {
        let mut exits = Exits::default();
        let outside = (self.looping, std::mem::replace(&mut self.apart, apart));
        let end = self.block(body, state, &mut exits)?;
        (self.looping, self.apart) = outside;
        if !exits.jumps.is_empty() {
            return Err(Stop::GivenUp("a jump to a label that does not exist"));
        }
        if let Some(end) = end {
            self.add_return(&mut exits.returns, end);
        }
        self.end_call(&mut exits.returns);
        Ok(exits.returns)
    }

    pub(super) fn locals(&mut self, f: FunctionId) -> Rc<Locals> {
        let (program, exposed) = (self.program, &self.exposed);
        self.locals.entry(f).or_insert_with(|| Rc::new(Locals::of(program, f, exposed))).clone()
    }

    /// Whether no pointer leads to the variable, so that it changes only where it is named.
    fn is_private(&self, v: VarId) -> bool {
        locals::is_private(self.program, &self.exposed, v)
    }
}

impl Passed<'_> {
    fn scalar(&self) -> Option<&Value> {
        match self {
            Passed::Scalar(value) => Some(value),
            Passed::Struct(_) => None,
        }
    }
}

impl<'p> Call<'p> {
    fn of(stmt: &'p Stmt) -> Option<Call<'p>> {
        match &stmt.kind {
            StmtKind::Call { target, callee, arguments } => {
                Some(Call { stmt, target: target.as_ref(), callee, arguments, apart: false })
            }
            _ => None,
        }
    }
}
