//! The stages that decide obligations; one row of a table describes each.

use crate::rows::rows;
use serde::{Deserialize, Serialize};

/// The stages that decide obligations, in the default order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The only run of a program that takes no input.
    Run,
    /// Abstract interpretation; finds proofs only.
    Domains,
    /// Exact values of what loops compute; finds proofs only.
    Summary,
    /// One arbitrary iteration of each loop, from what its invariants claim; finds proofs only.
    Induction,
    /// Concrete runs, CBMC on small inputs; finds violations only.
    Bounded,
    /// CBMC on a slice of the program.
    Slice,
    /// CBMC on the program with only the first iterations; finds proofs only.
    Prune,
    /// CBMC on the program with a few arbitrary iterations.
    Shrink,
    /// The program over a few cells and variables, refined by the paths that it cannot follow.
    Refine,
    /// Concrete runs, CBMC on the exact program with unwinding assertions.
    Unwind,
}

/// The description of one stage.
#[derive(Debug)]
pub struct StageEntry {
    /// The stage.
    pub stage: Stage,
    /// Its name in options, configurations and reports; what `serde` writes.
    pub word: &'static str,
    /// The help text.
    pub help: &'static str,
    /// What the stage has done, as the end of a sentence about it.
    pub done: &'static str,
    /// Whether it asks a model checker.
    pub asks_checker: bool,
    /// Whether it asks an SMT solver.
    pub asks_solver: bool,
}

const STAGES: [StageEntry; 10] = [
    StageEntry {
        stage: Stage::Run,
        word: "run",
        help: "Execute a program that takes no input; its only run proves and refutes",
        done: "followed the only run of the program",
        asks_checker: false,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Domains,
        word: "domains",
        help: "Abstract interpretation; finds proofs only",
        done: "computed what holds at every point of the program",
        asks_checker: false,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Summary,
        word: "summary",
        help: "Exact values of what loops compute, as sums, searches and closed forms; finds proofs only",
        done: "computed the exact values that the loops leave",
        asks_checker: false,
        asks_solver: true,
    },
    StageEntry {
        stage: Stage::Induction,
        word: "induction",
        help: "One arbitrary iteration of each loop, from the loop invariants in the source and those that it finds; finds proofs only",
        done: "asked a solver whether it follows from loop invariants, in the source or found",
        asks_checker: false,
        asks_solver: true,
    },
    StageEntry {
        stage: Stage::Bounded,
        word: "bounded",
        help: "A few concrete runs, CBMC on small inputs; finds violations only",
        done: "asked CBMC for a failing run with small sizes and few iterations",
        asks_checker: true,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Slice,
        word: "slice",
        help: "CBMC on a slice of the program",
        done: "asked CBMC about the part of the program that matters for it",
        asks_checker: true,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Prune,
        word: "prune",
        help: "CBMC on the program with only the first iterations of its loops, for assertions; finds proofs only",
        done: "asked CBMC about the first iterations of the loops, where those stand for all",
        asks_checker: true,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Shrink,
        word: "shrink",
        help: "CBMC on the program with a few arbitrary iterations of its loops; for assertions",
        done: "asked CBMC whether a few arbitrary iterations of a loop decide it",
        asks_checker: true,
        asks_solver: false,
    },
    StageEntry {
        stage: Stage::Refine,
        word: "refine",
        help: "An abstraction over a few variables and cells; paths that the program cannot follow show which others are needed; for assertions",
        done: "asked about an abstraction over a few variables and cells, and asked a solver which others are needed",
        asks_checker: true,
        asks_solver: true,
    },
    StageEntry {
        stage: Stage::Unwind,
        word: "unwind",
        help: "A few concrete runs, CBMC on the exact program with unwinding assertions",
        done: "asked CBMC about all runs, with every loop followed to its end",
        asks_checker: true,
        asks_solver: false,
    },
];

rows!(Stage, StageEntry, stage, STAGES);
