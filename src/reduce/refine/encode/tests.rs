//! The text of formulas. A change of it changes what solvers answer, and how long they take.

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::program::{AssertionId, each_stmt};
use crate::reduce::normal::Inlined;
use crate::reduce::refine::Event;
use crate::smt::Script;

/// The script for the path through a program without branches, up to its assertion.
fn script(text: &str) -> String {
    let text = format!("extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int);\n{text}");
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("t.c", &text, &options).unwrap_or_else(|e| panic!("{}\n{text}", e.message()));
    let subject = Subject::new(&Inlined::new(&program), AssertionId(0)).expect("a program that can be abstracted");
    let (mut events, mut is_over) = (Vec::new(), false);
    each_stmt(&subject.body, &mut |s| {
        if !is_over {
            events.push(Event::At(events.len()));
        }
        is_over |= matches!(s.kind, StmtKind::Assert(..));
    });
    let formula = Formula::new(&subject, &Path::new(&subject.body, &events)).expect("a formula");
    let assertions = formula.facts.into_iter().map(|f| (f.name, f.term)).collect();
    Script { declarations: formula.declarations, assertions, core: true, ..Script::default() }.to_string()
}

#[test]
fn each_operation_is_followed_by_the_bits_that_it_computes() {
    let text = script(
        "int main(void) { int a[4]; short n = 2; int i = __VERIFIER_nondet_int(); a[i] = n << i;
           __VERIFIER_assert(a[2] == 8 && i / n < 5); }",
    );
    let expected = "\
(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-logic ALL)
(declare-const x1 (Array (_ BitVec 64) (_ BitVec 32)))
(declare-const x2 (_ BitVec 16))
(declare-const x3 (_ BitVec 16))
(declare-const x4 (_ BitVec 32))
(declare-const x5 (_ BitVec 32))
(declare-const x6 (_ BitVec 32))
(declare-const x7 (Array (_ BitVec 64) (_ BitVec 32)))
(declare-const x8 (_ BitVec 32))
(assert (! (= x3 (_ bv2 16)) :named s1))
(assert (! (= x6 x5) :named s2))
(assert (! (and (and (bvsge ((_ sign_extend 32) x6) (_ bv0 64)) \
(bvslt ((_ sign_extend 32) x6) (_ bv32 64))) (bvsge ((_ sign_extend 16) x3) (_ bv0 32)) \
(= (bvashr (bvshl ((_ sign_extend 16) x3) ((_ extract 31 0) ((_ sign_extend 32) x6))) \
((_ extract 31 0) ((_ sign_extend 32) x6))) ((_ sign_extend 16) x3)) \
(bvsge (bvshl ((_ sign_extend 16) x3) ((_ extract 31 0) ((_ sign_extend 32) x6))) (_ bv0 32))) :named d1))
(assert (! (and (bvsge ((_ sign_extend 32) x6) (_ bv0 64)) \
(bvslt ((_ sign_extend 32) x6) (_ bv4 64))) :named d2))
(assert (! (= x7 (store x1 ((_ sign_extend 32) x6) \
(bvshl ((_ sign_extend 16) x3) ((_ extract 31 0) ((_ sign_extend 32) x6))))) :named w1))
(assert (! (and (bvsge (_ bv2 64) (_ bv0 64)) (bvslt (_ bv2 64) (_ bv4 64))) :named d3))
(assert (! (= x8 (select x7 (_ bv2 64))) :named r1))
(assert (! (=> (= x8 (_ bv8 32)) (not (= ((_ sign_extend 16) x3) (_ bv0 32)))) :named d4))
(assert (! (=> (= x8 (_ bv8 32)) (not (and (= x6 (_ bv2147483648 32)) \
(= ((_ sign_extend 16) x3) (_ bv4294967295 32))))) :named d5))
(assert (! (not (and (= x8 (_ bv8 32)) (bvslt (bvsdiv x6 ((_ sign_extend 16) x3)) (_ bv5 32)))) :named s3))
";
    assert_eq!(text, expected);
}

#[test]
fn a_cell_that_a_statement_reads_twice_at_one_place_is_read_once() {
    let text = script(
        "int main(void) { int b[5]; int a[9]; b[0] = 3; a[b[0]] = 5; a[b[0]] += 1;
           __VERIFIER_assert(a[b[0]] == 6); }",
    );
    let reads: Vec<&str> = text.lines().filter(|line| line.contains(":named r")).collect();
    // `b[0]` in each of the three statements, and `a[…]` in the last two.
    assert_eq!(reads.len(), 5, "{reads:#?}");
}
