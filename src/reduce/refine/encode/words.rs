//! Types and operators of C as sorts and operators of SMT-LIB.

use crate::program::{BinaryOp, IntKind};
use crate::smt::{BitOp, Order, Signedness, Sort, Term};

/// Arrays whose cells have this width.
pub(super) fn array_sort(width: u32) -> Sort {
    Sort::array(Sort::Bits(64), Sort::Bits(width))
}

/// A number, modulo 2 to the width.
pub(super) fn number(n: i128, width: u32) -> Term {
    Term::bits(n.cast_unsigned(), width)
}

pub(super) fn signedness(kind: IntKind) -> Signedness {
    if kind.is_signed() { Signedness::Signed } else { Signedness::Unsigned }
}

/// `a op b`, where both are of this type; a comparison is a Boolean. `None` for operators on
/// pointers.
pub(super) fn applied(op: BinaryOp, kind: IntKind, a: Term, b: Term) -> Option<Term> {
    let by_sign = |signed: BitOp, unsigned: BitOp| if kind.is_signed() { signed } else { unsigned };
    let order = |order: Order| (a.clone()).bit_order(order, signedness(kind), b.clone());
    let op = match op {
        BinaryOp::Less => return Some(order(Order::Less)),
        BinaryOp::LessEqual => return Some(order(Order::LessEqual)),
        BinaryOp::Greater => return Some(order(Order::Greater)),
        BinaryOp::GreaterEqual => return Some(order(Order::GreaterEqual)),
        BinaryOp::Equal => return Some(a.equals(b)),
        BinaryOp::NotEqual => return Some(a.equals(b).negated()),
        BinaryOp::PointerAdd | BinaryOp::PointerDiff => return None,
        BinaryOp::Add => BitOp::Add,
        BinaryOp::Sub => BitOp::Sub,
        BinaryOp::Mul => BitOp::Mul,
        BinaryOp::Div => by_sign(BitOp::DivSigned, BitOp::DivUnsigned),
        BinaryOp::Rem => by_sign(BitOp::RemSigned, BitOp::RemUnsigned),
        BinaryOp::ShiftLeft => BitOp::ShiftLeft,
        BinaryOp::ShiftRight => by_sign(BitOp::ShiftRightSigned, BitOp::ShiftRightUnsigned),
        BinaryOp::BitAnd => BitOp::And,
        BinaryOp::BitOr => BitOp::Or,
        BinaryOp::BitXor => BitOp::Xor,
    };
    Some(a.bit_op(op, b))
}
