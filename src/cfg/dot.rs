//! Draws a graph in the language of Graphviz.

use super::{Action, Cfg, Point, PointKind};
use crate::program::{Callee, Expr, LoopKind, Program, Stmt, StmtKind, print};
use petgraph::visit::EdgeRef;
use std::fmt::Write;

impl Cfg<'_> {
    /// The graph in the language of Graphviz.
    pub fn dot(&self) -> String {
        dot(self)
    }
}

/// Nodes are numbered as in the graph; the box of a node shows its place, the text at an edge its
/// action.
fn dot(cfg: &Cfg<'_>) -> String {
    let mut out = format!("digraph \"{}\" {{\n", escape(&cfg.program.function(cfg.function).name));
    out.push_str("    node [shape=box, fontname=monospace];\n    edge [fontname=monospace];\n");
    for node in cfg.graph.node_indices() {
        let shape = match cfg.graph[node].place {
            PointKind::LoopHead(_) => ", shape=octagon",
            PointKind::Entry | PointKind::Exit | PointKind::Stopped => ", shape=oval",
            _ => "",
        };
        let label = escape(&point(&cfg.graph[node]));
        // Writing to a string does not fail.
        let _ = writeln!(out, "    n{} [label=\"{label}\"{shape}];", node.index());
    }
    for edge in cfg.graph.edge_references() {
        let (from, to) = (edge.source().index(), edge.target().index());
        let label = escape(&action(cfg.program, &edge.weight().action));
        let attributes = if label.is_empty() { String::new() } else { format!(" [label=\"{label}\"]") };
        let _ = writeln!(out, "    n{from} -> n{to}{attributes};");
    }
    out.push_str("}\n");
    out
}

fn point(point: &Point<'_>) -> String {
    let at = |what: &str, stmt: &Stmt| format!("{what} line {}", stmt.location.line);
    let place = match point.place {
        PointKind::Entry => "entry".to_owned(),
        PointKind::Exit => "exit".to_owned(),
        PointKind::Stopped => "stopped".to_owned(),
        PointKind::After(s) if matches!(s.kind, StmtKind::Label(..)) => at("label", s),
        PointKind::After(s) => at("after", s),
        PointKind::LoopHead(s) => at("head of loop,", s),
        PointKind::PeelHead(s) => at("peeled loop,", s),
        PointKind::LoopTest(s) => at("test of loop,", s),
        PointKind::LoopStep(s) => at("step of loop,", s),
        PointKind::Branch(s, holds) => match (&s.kind, holds) {
            (StmtKind::If(..), true) => at("then,", s),
            (StmtKind::If(..), false) => at("else,", s),
            _ => at("body of loop,", s),
        },
    };
    match point.peeled {
        None => place,
        Some((_, copy)) => format!("{place}\niteration {}", u64::from(copy) + 1),
    }
}

fn action(program: &Program, action: &Action<'_>) -> String {
    match action {
        Action::Skip => String::new(),
        Action::Stmt(stmt) => statement(program, stmt),
        Action::Branch { condition, holds, .. } => {
            let condition = print::expr(program, condition);
            if *holds { format!("[{condition}]") } else { format!("[not {condition}]") }
        }
    }
}

/// A statement in one line, for readers: as C if C can express it.
fn statement(program: &Program, stmt: &Stmt) -> String {
    let expr = |e: &Expr| print::expr(program, e);
    let list = |es: &[Expr]| es.iter().map(expr).collect::<Vec<_>>().join(", ");
    let lvalue = |l| print::lvalue(program, l);
    match &stmt.kind {
        StmtKind::Declare(v) => format!("declare {}", program.variable(*v).shown()),
        StmtKind::Assign(to, value) => format!("{} = {}", lvalue(to), expr(value)),
        StmtKind::Input(to, _) => format!("{} = input", lvalue(to)),
        StmtKind::Zero(to) => format!("zero {}", lvalue(to)),
        StmtKind::Havoc(to) => format!("havoc {}", lvalue(to)),
        StmtKind::Blocks(blocks) => format!("blocks({})", list(&blocks.operands().cloned().collect::<Vec<_>>())),
        StmtKind::HavocReachable(reached) => match &reached.bytes {
            Some(bytes) => format!("change {} bytes at {}", expr(&bytes.count), expr(&bytes.to)),
            None => format!("havoc globals, reachable({})", list(&reached.pointers)),
        },
        StmtKind::Allocate { target, count, zeroed, .. } => {
            let zeroed = if *zeroed { "zeroed " } else { "" };
            format!("{} = {zeroed}block of {}", lvalue(target), expr(count))
        }
        StmtKind::Call { target, callee, arguments } => {
            let target = target.as_ref().map(|t| format!("{} = ", lvalue(t))).unwrap_or_default();
            let callee = match callee {
                Callee::Function(f) => program.function(*f).name.clone(),
                Callee::Pointer(pointer) => format!("(*{})", expr(pointer)),
            };
            format!("{target}{callee}({})", list(arguments))
        }
        StmtKind::Assume(condition) => format!("assume({})", expr(condition)),
        StmtKind::Assert(condition, _) => format!("assert({})", expr(condition)),
        StmtKind::Claim(claim) => format!("//@ {}", print::claim(program, claim)),
        StmtKind::Return(None) => "return".to_owned(),
        StmtKind::Return(Some(value)) => format!("return {}", expr(value)),
        StmtKind::Stop => "stop".to_owned(),
        StmtKind::If(condition, ..) => format!("if ({})", expr(condition)),
        StmtKind::Loop(l) => match l.kind {
            LoopKind::While | LoopKind::For => format!("while ({})", expr(&l.condition)),
            LoopKind::DoWhile => format!("do while ({})", expr(&l.condition)),
        },
        StmtKind::Block(_) => "{ }".to_owned(),
        StmtKind::Label(_, name) => format!("{name}:"),
        StmtKind::Goto(_) => "goto".to_owned(),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
        StmtKind::Snapshot(id) => format!("snapshot s{}", id.0),
        StmtKind::Presume(_) | StmtKind::Skip => ";".to_owned(),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
