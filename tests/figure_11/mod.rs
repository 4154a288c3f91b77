//! The six programs of J. Liu, X. Rival: "Abstraction of arrays based on non contiguous
//! partitions", VMCAI 2015, figure 11.
//!
//! Groups are counted as in the paper: those of the state at a point of the program, not those that
//! exist only during a transfer function.

use smalti::analysis::{AnalysisConfig, Kept, Purpose};
use smalti::inline::inline;
use smalti::lower::{LowerOptions, load, load_text};
use smalti::program::{Obligation, ObligationKind, Program, obligations};
use std::path::Path;

/// `int_init` of figure 11: an array of any length is set to 0, cell by cell.
const INT_INIT: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) return 0;
    int a[n], i = 0;
    while (i < n) {
        a[i] = 0;
        i = i + 1;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n) return 0;
    __VERIFIER_assert(a[k] == 0);
    return 0;
}
";

/// `complex` of figure 12: writes in any order.
const COMPLEX: &str = "extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int main(void) {
    int a[56], i = 0;
    while (i < 56) {
        a[i] = 0;
        i = i + 1;
    }
    a[55] = -1;
    i = 0;
    while (i < 55) {
        int index = __VERIFIER_nondet_int(), num = __VERIFIER_nondet_int();
        if (index < 0) index = 0;
        if (index > 55) index = 55;
        if (num < 0) num = 0;
        a[index] = num;
        i = i + 1;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 54) return 0;
    __VERIFIER_assert(a[k] >= -1);
    return 0;
}
";

/// The source of a program.
#[derive(Clone, Copy)]
enum Source {
    /// A function of a file of `examples/minix`, analysed alone.
    Minix(&'static str),
    /// A program of its own.
    Text(&'static str),
}

/// One line of the figure.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub(crate) name: &'static str,
    source: Source,
    /// The greatest number of groups that the paper reports.
    pub(crate) groups: usize,
}

pub(crate) const FIGURE_11: [Line; 6] = [
    Line { name: "mm_init", source: Source::Minix("main.c"), groups: 4 },
    Line { name: "do_fork", source: Source::Minix("forkexit.c"), groups: 3 },
    Line { name: "mm_exit", source: Source::Minix("forkexit.c"), groups: 7 },
    Line { name: "do_wait", source: Source::Minix("forkexit.c"), groups: 7 },
    Line { name: "int_init", source: Source::Text(INT_INIT), groups: 3 },
    Line { name: "complex", source: Source::Text(COMPLEX), groups: 4 },
];

impl Line {
    /// The program, and its assertions and bounds.
    pub(crate) fn load(&self) -> (Program, Vec<Obligation>) {
        let program = match self.source {
            Source::Minix(file) => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/minix").join(file);
                let options = LowerOptions { entry: self.name.to_owned(), alone: true, ..LowerOptions::default() };
                load(&[path], &options)
            }
            Source::Text(text) => {
                let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
                load_text(&format!("{}.c", self.name), text, &options)
            }
        };
        let program = program.unwrap_or_else(|e| panic!("{e}"));
        let all = obligations(&program, &[ObligationKind::Assertion, ObligationKind::Bounds]);
        (program, all)
    }
}

/// The largest number of groups of one array at any point of the source.
pub(crate) fn peak(program: &Program, config: &AnalysisConfig) -> usize {
    let inlined = inline(program);
    let fixpoint = Kept::new(program, &inlined, config, Purpose::Points).expect("the stack is there");
    let mut most = 0;
    fixpoint.points(None, &mut |p| most = p.facts.arrays.iter().map(|a| a.groups.len()).fold(most, usize::max));
    most
}
