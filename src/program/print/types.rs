//! Declarations and type names.

use super::{Printer, names::legal};
use crate::program::{FloatKind, Length, StructId, Type};

/// The declaration of `name` (possibly empty) with that type.
pub(super) fn declarator(printer: &Printer<'_>, ty: &Type, name: &str) -> String {
    let mut text = name.to_owned();
    let mut ty = ty;
    let base = loop {
        match ty {
            Type::Pointer(to) => {
                text = match **to {
                    Type::Array(..) | Type::Function => format!("(*{text})"),
                    _ => format!("*{text}"),
                };
                ty = to;
            }
            Type::Array(element, length) => {
                text = match length {
                    Length::Constant(n) => format!("{text}[{n}]"),
                    Length::Variable(v) => format!("{text}[{}]", printer.variable(*v)),
                    Length::Unknown => format!("{text}[]"),
                };
                ty = element;
            }
            Type::Function => {
                text = format!("{text}()");
                break "void".to_owned();
            }
            Type::Void => break "void".to_owned(),
            Type::Int(kind) => break kind.c_name().to_owned(),
            Type::Float(kind) => break float_name(*kind).to_owned(),
            Type::Struct(id) => break tag(printer, *id),
        }
    };
    if text.is_empty() { base } else { format!("{base} {text}") }
}

/// `struct S` or `union U`.
pub(super) fn tag(printer: &Printer<'_>, id: StructId) -> String {
    let keyword = if printer.program.structure(id).is_union { "union" } else { "struct" };
    format!("{keyword} {}", printer.names.structs[id.0 as usize])
}

/// The definitions of all struct and union types, each after those it contains.
pub(super) fn definitions(printer: &Printer<'_>) -> Vec<String> {
    let program = printer.program;
    let mut state = vec![0u8; program.structs.len()];
    let mut lines = Vec::new();
    for first in 0..program.structs.len() {
        // Depth-first by hand: 1 is "being visited", 2 is "written".
        let mut stack = vec![first];
        while let Some(&top) = stack.last() {
            if state[top] == 0 {
                state[top] = 1;
                for member in &program.structs[top].members {
                    if let Some(inner) = contained(&member.ty)
                        && state[inner.0 as usize] == 0
                    {
                        stack.push(inner.0 as usize);
                    }
                }
            } else {
                if state[top] == 1 {
                    state[top] = 2;
                    define(printer, top, &mut lines);
                }
                stack.pop();
            }
        }
    }
    lines
}

fn contained(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Array(element, _) => contained(element),
        Type::Struct(id) => Some(*id),
        _ => None,
    }
}

fn define(printer: &Printer<'_>, index: usize, lines: &mut Vec<String>) {
    let structure = &printer.program.structs[index];
    lines.push(format!("{} {{", tag(printer, StructId(index as u32))));
    for member in &structure.members {
        let bits = member.bits.map_or(String::new(), |b| format!(" : {b}"));
        // A bit-field of width 0 only closes a storage unit, and must not have a name.
        let name = if member.bits == Some(0) { String::new() } else { legal(&member.name) };
        lines.push(format!("    {}{bits};", declarator(printer, &member.ty, &name)));
    }
    lines.push("};".to_owned());
}

/// How C spells a floating type.
pub(super) fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
    }
}
