//! The cut points of a program: loop heads and ends of functions, each with the moments of the
//! inlined program at which a run passes it, and the names that the source can use there.

use crate::annotate::scopes::{FunctionEnd, LoopPlace, Scope, annotated_places};
use crate::cfg::{self, Cfg};
use crate::inline::Inlined;
use crate::program::{Block, FunctionId, Length, Location, LoopId, LoopKind, Program, StmtId, StmtKind, Type, VarId};
use petgraph::graph::NodeIndex;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// One moment of the inlined program.
pub(super) struct Moment {
    pub node: NodeIndex,
    pub scope: Rc<Scope>,
}

/// A loop head, or the end of a function.
pub(super) struct CutPoint {
    pub function: FunctionId,
    /// Of the loop; of the function's name.
    pub location: Location,
    /// Which loop; `None` for the end of the function.
    pub head_of: Option<LoopId>,
    /// All moments at which a run may be there.
    pub moments: Vec<Moment>,
    /// For a statement of the inlined program: what names mean when a run passes the place. For
    /// loops, each test of that statement; for ends, the moment before that statement.
    #[cfg_attr(not(feature = "fuzz"), allow(dead_code))]
    pub at: HashMap<StmtId, Rc<Scope>>,
}

/// The cut points of all functions for which the graph contains every run, in the order of the
/// source; in a function, loops first.
///
/// A function is left out if code that the graph does not show may call it: what holds in the
/// copies need not hold in such a call. With `tests`, a `do` loop also has the moments before its
/// condition is evaluated.
pub(super) fn cut_points(cfg: &Cfg<'_>, source: &Program, inlined: &Inlined, tests: bool) -> Vec<CutPoint> {
    let nothing = Block::new();
    let body = inlined.program.function(source.entry).body.as_ref();
    let annotated = annotated_places(source, &inlined.program, body.unwrap_or(&nothing));
    let complete = |f: FunctionId| !inlined.called_opaquely.contains(&f);
    let tests = if tests { tests_of_do(cfg) } else { HashMap::new() };
    let mut found: BTreeMap<(FunctionId, Option<LoopId>), CutPoint> = BTreeMap::new();
    for (id, copies) in &cfg.loops {
        for l in copies {
            let Some(LoopPlace { function, scope, .. }) = annotated.loops.get(&l.stmt.id()) else { continue };
            if !complete(*function) {
                continue;
            }
            let new = || CutPoint {
                function: *function,
                location: l.stmt.location,
                head_of: Some(*id),
                moments: Vec::new(),
                at: HashMap::new(),
            };
            let place = found.entry((*function, Some(*id))).or_insert_with(new);
            place.at.insert(l.stmt.id(), scope.clone());
            let tests = tests.get(&l.stmt.id()).into_iter().flatten();
            let nodes = l.peeled.iter().chain([&l.head]).chain(tests).copied();
            place.moments.extend(nodes.map(|node| Moment { node, scope: scope.clone() }));
        }
    }
    let wanted: HashSet<StmtId> = annotated.ends.iter().filter_map(|end| end.last).collect();
    let mut after: HashMap<StmtId, Vec<NodeIndex>> = HashMap::new();
    for o in cfg.occurrences.values().flatten().filter(|o| wanted.contains(&o.stmt.id())) {
        after.entry(o.stmt.id()).or_default().push(o.after);
    }
    for FunctionEnd { function, last, scope, before } in annotated.ends.iter().filter(|end| complete(end.function)) {
        let new = || CutPoint {
            function: *function,
            location: source.function(*function).location,
            head_of: None,
            moments: Vec::new(),
            at: HashMap::new(),
        };
        let place = found.entry((*function, None)).or_insert_with(new);
        place.at.extend(before.iter().map(|stmt| (*stmt, scope.clone())));
        let nodes = match last {
            None => vec![cfg.exit],
            Some(last) => after.get(last).cloned().unwrap_or_default(),
        };
        place.moments.extend(nodes.into_iter().map(|node| Moment { node, scope: scope.clone() }));
    }
    let mut places: Vec<CutPoint> = found.into_values().collect();
    places.sort_by_key(|p| (source.function(p.function).location, p.head_of.is_none(), p.location, p.head_of));
    places
}

/// For the ends of inlined functions: the parameters and the result, which are needed there
/// although nothing mentions them any more.
pub(super) fn needed_at_ends(cfg: &Cfg<'_>, source: &Program, inlined: &Inlined) -> Vec<(NodeIndex, VarId)> {
    let mut kept = Vec::new();
    for place in cut_points(cfg, source, inlined, false).iter().filter(|p| p.head_of.is_none()) {
        for moment in &place.moments {
            let named = moment.scope.contract.iter().filter_map(|name| moment.scope.names.get(name));
            kept.extend(named.chain(&moment.scope.result).map(|v| (moment.node, *v)));
        }
    }
    kept
}

/// For each `do` loop: the nodes at which its condition, side effects included, is about to be
/// evaluated.
fn tests_of_do(cfg: &Cfg<'_>) -> HashMap<StmtId, Vec<NodeIndex>> {
    let mut found: HashMap<StmtId, Vec<NodeIndex>> = HashMap::new();
    for node in cfg.graph.node_indices() {
        if let cfg::PointKind::LoopStep(stmt) = cfg.graph[node].place
            && matches!(&stmt.kind, StmtKind::Loop(l) if l.kind == LoopKind::DoWhile)
        {
            found.entry(stmt.id()).or_default().push(node);
        }
    }
    found
}

/// Whether some rows of an array have a variable length.
pub(super) fn has_variable_rows(ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => {
            matches!(**element, Type::Array(_, Length::Variable(_) | Length::Unknown)) || has_variable_rows(element)
        }
        _ => false,
    }
}
