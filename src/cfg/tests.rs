//! Graphs of small programs, built by hand.

use super::*;
use crate::fixpoint::Wto;
use crate::program::{
    Base, BinaryOp, Block, BlockNames, Counters, DataModel, Endings, FileId, Function, IntKind, LabelId, Length,
    Location, LoopKind, Lvalue, Origin, SourceMap, Step, StmtKind, Storage, Type, Unset, VarId, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// Makes statements; each stands on a line of its own, sites count the lines.
struct Maker {
    program: Program,
    lines: u32,
}

const I: VarId = VarId(0);
const A: VarId = VarId(1);

impl Maker {
    fn new() -> Maker {
        let variable = |name: &str, ty| Variable {
            name: name.to_owned(),
            origin: Origin::Source,
            ty,
            storage: Storage::Global,
            constant: false,
            location: at(0),
        };
        let cells = Type::Array(Box::new(Type::INT), Length::Constant(10));
        let main = Function {
            name: "main".to_owned(),
            origin: Origin::Source,
            parameters: Vec::new(),
            variadic: false,
            result: Type::INT,
            body: None,
            location: at(0),
        };
        let program = Program {
            logic: Vec::new(),
            lemmas: Vec::new(),
            data_model: DataModel::Lp64,
            representation: crate::program::Representation::default(),
            sources: SourceMap::default(),
            structs: Vec::new(),
            variables: vec![variable("i", Type::INT), variable("a", cells)],
            globals: vec![I, A],
            initialisers: Vec::new(),
            functions: vec![main],
            entry: FunctionId(0),
            assertions: Vec::new(),
            counters: Counters::default(),
            assumptions: Vec::new(),
            alone: false,
            malloc_may_fail: false,
            endings: Endings::default(),
            unset: Unset::default(),
            outside: BTreeMap::new(),
            library_inputs: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
            block_names: BlockNames::default(),
            notes: Vec::new(),
            gaps: crate::program::Gaps::default(),
        };
        Maker { program, lines: 0 }
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.lines += 1;
        Stmt::new(kind, SiteId(self.lines), at(self.lines))
    }

    /// `i = value`
    fn set(&mut self, value: i128) -> Stmt {
        let i = Lvalue::var(&self.program, I, at(0));
        self.stmt(StmtKind::Assign(i, number(value)))
    }

    /// `a[i] = 0`
    fn store(&mut self) -> Stmt {
        let i = Expr::load(Lvalue::var(&self.program, I, at(0)));
        let index = i.cast(Type::Int(IntKind::Long));
        let cell = Lvalue { base: Base::Var(A), path: vec![Step::Index(index)], ty: Type::INT, location: at(0) };
        self.stmt(StmtKind::Assign(cell, number(0)))
    }

    /// `i < bound`
    fn below(&self, bound: i128) -> Expr {
        let i = Expr::load(Lvalue::var(&self.program, I, at(0)));
        Expr::binary(BinaryOp::Less, i, number(bound), Type::INT)
    }

    fn branch(&mut self, then: Block, otherwise: Block) -> Stmt {
        let condition = self.below(5);
        self.stmt(StmtKind::If(condition, then, otherwise))
    }

    /// A loop with the number of its line as its identity.
    fn cycle(&mut self, kind: LoopKind, condition: Expr, body: Block, step: Block) -> Stmt {
        let id = LoopId(self.lines + 1);
        self.stmt(StmtKind::Loop(Box::new(Loop { id, kind, condition, body, step })))
    }

    fn repeat(&mut self, body: Block) -> Stmt {
        let condition = self.below(10);
        self.cycle(LoopKind::While, condition, body, Vec::new())
    }

    fn program(mut self, body: Block) -> Program {
        self.program.functions[0].body = Some(body);
        self.program
    }
}

fn at(line: u32) -> Location {
    Location { file: FileId(0), line, column: 0 }
}

fn number(value: i128) -> Expr {
    Expr::int(value, IntKind::Int, at(0))
}

fn peeling(peel: u32) -> CfgConfig {
    CfgConfig { peel, ..CfgConfig::default() }
}

/// The nodes that the entry reaches.
fn reached(cfg: &Cfg<'_>) -> Wto {
    Wto::new(&cfg.graph, cfg.entry)
}

fn copies(cfg: &Cfg<'_>, site: u32) -> usize {
    cfg.occurrences.get(&SiteId(site)).map_or(0, Vec::len)
}

fn is_reached(cfg: &Cfg<'_>, node: NodeIndex) -> bool {
    reached(cfg).position(node).is_some()
}

#[test]
fn a_for_loop_with_a_branch_a_break_and_a_continue_is_drawn() {
    let mut m = Maker::new();
    let set = m.set(0);
    let (jump, next) = (m.stmt(StmtKind::Break), m.stmt(StmtKind::Continue));
    let leave = m.branch(vec![jump], vec![next]);
    let store = m.store();
    let (step, condition) = (m.set(1), m.below(10));
    let cycle = m.cycle(LoopKind::For, condition, vec![leave, store], vec![step]);
    let end = m.stmt(StmtKind::Return(Some(number(0))));
    let program = m.program(vec![set, cycle, end]);
    insta::with_settings!({ snapshot_path => "../../snapshots/cfg", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("for_loop", Cfg::build(&program, &peeling(0)).dot());
        insta::assert_snapshot!("for_loop_peeled", Cfg::build(&program, &peeling(1)).dot());
    });
}

#[test]
fn initialisers_run_before_the_entry_function_and_not_before_a_function_on_its_own() {
    let mut m = Maker::new();
    let first = m.set(7);
    let second = m.set(8);
    m.program.initialisers = vec![first];
    let program = m.program(vec![second]);
    let cfg = Cfg::build(&program, &CfgConfig::default());
    assert_eq!(cfg.occurrences[&SiteId(1)][0].before, cfg.entry);
    assert_eq!(cfg.occurrences[&SiteId(1)][0].after, cfg.occurrences[&SiteId(2)][0].before);
    let alone = Cfg::of_function(&program, FunctionId(0), &CfgConfig::default());
    assert_eq!((copies(&alone, 1), alone.occurrences[&SiteId(2)][0].before), (0, alone.entry));
}

#[test]
fn a_while_loop_is_one_component_whose_head_tests() {
    let mut m = Maker::new();
    let set = m.set(1);
    let cycle = m.repeat(vec![set]);
    let program = m.program(vec![cycle]);
    let cfg = Cfg::build(&program, &peeling(3));
    let nodes = &cfg.loops[&LoopId(2)][0];
    let wto = reached(&cfg);
    assert_eq!(wto.heads().collect::<Vec<_>>(), [nodes.head]);
    assert!(nodes.peeled.is_empty(), "a loop over scalars is not peeled");
    let tests: Vec<NodeIndex> = cfg.evaluations().filter(|(_, s)| s.site == SiteId(2)).map(|(n, _)| n).collect();
    assert_eq!(tests, [nodes.head]);
}

#[test]
fn a_do_while_loop_runs_its_body_before_it_tests() {
    let mut m = Maker::new();
    let (store, condition) = (m.store(), m.below(10));
    let cycle = m.cycle(LoopKind::DoWhile, condition, vec![store], Vec::new());
    let program = m.program(vec![cycle]);
    let cfg = Cfg::build(&program, &peeling(1));
    let nodes = &cfg.loops[&LoopId(2)][0];
    let bodies: Vec<NodeIndex> = cfg.occurrences[&SiteId(1)].iter().map(|o| o.before).collect();
    assert_eq!(bodies, [nodes.peeled[0], nodes.head]);
    let tests: Vec<_> = cfg.evaluations().filter(|(_, s)| s.site == SiteId(2)).collect();
    assert_eq!(tests.len(), 2);
    assert!(tests.iter().all(|(n, _)| matches!(cfg.graph[*n].place, PointKind::LoopTest(_))));
}

#[test]
fn constants_decide_branches_so_that_do_while_0_is_no_loop() {
    let mut m = Maker::new();
    let store = m.store();
    let once = m.cycle(LoopKind::DoWhile, number(0), vec![store], Vec::new());
    let inner = m.set(3);
    let forever = m.cycle(LoopKind::While, number(1), vec![inner], Vec::new());
    let behind = m.set(4);
    let program = m.program(vec![once, forever, behind]);
    let cfg = Cfg::build(&program, &peeling(1));
    assert_eq!(copies(&cfg, 1), 1, "what runs once is not peeled");
    assert_eq!(reached(&cfg).heads().collect::<Vec<_>>(), [cfg.loops[&LoopId(4)][0].head]);
    assert!(!is_reached(&cfg, cfg.occurrences[&SiteId(5)][0].before));
    assert!(!is_reached(&cfg, cfg.exit));
}

#[test]
fn code_behind_a_return_or_a_stop_has_nodes_that_nothing_reaches() {
    let mut m = Maker::new();
    let stop = m.stmt(StmtKind::Stop);
    let behind_stop = m.set(1);
    let branch = m.branch(vec![stop, behind_stop], Vec::new());
    let back = m.stmt(StmtKind::Return(None));
    let behind = m.set(2);
    let program = m.program(vec![branch, back, behind]);
    let cfg = Cfg::build(&program, &CfgConfig::default());
    assert!(is_reached(&cfg, cfg.exit) && is_reached(&cfg, cfg.stopped));
    for site in [2, 5] {
        assert!(!is_reached(&cfg, cfg.occurrences[&SiteId(site)][0].before), "site {site}");
    }
}

#[test]
fn jumps_backward_make_a_component_and_jumps_forward_do_not() {
    let mut m = Maker::new();
    let (again, end) = (LabelId(0), LabelId(1));
    let label = m.stmt(StmtKind::Label(again, "again".to_owned()));
    let forward = m.stmt(StmtKind::Goto(end));
    let leave = m.branch(vec![forward], Vec::new());
    let set = m.set(1);
    let backward = m.stmt(StmtKind::Goto(again));
    let last = m.stmt(StmtKind::Label(end, "end".to_owned()));
    let program = m.program(vec![label, leave, set, backward, last]);
    let cfg = Cfg::build(&program, &CfgConfig::default());
    let heads: Vec<NodeIndex> = reached(&cfg).heads().collect();
    assert_eq!(heads, [cfg.occurrences[&SiteId(1)][0].after]);
    assert!(matches!(cfg.graph[heads[0]].place, PointKind::After(s) if s.site == SiteId(1)));
    assert!(is_reached(&cfg, cfg.exit));
}

#[test]
fn a_loop_with_an_inner_jump_is_peeled_with_labels_of_its_own() {
    let mut m = Maker::new();
    let out = LabelId(0);
    let jump = m.stmt(StmtKind::Goto(out));
    let (leave, store) = (m.branch(vec![jump], Vec::new()), m.store());
    let label = m.stmt(StmtKind::Label(out, "out".to_owned()));
    let cycle = m.repeat(vec![leave, store, label]);
    let program = m.program(vec![cycle]);
    let cfg = Cfg::build(&program, &peeling(2));
    let labels: Vec<NodeIndex> = cfg.occurrences[&SiteId(4)].iter().map(|o| o.after).collect();
    assert_eq!(labels.len(), 3);
    for (label, jump) in labels.iter().zip(&cfg.occurrences[&SiteId(1)]) {
        let targets: Vec<NodeIndex> = cfg.graph.neighbors(jump.before).collect();
        assert_eq!(targets, [*label], "each copy jumps inside itself");
    }
}

#[test]
fn a_loop_that_is_jumped_into_is_not_peeled() {
    let mut m = Maker::new();
    let inside = LabelId(0);
    let jump = m.stmt(StmtKind::Goto(inside));
    let label = m.stmt(StmtKind::Label(inside, "inside".to_owned()));
    let store = m.store();
    let cycle = m.repeat(vec![label, store]);
    let program = m.program(vec![jump, cycle]);
    let cfg = Cfg::build(&program, &peeling(1));
    assert_eq!(copies(&cfg, 3), 1);
    assert!(is_reached(&cfg, cfg.occurrences[&SiteId(3)][0].before));
}

#[test]
fn nested_loops_are_peeled_down_to_eight_copies() {
    let mut m = Maker::new();
    let mut body = m.store();
    for _ in 0..5 {
        body = m.repeat(vec![body]);
    }
    let program = m.program(vec![body]);
    assert_eq!(copies(&Cfg::build(&program, &peeling(1)), 1), 8);
    assert_eq!(copies(&Cfg::build(&program, &peeling(2)), 1), 3);
    assert_eq!(copies(&Cfg::build(&program, &peeling(20)), 1), 21);
    let cfg = Cfg::build(&program, &CfgConfig { peel: 20, peel_budget: 13, ..CfgConfig::default() });
    assert_eq!(
        copies(&cfg, 1),
        3,
        "two copies of a loop of 6 statements fit into the budget, and nothing of the others"
    );
}

#[test]
fn every_statement_is_evaluated_wherever_it_stands() {
    let mut m = Maker::new();
    let (one, two) = (m.store(), m.set(2));
    let branch = m.branch(vec![one], vec![two]);
    let inner = m.repeat(vec![branch]);
    let last = m.store();
    let outer = m.repeat(vec![inner, last]);
    let program = m.program(vec![outer]);
    let cfg = Cfg::build(&program, &peeling(1));
    let mut counts = BTreeMap::new();
    for (_, stmt) in cfg.evaluations() {
        *counts.entry(stmt.site.0).or_insert(0) += 1;
    }
    // Lines: 1 and 2 in the branch of line 3, in the inner loop of line 4; line 5 in the outer loop
    // of line 6.
    assert_eq!(counts, [(1, 4), (2, 4), (3, 4), (4, 4), (5, 2), (6, 2)].into());
    assert_eq!((cfg.loops[&LoopId(4)].len(), cfg.loops[&LoopId(6)].len()), (2, 1));
}

#[test]
fn a_long_block_needs_no_stack() {
    let mut m = Maker::new();
    let body: Block = (0..200_000).map(|n| m.set(n)).collect();
    let program = m.program(body);
    let cfg = Cfg::build(&program, &CfgConfig::default());
    assert_eq!(reached(&cfg).order().len(), 200_002);
}

#[test]
#[should_panic(expected = "every goto has its label")]
fn a_goto_without_label_is_a_bug_of_the_programs_maker() {
    let mut m = Maker::new();
    let jump = m.stmt(StmtKind::Goto(LabelId(9)));
    let program = m.program(vec![jump]);
    Cfg::build(&program, &CfgConfig::default());
}
