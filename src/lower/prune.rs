//! Leaves out functions that are only declared: the headers of the C library declare hundreds.

use crate::program::{Function, FunctionId, Program, VisitMut};

/// Removes functions without body that nothing calls or takes the address of. Returns those that
/// are left, by their numbers until then.
pub(super) fn prune(program: &mut Program) -> Vec<FunctionId> {
    let mut used: Vec<bool> = program.functions.iter().map(|f| f.body.is_some()).collect();
    each_function(program, &mut |id| {
        if let Some(u) = used.get_mut(id.0 as usize) {
            *u = true;
        }
    });
    let mut next = 0;
    let numbers: Vec<u32> = used
        .iter()
        .map(|u| {
            let number = next;
            next += u32::from(*u);
            number
        })
        .collect();
    each_function(program, &mut |id| id.0 = numbers[id.0 as usize]);
    program.entry.0 = numbers[program.entry.0 as usize];
    let functions: Vec<Function> = std::mem::take(&mut program.functions);
    let kept = (0..).map(FunctionId).zip(&used).filter(|(_, u)| **u).map(|(id, _)| id).collect();
    program.functions = functions.into_iter().zip(used).filter(|(_, u)| *u).map(|(f, _)| f).collect();
    kept
}

/// Calls `f` on every reference to a function.
pub(super) fn each_function(program: &mut Program, f: &mut impl FnMut(&mut FunctionId)) {
    let mut functions = Functions(f);
    functions.block(&mut program.initialisers);
    for body in program.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        functions.block(body);
    }
}

struct Functions<'f, F>(&'f mut F);

impl<F: FnMut(&mut FunctionId)> VisitMut for Functions<'_, F> {
    fn function(&mut self, id: &mut FunctionId) {
        (self.0)(id);
    }
}
