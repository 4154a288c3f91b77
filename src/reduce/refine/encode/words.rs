//! The words of SMT-LIB: sorts, numbers, operators on bit-vectors.

use crate::program::BinaryOp;

pub(super) fn sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

pub(super) fn array_sort(width: u32) -> String {
    format!("(Array (_ BitVec 64) {})", sort(width))
}

/// A number, modulo 2 to the width.
pub(super) fn number(n: i128, width: u32) -> String {
    let modulus = 1i128 << width.min(100);
    format!("(_ bv{} {width})", n.rem_euclid(modulus))
}

pub(super) fn extended(term: &str, from: u32, to: u32, signed: bool) -> String {
    match to.checked_sub(from) {
        None | Some(0) => term.to_owned(),
        Some(more) => format!("((_ {} {more}) {term})", if signed { "sign_extend" } else { "zero_extend" }),
    }
}

/// The low bits of the term, or the term extended by bits that are 0.
pub(super) fn resized(term: &str, from: u32, to: u32) -> String {
    if to < from { format!("((_ extract {} 0) {term})", to - 1) } else { extended(term, from, to, false) }
}

pub(super) fn operator(op: BinaryOp, signed: bool) -> &'static str {
    match (op, signed) {
        (BinaryOp::Add, _) => "bvadd",
        (BinaryOp::Sub, _) => "bvsub",
        (BinaryOp::Mul, _) => "bvmul",
        (BinaryOp::Div, true) => "bvsdiv",
        (BinaryOp::Div, false) => "bvudiv",
        (BinaryOp::Rem, true) => "bvsrem",
        (BinaryOp::Rem, false) => "bvurem",
        (BinaryOp::ShiftLeft, _) => "bvshl",
        (BinaryOp::ShiftRight, true) => "bvashr",
        (BinaryOp::ShiftRight, false) => "bvlshr",
        (BinaryOp::BitAnd, _) => "bvand",
        (BinaryOp::BitOr, _) => "bvor",
        (BinaryOp::BitXor, _) => "bvxor",
        (BinaryOp::Less, true) => "bvslt",
        (BinaryOp::Less, false) => "bvult",
        (BinaryOp::LessEqual, true) => "bvsle",
        (BinaryOp::LessEqual, false) => "bvule",
        (BinaryOp::Greater, true) => "bvsgt",
        (BinaryOp::Greater, false) => "bvugt",
        (BinaryOp::GreaterEqual, true) => "bvsge",
        (BinaryOp::GreaterEqual, false) => "bvuge",
        (BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::PointerAdd | BinaryOp::PointerDiff, _) => "=",
    }
}
