//! Lists everything that is to be proved about a program.

use super::{
    AssertionId, Check, Function, Location, ObligationKind, Origin, Program, SiteId, Stmt, each_stmt,
    numbered_checks_of, print,
};
use std::collections::{HashMap, HashSet};

/// The function name for code outside of functions.
pub const FILE_SCOPE: &str = "initialisers";

/// Names an obligation across all copies of the statement that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObligationKey {
    /// An assertion of the source.
    Assertion(AssertionId),
    /// The check of that number (in the order of [`checks_of`]) of that statement.
    Check(SiteId, u32),
}

/// One thing to prove at one place of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// How the parts of smalti refer to it.
    pub key: ObligationKey,
    /// `<function>.<kind>.<n>`, counted from 1 in the order of the source.
    pub id: String,
    /// Its kind.
    pub kind: ObligationKind,
    /// Where it stands.
    pub location: Location,
    /// The function whose text contains it.
    pub function: String,
    /// The condition, as C.
    pub condition: String,
    /// Why no stage can decide it, if that is so.
    pub unsupported: Option<String>,
}

/// All obligations of the given kinds in the source program (before inlining), assertions first,
/// then in the order of the source. Functions that nothing calls count too.
pub fn obligations(program: &Program, kinds: &[ObligationKind]) -> Vec<Obligation> {
    obligations_and_settled(program, kinds).0
}

/// [`obligations`], and how many more operations of the program have defined behaviour because of
/// their constants alone. They are not obligations.
pub fn obligations_and_settled(program: &Program, kinds: &[ObligationKind]) -> (Vec<Obligation>, u64) {
    let mut found = Vec::new();
    let counts = reached(program);
    let counts = |function: &str| counts.as_ref().is_none_or(|c| c.contains(function));
    let relied_on = |function: &str| function == FILE_SCOPE || counts(function);
    let mut assumptions = program.gaps.assumptions.iter().filter(|(function, _)| relied_on(function));
    let gap = program.gaps.objects.first().or_else(|| assumptions.next().map(|(_, reason)| reason));
    if kinds.contains(&ObligationKind::Assertion) {
        for (n, a) in program.assertions.iter().enumerate().filter(|(_, a)| relied_on(&a.function)) {
            found.push(Obligation {
                key: ObligationKey::Assertion(AssertionId(n as u32)),
                id: a.id.clone(),
                kind: ObligationKind::Assertion,
                location: a.location,
                function: a.function.clone(),
                condition: a.condition.clone(),
                unsupported: a.unsupported.as_ref().or(gap).cloned(),
            });
        }
    }
    let mut numbers: HashMap<(String, ObligationKind), u32> = HashMap::new();
    let mut settled = 0;
    each_check(program, kinds, |function, stmt, n, check| {
        if check.is_settled(program.data_model) {
            settled += 1;
            return;
        }
        let number = numbers.entry((function.to_owned(), check.kind)).or_default();
        *number += 1;
        found.push(Obligation {
            key: ObligationKey::Check(stmt.site, n),
            id: format!("{function}.{}.{number}", check.kind),
            kind: check.kind,
            location: check.location,
            function: function.to_owned(),
            condition: print::check(program, &check),
            unsupported: gap.cloned(),
        });
    });
    (found, settled)
}

/// Calls `f` on every check of these kinds that a report lists, with the function whose text has
/// it, its statement and its number there.
fn each_check(program: &Program, kinds: &[ObligationKind], mut f: impl FnMut(&str, &Stmt, u32, Check<'_>)) {
    let counts = reached(program);
    let mut visit = |function: &str, stmt: &Stmt| {
        for (n, check) in numbered_checks_of(program, stmt) {
            // Pointer arithmetic is undefined behaviour that ends a replay, not an obligation that
            // a report lists.
            if kinds.contains(&check.kind) && check.is_reported() {
                f(function, stmt, n, check);
            }
        }
    };
    each_stmt(&program.initialisers, &mut |s| visit(FILE_SCOPE, s));
    for function in program
        .functions
        .iter()
        .filter(|f| counts.as_ref().is_none_or(|c| !f.origin.is_hidden() && c.contains(f.name.as_str())))
    {
        if let Some(body) = &function.body {
            each_stmt(body, &mut |s| visit(&function.name, s));
        }
    }
}

/// The names of the functions that can be called, if only these count: in a program whose entry is
/// analysed alone. The caller that the lowering generates is not one of them. The contract of a
/// function without a body is: it has obligations at each call.
fn reached(program: &Program) -> Option<HashSet<&str>> {
    if !program.alone {
        return None;
    }
    let found = program.called_functions();
    let counts = |f: &&Function| !f.origin.is_hidden() || f.origin == Origin::Contract;
    let of_source = found.iter().map(|f| program.function(*f)).filter(counts);
    Some(of_source.map(|f| f.name.as_str()).collect())
}
