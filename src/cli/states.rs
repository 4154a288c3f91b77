//! From the points of an analysis to the lines of a page.

use crate::analysis::{Analysis, PointView};
use crate::program::{Location, Obligation, Program, Stmt, StmtKind, each_stmt};
use crate::report::{ArrayLine, LineKind, LineState, Placed, StateView};
use crate::verdict::Verdict;
use std::collections::{HashMap, HashSet};

/// What to show of an analysis.
pub(super) fn view(program: &Program, obligations: &[Obligation], analysis: &Analysis) -> StateView {
    let mut view = StateView::default();
    for (place, point) in placed(program, analysis) {
        if let Some(iterations) = point.loop_iterations {
            let plural = if iterations == 1 { "" } else { "s" };
            view.remarks.push((point.location, format!("loop invariant, {iterations} iteration{plural}")));
        }
        view.lines.push(line(point, place));
    }
    for o in obligations {
        let verdict = match analysis.findings.get(&o.key).map(|f| f.verdict) {
            Some(Verdict::Proved) => "proved",
            Some(Verdict::Unreachable) => "unreachable",
            _ => "open",
        };
        view.remarks.push((o.location, verdict.into()));
    }
    view
}

/// The points that belong to a line, and where they belong.
pub(super) fn placed<'a>(program: &Program, analysis: &'a Analysis) -> Vec<(Placed, &'a PointView)> {
    let ends = ends(program);
    let mut once = HashSet::new();
    if let Some(body) = &program.function(program.entry).body {
        each_stmt(body, &mut |stmt| {
            once.insert(stmt.location);
        });
    }
    let mut found = Vec::new();
    for point in analysis.points.iter().filter(|p| is_written(program, p.location)) {
        let column = match (point.loop_iterations, ends.get(&point.location)) {
            // What holds after a statement of several lines does not belong under its first one.
            (None, Some(End::LaterLine)) => continue,
            (None, Some(End::Column(column))) => *column,
            _ => point.location.column,
        };
        found.push((
            Placed {
                at: Location { column, ..point.location },
                kind: if point.loop_iterations.is_some() { LineKind::LoopHead } else { LineKind::After },
                // Nothing calls the entry, so these are the parts that an inlined call is made of, not calls of its own.
                copy: if once.contains(&point.location) { 0 } else { point.copy },
            },
            point,
        ));
    }
    found
}

/// Whether the source has a statement there: the return at the end of a function stands at its closing brace.
fn is_written(program: &Program, at: Location) -> bool {
    let before = (at.column as usize).saturating_sub(1);
    program.sources.line(at).as_bytes().get(before) != Some(&b'}')
}

fn line(point: &PointView, place: Placed) -> LineState {
    let array = |a: &crate::analysis::ArrayView| ArrayLine {
        name: a.name.clone(),
        groups: a.groups.iter().map(|g| (g.cells.clone(), g.content.clone())).collect(),
    };
    LineState {
        place,
        unreachable: point.unreachable,
        scalars: point.scalars.clone(),
        arrays: point.arrays.iter().map(array).collect(),
    }
}

/// Where a statement with statements inside ends.
enum End {
    /// On the line where it starts, after everything that starts before this column.
    Column(u32),
    /// On a later line.
    LaterLine,
}

/// The ends of all statements with statements inside.
fn ends(program: &Program) -> HashMap<Location, End> {
    let mut ends = HashMap::new();
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        body.iter().for_each(|stmt| {
            last_column(stmt, &mut ends);
        });
    }
    ends
}

/// The last column at which something of the statement starts, or `None` if it ends on a later line.
fn last_column(stmt: &Stmt, ends: &mut HashMap<Location, End>) -> Option<u32> {
    let inside: Vec<&Stmt> = match &stmt.kind {
        StmtKind::If(_, a, b) => a.iter().chain(b).collect(),
        StmtKind::Loop(l) => l.body.iter().chain(&l.step).collect(),
        StmtKind::Block(b) => b.iter().collect(),
        _ => return Some(stmt.location.column),
    };
    let mut last = Some(stmt.location.column);
    for s in inside {
        let column = last_column(s, ends).filter(|_| s.location.line == stmt.location.line);
        last = last.zip(column).map(|(a, b)| a.max(b) + 1);
    }
    ends.insert(stmt.location, last.map_or(End::LaterLine, End::Column));
    last
}
