//! Initialisers: first a plan (which expression goes to which part of the object), then statements.

use super::context::{Lowered, Lowerer};
use crate::program::{Expr, IntKind, Length, Lvalue, Step, StmtKind, StructId, Type};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::{Node, Span};

/// The most parts that one initialiser may write.
const MAX_PARTS: usize = 1_000_000;

#[derive(Clone, Copy)]
enum Part {
    Element(u64),
    Member(StructId, u32),
}

/// Which expression initialises which part.
struct Leaf<'a> {
    path: Vec<Part>,
    ty: Type,
    value: &'a Node<Expression>,
}

#[derive(Default)]
struct Plan<'a> {
    leaves: Vec<Leaf<'a>>,
    path: Vec<Part>,
    /// One more than the greatest index written at the top.
    length: u64,
    designated: bool,
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

    /// Gives an object its initial value. `fixed`: it has static storage, so that nothing may be computed.
    pub(super) fn initialise(&mut self, object: Lvalue, initializer: &Node<Initializer>, fixed: bool) -> Lowered<()> {
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
                let single = plan.leaves.len() == 1 && plan.leaves[0].path.is_empty();
                if !single {
                    self.emit(StmtKind::Zero(object.clone()), at);
                }
                let designated = plan.designated;
                for leaf in plan.leaves {
                    // What is zero already need not be written, unless it overrides something.
                    let zero = matches!(&leaf.value.node, Expression::Constant(_))
                        && leaf.ty.is_scalar()
                        && self.try_constant(leaf.value)? == Some(0);
                    if zero && !single && !designated {
                        continue;
                    }
                    let part = self.part_of(&object, &leaf.path, leaf.ty.clone());
                    match &leaf.ty {
                        Type::Array(..) => {
                            if designated {
                                self.emit(StmtKind::Zero(part.clone()), at);
                            }
                            self.initialise_string(part, leaf.value.span)?;
                        }
                        _ => self.initialise_part(part, leaf.value, fixed)?,
                    }
                }
                Ok(())
            }
        }
    }

    fn part_of(&self, object: &Lvalue, path: &[Part], ty: Type) -> Lvalue {
        let kind = self.model().difference_type();
        let mut part = object.clone();
        for step in path {
            part.path.push(match step {
                Part::Element(n) => Step::Index(Expr::int(i128::from(*n), kind, object.location)),
                Part::Member(id, n) => Step::Field(*id, *n),
            });
        }
        part.ty = ty;
        part
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

    /// The characters of a string that are not 0, into an array that is.
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
            let cell = self.part_of(&array, &[Part::Element(n as u64)], (*element).clone());
            let value = Expr::int(kind.wrap(*unit, self.model()), kind, array.location);
            self.emit(StmtKind::Assign(cell, value), array.location);
        }
        Ok(())
    }

    /// A list for a scalar: its first element, in however many braces.
    fn scalar<'a>(&mut self, ty: &Type, items: Items<'a>, span: Span, plan: &mut Plan<'a>) -> Lowered<()> {
        let Some(first) = items.first() else { return Ok(()) };
        if !first.node.designation.is_empty() {
            return self.wrong(span, "a designator for something that has no parts");
        }
        match &first.node.initializer.node {
            Initializer::Expression(value) => {
                plan.leaves.push(Leaf { path: plan.path.clone(), ty: ty.clone(), value });
                Ok(())
            }
            Initializer::List(items) => self.scalar(ty, items, span, plan),
        }
    }

    /// Fills an array, struct or union from `items[*next..]`, starting where the designators say. With `braced` the list is
    /// its own and is used up; otherwise it takes what it needs and stops at a designator.
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

    fn sub_object<'a>(&mut self, ty: &Type, items: Items<'a>, next: &mut usize, plan: &mut Plan<'a>) -> Lowered<()> {
        let Some(item) = items.get(*next) else { return Ok(()) };
        let initializer = &item.node.initializer;
        if let Type::Array(element, _) = ty
            && let Some(value) = string_for(element, &initializer.node)
        {
            plan.leaves.push(Leaf { path: plan.path.clone(), ty: ty.clone(), value });
            *next += 1;
            return Ok(());
        }
        let aggregate = matches!(ty, Type::Array(..) | Type::Struct(_));
        match &initializer.node {
            Initializer::List(inner) if aggregate => {
                *next += 1;
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
                    plan.leaves.push(Leaf { path: plan.path.clone(), ty: ty.clone(), value });
                    *next += 1;
                    return Ok(());
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
            while members.get(number as usize).is_some_and(|m| m.bits.is_some() && m.name.starts_with('$')) {
                number += 1;
            }
        }
        number
    }

    fn part(&self, ty: &Type, number: u64) -> (Part, Type) {
        match ty {
            Type::Array(element, _) => (Part::Element(number), (**element).clone()),
            Type::Struct(id) => {
                let n = number as u32;
                let member = self.program.structure(*id).members.get(number as usize);
                (Part::Member(*id, n), member.map_or(Type::Void, |m| m.ty.clone()))
            }
            ty => (Part::Element(number), ty.clone()),
        }
    }

    /// The parts that a designator names: the first, the last, and whether the name lies inside it (in an anonymous member).
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
