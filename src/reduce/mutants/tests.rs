//! For each wrong step, a program that some run fails. It is proved with the wrong step, and not
//! without it.

use super::{Mutant, switch};
use crate::cbmc::{self, testing::checker};
use crate::interpreter::{self, CellOrigin, Environment, Limits, ObjectOrigin, Outcome};
use crate::lower::{LowerOptions, load_text};
use crate::program::{InputId, Location, Program, Type};
use crate::stages::{CheckConfig, Silent, Tools, check_with};
use crate::verdict::{Stage, Verdict};
use std::time::{Duration, Instant};

/// A program, and values of its inputs for which it fails.
struct Case {
    mutant: Mutant,
    stage: Stage,
    /// Globals, which are 0 at first.
    globals: &'static str,
    body: &'static str,
    /// The values of the inputs, by their order.
    input: fn(usize) -> i128,
    /// The values of cells that are read first, by the array's name and the cell's number.
    cell: fn(&str, u64) -> i128,
}

fn none(_: usize) -> i128 {
    0
}

fn ones(_: &str, _: u64) -> i128 {
    1
}

fn number(_: &str, n: u64) -> i128 {
    i128::from(n)
}

impl Case {
    fn pruning(mutant: Mutant, body: &'static str, cell: fn(&str, u64) -> i128) -> Case {
        Case { mutant, stage: Stage::Prune, globals: "", body, input: none, cell }
    }

    fn shrinking(mutant: Mutant, body: &'static str, cell: fn(&str, u64) -> i128) -> Case {
        Case { stage: Stage::Shrink, ..Case::pruning(mutant, body, cell) }
    }

    fn given(self, input: fn(usize) -> i128) -> Case {
        Case { input, ..self }
    }

    fn program(&self) -> Program {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int);
             {}
             int main(void) {{ int i, x = 0, y = 0, z = 0; {} return 0; }}",
            self.globals, self.body
        );
        let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
        load_text("t.c", &text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()))
    }

    fn verdict(&self, program: &Program, cbmc: &cbmc::Cbmc) -> (Verdict, String) {
        // Definedness that the domains know needs no run.
        let stages = [Stage::Domains, self.stage];
        let until = Instant::now() + Duration::from_secs(20);
        let config = CheckConfig { files: vec!["t.c".into()], ..CheckConfig::new(&stages, until) };
        let report = check_with(program, &config, &Silent, Tools::only(Ok(cbmc))).expect("a report");
        let decided = report.obligations.first().expect("an assertion");
        (decided.verdict, decided.detail(&report.sources))
    }
}

fn cases() -> Vec<Case> {
    use Mutant::*;
    vec![
        Case::pruning(
            CyclesAreFine,
            "int a[1000]; for (i = 0; i < 1000; i++) if (a[i] > 0) x = x + 1; __VERIFIER_assert(x < 100);",
            ones,
        ),
        Case::pruning(
            SomeWaysWrite,
            "int a[1000], b[1000];
             for (i = 999; i >= 0; i--) { if (i >= 1) { if (a[i] > 5) x = 1; } else x = 2; b[i] = x; }
             for (i = 0; i < 1000; i++) __VERIFIER_assert(b[i] != 0);",
            ones,
        ),
        Case::pruning(
            SeveralDistances,
            "signed char a[1001]; x = -5; y = a[0];
             for (i = 0; i < 1000; i++) if (x < a[i + 1] - a[i]) x = a[i + 1] - a[i];
             for (i = 0; i < 1001; i++) z = a[i];
             __VERIFIER_assert(!(x <= 1 && z - y >= 100));",
            |_, n| i128::from(n.min(120)),
        ),
        Case::pruning(
            CarriedConditions,
            "short a[1000]; y = a[0]; int before = a[0];
             for (i = 0; i < 1000; i++) { if (a[i] > before + 1) x = 1; before = a[i]; }
             __VERIFIER_assert(!(x == 0 && before - y >= 100));",
            number,
        ),
        Case::pruning(
            SpansStayInside,
            "signed char a[1001]; int b[1000]; x = -5; y = a[0];
             for (i = 0; i < 1000; i++) b[i] = a[i + 1] - a[i];
             for (i = 0; i < 1000; i++) if (x < b[i]) x = b[i];
             for (i = 0; i < 1001; i++) z = a[i];
             __VERIFIER_assert(!(x <= 1 && z - y >= 100));",
            |_, n| i128::from(n.min(120)),
        ),
        Case::pruning(
            NarrowSums,
            "unsigned char a[1000]; for (i = 0; i < 1000; i++) x = x + a[i]; __VERIFIER_assert(x <= 255 * 30);",
            |_, _| 255,
        ),
        Case::pruning(
            SummedCellsAreRead,
            "unsigned a[1000], m = 0, s = 0;
             for (i = 0; i < 1000; i++) s = s + a[i];
             for (i = 0; i < 1000; i++) if (m < a[i]) m = a[i];
             __VERIFIER_assert(!(m <= 1 && s >= 100));",
            ones,
        ),
        Case::pruning(SumsCount, "for (i = 0; i < 1000; i++) x = x + 1; __VERIFIER_assert(x < 100);", ones),
        Case::pruning(
            MinimumOfAnother,
            "short a[1000], b[1000];
             for (i = 0; i < 1000; i++) { if (a[i] != b[i] + 1) x = 1; if (y >= b[i]) y = a[i]; }
             __VERIFIER_assert(x == 1 || y < 100);",
            |name, n| i128::from(n) + i128::from(name == "a"),
        ),
        Case::pruning(
            ThetaIsOne,
            "for (i = 0; i < 1001; i++) if (i % 2 == 0) x = 1; else x = 2; __VERIFIER_assert(x == 2);",
            ones,
        ),
        Case::pruning(
            NothingIsKept,
            "for (i = 0; i < 1000; i++) if (i < 50) x = 1; else x = 2; __VERIFIER_assert(x == 1);",
            ones,
        ),
        Case::pruning(
            WindowsAreZero,
            "int a[1000]; for (i = 0; i < 1000; i++) a[i] = 1;
             for (i = 5; i < 1000; i++) { x = a[i - 5]; a[i] = 0; }
             __VERIFIER_assert(x == 1);",
            ones,
        ),
        Case::pruning(
            OneAssignment,
            "int a[1000], x1 = 0, x2 = 0, x3 = 0, x4 = 0, x5 = 0, x6 = 0;
             for (i = 0; i < 1000; i++) {
               if (a[i] == 1) x1 = 1; if (a[i] == 2) x2 = 1; if (a[i] == 3) x3 = 1;
               if (a[i] == 4) x4 = 1; if (a[i] == 5) x5 = 1; if (a[i] == 6) x6 = 1; }
             __VERIFIER_assert(!(x1 && x2 && x3 && x4 && x5 && x6));",
            number,
        ),
        Case {
            globals: "int a[1000];",
            ..Case::pruning(
                LoopsEndTogether,
                "for (i = 0; i < 500; i++) a[i] = 1;
                 for (i = 0; i < 1000; i++) if (a[i] == 1) x = 1;
                 __VERIFIER_assert(x == 0);",
                ones,
            )
        },
        Case {
            input: |n| if n == 0 { 100 } else { 150 },
            ..Case::pruning(
                BoundsAreAlike,
                "int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); __VERIFIER_assume(100 <= n && n < m && m < 1000);
                 int a[m];
                 for (i = 0; i < m; i++) a[i] = 0;
                 for (i = 0; i < n; i++) a[i] = 1;
                 for (i = 0; i < m; i++) if (a[i] == 0) x = 1;
                 __VERIFIER_assert(x == 0);",
                ones,
            )
        },
        Case::pruning(
            AssumptionsStay,
            "short a[1000]; y = a[0];
             for (i = 1; i < 1000; i++) { __VERIFIER_assume(a[i] <= a[i - 1] + 1); x = a[i]; }
             __VERIFIER_assert(!(y == 0 && x >= 100));",
            number,
        ),
        Case::shrinking(
            AssumptionsAreAssumed,
            "for (i = 0; i < 1000; i++) { __VERIFIER_assume(x == i); if (i >= 0) x = x + 1; } __VERIFIER_assert(x < 100);",
            ones,
        ),
        Case::shrinking(
            PastIsForgotten,
            "int a[1000];
             for (i = 0; i < 1000; i++) { if (a[i] < 1) { x = 0; y = 0; } else if (a[i] == 1) x = 1; else if (x == 1) y = 1; }
             for (i = 0; i < 1000; i++) __VERIFIER_assert(y == 0 || a[i] >= 1);",
            |_, n| i128::from(n.min(2)),
        ),
        Case::shrinking(
            ShortRunsAreForgotten,
            "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 1000);
             for (i = 0; i < n; i++) x = 1;
             __VERIFIER_assert(x == 1);",
            ones,
        ),
        Case::shrinking(
            StatesAreFirst,
            "for (i = 0; i < 1000; i++) if (i >= 0) x = x + 1; __VERIFIER_assert(x < 100);",
            ones,
        ),
        Case {
            globals: "int a[1000], b[1000];",
            ..Case::shrinking(
                GapsAreIgnored,
                "for (i = 0; i < 1000; i++) a[i] = 3;
                 for (i = 0; i < 999; i++) b[i] = a[i + 1];
                 for (i = 0; i < 999; i++) __VERIFIER_assert(b[i] == 0);",
                ones,
            )
        },
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                StepsComeFirst,
                "for (i = 0; i < 1000; i++) { a[i] = x; x = x + 1; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == i + 1);",
                ones,
            )
        },
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                ConditionsAreIgnored,
                "for (i = 0; i < 1000; i++) { a[i] = x; if (i != 5) { x = !x; } }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == i % 2);",
                ones,
            )
        },
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                NotTwiceIsNothing,
                "int c = __VERIFIER_nondet_int(); __VERIFIER_assume(c == 2); x = c;
                 for (i = 0; i < 1000; i++) { a[i] = x; x = !x; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] != 1);",
                ones,
            )
        }
        .given(|_| 2),
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                ChainsAreCycles,
                "int c = __VERIFIER_nondet_int(); x = c; y = 1; z = 2;
                 for (i = 0; i < 1000; i++) { a[i] = x; x = y; y = z; z = x; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == c || i % 3);",
                ones,
            )
        }
        .given(|_| 7),
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                SumsStayInside,
                "int c = __VERIFIER_nondet_int(); __VERIFIER_assume(c == -1); unsigned p = c;
                 for (i = 0; i < 1000; i++) { a[i] = p; p = (p + 1) % 3; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(i == 0 || a[i] == i % 3);",
                ones,
            )
        }
        .given(|_| -1),
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                RemaindersKeepTheirSign,
                "x = -20; for (i = 0; i < 1000; i++) { a[i] = x; x = (x + 3) % 101; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(i % 101 || a[i] == -20);",
                ones,
            )
        },
        Case {
            globals: "int a[1000];",
            ..Case::shrinking(
                ProductsStaySmall,
                "x = 1; for (i = 0; i < 20; i++) { a[i] = x; x = x * 2; }
                 for (i = 0; i < 20; i++) __VERIFIER_assert(a[i] < 5);",
                ones,
            )
        },
        Case {
            globals: "unsigned a[1000];",
            ..Case::shrinking(
                PowersComeRound,
                "unsigned p = 1; for (i = 0; i < 1000; i++) { a[i] = p; p = p * 2; }
                 for (i = 0; i < 1000; i++) __VERIFIER_assert(a[i] != 0);",
                ones,
            )
        },
        Case::shrinking(
            RowsRunTogether,
            "int a[100][100][100];
             for (i = 0; i < 100; i++) for (int j = 0; j < 100; j++) for (int k = 0; k < 100; k++) {
               a[i][j][k] = 1; __VERIFIER_assert(a[99][99][k] == 1); }",
            |_, _| 0,
        ),
    ]
}

/// The inputs of a case.
struct Given<'c> {
    case: &'c Case,
    program: &'c Program,
    inputs: usize,
}

impl Environment for Given<'_> {
    fn input(&mut self, _: InputId, _: &Type, _: Location) -> i128 {
        self.inputs += 1;
        (self.case.input)(self.inputs - 1)
    }

    fn arbitrary(&mut self, origin: &CellOrigin<'_>, _: &Type) -> i128 {
        match origin.object {
            ObjectOrigin::Variable { variable, .. } => {
                (self.case.cell)(&self.program.variable(variable).name, origin.leaf)
            }
            ObjectOrigin::Heap { .. } | ObjectOrigin::Outside => 0,
        }
    }

    fn havoc(&mut self, _: &Type, _: Location) -> i128 {
        0
    }
}

#[test]
fn a_run_fails_every_program_that_a_mutant_proves() {
    for case in cases() {
        let program = case.program();
        let inputs = &mut Given { case: &case, program: &program, inputs: 0 };
        let end = interpreter::run(&program, inputs, &mut (), &Limits::default()).outcome;
        assert!(matches!(end, Outcome::AssertionFailed(_)), "{:?}: {end:?}", case.mutant);
    }
}

#[test]
fn every_mutant_proves_a_program_that_the_right_step_does_not() {
    let Some(cbmc) = checker() else { return };
    let mut wrong = Vec::new();
    for case in cases() {
        let program = case.program();
        let (right, detail) = case.verdict(&program, &cbmc);
        // Left open, or refuted.
        if right == Verdict::Proved {
            wrong.push(format!("{:?}: without it {right:?}, {detail}", case.mutant));
        }
        switch(Some(case.mutant));
        let (mutated, detail) = case.verdict(&program, &cbmc);
        switch(None);
        if mutated != Verdict::Proved {
            wrong.push(format!("{:?}: with it {mutated:?}, {detail}", case.mutant));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
