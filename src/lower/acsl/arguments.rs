//! The function that calls the entry with any arguments that its contract allows, for an entry that
//! is analysed alone. A pointer gets an array, as large as the contract says. Whether arrays
//! overlap is decided later ([`super::overlaps`]), when every body is known.

use super::behaviors::Behaviors;
use super::contracts::ContractClause;
use super::resolve::Logic;
use super::syntax::ClauseKind;
use crate::lower::context::{FunctionInfo, Lowered, Lowerer, Symbol};
use crate::lower::error::InputErrorKind;
use crate::lower::signatures::Signature;
use crate::program::{
    Assumption, BinaryOp, Callee, ClaimRole, Expr, ExprKind, Formula, FunctionId, Location, Lvalue, Origin, Root,
    StmtKind, Term, TermLvalue, TermOp, Type, VarId,
};

/// The function that calls the entry.
pub(in crate::lower) struct Start {
    /// Itself.
    pub(in crate::lower) id: FunctionId,
    /// The entry.
    pub(super) entry: FunctionId,
    /// The arguments that point to arrays.
    pub(super) arrays: Vec<ArrayArgument>,
    /// Ranges of the arguments' elements that do not overlap with each other.
    pub(super) separated: Vec<Vec<Elements>>,
}

/// An argument that points to an array.
pub(super) struct ArrayArgument {
    /// The argument.
    pub(super) variable: VarId,
    /// The parameter that gets it.
    pub(super) parameter: VarId,
    /// The type of an element.
    pub(super) element: Type,
    /// The array has as many elements as the largest of these numbers says.
    pub(super) counts: Vec<Term>,
    /// The largest of the numbers.
    pub(super) count: Expr,
}

/// The first elements that a pointer points to.
pub(super) struct Elements {
    /// The pointer.
    pub(super) pointer: VarId,
    /// How many there are.
    pub(super) count: Term,
}

impl Lowerer<'_> {
    /// Makes the function that calls the entry with any arguments that its contract allows.
    pub(super) fn start_function(
        &mut self,
        id: FunctionId,
        parameters: &[VarId],
        requires: &[ContractClause],
        behaviors: &Behaviors,
    ) -> Lowered<()> {
        let at = self.program.function(id).location;
        let name = self.options.entry.clone();
        let mut signature = (*Signature::unknown_int()).clone();
        signature.result.ty = Type::Void;
        signature.parameters = Some(Vec::new());
        let info = FunctionInfo { signature: std::rc::Rc::new(signature), defined: Some(at), declared: true };
        let start = self.add_function("_start", info, at);
        self.program.functions[start.0 as usize].origin = Origin::Start;
        let parameters = parameters.to_vec();
        let ((arrays, separated), body) = self.scoped(|l| {
            l.collecting(|l| {
                let mut arguments = Vec::new();
                for p in &parameters {
                    let variable = l.program.variable(*p).clone();
                    let (name, origin) = (variable.name.clone(), variable.origin);
                    let argument = l.hidden_variable(name, origin, variable.ty, variable.location);
                    if let Some(v) = argument.as_var()
                        && origin == Origin::Source
                    {
                        l.scope().symbols.insert(variable.name, Symbol::Variable(v));
                    }
                    arguments.push(argument);
                }
                let mut logic = Logic { before: true, at_start: true, ..Logic::default() };
                let mut formulas = Vec::new();
                let variables: Vec<VarId> = arguments.iter().filter_map(Lvalue::as_var).collect();
                for clause in requires {
                    // Quantified variables of different clauses may share their names.
                    let mut own = Logic { before: true, at_start: true, ..Logic::default() };
                    let formula = l.required(clause, behaviors, &variables, &mut own)?;
                    formulas.push((formula, l.at(super::resolve::span(&clause.node))));
                    logic.valid.append(&mut own.valid);
                    logic.separated.append(&mut own.separated);
                }
                let mut arrays = Vec::new();
                for (argument, parameter) in arguments.iter().zip(&parameters) {
                    match l.argument(argument, *parameter, &logic, at) {
                        Ok(array) => arrays.extend(array),
                        Err(e) => {
                            // Nothing that results from it is judged, so any value is good enough.
                            l.emit(StmtKind::Havoc(argument.clone()), at);
                            let Some(ContractClause { node, place, .. }) = requires.first() else { return Err(e) };
                            let kind = ClauseKind::Requires(node.clone());
                            l.unusable_clause(&name, &kind, place.clone(), &l.reason(&e));
                        }
                    }
                }
                for (formula, at) in formulas {
                    l.emit_claim(formula, ClaimRole::Assume, at);
                }
                let callee = Callee::Function(id);
                let arguments = arguments.into_iter().map(Expr::load).collect();
                l.emit(StmtKind::Call { target: None, callee, arguments }, at);
                Ok((arrays, logic.separated))
            })
        })?;
        self.annotations.start = Some(Start { id: start, entry: id, arrays, separated });
        let function = &mut self.program.functions[start.0 as usize];
        function.body = Some(body);
        function.result = Type::Void;
        self.assume_that(format!("`{name}` is analysed alone: globals that are not `const` hold any values"));
        Ok(())
    }

    /// Gives an argument its value: a pointer gets an array, which is returned; anything else keeps
    /// its arbitrary value.
    fn argument(
        &mut self,
        argument: &Lvalue,
        parameter: VarId,
        logic: &Logic,
        at: Location,
    ) -> Lowered<Option<ArrayArgument>> {
        let Some(v) = argument.as_var() else { return Ok(None) };
        let name = self.program.variable(v).name.clone();
        let Type::Pointer(to) = argument.ty.clone() else {
            if self.program.holds_pointers(&argument.ty) {
                self.emit(StmtKind::Havoc(argument.clone()), at);
            }
            return Ok(None);
        };
        let plain = !matches!(*to, Type::Void | Type::Function) && self.is_complete(&to);
        if !plain || variable_length(&to) {
            self.emit(StmtKind::Havoc(argument.clone()), at);
            return Ok(None);
        }
        let kind = self.model().difference_type();
        let zero = || Expr::int(0, kind, at);
        // No object is larger than that. If the contract requires a larger one, no call meets it.
        let most = self.most_elements(&to);
        for (_, count) in logic.valid.iter().filter(|(p, _)| *p == v) {
            let possible = Formula::Compare(BinaryOp::LessEqual, count.clone(), Term::Int(most));
            self.emit_claim(possible, ClaimRole::Assume, at);
        }
        let counts = logic.valid.iter().filter(|(p, _)| *p == v).map(|(_, count)| {
            self.count_expr(count, at).map_or_else(
                || {
                    let message =
                        format!("the size of `{name}` must be made of variables and small numbers with `+ - *`");
                    self.fail_at(InputErrorKind::Unsupported, at, message)
                },
                Ok,
            )
        });
        let function = self.options.entry.clone();
        let (count, counts, sentence) = match counts.collect::<Lowered<Vec<Expr>>>()? {
            counts if !counts.is_empty() => {
                // All its conditions hold, so the array has the largest of their lengths.
                let largest = |a: Expr, b: Expr| {
                    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
                        return if y > x { b } else { a };
                    }
                    let greater = Expr::binary(BinaryOp::Greater, b.clone(), a.clone(), Type::INT);
                    Expr::new(ExprKind::Conditional(Box::new(greater), Box::new(b), Box::new(a)), Type::Int(kind), at)
                };
                let count = counts.into_iter().fold(zero(), largest);
                (
                    count,
                    logic.valid.iter().filter(|(p, _)| *p == v).map(|(_, count)| count.clone()).collect(),
                    format!("an argument of `{function}` is an array of exactly the size that its contract names"),
                )
            }
            _ => {
                let length = self.hidden_variable(format!("length_of_{name}"), Origin::OfArgument, Type::Int(kind), at);
                let count = Term::of_variable(length.clone());
                let value = Expr::load(length);
                let positive = Expr::binary(BinaryOp::Greater, value.clone(), zero(), Type::INT);
                self.emit(StmtKind::Assume(positive), at);
                (value, vec![count], format!("an argument of `{function}` is an array of any positive size"))
            }
        };
        self.assume_that(Assumption::about(sentence, name));
        let pointers = self.program.holds_pointers(&to);
        let element = (*to).clone();
        let allocate =
            StmtKind::Allocate { target: argument.clone(), element: *to, count: count.clone(), zeroed: false };
        self.emit(allocate, at);
        if pointers {
            // What the array's pointers point to is not known.
            self.emit(StmtKind::HavocReachable(vec![Expr::load(argument.clone())]), at);
        }
        Ok(Some(ArrayArgument { variable: v, parameter, element, counts, count }))
    }

    /// A term as a C expression of the pointer-difference type, if it overflows there for the
    /// greatest values at most.
    fn count_expr(&self, t: &Term, at: Location) -> Option<Expr> {
        let ty = Type::Int(self.model().difference_type());
        match t {
            Term::Int(n) => {
                i32::try_from(*n).ok()?;
                Some(Expr::int(*n, self.model().difference_type(), at))
            }
            Term::Read(place) => match &**place {
                TermLvalue { root: Root::Variable(l), steps, ty: Type::Int(_), .. } if steps.is_empty() => {
                    Some(Expr::load(l.clone()).cast(ty))
                }
                _ => None,
            },
            Term::Binary(op @ (TermOp::Add | TermOp::Sub | TermOp::Mul), a, b) => {
                let op = match op {
                    TermOp::Add => BinaryOp::Add,
                    TermOp::Sub => BinaryOp::Sub,
                    _ => BinaryOp::Mul,
                };
                Some(Expr::binary(op, self.count_expr(a, at)?, self.count_expr(b, at)?, ty))
            }
            _ => None,
        }
    }
}

/// Whether the type has an array whose length is in a variable.
pub(super) fn variable_length(ty: &Type) -> bool {
    match ty {
        Type::Array(element, length) => {
            !matches!(length, crate::program::Length::Constant(_)) || variable_length(element)
        }
        Type::Pointer(to) => variable_length(to),
        _ => false,
    }
}
