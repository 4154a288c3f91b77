//! What an annotation can name at a place.

use crate::annotate::scopes::{Scope, is_keyword};
use crate::program::{FunctionId, Origin, Program, Step, Storage, Type, VarId};
use crate::reduce::normal::Inlined;
use crate::summary::{Moment, Point, Region, RegionStep, Summary};
use smalti_terms::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// What the clauses of all places are made of.
pub(super) struct All<'a> {
    pub(super) summary: &'a Summary,
    pub(super) source: &'a Program,
    /// The program that was summarised.
    pub(super) program: &'a Program,
    pub(super) resolved: &'a Inlined,
    /// The words of the source, from which index variables must differ.
    pub(super) words: BTreeSet<&'a str>,
}

/// A name in pieces: between each two stands an index.
type Pieces = Vec<String>;

/// The names of regions at a place.
pub(super) struct Names<'a> {
    program: &'a Program,
    /// The regions with a name that means them now.
    regions: BTreeMap<Region, Pieces>,
    /// The unknowns that stand for what a region held when the function under analysis began, with
    /// its name at that time.
    at_start: BTreeMap<Symbol, Pieces>,
}

impl<'a> Names<'a> {
    pub(super) fn new(all: &All<'a>, point: &Point, function: FunctionId, scope: &Scope) -> Names<'a> {
        let finder = Finder { all, function, scope, is_end: point.moment == Moment::End };
        let summary = all.summary;
        let regions = point.values.keys().chain(point.others.keys()).chain(summary.starts.values());
        let regions = regions.filter_map(|region| Some((region.clone(), finder.pieces(region)?))).collect();
        let mut at_start = BTreeMap::new();
        if function == all.source.analysed() {
            let known = summary.starts.iter().filter_map(|(symbol, region)| Some((*symbol, finder.at_start(region)?)));
            at_start.extend(known);
        }
        Names { program: all.program, regions, at_start }
    }

    /// The program that was summarised.
    pub(super) fn program(&self) -> &'a Program {
        self.program
    }

    /// The name of an integer without indexes.
    pub(super) fn number(&self, region: &Region) -> Option<String> {
        let is_number = region.rank() == 0 && matches!(region.type_in(self.program)?, Type::Int(_));
        self.cell(region, &[]).filter(|_| is_number)
    }

    /// The name of a cell of a region, with these indexes.
    pub(super) fn cell(&self, region: &Region, indexes: &[String]) -> Option<String> {
        with_indexes(self.regions.get(region)?, indexes)
    }

    /// The name of the cell for whose contents an unknown stood at the start of the function.
    pub(super) fn at_start(&self, symbol: Symbol, indexes: &[String]) -> Option<String> {
        with_indexes(self.at_start.get(&symbol)?, indexes)
    }

    /// The regions with names.
    pub(super) fn regions(&self) -> impl Iterator<Item = &Region> {
        self.regions.keys()
    }

    /// Whether a region is a global variable, or part of one.
    pub(super) fn is_global(&self, region: &Region) -> bool {
        region.variable().is_some_and(|v| self.program.variable(v).storage == Storage::Global)
    }
}

fn with_indexes(pieces: &Pieces, indexes: &[String]) -> Option<String> {
    let (first, others) = pieces.split_first()?;
    let all = others.iter().zip(indexes).fold(first.clone(), |text, (piece, index)| format!("{text}[{index}]{piece}"));
    (others.len() == indexes.len()).then_some(all)
}

/// Finds names at a place.
struct Finder<'f, 'a> {
    all: &'f All<'a>,
    function: FunctionId,
    scope: &'f Scope,
    is_end: bool,
}

impl Finder<'_, '_> {
    /// The name that means a region now.
    fn pieces(&self, region: &Region) -> Option<Pieces> {
        let object = region.variable()?;
        // A variable is better than a pointer to it.
        let names = || self.scope.names.iter().filter(|(name, _)| self.is_usable(name));
        match names().find(|(_, v)| **v == object) {
            Some((name, _)) => self.with_path(name.clone(), &region.path),
            None => names().find_map(|(name, v)| self.through(name, *v, region)),
        }
    }

    /// The name that meant a region when the function under analysis began.
    fn at_start(&self, region: &Region) -> Option<Pieces> {
        let object = region.variable()?;
        let names = || self.scope.names.iter().filter(|(name, _)| !is_keyword(name));
        if let Some((name, _)) = names().find(|(_, v)| **v == object) {
            return self.with_path(name.clone(), &region.path);
        }
        let argument = &self.all.program.variable(object).name;
        if names().any(|(name, v)| name == argument && self.is_parameter(*v)) && region.path.is_empty() {
            return Some(vec![argument.clone()]);
        }
        names().filter(|(_, v)| self.is_parameter(**v)).find_map(|(name, v)| self.through(name, *v, region))
    }

    /// The name of a region by a pointer to it that was set before.
    fn through(&self, name: &str, pointer: VarId, region: &Region) -> Option<Pieces> {
        let pointee = self.all.resolved.pointees().get(&pointer)?;
        let object = pointee.as_base()?;
        let is_set = self.is_parameter(pointer) || self.all.program.variable(object).origin == Origin::Block(pointer);
        if region.variable() != Some(object) || !is_set {
            return None;
        }
        match (&pointee.path[..], &region.path[..]) {
            ([Step::Index(first)], [RegionStep::Element, ..]) if first.as_int() == Some(0) => {
                self.with_path(name.to_owned(), &region.path)
            }
            ([], []) => Some(vec![format!("*{name}")]),
            ([], [RegionStep::Field(..), ..]) => self.with_path(format!("(*{name})"), &region.path),
            _ => None,
        }
    }

    /// At the end of a function only what its contract can name.
    fn is_usable(&self, name: &str) -> bool {
        !is_keyword(name) && (!self.is_end || self.scope.contract.contains(name))
    }

    /// Whether a variable is a parameter of the function.
    fn is_parameter(&self, v: VarId) -> bool {
        let (program, source) = (self.all.program, self.all.source);
        let variable = program.variable(v);
        let same = |p: &VarId| {
            let p = source.variable(*p);
            p.name == variable.name && p.location == variable.location
        };
        source.function(self.function).parameters.iter().any(same)
    }

    fn with_path(&self, name: String, path: &[RegionStep]) -> Option<Pieces> {
        let mut pieces = vec![name];
        for step in path {
            match step {
                RegionStep::Element => pieces.push(String::new()),
                RegionStep::Field(id, n) => {
                    let member = self.all.program.structure(*id).members.get(*n as usize)?;
                    if member.is_unnamed() || is_keyword(&member.name) {
                        return None;
                    }
                    let last = pieces.last_mut()?;
                    *last += &format!(".{}", member.name);
                }
            }
        }
        Some(pieces)
    }
}
