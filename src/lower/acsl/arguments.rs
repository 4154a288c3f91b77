//! The function that calls the entry with any arguments that its contract allows, for an entry that
//! is analysed alone. A pointer gets an array, as large as the contract says. So do the pointers
//! that lie in globals, and in the structs that other pointers lead to ([`super::members`]).
//! Whether arrays overlap is decided later ([`super::overlaps`]), when every body is known.
//!
//! Arrays whose size lies in such a struct are made last, so that the struct exists by then. A
//! struct has arbitrary contents, so every size is tried. What the precondition reads in structs is
//! copied to variables, and also said of these, because not every engine follows pointers.

use super::behaviors::Behaviors;
use super::contracts::ContractClause;
use super::copies::Copies;
use super::members::{PointerPath, Unknown, Wanted};
use super::resolve::Logic;
use super::syntax::ClauseKind;
use crate::lower::context::{Lowered, Lowerer, Symbol};
use crate::lower::error::{InputError, InputErrorKind};
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
    /// The arrays that it makes.
    pub(super) arrays: Vec<ArrayArgument>,
    /// Ranges of their elements that do not overlap with each other.
    pub(super) separated: Vec<Vec<Elements>>,
    /// Globals all of whose pointers it sets.
    pub(super) globals: Vec<VarId>,
}

/// An array that an argument points to, or another pointer of the precondition.
pub(super) struct ArrayArgument {
    /// The argument, or the variable that holds the other pointer.
    pub(super) variable: VarId,
    /// The parameter that gets it, if it is an argument.
    pub(super) parameter: Option<VarId>,
    /// What readers call the pointer.
    pub(super) name: String,
    /// If the pointer is a member: the pointer to its struct.
    pub(super) owner: Option<VarId>,
    /// Whether its size lies in memory.
    pub(super) is_late: bool,
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
        let start = self.add_made_function("_start", Origin::Start, Type::Void, at);
        let parameters = parameters.to_vec();
        let (start, body) = self.scoped(|l| {
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
                // The sizes of arrays are computed where it is known which numbers they depend on.
                for (formula, at) in &formulas {
                    for part in about_numbers(formula) {
                        l.emit_claim(part.clone(), ClaimRole::Assume, *at);
                    }
                }
                let pairs: Vec<(&Lvalue, VarId)> = arguments.iter().zip(parameters.iter().copied()).collect();
                let (wanted, unknown) = match l.wanted(&pairs, logic.valid, at) {
                    Ok(found) => found,
                    Err(e) => (l.nothing_wanted(&arguments, requires, e, at)?, Vec::new()),
                };
                let (arrays, held) = match l.made(wanted, &unknown, &formulas, at) {
                    Ok(made) => made,
                    Err(e) => {
                        l.nothing_wanted(&arguments, requires, e, at)?;
                        Default::default()
                    }
                };
                for (formula, at) in formulas {
                    for part in held.copies.parts(&formula) {
                        l.emit_claim(part, ClaimRole::Assume, at);
                    }
                    l.emit_claim(formula, ClaimRole::Assume, at);
                }
                let callee = Callee::Function(id);
                let arguments = arguments.into_iter().map(Expr::load).collect();
                l.emit(StmtKind::Call { target: None, callee, arguments }, at);
                let separated = logic.separated.into_iter().map(|set| held.elements(set)).collect();
                let globals = held.pointers.iter().map(|(path, _)| path.variable);
                let globals = globals.filter(|v| l.is_described(*v, &held.pointers)).collect();
                Ok(Start { id: start, entry: id, arrays, separated, globals })
            })
        })?;
        let function = &mut self.program.functions[start.id.0 as usize];
        function.body = Some(body);
        function.result = Type::Void;
        self.annotations.start = Some(start);
        self.assume_that(format!("`{name}` is analysed alone: globals that are not `const` hold any values"));
        Ok(())
    }

    /// Leaves everything open that rests on a precondition whose arrays cannot be made. Any value
    /// of the arguments is good enough then.
    fn nothing_wanted(
        &mut self,
        arguments: &[Lvalue],
        requires: &[ContractClause],
        e: InputError,
        at: Location,
    ) -> Lowered<Vec<Wanted>> {
        let Some(ContractClause { node, place, .. }) = requires.first() else { return Err(e) };
        for argument in arguments {
            if self.program.holds_pointers(&argument.ty) {
                self.emit(StmtKind::Havoc(argument.clone()), at);
            }
        }
        let (name, kind) = (self.options.entry.clone(), ClauseKind::Requires(node.clone()));
        self.unusable_clause(&name, &kind, place.clone(), &self.reason(&e));
        Ok(Vec::new())
    }

    /// The arrays to make, and the structs of which not everything is known. Arguments of other
    /// types keep their arbitrary values.
    fn wanted(
        &mut self,
        arguments: &[(&Lvalue, VarId)],
        valid: Vec<(PointerPath, Term)>,
        at: Location,
    ) -> Lowered<(Vec<Wanted>, Vec<Unknown>)> {
        let mut wanted = Vec::new();
        for (argument, parameter) in arguments {
            let Some(v) = argument.as_var() else { continue };
            match &argument.ty {
                Type::Pointer(to) if self.has_elements(to) => {
                    let own = valid.iter().filter(|(path, _)| path.is_variable(v));
                    let mut counts: Vec<Term> = Vec::new();
                    for (_, count) in own {
                        if !counts.iter().any(|c| c.is_same(count)) {
                            counts.push(count.clone());
                        }
                    }
                    let name = self.program.variable(v).name.clone();
                    let parameter = Some(*parameter);
                    wanted.push(Wanted { path: PointerPath::of(v), variable: v, parameter, name, owner: None, counts });
                }
                ty if self.program.holds_pointers(ty) => self.emit(StmtKind::Havoc((*argument).clone()), at),
                _ => {}
            }
        }
        self.wanted_members(valid, &mut wanted, at)?;
        let unknown = self.unknown_members(&wanted);
        Ok((wanted, unknown))
    }

    /// Makes the arrays, those whose size lies in memory last. The pointers to structs get their
    /// values before, so that their members can be read.
    fn made(
        &mut self,
        wanted: Vec<Wanted>,
        unknown: &[Unknown],
        formulas: &[(Formula, Location)],
        at: Location,
    ) -> Lowered<(Vec<ArrayArgument>, Held)> {
        let pointers = wanted.iter().map(|w| (w.path.clone(), w.variable)).collect();
        let has_members = wanted.iter().any(|w| w.parameter.is_none());
        let single = wanted.iter().filter(|w| w.counts == [Term::Int(1)]).map(|w| w.path.clone()).collect();
        let (late, early): (Vec<Wanted>, Vec<Wanted>) =
            wanted.into_iter().partition(|w| w.counts.iter().any(reads_memory));
        let mut arrays = Vec::new();
        let mut targets = Vec::new();
        for w in early {
            let path = w.path.clone();
            let array = self.array(w, false, at)?;
            let (variable, is_struct) = (array.variable, matches!(array.element, Type::Struct(_)));
            let pointers = self.program.holds_pointers(&array.element);
            let unknown = unknown.iter().find(|u| u.pointer == variable);
            if let Some(Unknown { members: Some(members), .. }) = unknown {
                for l in members.iter().filter_map(|path| self.pointer_at(path, at)).collect::<Vec<_>>() {
                    self.emit(StmtKind::Havoc(l), at);
                }
            } else if pointers && (!is_struct || unknown.is_some()) {
                // What the array's pointers point to is not known.
                let pointer = Expr::load(Lvalue::var(&self.program, variable, at));
                self.emit(StmtKind::HavocReachable(vec![pointer].into()), at);
            }
            targets.push((path, variable, is_struct));
            arrays.push(array);
        }
        let (structs, others): (Vec<_>, Vec<_>) = targets.into_iter().partition(|(.., is_struct)| *is_struct);
        structs.iter().for_each(|(path, variable, _)| self.hand_over(path, *variable, at));
        let mut others: Vec<_> = others.into_iter().map(|(path, variable, _)| (path, variable)).collect();
        let sizes = late.iter().flat_map(|w| &w.counts);
        let copies = match has_members {
            true => self.copies(single, formulas.iter().map(|(f, _)| f), sizes, at),
            false => Copies::default(),
        };
        for mut w in late {
            let path = w.path.clone();
            w.counts.iter_mut().for_each(|count| copies.put_into(count));
            let array = self.array(w, true, at)?;
            if self.program.holds_pointers(&array.element) || matches!(array.element, Type::Struct(_)) {
                let message = format!("the number of structs at `{}` must not lie in memory", array.name);
                return self.fail_at(InputErrorKind::Unsupported, at, message);
            }
            others.push((path, array.variable));
            arrays.push(array);
        }
        others.iter().for_each(|(path, variable)| self.hand_over(path, *variable, at));
        Ok((arrays, Held { pointers, copies }))
    }

    /// Gives the pointer of a path the value of the variable that was made for it.
    fn hand_over(&mut self, path: &PointerPath, variable: VarId, at: Location) {
        if let Some(pointer) = self.pointer_at(path, at)
            && pointer.as_var() != Some(variable)
        {
            let value = Expr::load(Lvalue::var(&self.program, variable, at));
            self.emit(StmtKind::Assign(pointer, value), at);
        }
    }

    /// Whether a pointer to the type leads to elements that can be made.
    pub(super) fn has_elements(&self, to: &Type) -> bool {
        !matches!(to, Type::Void | Type::Function) && self.is_complete(to) && !variable_length(to)
    }

    /// Makes an array.
    fn array(&mut self, wanted: Wanted, is_late: bool, at: Location) -> Lowered<ArrayArgument> {
        let Wanted { variable, parameter, name, owner, counts, path: _ } = wanted;
        let target = Lvalue::var(&self.program, variable, at);
        let element = target.ty.pointee().cloned().unwrap_or(Type::Void);
        let kind = self.model().difference_type();
        let zero = || Expr::int(0, kind, at);
        // No object is larger than that. If the contract requires a larger one, no call meets it.
        let most = self.most_elements(&element);
        for count in &counts {
            let possible = Formula::Compare(BinaryOp::LessEqual, count.clone(), Term::Int(most));
            self.emit_claim(possible, ClaimRole::Assume, at);
        }
        let sizes = counts.iter().map(|count| {
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
        let of = if parameter.is_some() { "an argument of" } else { "a pointer that is passed to" };
        let (count, counts, sentence) = match sizes.collect::<Lowered<Vec<Expr>>>()? {
            sizes if !sizes.is_empty() => {
                // All its conditions hold, so the array has the largest of their lengths.
                let largest = |a: Expr, b: Expr| {
                    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
                        return if y > x { b } else { a };
                    }
                    let greater = Expr::binary(BinaryOp::Greater, b.clone(), a.clone(), Type::INT);
                    Expr::new(ExprKind::Conditional(Box::new(greater), Box::new(b), Box::new(a)), Type::Int(kind), at)
                };
                let count = sizes.into_iter().fold(zero(), largest);
                (count, counts, format!("{of} `{function}` is an array of exactly the size that its contract names"))
            }
            _ => {
                let length = self.hidden_variable(format!("length_of_{name}"), Origin::OfArgument, Type::Int(kind), at);
                let count = Term::of_variable(length.clone());
                let value = Expr::load(length);
                let positive = Expr::binary(BinaryOp::Greater, value.clone(), zero(), Type::INT);
                self.emit(StmtKind::Assume(positive), at);
                (value, vec![count], format!("{of} `{function}` is an array of any positive size"))
            }
        };
        self.assume_that(Assumption::about(sentence, name.clone()));
        let allocate = StmtKind::Allocate { target, element: element.clone(), count: count.clone(), zeroed: false };
        self.emit(allocate, at);
        Ok(ArrayArgument { variable, parameter, name, owner, is_late, element, counts, count })
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

/// The variables that hold the pointers of a precondition, and the numbers behind them.
#[derive(Default)]
struct Held {
    pointers: Vec<(PointerPath, VarId)>,
    copies: Copies,
}

impl Held {
    /// The elements of the arrays that were made. (What is left out may overlap with the others.)
    fn elements(&self, set: Vec<(PointerPath, Term)>) -> Vec<Elements> {
        let found = set.into_iter().filter_map(|(path, count)| {
            let (_, pointer) = self.pointers.iter().find(|(p, _)| *p == path)?;
            let mut count = count;
            self.copies.put_into(&mut count);
            Some(Elements { pointer: *pointer, count })
        });
        found.collect()
    }
}

/// The comparisons that a formula makes of plain integer variables and numbers; it implies them.
fn about_numbers(f: &Formula) -> Vec<&Formula> {
    fn is_number(t: &Term) -> bool {
        match t {
            Term::Int(_) => true,
            Term::Read(place) => matches!(place.ty, Type::Int(_)) && !reads_memory(t),
            Term::Negate(a) => is_number(a),
            Term::Binary(_, a, b) => is_number(a) && is_number(b),
            _ => false,
        }
    }
    match f {
        Formula::And(a, b) => [about_numbers(a), about_numbers(b)].concat(),
        Formula::Compare(_, a, b) if is_number(a) && is_number(b) => vec![f],
        _ => Vec::new(),
    }
}

/// Whether the value of a term depends on more than plain variables.
fn reads_memory(t: &Term) -> bool {
    match t {
        Term::Read(place) => {
            !matches!(&place.root, Root::Variable(l) if l.as_var().is_some() && place.steps.is_empty())
        }
        Term::Negate(a) => reads_memory(a),
        Term::Binary(_, a, b) => reads_memory(a) || reads_memory(b),
        _ => false,
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
