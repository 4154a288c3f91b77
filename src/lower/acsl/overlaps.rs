//! Arguments of the entry that overlap, for an entry that is analysed alone.
//!
//! C lets two pointers lead to the same object, or to parts of it that overlap. So the function
//! that calls the entry does it several times, in one of these cases each:
//!
//! 1. Every argument is an array of its own.
//! 2. Arguments whose elements have one type lie in one array, at any distances. Two arguments
//!    overlap then; of more than two, some may be disjoint. Two pointers to one object each lead to
//!    the same object; there is a case for each choice of such pairs.
//! 3. One argument lies in a global of its type.
//!
//! Members of the structs that arguments point to ([`super::members`]) count as arguments. Where
//! two pointers lead to the same struct, their members are the same pointers, so only one of them
//! gets arrays.
//!
//! A case is left out if it makes no difference: nothing is written through pointers to such
//! elements and no pointers are compared, both pointers are only read through, or `\separated` or
//! `restrict` excludes it. What no case covers is an assumption: overlap of different types, and of
//! more than [`MOST_GLOBALS`] pairs of an argument and a global.
//!
//! **Why the array of case 2 shows every error.** It reaches from its first to its last argument.
//! Some arguments may be disjoint, with elements in between that no argument has. Consider the
//! first access outside of its component (arguments that overlap each other), in memory where the
//! components are arrays of their own, and let it be after the end. If this component is the last
//! one in the array, the same access is outside of the array, and everything before it is as in
//! that memory. Accesses before the beginning are alike.

use super::arguments::{ArrayArgument, Elements, Start};
use crate::lower::context::{Lowerer, Symbol};
use crate::lower::order::{Effects, may_overlap};
use crate::program::{
    Assumption, Base, BinaryOp, Block, ClaimRole, Expr, ExprKind, Formula, FunctionId, Length, Location, Lvalue,
    Origin, Part, Program, Step, Stmt, StmtKind, Storage, Term, TermOp, Type, Use, VarId, VisitMut, each_part,
    each_stmt,
};
use std::collections::HashMap;

/// How many pairs of an argument and a global get a case of their own.
const MOST_GLOBALS: usize = 3;

/// How many pairs of pointers to one object each are told apart.
const MOST_PAIRS: usize = 2;

/// What is assumed of an argument if overlap is not considered.
pub(crate) const IS_SEPARATE: &str = "overlaps neither other arguments nor globals";

/// How the arguments of one call lie in memory.
#[derive(Default)]
struct Case {
    /// What readers call it.
    name: String,
    /// Declarations of variables that determine it.
    declared: Block,
    /// What takes the place of the allocations of arguments, by argument.
    placing: HashMap<VarId, Block>,
    /// Members of structs that have another name.
    left_out: Vec<VarId>,
}

impl Lowerer<'_> {
    /// Lets the caller of the entry choose between the cases that make a difference.
    pub(in crate::lower) fn overlapping_arguments(&mut self) {
        let Some(start) = self.annotations.start.take() else { return };
        let at = self.program.function(start.id).location;
        let found = self.differences(&start);
        let name = self.program.function(start.entry).name.clone();
        for (sentence, variable) in [
            (format!("an argument of `{name}` does not overlap objects of other types"), &found.of_other_types),
            (format!("an argument of `{name}` does not overlap globals"), &found.of_globals),
            (format!("at most one argument of `{name}` overlaps a global"), &found.of_one_global),
        ] {
            for n in variable {
                let about = start.arrays[*n].name.clone();
                self.program.assume_that(Assumption::about(sentence.clone(), about).within(&name));
            }
        }
        if self.options.separate {
            let of_groups = found.groups.iter().flatten().copied();
            for n in of_groups.chain(found.globals.iter().map(|(n, _)| *n)) {
                let about = start.arrays[n].name.clone();
                let sentence = format!("an argument of `{name}` {IS_SEPARATE}");
                self.program.assume_that(Assumption::about(sentence, about).within(&name));
            }
            return;
        }
        let cases = self.cases(&found, &start, at);
        let apart = self.program.functions[start.id.0 as usize].body.take().unwrap_or_default();
        let mut whole = Block::new();
        let mut rest = apart.clone();
        for Case { name, mut declared, placing, left_out } in cases {
            declared.extend(apart.iter().flat_map(|s| match &s.kind {
                StmtKind::Allocate { target, .. } => match target.as_var() {
                    Some(v) if left_out.contains(&v) => Vec::new(),
                    v => v.and_then(|v| placing.get(&v)).cloned().unwrap_or_else(|| vec![s.clone()]),
                },
                StmtKind::Assign(_, Expr { kind: ExprKind::Load(l), .. })
                    if l.as_var().is_some_and(|v| left_out.contains(&v)) =>
                {
                    Vec::new()
                }
                _ => vec![s.clone()],
            }));
            let placed = self.with_own_variables(declared);
            let (choice, declaration) = self.undeclared_variable(name, Origin::Choice, Type::INT, at);
            whole.push(declaration);
            rest = vec![self.stmt(StmtKind::If(Expr::load(choice), placed, rest), at)];
        }
        whole.append(&mut rest);
        self.program.functions[start.id.0 as usize].body = Some(whole);
    }

    /// The cases in which some arguments share memory.
    fn cases(&mut self, found: &Differences, start: &Start, at: Location) -> Vec<Case> {
        let arrays = &start.arrays;
        let is_single = |n: &usize| arrays[*n].counts == [Term::Int(1)];
        let (mut pairs, mut groups): (Vec<&Vec<usize>>, Vec<&Vec<usize>>) =
            found.groups.iter().partition(|group| group.len() == 2 && group.iter().all(is_single));
        groups.extend(pairs.split_off(pairs.len().min(MOST_PAIRS)));
        let mut cases = Vec::new();
        for choice in 0..1_usize << pairs.len() {
            let mut case = Case::default();
            let mut names = Vec::new();
            for (_, pair) in pairs.iter().enumerate().filter(|(n, _)| choice >> n & 1 == 1) {
                let [first, second] = [&arrays[pair[0]], &arrays[pair[1]]];
                if case.left_out.contains(&first.variable) || case.left_out.contains(&second.variable) {
                    continue;
                }
                let object = |v: VarId| Lvalue::var(&self.program, v, at);
                let same = StmtKind::Assign(object(second.variable), Expr::load(object(first.variable)));
                case.placing.insert(second.variable, vec![self.stmt(same, at)]);
                // Members of members come after their owners.
                let mut owners = vec![second.variable];
                for member in arrays {
                    if member.owner.is_some_and(|owner| owners.contains(&owner)) {
                        owners.push(member.variable);
                        case.left_out.push(member.variable);
                    }
                }
                names.extend([first.variable, second.variable]);
            }
            let left = |group: &&Vec<usize>| -> Vec<usize> {
                group.iter().copied().filter(|n| !case.left_out.contains(&arrays[*n].variable)).collect()
            };
            let groups: Vec<Vec<usize>> = groups.iter().map(left).filter(|group| group.len() > 1).collect();
            if names.is_empty() && groups.is_empty() {
                continue;
            }
            // Without pairs there is the case in which all are apart.
            let strict = names.is_empty() && groups.len() == 1;
            names.extend(groups.iter().flatten().map(|n| arrays[*n].variable));
            case.name = format!("{}_overlap", self.joined(names.into_iter()));
            for group in groups {
                let members: Vec<&ArrayArgument> = group.iter().map(|n| &arrays[*n]).collect();
                self.in_one_array(&members, start, strict, at, &mut case);
            }
            cases.push(case);
        }
        for (n, global) in &found.globals {
            let of = |v: VarId| &self.program.variable(v).name;
            let name = format!("{}_lies_in_{}", of(arrays[*n].variable), of(*global));
            let mut case = Case { name, ..Case::default() };
            self.in_a_global(&arrays[*n], *global, at, &mut case);
            cases.push(case);
        }
        cases
    }

    /// The block with new variables for those that it declares, so that what is known of a variable
    /// in all states is about one case.
    fn with_own_variables(&mut self, mut block: Block) -> Block {
        let mut new = HashMap::new();
        for s in &block {
            if let StmtKind::Declare(v) = s.kind {
                new.insert(v, self.program.add_variable(self.program.variable(v).clone()));
            }
        }
        Renamed(&new).block(&mut block);
        block
    }

    /// Finds out which overlaps make a difference.
    fn differences(&self, start: &Start) -> Differences {
        let program = &self.program;
        let effects = Effects::of(program, start.entry);
        let compares = compares_pointers(program);
        let arrays = &start.arrays;
        let is_silent = |a: &ArrayArgument| a.parameter.is_some_and(|p| is_only_read(program, start.entry, p));
        let reads: Vec<bool> = arrays.iter().map(is_silent).collect();
        let matters = |n: usize, m: usize| {
            let (a, b) = (&arrays[n], &arrays[m]);
            let changes = effects.writes_behind(program, &a.element) || effects.writes_behind(program, &b.element);
            let separate = self.are_separated(a, b, start);
            may_overlap(program, &a.element, &b.element)
                && !separate
                && (compares || (changes && !(reads[n] && reads[m])))
        };
        let mut found = Differences::default();
        let mut grouped = vec![false; arrays.len()];
        for n in 0..arrays.len() {
            let others = |same: bool| {
                (0..arrays.len()).filter(move |m| *m != n && (arrays[*m].element == arrays[n].element) == same)
            };
            if others(false).any(|m| matters(n, m)) {
                found.of_other_types.push(n);
            }
            if grouped[n] || !others(true).any(|m| matters(n, m)) {
                continue;
            }
            let mut group = vec![n];
            group.extend(others(true).filter(|m| {
                let mut partners = (0..arrays.len()).filter(|o| o != m && arrays[*o].element == arrays[n].element);
                partners.any(|o| matters(*m, o))
            }));
            group.iter().for_each(|m| grouped[*m] = true);
            found.groups.push(group);
        }
        let exposed = program.address_taken();
        let linked = |v: VarId| {
            let name = &program.variable(v).name;
            matches!(self.linked.get(name), Some(Symbol::Variable(w)) if *w == v)
        };
        let mut of_type = 0;
        for v in program.globals.iter().copied() {
            let variable = program.variable(v);
            let fixed = program.is_literal(v) || self.constants.contains(&v);
            if variable.storage != Storage::Global || fixed || !(exposed.contains(&v) || linked(v)) {
                continue;
            }
            for (n, array) in arrays.iter().enumerate() {
                let element = &array.element;
                let changes = effects.writes(v) || (effects.reads(v) && effects.writes_behind(program, element));
                let is_silent = reads[n] && !effects.writes(v);
                let own = innermost(&variable.ty);
                if !may_overlap(program, own, element)
                    || self.is_restricted(array)
                    || !(compares || (changes && !is_silent))
                {
                    continue;
                }
                let is_of_type = match &variable.ty {
                    Type::Array(of, Length::Constant(_)) => **of == *element,
                    ty => *ty == *element,
                };
                if !is_of_type || of_type == MOST_GLOBALS {
                    found.of_globals.push(n);
                    continue;
                }
                of_type += 1;
                found.globals.push((n, v));
            }
        }
        let several = found.globals.iter().any(|(n, _)| found.globals[0].0 != *n);
        if several || (!found.globals.is_empty() && !found.groups.is_empty()) {
            found.of_one_global = found.globals.iter().map(|(n, _)| *n).collect();
        }
        for list in [&mut found.of_other_types, &mut found.of_globals, &mut found.of_one_global] {
            list.sort();
            list.dedup();
        }
        found
    }

    /// Whether the contract says that no element of one is an element of the other.
    fn are_separated(&self, a: &ArrayArgument, b: &ArrayArgument, start: &Start) -> bool {
        let names = |set: &Vec<Elements>, x: &ArrayArgument| {
            let covers = |e: &Elements| matches!(x.counts.as_slice(), [count] if e.count.is_same(count));
            set.iter().any(|e| e.pointer == x.variable && covers(e))
        };
        [a, b].iter().any(|x| self.is_restricted(x)) || start.separated.iter().any(|set| names(set, a) && names(set, b))
    }

    fn is_restricted(&self, array: &ArrayArgument) -> bool {
        array.parameter.is_some_and(|p| self.restricted.contains(&p))
    }

    /// Puts arguments into one array. With `strict`, two of them overlap.
    fn in_one_array(&mut self, members: &[&ArrayArgument], start: &Start, strict: bool, at: Location, case: &mut Case) {
        let Some(first) = members.first() else { return };
        let strict = strict && members.len() == 2;
        let object = |l: &Self, v: VarId| Lvalue::var(&l.program, v, at);
        let kind = self.model().difference_type();
        let target = object(self, first.variable);
        let allocate = |target: Lvalue, count: Expr| StmtKind::Allocate {
            target,
            element: first.element.clone(),
            count,
            zeroed: false,
        };
        let mut new = |l: &mut Self, name: String, origin: Origin, ty: &Type| {
            let (object, declaration) = l.undeclared_variable(name, origin, ty.clone(), at);
            case.declared.push(declaration);
            object
        };
        let number = Type::Int(kind);
        let name = self.joined(members.iter().map(|m| m.variable));
        let array = new(self, name.clone(), Origin::OfArgument, &target.ty);
        let length = new(self, format!("length_of_{name}"), Origin::OfArgument, &number);
        let mut offsets = Vec::new();
        for m in members {
            let name = format!("offset_of_{}", self.program.variable(m.variable).name);
            offsets.push(new(self, name, Origin::OffsetOfArgument, &number));
        }
        let shared = Shared { members, offsets: &offsets };
        let facts = shared.facts(strict, self.most_elements(&first.element), &start.separated);
        // The array ends with the last argument.
        let mut lengths = vec![self.stmt(StmtKind::Assign(length.clone(), Expr::int(0, kind, at)), at)];
        let mut ends = Vec::new();
        for (m, member) in members.iter().enumerate() {
            ends.extend(
                member.counts.iter().map(|c| Formula::at_most(shared.end(m, c), Term::of_variable(length.clone()))),
            );
            let end = Expr::binary(BinaryOp::Add, Expr::load(offsets[m].clone()), member.count.clone(), number.clone());
            let so_far = Expr::load(length.clone());
            let greater = Expr::binary(BinaryOp::Greater, end.clone(), so_far.clone(), Type::INT);
            let either = ExprKind::Conditional(Box::new(greater), Box::new(end), Box::new(so_far));
            let largest = Expr::new(either, number.clone(), at);
            lengths.push(self.stmt(StmtKind::Assign(length.clone(), largest), at));
        }
        let mut block: Block = facts.into_iter().map(|fact| self.known(fact, ClaimRole::Assume, at)).collect();
        block.append(&mut lengths);
        block.extend(ends.into_iter().map(|fact| self.known(fact, ClaimRole::Follows, at)).collect::<Block>());
        block.push(self.stmt(allocate(array.clone(), Expr::load(length.clone())), at));
        for (m, member) in members.iter().enumerate() {
            let sum = Expr::binary(
                BinaryOp::PointerAdd,
                Expr::load(array.clone()),
                Expr::load(offsets[m].clone()),
                array.ty.clone(),
            );
            let argument = object(self, member.variable);
            block.push(self.stmt(StmtKind::Assign(argument, sum), at));
            case.placing.insert(member.variable, Vec::new());
        }
        // The sizes of all are known where the last one is made.
        let place = members.iter().find(|m| !m.is_late).filter(|_| !members.iter().any(|m| m.is_late));
        let place = place.or(members.last()).unwrap_or(first);
        case.placing.insert(place.variable, block);
    }

    /// Lets an argument lead into a global.
    fn in_a_global(&mut self, argument: &ArrayArgument, global: VarId, at: Location, case: &mut Case) {
        let target = Lvalue::var(&self.program, argument.variable, at);
        let mut object = Lvalue::var(&self.program, global, at);
        let kind = self.model().difference_type();
        let mut block = Vec::new();
        let mut length = 1;
        if let Type::Array(_, Length::Constant(count)) = object.ty {
            length = i128::from(count);
            let name = format!("offset_of_{}", self.program.variable(argument.variable).name);
            let (offset, declaration) = self.undeclared_variable(name, Origin::OffsetOfArgument, Type::Int(kind), at);
            case.declared.push(declaration);
            let term = || Term::of_variable(offset.clone());
            let mut facts = vec![Formula::at_most(Term::Int(0), term()), Formula::less(term(), Term::Int(length))];
            facts.extend(argument.counts.iter().map(|c| Formula::at_most(add(term(), c.clone()), Term::Int(length))));
            block.extend(facts.into_iter().map(|fact| self.known(fact, ClaimRole::Assume, at)));
            object.path.push(Step::Index(Expr::load(offset)));
            object.ty = argument.element.clone();
        } else {
            let fits = argument.counts.iter().map(|c| Formula::at_most(c.clone(), Term::Int(length)));
            block.extend(fits.map(|fact| self.known(fact, ClaimRole::Assume, at)));
        }
        let address = Expr::new(ExprKind::AddressOf(object), target.ty.clone(), at);
        block.push(self.stmt(StmtKind::Assign(target, address), at));
        case.placing.insert(argument.variable, block);
    }

    fn known(&mut self, formula: Formula, role: ClaimRole, at: Location) -> Stmt {
        let claim = crate::program::Claim { formula, role };
        self.stmt(StmtKind::Claim(Box::new(claim)), at)
    }

    /// The names of the variables, as one.
    fn joined(&self, variables: impl Iterator<Item = VarId>) -> String {
        let names: Vec<&str> = variables.map(|v| self.program.variable(v).name.as_str()).collect();
        names.join("_and_")
    }
}

/// Arguments in one array, and the elements there with which each begins.
struct Shared<'a> {
    members: &'a [&'a ArrayArgument],
    offsets: &'a [Lvalue],
}

impl Shared<'_> {
    fn offset(&self, m: usize) -> Term {
        Term::of_variable(self.offsets[m].clone())
    }

    fn end(&self, m: usize, count: &Term) -> Term {
        add(self.offset(m), count.clone())
    }

    /// What holds of the arguments, of which two overlap if `strict`. The array has at most `most`
    /// elements.
    fn facts(&self, strict: bool, most: i128, separated: &[Vec<Elements>]) -> Vec<Formula> {
        let mut facts = Vec::new();
        for (m, member) in self.members.iter().enumerate() {
            facts.extend([
                Formula::at_most(Term::Int(0), self.offset(m)),
                Formula::at_most(self.offset(m), Term::Int(most)),
            ]);
            facts.extend(member.counts.iter().map(|c| Formula::at_most(self.end(m, c), Term::Int(most))));
        }
        facts.push(any((0..self.members.len()).map(|m| equal(self.offset(m), Term::Int(0))).collect()));
        if strict {
            let reaches = |m: usize, other: usize| {
                any(self.members[m].counts.iter().map(|c| Formula::less(self.offset(other), self.end(m, c))).collect())
            };
            facts.extend([reaches(0, 1), reaches(1, 0)]);
        }
        let place = |v: VarId| self.members.iter().position(|m| m.variable == v);
        for set in separated {
            for (n, x) in set.iter().enumerate() {
                for y in &set[n + 1..] {
                    let (Some(a), Some(b)) = (place(x.pointer), place(y.pointer)) else { continue };
                    facts.push(any(vec![
                        Formula::at_most(self.end(a, &x.count), self.offset(b)),
                        Formula::at_most(self.end(b, &y.count), self.offset(a)),
                        Formula::at_most(x.count.clone(), Term::Int(0)),
                        Formula::at_most(y.count.clone(), Term::Int(0)),
                    ]));
                }
            }
        }
        facts
    }
}

/// The overlaps that make a difference.
#[derive(Default)]
struct Differences {
    /// Arguments that may lie in one array, by their numbers.
    groups: Vec<Vec<usize>>,
    /// Arguments that may lie in a global.
    globals: Vec<(usize, VarId)>,
    /// Arguments that might overlap arguments of other types, which no case covers.
    of_other_types: Vec<usize>,
    /// Arguments that might overlap globals, which no case covers.
    of_globals: Vec<usize>,
    /// Arguments that might overlap each other and a global, which no case covers.
    of_one_global: Vec<usize>,
}

/// Whether some function compares or subtracts pointers to objects, or a formula tells objects
/// apart.
fn compares_pointers(program: &Program) -> bool {
    let mut found = false;
    program.each_stmt(|s| {
        if let StmtKind::Claim(claim) = &s.kind {
            found |= claim.formula.compares_pointers();
        }
        each_part(s, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Binary(op, a, b), .. }) = part {
                let leads = |e: &Expr| e.ty.pointee().is_some() && e.as_int().is_none();
                found |= (op.is_comparison() || *op == BinaryOp::PointerDiff) && leads(a) && leads(b);
            }
        });
    });
    found
}

/// Whether the function uses the parameter only to read what it leads to.
fn is_only_read(program: &Program, function: FunctionId, parameter: VarId) -> bool {
    let (mut uses, mut reads) = (0, 0);
    let body = program.function(function).body.as_deref().unwrap_or_default();
    each_stmt(body, &mut |s| match &s.kind {
        // Formulas only read.
        StmtKind::Claim(_) | StmtKind::Snapshot(..) => {}
        StmtKind::Assign(copy, _) if copy.as_var().is_some_and(|v| program.variable(v).origin == Origin::Old) => {}
        _ => each_part(s, &mut |part| {
            let Part::Lvalue(l, how) = part else { return };
            uses += usize::from(l.as_base() == Some(parameter));
            if let (Base::Deref(pointer), Use::Read) = (&l.base, how) {
                reads += usize::from(leads_from(pointer, parameter));
            }
        }),
    });
    uses == reads
}

/// Whether an address is a sum of the pointer in the variable and indexes.
fn leads_from(pointer: &Expr, variable: VarId) -> bool {
    match &pointer.kind {
        ExprKind::Load(l) => l.as_var() == Some(variable),
        ExprKind::Binary(BinaryOp::PointerAdd, a, _) => leads_from(a, variable),
        ExprKind::Cast(a) => leads_from(a, variable),
        _ => false,
    }
}

fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(element, _) => innermost(element),
        ty => ty,
    }
}

/// Gives variables other numbers.
struct Renamed<'n>(&'n HashMap<VarId, VarId>);

impl VisitMut for Renamed<'_> {
    fn variable(&mut self, v: &mut VarId) {
        if let Some(new) = self.0.get(v) {
            *v = *new;
        }
    }
}

fn add(a: Term, b: Term) -> Term {
    Term::binary(TermOp::Add, a, b)
}

fn equal(a: Term, b: Term) -> Formula {
    Formula::Compare(BinaryOp::Equal, a, b)
}

fn any(formulas: Vec<Formula>) -> Formula {
    let or = |a, b| Formula::Or(Box::new(a), Box::new(b));
    formulas.into_iter().reduce(or).unwrap_or(Formula::Constant(false))
}
