//! Calls: each is executed in the state in which it is made.

use super::engine::Values;
use super::evaluate::Places;
use super::execute::Exits;
use super::memory::Filling;
use super::objects::Origin;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::Value;
use crate::program::{Block, Callee, Expr, FunctionId, Lvalue, Stmt, StmtKind, VarId, each_stmt};

/// An argument.
enum Passed<'p> {
    Scalar(Value),
    Struct(&'p Expr),
}

impl<'p> Values<'p> {
    pub(super) fn call(
        &mut self,
        stmt: &'p Stmt,
        state: State,
        target: Option<&'p Lvalue>,
        callee: &'p Callee,
        arguments: &'p [Expr],
    ) -> Evaluated<Option<State>> {
        let (functions, is_unknown) = match callee {
            Callee::Function(f) => (vec![*f], false),
            Callee::Pointer(e) => {
                let p = self.pointers(&state, e)?;
                // No run goes on with a call of what is no function.
                let fits = !p.null && p.targets.is_empty() && !p.functions.is_empty();
                self.suspect |= !fits;
                self.restricted |= !fits;
                (p.functions.iter().copied().collect(), p.wild)
            }
        };
        let mut passed = Vec::new();
        for e in arguments {
            passed.push(if e.ty.is_scalar() { Passed::Scalar(self.value(&state, e)?) } else { Passed::Struct(e) });
        }
        let places = match target {
            Some(l) => Some(self.places(&state, l, true)?),
            None => None,
        };
        let mut end = None;
        for f in functions {
            let after = self.call_of(stmt, f, state.clone(), (target, places.as_ref()), &passed)?;
            end = self.joined(end, after);
        }
        if is_unknown {
            let after = self.unknown_call(state, (target, places.as_ref()))?;
            end = self.joined(end, Some(after));
        }
        Ok(end)
    }

    /// A call of code that is not there.
    fn unknown_call(&mut self, mut state: State, target: (Option<&'p Lvalue>, Option<&Places>)) -> Evaluated<State> {
        // It may call whatever has its address taken.
        self.is_called_back = true;
        self.unknown_code(&mut state);
        if let (Some(l), Some(places)) = target {
            match l.ty.is_scalar() {
                true => self.store(&mut state, places, &l.ty, Value::any_of(&l.ty, self.model)),
                false => self.fill(&mut state, places, &l.ty, &Filling::Any),
            }
        }
        Ok(state)
    }

    fn call_of(
        &mut self,
        stmt: &'p Stmt,
        f: FunctionId,
        mut state: State,
        target: (Option<&'p Lvalue>, Option<&Places>),
        passed: &[Passed<'p>],
    ) -> Evaluated<Option<State>> {
        let function = self.program.function(f);
        let calls = self.open.iter().filter(|open| **open == f).count();
        let is_followed = !function.variadic && self.depth < self.limits.depth && calls < self.limits.recursion;
        let Some(body) = function.body.as_ref().filter(|_| is_followed) else {
            if function.body.is_some() {
                self.opaque.insert(f);
            }
            return self.unknown_call(state, target).map(Some);
        };
        for (n, v) in function.parameters.iter().enumerate() {
            let object = self.objects.id(Origin::Variable(*v, self.depth + 1));
            let ty = &self.program.variable(*v).ty;
            let size = self.size_of(&state, ty)?;
            state.memory.begin(object, size, Filling::Any);
            match passed.get(n) {
                Some(Passed::Scalar(value)) => self.store(&mut state, &Places::at(object), ty, value.clone()),
                Some(Passed::Struct(e)) => self.copy(&mut state, &Places::at(object), e)?,
                None => {}
            }
        }
        let caller = (self.depth, self.chain);
        self.chain = self.objects.site(self.chain, stmt.id());
        self.depth += 1;
        self.open.push(f);
        let end = self.body(body, Some(state))?;
        self.open.pop();
        let result = self.objects.id(Origin::Result(self.depth));
        let value = match (&end, target) {
            (Some(state), (Some(_), Some(_))) if function.result.is_scalar() => {
                Some(self.read(state, &Places::at(result), &function.result)?)
            }
            _ => None,
        };
        (self.depth, self.chain) = caller;
        let Some(mut state) = end else { return Ok(None) };
        match (target, value) {
            ((Some(l), Some(places)), Some(value)) => self.store(&mut state, places, &l.ty, value),
            ((Some(l), Some(places)), None) => {
                let size = self.size_of(&state, &l.ty)?.as_constant().and_then(|size| i64::try_from(size).ok());
                match (places.one(), size) {
                    (Some(to), Some(size)) if !self.objects.origin(to.0).is_several() => {
                        state.memory.copy((result, 0), to, size, self.big_endian);
                    }
                    _ => self.fill(&mut state, places, &l.ty, &Filling::Any),
                }
            }
            _ => {}
        }
        state.memory.end(result);
        for v in self.variables_of(f) {
            let object = self.objects.id(Origin::Variable(v, self.depth + 1));
            state.memory.end(object);
        }
        Ok(Some(state))
    }

    /// Executes the body of a function. Returns what is known when it returns.
    pub(super) fn body(&mut self, body: &'p Block, state: Option<State>) -> Evaluated<Option<State>> {
        let mut exits = Exits::default();
        let looping = self.looping;
        let end = self.block(body, state, &mut exits)?;
        self.looping = looping;
        if !exits.jumps.is_empty() {
            return Err(Stop::GivenUp("a jump to a label that does not exist"));
        }
        Ok(self.joined(exits.returns, end))
    }

    /// The variables that live in a call of a function.
    fn variables_of(&mut self, f: FunctionId) -> Vec<VarId> {
        let function = self.program.function(f);
        self.variables
            .entry(f)
            .or_insert_with(|| {
                let mut found = function.parameters.clone();
                each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
                    if let StmtKind::Declare(v) = s.kind {
                        found.push(v);
                    }
                });
                found
            })
            .clone()
    }
}
