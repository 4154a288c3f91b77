//! The first part of every reproducer, and the system functions that some of them need.

use crate::program::{Callee, FunctionId, Length, Program, StmtKind, Storage, Type, VarId, each_stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The largest objects, in bytes, that fit on any stack.
const SMALL: u64 = 1 << 16;

/// Whether the run may need more stack than usual: a large local object, one of variable size, or
/// recursion.
pub(super) fn needs_stack(program: &Program, declared: &BTreeMap<VarId, u64>) -> bool {
    let large = declared.keys().any(|v| {
        let variable = program.variable(*v);
        variable.storage == Storage::Local && size(program, &variable.ty).is_none_or(|n| n > SMALL)
    });
    large || is_recursive(program)
}

/// Whether a function calls itself, directly or through others.
fn is_recursive(program: &Program) -> bool {
    let mut calls: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    for (n, function) in (0..).zip(&program.functions) {
        each_stmt(function.body.as_deref().unwrap_or_default(), &mut |s| {
            if let StmtKind::Call { callee: Callee::Function(f), .. } = s.kind {
                calls.entry(FunctionId(n)).or_default().insert(f);
            }
        });
    }
    calls.keys().any(|f| {
        let mut open: Vec<FunctionId> = vec![*f];
        let mut seen = BTreeSet::new();
        while let Some(g) = open.pop() {
            open.extend(calls.get(&g).into_iter().flatten().filter(|h| seen.insert(**h)));
        }
        seen.contains(f)
    })
}

/// The approximate size of an object in bytes.
fn size(program: &Program, ty: &Type) -> Option<u64> {
    match ty {
        Type::Array(element, Length::Constant(n)) => size(program, element)?.checked_mul(*n),
        Type::Array(..) => None,
        Type::Struct(id) => {
            let members = program.structure(*id).members.iter();
            members.map(|m| size(program, &m.ty)).try_fold(0u64, |sum, n| sum.checked_add(n?))
        }
        _ => Some(program.scalar_size(ty).unwrap_or(16)),
    }
}

/// The first part of the file.
pub(super) const RUNTIME: &str = r#"extern int dprintf(int, const char *, ...);
/* The violation. */
__attribute__((unused, noreturn)) static void smalti_fail(const char *what) {
    dprintf(2, "%s\n", what);
    __builtin_abort();
}
/* The violation by an operation. With -DSMALTI_UNCHECKED it is executed, so that a sanitizer can see it. */
__attribute__((unused)) static void smalti_undefined(const char *what) {
    dprintf(2, "%s\n", what);
#ifndef SMALTI_UNCHECKED
    __builtin_abort();
#endif
}
/* A place that the failing run does not reach. */
__attribute__((unused, noreturn)) static void smalti_lost(const char *what) {
    dprintf(2, "this is not the failing run: %s\n", what);
    __builtin_exit(3);
}"#;

/// The code that enlarges the stack.
pub(super) const STACK: &str = r#"extern int getrlimit(int, unsigned long *), setrlimit(int, const unsigned long *);
extern int execl(const char *, const char *, ...);
/* The run may need a larger stack than the default: the program restarts with the largest one allowed. */
__attribute__((constructor)) static void smalti_enlarge_stack(void) {
    unsigned long limits[2];
    if (getrlimit(3, limits) || limits[0] == limits[1]) return;
    limits[0] = limits[1];
    if (!setrlimit(3, limits)) execl("/proc/self/exe", "reproducer", (char *)0);
}"#;
