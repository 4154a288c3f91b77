//! Initialisers: first a plan (which expression goes to which part of the object), then statements.

use super::context::{Lowered, Lowerer};
use super::order::Footprint;
use super::statements::has_effects;
use crate::program::{Base, Expr, IntKind, Length, Lvalue, Step, StmtKind, StructId, Type};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The most parts that one initialiser may write.
const MAX_PARTS: usize = 1_000_000;

/// What is initialised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Initial {
    /// An object with static storage: nothing may be computed.
    Fixed,
    /// An object that no other code knows yet.
    New,
    /// A literal that may have been made before: its new values may be computed from its old ones.
    Again,
}

/// The step to a part of an object.
type Subobject = Step<u64>;

/// Which expression initialises which part.
struct Leaf<'a> {
    path: Vec<Subobject>,
    ty: Type,
    value: &'a Node<Expression>,
}

/// A part's place in the object: the number of each step to it. The keys of what lies inside a part
/// come directly after its own key.
type Key = Vec<u64>;

#[derive(Default)]
struct Plan<'a> {
    leaves: Vec<Leaf<'a>>,
    /// The positions of the leaves that nothing overrides. Used only if there are designators:
    /// without them, nothing is overridden.
    last: BTreeMap<Key, usize>,
    /// The leaves that are overridden.
    gone: BTreeSet<usize>,
    path: Vec<Subobject>,
    /// One more than the greatest index written at the top.
    length: u64,
    designated: bool,
}

impl<'a> Plan<'a> {
    fn key(&self) -> Key {
        self.path.iter().map(Step::number).collect()
    }

    /// Removes the values of the current part, and of the other members of the unions around it.
    /// (`.s.b = 5, .s = {1}`: the list is all that `s` is given.)
    fn override_part(&mut self, is_union: impl Fn(StructId) -> bool) {
        if !self.designated {
            return;
        }
        let key = self.key();
        self.forget(&key, None);
        for (n, part) in self.path.clone().into_iter().enumerate() {
            if let Step::Field(id, member) = part
                && is_union(id)
            {
                self.forget(&key[..n], Some(member.into()));
            }
        }
    }

    /// Removes the values of the parts of `whole`, except the part with number `but`.
    fn forget(&mut self, whole: &[u64], but: Option<u64>) {
        let inside = self.last.range(whole.to_vec()..).take_while(|(key, _)| key.starts_with(whole));
        let inside = inside.filter(|(key, _)| but.is_none() || key.get(whole.len()).copied() != but);
        let keys: Vec<Key> = inside.map(|(key, _)| key.clone()).collect();
        for key in keys {
            self.gone.extend(self.last.remove(&key));
        }
    }

    /// Whether the current part belongs to a struct that was given a value. (For a string, all
    /// compilers keep the rest.)
    fn lies_in_a_value(&self) -> bool {
        let key = self.key();
        let is_struct = |at: &usize| matches!(self.leaves[*at].ty, Type::Struct(_));
        self.designated && (0..key.len()).any(|n| self.last.get(&key[..n]).is_some_and(is_struct))
    }

    /// Gives the current part a value.
    fn push(&mut self, ty: &Type, value: &'a Node<Expression>) {
        self.last.insert(self.key(), self.leaves.len());
        self.leaves.push(Leaf { path: self.path.clone(), ty: ty.clone(), value });
    }
}

type Items<'a> = &'a [Node<InitializerListItem>];

impl Lowerer<'_> {
    /// The length that an initialiser gives to an array of the element type.
    pub(super) fn initialised_length(&mut self, element: &Type, initializer: &Node<Initializer>) -> Lowered<u64> {
        if let Some(string) = string_for(element, &initializer.node) {
            return Ok(self.string_units(string.span)?.0.len() as u64 + 1);
        }
        let Initializer::List(items) = &initializer.node else {
            return self.wrong(initializer.span, "an array is initialised by a list or a string");
        };
        let ty = Type::Array(Box::new(element.clone()), Length::Unknown);
        let mut plan = Plan::default();
        self.aggregate(&ty, items, &mut 0, &[], true, &mut plan)?;
        Ok(plan.length)
    }

    /// Gives an object its initial value.
    pub(super) fn initialise(&mut self, object: Lvalue, initializer: &Node<Initializer>, how: Initial) -> Lowered<()> {
        let Base::Var(v) = object.base else { return self.initialise_object(object, initializer, how) };
        self.initialised.push(v);
        let done = self.initialise_object(object, initializer, how);
        self.initialised.pop();
        done
    }

    fn initialise_object(&mut self, object: Lvalue, initializer: &Node<Initializer>, how: Initial) -> Lowered<()> {
        let fixed = how == Initial::Fixed;
        let at = object.location;
        if let Type::Array(element, _) = &object.ty
            && let Some(string) = string_for(element, &initializer.node)
        {
            self.emit(StmtKind::Zero(object.clone()), at);
            return self.initialise_string(object, string.span);
        }
        match &initializer.node {
            Initializer::Expression(e) => self.initialise_part(object, e, fixed),
            Initializer::List(items) => {
                let variable = |ty: &Type| matches!(ty, Type::Array(_, Length::Variable(_)));
                if variable(&object.ty) && !items.is_empty() {
                    return self.wrong(initializer.span, "an array of variable length has no initialiser");
                }
                let mut plan = Plan::default();
                match &object.ty {
                    Type::Array(..) | Type::Struct(_) => {
                        self.aggregate(&object.ty, items, &mut 0, &[], true, &mut plan)?;
                    }
                    ty => self.scalar(&ty.clone(), items, initializer.span, &mut plan)?,
                }
                let designated = plan.designated;
                let leaves = self.without_overridden(plan)?;
                let single = leaves.len() == 1 && leaves[0].path.is_empty();
                let mut repeated = Repeated::new(&leaves);
                if how == Initial::Again && !single {
                    self.compute(&object, &leaves, &mut repeated)?;
                }
                if !single {
                    self.emit(StmtKind::Zero(object.clone()), at);
                }
                // C lets the values of a list be computed in any order.
                let unsequenced =
                    how == Initial::New && leaves.len() > 1 && leaves.iter().any(|l| has_effects(l.value));
                let mut earlier = Footprint::default();
                for leaf in leaves {
                    let before = self.out.len();
                    // A part that is already zero need not be written, unless it belongs to a
                    // string.
                    let zero = matches!(&leaf.value.node, Expression::Constant(_))
                        && leaf.ty.is_scalar()
                        && self.try_constant(leaf.value)? == Some(0);
                    if zero && !single && !designated {
                        continue;
                    }
                    let part = self.part_of(&object, &leaf.path, leaf.ty.clone());
                    match &leaf.ty {
                        Type::Array(..) => self.initialise_string(part, leaf.value.span)?,
                        _ if repeated.is_known(leaf.value) || !fixed && repeated.is_evaluated_once(leaf.value) => {
                            self.initialise_again(part, leaf.value, &mut repeated)?;
                        }
                        _ => self.initialise_part(part, leaf.value, fixed)?,
                    }
                    if unsequenced {
                        let mut later = self.footprint(before, []);
                        later.forget_target(&self.program, &object);
                        self.unsequenced(&mut earlier, later);
                    }
                }
                Ok(())
            }
        }
    }

    fn part_of(&self, object: &Lvalue, path: &[Subobject], ty: Type) -> Lvalue {
        let kind = self.model().difference_type();
        let mut part = object.clone();
        for step in path {
            part.path.push(step.map(|n| Expr::int(i128::from(*n), kind, object.location)));
        }
        part.ty = ty;
        part
    }

    /// Stores a value that a range gives to several parts: GNU C computes it once.
    fn initialise_again(&mut self, part: Lvalue, value: &Node<Expression>, repeated: &mut Repeated) -> Lowered<()> {
        let known = match repeated.values.get(&value.span.start) {
            Some(known) => known.clone(),
            None => {
                let computed = self.computed(&part.ty, value)?;
                repeated.values.insert(value.span.start, computed.clone());
                computed
            }
        };
        self.store(part, known, false, value.span).map(|_| ())
    }

    /// Computes the values of a list before any of them is stored. C also allows to compute them
    /// after others are stored.
    fn compute(&mut self, object: &Lvalue, leaves: &[Leaf<'_>], repeated: &mut Repeated) -> Lowered<()> {
        let mut earlier = Footprint::default();
        for leaf in leaves.iter().filter(|l| !matches!(l.ty, Type::Array(..))) {
            let before = self.out.len();
            let value = self.computed(&leaf.ty, leaf.value)?;
            let mut later = self.footprint(before, [&value]);
            later.add_target(&self.program, &self.part_of(object, &leaf.path, leaf.ty.clone()));
            self.unsequenced(&mut earlier, later);
            repeated.values.insert(leaf.value.span.start, value);
        }
        Ok(())
    }

    /// The value of a part, settled so that later effects do not change it.
    fn computed(&mut self, ty: &Type, value: &Node<Expression>) -> Lowered<Expr> {
        let computed = self.rvalue_for(value, Some(ty))?;
        let computed = self.convert(computed, ty, value.span)?;
        Ok(self.settle(computed))
    }

    fn initialise_part(&mut self, part: Lvalue, value: &Node<Expression>, fixed: bool) -> Lowered<()> {
        if matches!(part.ty, Type::Array(..)) {
            return self.wrong(value.span, "an array is initialised by a list or a string");
        }
        if !fixed {
            return self.store_from(part, value, false).map(|_| ());
        }
        let ty = part.ty.clone();
        let (result, effects) = self.collecting(|l| l.rvalue_for(value, Some(&ty)))?;
        if !effects.is_empty() {
            return self.wrong(value.span, "the initial value of a static variable has to be a constant");
        }
        self.store(part, result, false, value.span).map(|_| ())
    }

    /// Writes the characters of a string that are not 0 into an array that is all 0.
    fn initialise_string(&mut self, array: Lvalue, span: Span) -> Lowered<()> {
        let (units, _) = self.string_units(span)?;
        let Type::Array(element, length) = array.ty.clone() else { return Ok(()) };
        let Some(kind) = element.as_int() else { return Ok(()) };
        if let Length::Constant(n) = length
            && units.len() as u64 > n
        {
            return self.wrong(span, format!("this string has more than {n} characters"));
        }
        for (n, unit) in units.iter().enumerate().filter(|(_, u)| **u != 0) {
            let cell = self.part_of(&array, &[Step::Index(n as u64)], (*element).clone());
            let value = Expr::int(kind.wrap(*unit, self.model()), kind, array.location);
            self.emit(StmtKind::Assign(cell, value), array.location);
        }
        Ok(())
    }

    /// A list for a scalar: its first element, in any number of braces.
    fn scalar<'a>(&mut self, ty: &Type, items: Items<'a>, span: Span, plan: &mut Plan<'a>) -> Lowered<()> {
        let Some(first) = items.first() else { return Ok(()) };
        if !first.node.designation.is_empty() {
            return self.wrong(span, "a designator for something that has no parts");
        }
        match &first.node.initializer.node {
            Initializer::Expression(value) => self.give(ty, value, plan),
            Initializer::List(items) => self.scalar(ty, items, span, plan),
        }
    }

    /// Fills an array, struct or union from `items[*next..]`, starting where the designators say.
    /// With `braced` the list is its own and is used up; otherwise it takes what it needs and stops
    /// at a designator.
    fn aggregate<'a>(
        &mut self,
        ty: &Type,
        items: Items<'a>,
        next: &mut usize,
        designators: &'a [Node<Designator>],
        braced: bool,
        plan: &mut Plan<'a>,
    ) -> Lowered<()> {
        let count = self.part_count(ty);
        let top = plan.path.is_empty();
        let mut start = designators;
        let mut number = 0u64;
        loop {
            let Some(item) = items.get(*next) else { return Ok(()) };
            if start.is_empty() && !item.node.designation.is_empty() {
                if !braced {
                    return Ok(());
                }
                start = &item.node.designation;
            }
            let (first, last, rest) = match start.split_first() {
                Some((d, rest)) => {
                    plan.designated = true;
                    let (first, last, inside) = self.designated(ty, d)?;
                    (first, last, if inside { start } else { rest })
                }
                None => {
                    number = self.named_part(ty, number);
                    (number, number, start)
                }
            };
            start = &[];
            if last >= count {
                if !braced {
                    return Ok(());
                }
                // gcc warns about excess elements and drops them.
                *next += 1;
                continue;
            }
            let from = *next;
            for n in first..=last {
                *next = from;
                let (part, part_ty) = self.part(ty, n);
                plan.path.push(part);
                if rest.is_empty() {
                    self.sub_object(&part_ty, items, next, plan)?;
                } else {
                    self.aggregate(&part_ty, items, next, rest, false, plan)?;
                }
                plan.path.pop();
                if plan.leaves.len() > MAX_PARTS {
                    return self.unsupported(item.span, format!("an initialiser of more than {MAX_PARTS} parts"));
                }
            }
            // An empty struct takes nothing; the list goes on all the same.
            *next = (*next).max(from + usize::from(braced && *next == from));
            number = last + 1;
            if top {
                plan.length = plan.length.max(number);
            }
            if matches!(ty, Type::Struct(id) if self.program.structure(*id).is_union) {
                number = count;
            }
            if !braced && number >= count {
                return Ok(());
            }
        }
    }

    /// Notes the value of the current part.
    fn give<'a>(&mut self, ty: &Type, value: &'a Node<Expression>, plan: &mut Plan<'a>) -> Lowered<()> {
        plan.override_part(|id| self.program.structure(id).is_union);
        if plan.lies_in_a_value() {
            let message = "this initialises a part of an object that an earlier initialiser sets as a whole: compilers do not agree on the value of the rest";
            return self.unsupported(value.span, message);
        }
        plan.push(ty, value);
        Ok(())
    }

    /// The leaves that nothing overrides. C does not specify whether the others are evaluated.
    fn without_overridden<'a>(&mut self, plan: Plan<'a>) -> Lowered<Vec<Leaf<'a>>> {
        let mut left = Vec::new();
        for (n, leaf) in plan.leaves.into_iter().enumerate() {
            if !plan.gone.contains(&n) {
                left.push(leaf);
                continue;
            }
            let harmless = matches!(leaf.value.node, Expression::Identifier(_) | Expression::StringLiteral(_))
                || self.try_constant(leaf.value)?.is_some();
            if !harmless {
                self.program.assume_that("initialisers that later ones override are not evaluated");
            }
        }
        Ok(left)
    }

    fn sub_object<'a>(&mut self, ty: &Type, items: Items<'a>, next: &mut usize, plan: &mut Plan<'a>) -> Lowered<()> {
        let Some(item) = items.get(*next) else { return Ok(()) };
        let initializer = &item.node.initializer;
        if let Type::Array(element, _) = ty
            && let Some(value) = string_for(element, &initializer.node)
        {
            *next += 1;
            return self.give(ty, value, plan);
        }
        let aggregate = matches!(ty, Type::Array(..) | Type::Struct(_));
        match &initializer.node {
            Initializer::List(inner) if aggregate => {
                *next += 1;
                plan.override_part(|id| self.program.structure(id).is_union);
                self.aggregate(ty, inner, &mut 0, &[], true, plan)
            }
            Initializer::List(inner) => {
                *next += 1;
                self.scalar(ty, inner, item.span, plan)
            }
            Initializer::Expression(value) => {
                let whole = !aggregate
                    || (matches!(ty, Type::Struct(_))
                        && !matches!(value.node, Expression::Constant(_) | Expression::StringLiteral(_))
                        && self.type_of(value)?.ty == *ty);
                if whole {
                    *next += 1;
                    return self.give(ty, value, plan);
                }
                self.aggregate(ty, items, next, &[], false, plan)
            }
        }
    }

    fn part_count(&self, ty: &Type) -> u64 {
        match ty {
            Type::Array(_, Length::Constant(n)) => *n,
            Type::Array(..) => u64::MAX,
            Type::Struct(id) => self.program.structure(*id).members.len() as u64,
            _ => 0,
        }
    }

    /// The next part that has a name: unnamed bit-fields are not initialised.
    fn named_part(&self, ty: &Type, mut number: u64) -> u64 {
        if let Type::Struct(id) = ty {
            let members = &self.program.structure(*id).members;
            while members.get(number as usize).is_some_and(|m| m.bits.is_some() && m.is_unnamed()) {
                number += 1;
            }
        }
        number
    }

    fn part(&self, ty: &Type, number: u64) -> (Subobject, Type) {
        match ty {
            Type::Array(element, _) => (Step::Index(number), (**element).clone()),
            Type::Struct(id) => {
                let n = number as u32;
                let member = self.program.structure(*id).members.get(number as usize);
                (Step::Field(*id, n), member.map_or(Type::Void, |m| m.ty.clone()))
            }
            ty => (Step::Index(number), ty.clone()),
        }
    }

    /// The parts that a designator names: the first, the last, and whether the name lies inside it
    /// (in an anonymous member).
    fn designated(&mut self, ty: &Type, designator: &Node<Designator>) -> Lowered<(u64, u64, bool)> {
        let index = |l: &mut Self, e: &Node<Expression>| match u64::try_from(l.integer_constant(e)?) {
            Ok(n) if n < u64::MAX / 2 => Ok(n),
            _ => l.wrong(e.span, "a negative or too large index"),
        };
        match (&designator.node, ty) {
            (Designator::Index(e), Type::Array(_, length)) => {
                let n = index(self, e)?;
                self.check_index(n, *length, e.span)?;
                Ok((n, n, false))
            }
            (Designator::Range(r), Type::Array(_, length)) => {
                let (first, last) = (index(self, &r.node.from)?, index(self, &r.node.to)?);
                self.check_index(last, *length, r.span)?;
                if first > last {
                    return self.wrong(r.span, "an empty range");
                }
                if last - first >= MAX_PARTS as u64 {
                    return self.unsupported(r.span, format!("a range of more than {MAX_PARTS} elements"));
                }
                Ok((first, last, false))
            }
            (Designator::Member(name), Type::Struct(id)) => {
                let path = self.find_member(*id, &name.node.name);
                let Some([(_, n), inside @ ..]) = path.as_deref() else {
                    return self.wrong(name.span, format!("there is no member `{}`", name.node.name));
                };
                Ok((u64::from(*n), u64::from(*n), !inside.is_empty()))
            }
            _ => self.wrong(designator.span, "this designator does not fit the type"),
        }
    }

    fn check_index(&self, n: u64, length: Length, span: Span) -> Lowered<()> {
        match length {
            Length::Constant(most) if n >= most => self.wrong(span, format!("the array has only {most} elements")),
            _ => Ok(()),
        }
    }
}

/// The values with side effects that ranges give to several parts, by location.
struct Repeated {
    times: BTreeMap<usize, usize>,
    values: BTreeMap<usize, Expr>,
}

impl Repeated {
    fn new(leaves: &[Leaf<'_>]) -> Repeated {
        let mut times = BTreeMap::new();
        for leaf in leaves {
            *times.entry(leaf.value.span.start).or_default() += 1;
        }
        Repeated { times, values: BTreeMap::new() }
    }

    fn is_known(&self, value: &Node<Expression>) -> bool {
        self.values.contains_key(&value.span.start)
    }

    fn is_evaluated_once(&self, value: &Node<Expression>) -> bool {
        self.times.get(&value.span.start).is_some_and(|n| *n > 1) && has_effects(value)
    }
}

/// The string literal that initialises an array of that element type, with or without braces.
fn string_for<'a>(element: &Type, initializer: &'a Initializer) -> Option<&'a Node<Expression>> {
    if !matches!(element, Type::Int(kind) if *kind != IntKind::Bool) {
        return None;
    }
    let e = match initializer {
        Initializer::Expression(e) => e,
        Initializer::List(items) => match items.as_slice() {
            [item] if item.node.designation.is_empty() => match &item.node.initializer.node {
                Initializer::Expression(e) => e,
                Initializer::List(_) => return None,
            },
            _ => return None,
        },
    };
    matches!(e.node, Expression::StringLiteral(_)).then_some(e)
}
