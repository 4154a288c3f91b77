//! Prints sorts and terms in SMT-LIB 2.6.

use super::term::{BitOp, Head, IntOp, Order, Signedness, Sort, Symbol, Term};
use std::fmt;

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => f.write_str("Int"),
            Sort::Array(parts) => write!(f, "(Array {} {})", parts.0, parts.1),
        }
    }
}

/// A part of a text that is still to be written.
enum Pending<'t> {
    Text(&'static str),
    Term(&'t Term),
}

impl fmt::Display for Term {
    /// Writes the term without recursion: terms may be deeper than the stack.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending = vec![Pending::Term(self)];
        while let Some(next) = pending.pop() {
            let term = match next {
                Pending::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Pending::Term(term) => term,
            };
            if term.arguments().is_empty() {
                head(term, f)?;
                continue;
            }
            f.write_str("(")?;
            head(term, f)?;
            pending.push(Pending::Text(")"));
            for argument in term.arguments().iter().rev() {
                pending.extend([Pending::Term(argument), Pending::Text(" ")]);
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes a literal, a constant, or what is applied to the arguments.
fn head(term: &Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let word = match term.head() {
        Head::Symbol(name) => name.as_str(),
        Head::Bool(true) => "true",
        Head::Bool(false) => "false",
        Head::Bits(value) => {
            let Sort::Bits(width) = term.sort() else { return Err(fmt::Error) };
            return write!(f, "(_ bv{value} {width})");
        }
        Head::Int(value) if *value < 0 => return write!(f, "(- {})", value.unsigned_abs()),
        Head::Int(value) => return write!(f, "{value}"),
        Head::Not => "not",
        Head::And => "and",
        Head::Or => "or",
        Head::Implies => "=>",
        Head::Equal => "=",
        Head::IfThenElse => "ite",
        Head::BitNot => "bvnot",
        Head::BitNegate => "bvneg",
        Head::BitOp(op) => bit_op(*op),
        Head::BitOrder(order, signedness) => bit_order(*order, *signedness),
        Head::LowBits => {
            let Sort::Bits(width) = term.sort() else { return Err(fmt::Error) };
            return write!(f, "(_ extract {} 0)", width - 1);
        }
        Head::Extend(more, Signedness::Signed) => return write!(f, "(_ sign_extend {more})"),
        Head::Extend(more, Signedness::Unsigned) => return write!(f, "(_ zero_extend {more})"),
        Head::IntOp(op) => int_op(*op),
        Head::IntOrder(order) => int_order(*order),
        Head::ForAll(name) => return write!(f, "forall (({name} Int))"),
        Head::Select => "select",
        Head::Store => "store",
        Head::Everywhere => return write!(f, "(as const {})", term.sort()),
    };
    f.write_str(word)
}

fn bit_op(op: BitOp) -> &'static str {
    match op {
        BitOp::Add => "bvadd",
        BitOp::Sub => "bvsub",
        BitOp::Mul => "bvmul",
        BitOp::DivSigned => "bvsdiv",
        BitOp::DivUnsigned => "bvudiv",
        BitOp::RemSigned => "bvsrem",
        BitOp::RemUnsigned => "bvurem",
        BitOp::ShiftLeft => "bvshl",
        BitOp::ShiftRightSigned => "bvashr",
        BitOp::ShiftRightUnsigned => "bvlshr",
        BitOp::And => "bvand",
        BitOp::Or => "bvor",
        BitOp::Xor => "bvxor",
    }
}

fn bit_order(order: Order, signedness: Signedness) -> &'static str {
    match (order, signedness) {
        (Order::Less, Signedness::Signed) => "bvslt",
        (Order::Less, Signedness::Unsigned) => "bvult",
        (Order::LessEqual, Signedness::Signed) => "bvsle",
        (Order::LessEqual, Signedness::Unsigned) => "bvule",
        (Order::Greater, Signedness::Signed) => "bvsgt",
        (Order::Greater, Signedness::Unsigned) => "bvugt",
        (Order::GreaterEqual, Signedness::Signed) => "bvsge",
        (Order::GreaterEqual, Signedness::Unsigned) => "bvuge",
    }
}

fn int_op(op: IntOp) -> &'static str {
    match op {
        IntOp::Add => "+",
        IntOp::Sub => "-",
        IntOp::Mul => "*",
        IntOp::Div => "div",
        IntOp::Mod => "mod",
    }
}

fn int_order(order: Order) -> &'static str {
    match order {
        Order::Less => "<",
        Order::LessEqual => "<=",
        Order::Greater => ">",
        Order::GreaterEqual => ">=",
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Declarations;
    use super::*;

    fn constant(name: &str, sort: Sort) -> Term {
        Declarations::default().constant(Symbol::new(name), sort)
    }

    #[track_caller]
    fn is(term: &Term, text: &str, sort: &Sort) {
        assert_eq!((term.to_string().as_str(), term.sort()), (text, sort));
    }

    #[test]
    fn connectives_are_printed_with_their_arguments_in_order() {
        let [p, q, r] = ["p", "q", "r"].map(|name| constant(name, Sort::Bool));
        is(&Term::bool(true), "true", &Sort::Bool);
        is(&Term::bool(false), "false", &Sort::Bool);
        is(&p.clone().negated().negated(), "(not (not p))", &Sort::Bool);
        is(&Term::and([p.clone(), q.clone(), r.clone()]), "(and p q r)", &Sort::Bool);
        is(&Term::or([p.clone(), Term::and([q.clone(), r.clone()])]), "(or p (and q r))", &Sort::Bool);
        is(&p.clone().implies(q.clone().equals(r.clone())), "(=> p (= q r))", &Sort::Bool);
        is(&p.choose(Term::int(1), Term::int(-2)), "(ite p 1 (- 2))", &Sort::Int);
    }

    #[test]
    fn numbers_are_taken_modulo_the_width() {
        is(&Term::bits(5, 32), "(_ bv5 32)", &Sort::Bits(32));
        is(&Term::bits(257, 8), "(_ bv1 8)", &Sort::Bits(8));
        is(&Term::bits((-1_i128).cast_unsigned(), 8), "(_ bv255 8)", &Sort::Bits(8));
        is(&Term::bits(3, 1), "(_ bv1 1)", &Sort::Bits(1));
        is(&Term::bits(u128::MAX, 128), &format!("(_ bv{} 128)", u128::MAX), &Sort::Bits(128));
        is(&Term::bits(u128::MAX, 127), &format!("(_ bv{} 127)", u128::MAX >> 1), &Sort::Bits(127));
    }

    #[test]
    fn operators_on_bit_vectors_have_their_words() {
        let [x, y] = ["x", "y"].map(|name| constant(name, Sort::Bits(8)));
        let ops = [
            (BitOp::Add, "bvadd"),
            (BitOp::Sub, "bvsub"),
            (BitOp::Mul, "bvmul"),
            (BitOp::DivSigned, "bvsdiv"),
            (BitOp::DivUnsigned, "bvudiv"),
            (BitOp::RemSigned, "bvsrem"),
            (BitOp::RemUnsigned, "bvurem"),
            (BitOp::ShiftLeft, "bvshl"),
            (BitOp::ShiftRightSigned, "bvashr"),
            (BitOp::ShiftRightUnsigned, "bvlshr"),
            (BitOp::And, "bvand"),
            (BitOp::Or, "bvor"),
            (BitOp::Xor, "bvxor"),
        ];
        for (op, word) in ops {
            is(&x.clone().bit_op(op, y.clone()), &format!("({word} x y)"), &Sort::Bits(8));
        }
        for (order, word) in
            [(Order::Less, "lt"), (Order::LessEqual, "le"), (Order::Greater, "gt"), (Order::GreaterEqual, "ge")]
        {
            for (signedness, letter) in [(Signedness::Signed, 's'), (Signedness::Unsigned, 'u')] {
                let compared = x.clone().bit_order(order, signedness, y.clone());
                is(&compared, &format!("(bv{letter}{word} x y)"), &Sort::Bool);
            }
        }
        is(&x.clone().bit_negate().bit_not(), "(bvnot (bvneg x))", &Sort::Bits(8));
    }

    #[test]
    fn widths_change_only_where_they_differ() {
        let x = constant("x", Sort::Bits(8));
        is(&x.clone().extended(32, Signedness::Signed), "((_ sign_extend 24) x)", &Sort::Bits(32));
        is(&x.clone().extended(9, Signedness::Unsigned), "((_ zero_extend 1) x)", &Sort::Bits(9));
        is(&x.clone().extended(8, Signedness::Signed), "x", &Sort::Bits(8));
        is(&x.clone().resized(3), "((_ extract 2 0) x)", &Sort::Bits(3));
        is(&x.clone().resized(8), "x", &Sort::Bits(8));
        is(&x.clone().resized(64), "((_ zero_extend 56) x)", &Sort::Bits(64));
        is(&x.low_bits(8), "((_ extract 7 0) x)", &Sort::Bits(8));
    }

    #[test]
    fn operators_on_integers_have_their_words() {
        let [n, m] = ["n", "m"].map(|name| constant(name, Sort::Int));
        for (op, word) in
            [(IntOp::Add, "+"), (IntOp::Sub, "-"), (IntOp::Mul, "*"), (IntOp::Div, "div"), (IntOp::Mod, "mod")]
        {
            is(&n.clone().int_op(op, m.clone()), &format!("({word} n m)"), &Sort::Int);
        }
        for (order, word) in
            [(Order::Less, "<"), (Order::LessEqual, "<="), (Order::Greater, ">"), (Order::GreaterEqual, ">=")]
        {
            is(&n.clone().int_order(order, m.clone()), &format!("({word} n m)"), &Sort::Bool);
        }
        is(&Term::int(i128::MIN), "(- 170141183460469231731687303715884105728)", &Sort::Int);
        is(&Term::int(i128::MAX), "170141183460469231731687303715884105727", &Sort::Int);
    }

    #[test]
    fn arrays_know_the_sorts_of_their_cells() {
        let sort = Sort::array(Sort::Bits(64), Sort::array(Sort::Int, Sort::Bool));
        let a = constant("a", sort.clone());
        let index = Term::bits(3, 64);
        let row = a.clone().select(index.clone());
        is(&row, "(select a (_ bv3 64))", &Sort::array(Sort::Int, Sort::Bool));
        is(&row.clone().select(Term::int(4)), "(select (select a (_ bv3 64)) 4)", &Sort::Bool);
        is(&a.store(index.clone(), row), "(store a (_ bv3 64) (select a (_ bv3 64)))", &sort);
        let words = Sort::array(Sort::Bits(64), Sort::Bits(8));
        let zeros = Term::everywhere(words.clone(), Term::bits(0, 8));
        is(&zeros, "((as const (Array (_ BitVec 64) (_ BitVec 8))) (_ bv0 8))", &words);
    }

    #[test]
    fn functions_are_applied_to_arguments() {
        let f = Declarations::default().function(Symbol::new("f"), [Sort::Int, Sort::Bool], Sort::Bits(3));
        is(&f.apply([Term::int(1), Term::bool(true)]), "(f 1 true)", &Sort::Bits(3));
    }

    #[test]
    #[cfg(debug_assertions)]
    fn terms_of_the_wrong_sort_are_bugs() {
        let wrong: [fn() -> Term; 9] = [
            || Term::int(1).negated(),
            || Term::and([Term::bool(true)]),
            || Term::int(1).equals(Term::bits(1, 8)),
            || Term::bool(true).choose(Term::int(1), Term::bool(true)),
            || Term::bits(1, 8).bit_op(BitOp::Add, Term::bits(1, 9)),
            || Term::bits(1, 8).low_bits(9),
            || Term::int(1).int_order(Order::Less, Term::bits(1, 8)),
            || constant("a", Sort::array(Sort::Int, Sort::Int)).select(Term::bits(1, 8)),
            || constant("a", Sort::array(Sort::Int, Sort::Int)).store(Term::int(1), Term::bool(true)),
        ];
        for (n, build) in wrong.into_iter().enumerate() {
            assert!(std::panic::catch_unwind(build).is_err(), "the one of index {n}");
        }
    }

    #[test]
    fn terms_may_be_as_deep_as_they_like() {
        let mut deep = constant("x", Sort::Bool);
        for _ in 0..200_000 {
            deep = deep.negated();
        }
        let text = deep.to_string();
        assert!(text.starts_with("(not (not ") && text.ends_with("))"));
        assert_eq!(text.len(), 200_000 * "(not )".len() + 1);
        let shared = deep.clone();
        drop(deep);
        assert_eq!(shared.to_string(), text);
    }
}
