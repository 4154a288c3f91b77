//! The names of variables, arrays and groups of cells at one moment.

use crate::analysis::layout::{ArrayInfo, BlockId, Dimension, Layout, Meaning, Segment};
use crate::analysis::{Solved, groups};
use crate::annotate::scopes::{Scope, bodies};
use crate::facts::{ArrayContent, Chain, Fact, GroupContent, GroupName, Name};
use crate::inline::Inlined;
use crate::program::{Location, Program, Type, VarId, Variable};
use smalti_core::{ArrayFacts, Constraint, Facts, GroupFacts, Membership, Relation, Var, chains, chains_given};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// By variable: its name, with a suffix that distinguishes it from others of that name. The suffix
/// is the function or the file that declares it, and its number among those there. It contains no
/// line number, so that stored results of a program stay the same when lines move.
pub(in crate::analysis) struct LongNames(HashMap<VarId, String>);

impl LongNames {
    /// The long names of all variables of an inlined program.
    pub(in crate::analysis) fn new(source: &Program, inlined: &Inlined) -> LongNames {
        let bodies = bodies(source);
        let owner = |at: Location| match bodies.iter().find(|(low, high, _)| *low <= at && at <= *high) {
            Some((.., f)) => source.function(*f).name.as_str(),
            None => source.sources.file(at.file).name.as_str(),
        };
        let variables = || (0..).map(VarId).zip(&inlined.program.variables);
        let mut places: BTreeMap<(&str, Cow<'_, str>), BTreeSet<Location>> = BTreeMap::new();
        for (_, v) in variables() {
            places.entry((owner(v.location), v.shown())).or_default().insert(v.location);
        }
        let long = |v: &Variable| {
            let (owner, name) = (owner(v.location), v.shown());
            let before = places.get(&(owner, name.clone())).map_or(0, |all| all.range(..v.location).count());
            let number = if before == 0 { String::new() } else { format!(":{}", before + 1) };
            format!("{name}@{owner}{number}")
        };
        LongNames(variables().map(|(id, v)| (id, long(v))).collect())
    }
}

/// The names of variables and arrays of the domain at one moment.
///
/// A variable is shown with its own name, unless that name means another variable there, or several
/// variables have it and it means none of them. Then it is shown with its long name.
pub(in crate::analysis) struct Names<'a> {
    pub(in crate::analysis) program: &'a Program,
    pub(in crate::analysis) layout: &'a Layout,
    scope: Option<&'a Scope>,
    long: &'a LongNames,
    /// The names that several variables of the state have.
    shared: BTreeSet<Cow<'a, str>>,
    /// Variables of one name whose values are equal, such as an argument and the parameter it was
    /// passed to.
    equal: BTreeSet<(VarId, VarId)>,
}

impl<'a> Names<'a> {
    /// The names at a moment at which `facts` hold; `scope` gives what names mean there, if that is
    /// known.
    pub(in crate::analysis) fn new(
        solved: &'a Solved<'_>,
        scope: Option<&'a Scope>,
        long: &'a LongNames,
        facts: &Facts,
    ) -> Names<'a> {
        let (program, layout) = (solved.cfg.program, &solved.model.layout);
        let variable = |b: BlockId| if let BlockId::Variable(v) = b { Some(v) } else { None };
        let in_groups = facts.arrays.iter().flat_map(|a| &a.groups).flat_map(|g| &g.constraints);
        let members = facts.memberships.iter().map(|(v, _)| *v);
        let vars: BTreeSet<Var> =
            facts.scalars.iter().chain(in_groups).flat_map(|c| c.expr.vars()).chain(members).collect();
        let arrays = facts.arrays.iter().map(|a| layout.array(a.array).block);
        let blocks = vars.iter().filter_map(|v| layout.block_of(*v)).chain(arrays);
        let variables: BTreeSet<VarId> = blocks.filter_map(variable).collect();
        let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for v in variables {
            let name = program.variable(v).shown();
            if !seen.insert(name.clone()) {
                shared.insert(name);
            }
        }
        let scalar = |v: Var| layout.block_of(v).and_then(variable).filter(|b| layout.scalar(*b) == Some(v));
        let equal = facts.scalars.iter().filter_map(|c| {
            let (v, w) = are_equal(c)?;
            let (v, w) = (scalar(v)?, scalar(w)?);
            (program.variable(v).shown() == program.variable(w).shown()).then_some([(v, w), (w, v)])
        });
        Names { program, layout, scope, long, shared, equal: equal.flatten().collect() }
    }

    fn variable(&self, v: VarId) -> String {
        let variable = self.program.variable(v);
        // The result of a call is written as annotations write it.
        if variable.origin.is_result() {
            return "\\result".to_owned();
        }
        let name = variable.shown();
        let is_meant = match self.scope.and_then(|s| s.names.get(name.as_ref())) {
            Some(meant) => *meant == v || self.equal.contains(&(*meant, v)),
            None => !self.shared.contains(&name),
        };
        match self.long.0.get(&v) {
            Some(long) if !is_meant => long.clone(),
            _ => name.into_owned(),
        }
    }

    fn block(&self, block: BlockId) -> String {
        match block {
            BlockId::Variable(v) => self.variable(v),
            BlockId::Heap(e) => format!("heap{}", e.index()),
        }
    }

    pub(in crate::analysis) fn path(&self, block: BlockId, path: &[Segment]) -> String {
        let mut text = self.block(block);
        for (n, segment) in path.iter().enumerate() {
            match segment {
                Segment::Index(()) => text.push_str("[]"),
                Segment::Field(_, f) => {
                    if let Some(Type::Struct(id)) = self.layout.type_at(self.program, block, &path[..n])
                        && let Some(member) = self.program.structure(*id).members.get(*f as usize)
                    {
                        text.push('.');
                        text.push_str(&member.name);
                    }
                }
            }
        }
        text
    }

    /// The name of a scalar of the domain.
    pub(in crate::analysis) fn of(&self, v: Var) -> String {
        let meaning = usize::try_from(v.0).ok().and_then(|n| self.layout.meanings.get(n));
        match meaning {
            Some(Meaning::Leaf(leaf)) => {
                let leaf = self.layout.leaf(*leaf);
                let name = self.path(leaf.block, &leaf.path);
                if matches!(leaf.ty, Type::Pointer(_)) { format!("offset({name})") } else { name }
            }
            Some(Meaning::Length(array)) => {
                let info = self.layout.array(*array);
                format!("length({})", self.path(info.block, &info.prefix[..info.prefix.len() - 1]))
            }
            None => format!("?{}", v.0),
        }
    }

    fn is_temporary(&self, block: BlockId) -> bool {
        matches!(block, BlockId::Variable(v) if self.program.variable(v).is_hidden())
    }

    /// Whether a variable is shown. Temporaries of the lowering are not, nor are the lengths of
    /// arrays whose length is a constant.
    pub(in crate::analysis) fn is_shown(&self, v: Var) -> bool {
        let meaning = usize::try_from(v.0).ok().and_then(|n| self.layout.meanings.get(n));
        match meaning {
            Some(Meaning::Leaf(leaf)) => !self.is_temporary(self.layout.leaf(*leaf).block),
            Some(Meaning::Length(array)) => {
                let constant = |d: &Dimension| matches!(d, Dimension::Constant(_));
                !self.layout.array(*array).dimensions.iter().all(constant)
            }
            None => false,
        }
    }

    pub(super) fn is_shown_array(&self, facts: &ArrayFacts) -> bool {
        !self.is_temporary(self.layout.array(facts.array).block)
    }

    /// Removes constraints that follow from the types, or from another bound together with a type:
    /// every `int` is at most 2147483647, so `i <= 2147483646` adds nothing to `i < n`.
    pub(in crate::analysis) fn informative(&self, constraints: Vec<Constraint>) -> Vec<Constraint> {
        let implied_by_types = |c: &Constraint| {
            c.relation == Relation::NonNegative
                && c.expr.interval(|v| self.layout.range(v)).lo().is_some_and(|lo| lo >= 0)
        };
        let kept: Vec<Constraint> = constraints.into_iter().filter(|c| !implied_by_types(c)).collect();
        let implied = |c: &Constraint| {
            let [(v, k)] = c.expr.terms()[..] else { return false };
            c.relation == Relation::NonNegative
                && kept.iter().any(|d| {
                    // d: e + m*v >= 0 with m of the same sign as k; replace what is not v by its
                    // type's extreme.
                    let m = d.expr.coefficient(v);
                    if d.relation != Relation::NonNegative || d.expr.terms().len() != 2 || m != k || k.abs() != 1 {
                        return false;
                    }
                    let rest = smalti_core::LinearExpr::new(
                        d.expr.terms().iter().copied().filter(|t| t.0 != v),
                        d.expr.constant_part(),
                    );
                    // k*v >= -rest for every value of rest; it implies k*v >= -c if rest <= c
                    // always.
                    rest.and_then(|r| r.interval(|w| self.layout.range(w)).hi())
                        .is_some_and(|most| most <= c.expr.constant_part())
                })
        };
        kept.iter().filter(|c| !implied(c)).cloned().collect()
    }

    /// Whether the membership says more than that there is such a cell, in an array that is shown.
    pub(super) fn tells(&self, to: &Membership, all: &[ArrayFacts]) -> bool {
        let target = all.iter().find(|a| a.array == to.array);
        target.is_some_and(|a| self.is_shown_array(a) && to.groups.len() < a.groups.len())
    }

    /// Whether the constraint only says that two variables of one name are equal: an argument and
    /// the parameter it was passed to.
    pub(super) fn is_of_one(&self, c: &Constraint) -> bool {
        let short = Names { scope: None, shared: BTreeSet::new(), equal: BTreeSet::new(), ..*self };
        are_equal(c).is_some_and(|(v, w)| short.of(v) == short.of(w))
    }

    /// Whether the groups, as they are shown, are described by that same variable: `{i}`, `{0..i}`.
    pub(super) fn is_index_of(&self, v: Var, to: &Membership, all: &[ArrayFacts]) -> bool {
        let target = all.iter().find(|a| a.array == to.array);
        let [n] = to.groups[..] else { return false };
        let Some((group, index)) = target.and_then(|a| a.groups.get(n)).and_then(|g| Some((g, g.index?))) else {
            return false;
        };
        let ties = |c: &Constraint| c.relation != Relation::NonZero && c.expr.mentions(v) && c.expr.mentions(index);
        group.constraints.iter().any(ties)
    }

    /// The name of a scalar of the domain in facts.
    pub(in crate::analysis) fn name(&self, v: Var) -> Name {
        Name::from(self.of(v))
    }

    /// What constraints over scalars say.
    pub(in crate::analysis) fn facts(&self, constraints: &[Constraint]) -> Vec<Fact> {
        named(chains(constraints).as_deref(), &|v| self.name(v))
    }

    /// That the value called `name` is the index of a cell in these groups.
    pub(super) fn member(&self, name: Name, to: &Membership, all: &[ArrayFacts], known: &[Constraint]) -> Option<Fact> {
        let target = all.iter().find(|a| a.array == to.array)?;
        let info = self.layout.array(to.array);
        let base = self.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let chosen: Vec<&GroupFacts> = to.groups.iter().filter_map(|n| target.groups.get(*n)).collect();
        let cells = |g: &GroupFacts| groups::cells(g, known, &|v| self.name(v));
        let group_name = |group: &GroupFacts| {
            let range = cells(group);
            // For several groups in one range: what only the cells of this one hold.
            let others = target.groups.iter().filter(|g| !std::ptr::eq(*g, group) && cells(g) == range);
            let others: Vec<Vec<Fact>> = others.map(|g| self.content(info, g, known)).collect();
            let own = self.content(info, group, known).into_iter().find(|c| others.iter().any(|o| !o.contains(c)));
            let telling = own.filter(|_| !others.is_empty());
            let telling: Option<Chain> = if let Some(Fact::Chain(chain)) = telling { Some(chain) } else { None };
            GroupName { array: Name::from(base.as_str()), cells: range, telling }
        };
        let shown =
            groups::in_order(&target.groups).into_iter().filter(|g| chosen.iter().any(|c| std::ptr::eq(*c, *g)));
        let mut groups: Vec<GroupName> = shown.map(group_name).collect();
        groups.dedup();
        (!groups.is_empty()).then_some(Fact::Member { name, groups })
    }

    /// The name of a field of the cells of a group, if the dimension is a field: `value` if cells
    /// are scalars.
    pub(super) fn field_name(&self, info: &ArrayInfo, group: &GroupFacts, v: Var) -> Option<String> {
        let (field, _) = group.fields.iter().find(|f| f.1 == v)?;
        let leaf = info.fields.iter().find(|f| f.0 == *field).map(|f| self.layout.leaf(f.1));
        let rest = leaf.map_or(&[][..], |l| &l.path[info.prefix.len()..]);
        let text = self.path(info.block, &info.prefix);
        let name = match leaf {
            Some(l) => self.path(info.block, &l.path)[text.len()..].trim_start_matches('.').to_owned(),
            None => text,
        };
        Some(if rest.is_empty() { "value".to_owned() } else { name })
    }

    /// What constraints say of the fields of a group's cells.
    pub(super) fn content(&self, info: &ArrayInfo, group: &GroupFacts, known: &[Constraint]) -> Vec<Fact> {
        let speaks = |c: &&Constraint| {
            let field = |v: Var| group.fields.iter().any(|f| f.1 == v);
            let range = |v| {
                let leaf = group.fields.iter().find(|f| f.1 == v).and_then(|(field, _)| {
                    info.fields.iter().find(|f| f.0 == *field).map(|f| self.layout.leaf(f.1).range)
                });
                leaf.unwrap_or_else(|| self.layout.range(v))
            };
            c.expr.vars().any(field)
                && c.expr.vars().all(|v| field(v) || group.index == Some(v) || self.is_shown(v))
                && !(c.relation == Relation::NonNegative && c.expr.interval(range).lo().is_some_and(|lo| lo >= 0))
        };
        let kept: Vec<Constraint> = group.constraints.iter().filter(speaks).cloned().collect();
        named(chains_given(known, &kept).as_deref(), &|v| match group.index == Some(v) {
            true => Name::from("index"),
            false => Name::from(self.field_name(info, group, v).unwrap_or_else(|| self.of(v))),
        })
    }

    /// What is known of an array. `all` are the facts about all arrays; `known` holds of scalars.
    pub(in crate::analysis) fn array(
        &self,
        facts: &ArrayFacts,
        all: &[ArrayFacts],
        known: &[Constraint],
    ) -> ArrayContent {
        let info = self.layout.array(facts.array);
        let base = self.path(info.block, &info.prefix[..info.prefix.len() - 1]);
        let length = |d: &Dimension| match d {
            Dimension::Constant(n) => n.to_string(),
            Dimension::Variable(v) => {
                if self.is_temporary(BlockId::Variable(*v)) {
                    String::new()
                } else {
                    self.variable(*v)
                }
            }
            Dimension::Count | Dimension::Unknown => String::new(),
        };
        // The dimensions of the last run of indexes are written after the name; earlier ones are in
        // the path as [].
        let name = format!("{base}[{}]", info.dimensions.last().map_or(String::new(), length));
        let groups = groups::in_order(&facts.groups)
            .into_iter()
            .map(|group| {
                let mut holds = self.content(info, group, known);
                for (field, to) in &group.memberships {
                    let name =
                        group.fields.iter().find(|f| f.0 == *field).and_then(|f| self.field_name(info, group, f.1));
                    if let Some(name) = name.filter(|_| self.tells(to, all)) {
                        holds.extend(self.member(Name::from(name), to, all, known));
                    }
                }
                GroupContent { cells: groups::cells(group, known, &|v| self.name(v)), holds }
            })
            .collect();
        ArrayContent { name, groups }
    }
}

/// Chains of the domain as facts; `None` is a contradiction.
pub(in crate::analysis) fn named(chains: Option<&[smalti_core::Chain<Var>]>, name: &dyn Fn(Var) -> Name) -> Vec<Fact> {
    match chains {
        Some(chains) => chains.iter().map(|chain| Fact::Chain(chain.map(|v| name(*v)))).collect(),
        None => vec![Fact::False],
    }
}

/// The two variables that a constraint says to be equal.
fn are_equal(c: &Constraint) -> Option<(Var, Var)> {
    let [(v, a), (w, b)] = c.expr.terms()[..] else { return None };
    (c.relation == Relation::Zero && a == -b && c.expr.constant_part() == 0).then_some((v, w))
}
