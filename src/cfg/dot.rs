//! Draws a graph in the language of Graphviz.

use super::{Action, Cfg, Place, Point};
use crate::program::{Location, SourceMap, Stmt};
use petgraph::visit::EdgeRef;
use std::fmt::Write;

pub(super) fn dot(cfg: &Cfg<'_>) -> String {
    let sources = &cfg.program.sources;
    let mut out = format!("digraph \"{}\" {{\n", escape(&cfg.program.function(cfg.function).name));
    out.push_str("    node [shape=box, fontname=monospace];\n    edge [fontname=monospace];\n");
    for node in cfg.graph.node_indices() {
        let label = point(sources, &cfg.graph[node]);
        let _ = writeln!(out, "    n{} [label=\"{}\"];", node.index(), escape(&label));
    }
    for edge in cfg.graph.edge_references() {
        let label = action(sources, &edge.weight().action);
        let (from, to) = (edge.source().index(), edge.target().index());
        let _ = writeln!(out, "    n{from} -> n{to} [label=\"{}\"];", escape(&label));
    }
    out.push_str("}\n");
    out
}

fn line(sources: &SourceMap, stmt: &Stmt) -> String {
    let Location { line, .. } = stmt.location;
    format!("{line}: {}", sources.line(stmt.location).trim())
}

fn point(_sources: &SourceMap, point: &Point<'_>) -> String {
    let at = |what: &str, stmt: &Stmt| format!("{what} {}", stmt.location.line);
    let place = match point.place {
        Place::Entry => "entry".to_owned(),
        Place::Exit => "exit".to_owned(),
        Place::Stopped => "stopped".to_owned(),
        Place::After(s) => at("after", s),
        Place::LoopHead(s) => at("loop", s),
        Place::PeelHead(s) => at("peeled", s),
        Place::LoopTest(s) => at("test", s),
        Place::LoopStep(s) => at("step", s),
        Place::Branch(s, true) => at("then", s),
        Place::Branch(s, false) => at("else", s),
    };
    match point.peeled {
        None => place,
        Some((_, copy)) => format!("{place} (iteration {})", copy + 1),
    }
}

fn action(sources: &SourceMap, action: &Action<'_>) -> String {
    match action {
        Action::Skip => String::new(),
        Action::Stmt(stmt) => line(sources, stmt),
        Action::Branch { stmt, holds, .. } => format!("{} [{holds}]", line(sources, stmt)),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
