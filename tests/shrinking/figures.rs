//! Loop shrinking of the programs in the figures of Kumar's thesis (2019).

use super::{PRELUDE, load, open, proved, shrink, shrinkable};
use smalti::interpreter::{self, CellOrigin, Environment, Limits, Outcome};
use smalti::program::{AssertionId, InputId, Location, Program, StmtKind, Type, each_stmt};
use smalti::reduce::normal::Inlined;

/// `m` follows the elements that come close to it; the property allows a distance of `d`.
fn lmin(d: usize) -> String {
    format!(
        "int main(void) {{ int a[1000]; int m = a[0];
           for (int i = 0; i < 1000; i++) if (m >= a[i] - 1) m = a[i];
           for (int j = 0; j < 1000; j++) __VERIFIER_assert(m <= a[j] + {d}); }}"
    )
}

#[test]
fn figure_1_3_two_iterations_show_the_minimum_that_steps_over_its_neighbour() {
    let program = |cells: &str, n: usize| {
        format!(
            "int main(void) {{ int a[{n}] = {{{cells}}}; int m = a[0];
               for (int i = 0; i < {n}; i++) if (m >= a[i] - 1) m = a[i];
               for (int j = 0; j < {n}; j++) __VERIFIER_assert(m <= a[j]); }}"
        )
    };
    // Every state contains what the loop does not write. For this array one iteration suffices; for
    // any array, two are needed (figure 7.3).
    proved(&program("8, 4, 6, 2, 11, 2, 2", 7), 1);
    // The last two elements are changed: iterations 4 and 6 show the failure.
    open(&program("8, 4, 6, 2, 11, 3, 5", 7), "the residual of some");
}

#[test]
fn figure_6_1_the_minimum_is_below_every_element_after_one_iteration() {
    proved(
        "int main(void) { int a[100000]; int m = a[0];
           for (int i = 0; i < 100000; i++) if (a[i] < m) m = a[i];
           for (int j = 0; j < 100000; j++) __VERIFIER_assert(m <= a[j]); }",
        1,
    );
}

/// The values of a residual: the iterations that run, and the contents of the array.
struct Chosen<'p> {
    program: &'p Program,
    positions: [i128; 2],
    cells: &'p [i128],
}

impl Environment for Chosen<'_> {
    fn input(&mut self, input: InputId, _ty: &Type, _at: Location) -> i128 {
        let mut name = String::new();
        let body = self.program.function(self.program.entry).body.as_ref().expect("a body");
        each_stmt(body, &mut |s| {
            if let StmtKind::Input(l, id) = &s.kind
                && *id == input
                && let Some(v) = l.as_var()
            {
                name.clone_from(&self.program.variable(v).name);
            }
        });
        match name.as_str() {
            "position_1" => self.positions[0],
            "position_2" => self.positions[1],
            other => panic!("{other} is drawn"),
        }
    }
    fn arbitrary(&mut self, origin: &CellOrigin<'_>, _ty: &Type) -> i128 {
        usize::try_from(origin.leaf).ok().and_then(|n| self.cells.get(n)).copied().unwrap_or(0)
    }
    fn havoc(&mut self, _ty: &Type, _at: Location) -> i128 {
        0
    }
}

#[test]
fn figures_6_2_and_6_3_the_residual_loop_and_property_of_the_second_and_fourth_iteration() {
    let program = load(&format!(
        "{PRELUDE}int main(void) {{ int a[5]; int m = a[0];
           for (int i = 0; i < 5; i++) if (a[i] < m - 1) m = a[i];
           for (int j = 0; j < 5; j++) __VERIFIER_assert(m <= a[j]); }}"
    ));
    let goals = shrink::goals(&Inlined::new(&program), AssertionId(0)).unwrap();
    // The property has one clause for each iteration.
    let form = &goals[0].plans[0][0].forms[1];
    let residual = form.residual(AssertionId(0), 2).unwrap().program;
    let mut failing = 0;
    for n in 0..3i128.pow(5) {
        let cells: Vec<i128> = (0..5).map(|k| n / 3i128.pow(k) % 3).collect();
        // Iterations are counted from 0 here, from 1 in the thesis.
        let mut minimum = cells[0];
        for i in [1, 3] {
            if cells[i] < minimum - 1 {
                minimum = cells[i];
            }
        }
        let fails = minimum > cells[1] || minimum > cells[3];
        failing += usize::from(fails);
        let mut chosen = Chosen { program: &residual, positions: [1, 3], cells: &cells };
        let outcome = interpreter::run(&residual, &mut chosen, &mut (), &Limits::default()).outcome;
        assert_eq!(matches!(outcome, Outcome::AssertionFailed(_)), fails, "{cells:?}: {outcome:?}");
    }
    assert!(failing > 0);
}

#[test]
fn figure_7_2_loops_without_dependence_between_iterations_need_one() {
    proved(
        "int main(void) { int a[1000]; for (int i = 0; i < 1000; i++) a[i] = 7;
           for (int i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == 7); }",
        1,
    );
    proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; int a[n]; int b[n];
           for (int i = 0; i < n; i++) b[i] = a[i];
           for (int i = 0; i < n; i++) __VERIFIER_assert(a[i] == b[i]); }",
        1,
    );
    open(
        "int main(void) { int a[1000]; for (int i = 0; i < 1000; i++) a[i] = 7;
           for (int i = 0; i < 1000; i++) __VERIFIER_assert(a[i] == 8); }",
        "the residual of some",
    );
}

#[test]
fn figure_7_3_the_shrink_factor_of_lmin_is_its_distance_and_two() {
    for d in 0..=2 {
        let Some(found) = shrinkable(&lmin(d), &[d + 1, d + 2]) else { return };
        assert_eq!(found, [false, true], "d = {d}");
    }
}

#[test]
fn figure_7_9_a_counter_that_steps_by_two_is_set_to_what_it_is_in_each_iteration() {
    proved(
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100000) return 0; int a[n];
           for (int t = 0; t < n; t += 2) a[t] = 2 * t;
           for (int t = 0; t < n; t += 2) __VERIFIER_assert(a[t] == 2 * t); }",
        1,
    );
}

#[test]
fn figure_7_10_two_sums_of_one_array_are_one_loop() {
    proved(
        "int main(void) { int a[1000]; int sum1 = 0;
           for (int i = 0; i < 1000; i++) sum1 = sum1 + a[i];
           int sum2 = 0; for (int i = 0; i < 1000; i++) sum2 = sum2 + a[i];
           __VERIFIER_assert(sum1 == sum2); }",
        1,
    );
    open(
        "int main(void) { int a[1000]; int b[1000]; int sum1 = 0;
           for (int i = 0; i < 1000; i++) sum1 = sum1 + a[i];
           int sum2 = 0; for (int i = 0; i < 1000; i++) sum2 = sum2 + b[i];
           __VERIFIER_assert(sum1 == sum2); }",
        "the residual of some",
    );
}
