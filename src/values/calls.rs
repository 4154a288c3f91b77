//! Calls: each is executed in the state in which it is made.

use super::engine::Values;
use super::evaluate::Places;
use super::execute::Exits;
use super::memory::Filling;
use super::objects::Origin;
use super::state::State;
use super::stop::{Evaluated, Stop};
use super::value::Value;
use crate::program::{
    self, Block, Callee, Expr, FunctionId, Lvalue, Part, Stmt, StmtKind, Storage, VarId, each_part, each_stmt,
};
use std::collections::BTreeSet;
use std::rc::Rc;

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
            self.set_any(&mut state, places, &l.ty);
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
        // A contract does not say whom the function calls.
        self.is_called_back |= function.origin == program::Origin::Contract;
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
                self.copy_object(&mut state, Some(&Places::at(result)), places, &l.ty)?
            }
            _ => {}
        }
        state.memory.end(result);
        for v in self.variables_of(f).iter() {
            let object = self.objects.id(Origin::Variable(*v, self.depth + 1));
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
    fn variables_of(&mut self, f: FunctionId) -> Rc<[VarId]> {
        let program = self.program;
        let function = program.function(f);
        let found = self.variables.entry(f).or_insert_with(|| {
            let mut found: BTreeSet<VarId> = function.parameters.iter().copied().collect();
            each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
                each_part(s, &mut |part| match part {
                    Part::Lvalue(l, _) => found.extend(l.as_base()),
                    Part::Expr(_) => {}
                });
                if let StmtKind::Declare(v) = s.kind {
                    found.insert(v);
                }
            });
            found.retain(|v| program.variable(*v).storage != Storage::Global);
            found.into_iter().collect()
        });
        found.clone()
    }
}
