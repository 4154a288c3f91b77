//! Texts of programs built by hand.

use super::{Plain, check, expr, to_c};
use crate::program::testing::{AT, Build, build, n, op, while_loop};
use crate::program::*;

fn text(program: &Program) -> String {
    to_c(program, &mut Plain)
}

fn long(value: i128) -> Expr {
    Expr::int(value, IntKind::Long, AT)
}

#[test]
fn parentheses_stand_only_where_c_needs_them() {
    use BinaryOp::{Add, BitAnd, Equal, Less, Mul, Sub};
    let mut b = build();
    let (x, y) = (b.int("x"), b.int("y"));
    let (x, y) = (|b: &Build| b.x(x), |b: &Build| b.x(y));
    let cases = [
        (op(Mul, op(Add, x(&b), y(&b)), n(2)), "(x + y) * 2"),
        (op(Add, op(Mul, x(&b), y(&b)), n(2)), "x * y + 2"),
        (op(Sub, x(&b), op(Sub, y(&b), n(1))), "x - (y - 1)"),
        (op(Sub, op(Sub, x(&b), y(&b)), n(1)), "x - y - 1"),
        (op(Sub, x(&b), n(-1)), "x - -1"),
        (op(Less, x(&b), y(&b)).negated(), "!(x < y)"),
        (op(Equal, op(BitAnd, x(&b), n(1)), n(0)), "(x & 1) == 0"),
        (Expr::new(ExprKind::Unary(UnaryOp::Negate, Box::new(n(-5))), Type::INT, AT), "-(-5)"),
        (x(&b).cast(Type::Int(IntKind::Long)), "x"),
        (x(&b).cast(Type::Int(IntKind::UInt)), "(unsigned int)x"),
        (op(Add, x(&b), n(1)).cast(Type::Int(IntKind::Char)), "(char)(x + 1)"),
    ];
    for (e, wanted) in cases {
        assert_eq!(expr(&b.program, &e), wanted);
    }
}

#[test]
fn constants_have_their_types() {
    let mut b = build();
    let v = b.var("v", Type::Int(IntKind::Long), Storage::Local);
    let kinds = [
        (IntKind::Int, i128::from(i32::MIN), "(-2147483647 - 1)"),
        (IntKind::Int, -3, "-3"),
        (IntKind::UInt, 7, "7u"),
        (IntKind::Long, i128::from(i64::MIN), "(-9223372036854775807l - 1)"),
        (IntKind::ULongLong, i128::from(u64::MAX), "18446744073709551615ull"),
        (IntKind::Char, -1, "(char)-1"),
    ];
    let body = kinds
        .iter()
        .map(|&(kind, value, _)| b.set(b.l(v), Expr::int(value, kind, AT).cast(Type::Int(IntKind::LongLong))))
        .collect();
    let text = text(&b.main(body));
    for (.., wanted) in kinds {
        assert!(text.contains(&format!("(long long){wanted};")), "{wanted} in {text}");
    }
}

#[test]
fn names_are_unique_and_legal() {
    let mut b = build();
    let mut variables: Vec<VarId> = ["i", "i"].iter().map(|name| b.int(name)).collect();
    variables.extend([(); 2].map(|()| b.hidden("t", Origin::Temporary, Type::INT)));
    variables.extend(["main", "int", "smalti_x", "$t"].iter().map(|name| b.int(name)));
    let body = variables.iter().map(|&v| b.set(b.l(v), n(0))).collect();
    let text = text(&b.main(body));
    for wanted in ["i = 0", "i__2 = 0", "t__2 = 0", "t__3 = 0", "main__2 = 0", "int__2 = 0", "v_smalti_x = 0", "_t = 0"]
    {
        assert!(text.contains(&format!("    {wanted};")), "{wanted} in {text}");
    }
}

#[test]
fn declarations_stand_where_they_reach_all_uses() {
    let mut b = build();
    let (inner, outer) = (b.int("inner"), b.int("outer"));
    let block = vec![
        b.stmt(StmtKind::Declare(inner)),
        b.stmt(StmtKind::Declare(outer)),
        b.set(b.l(inner), n(1)),
        b.set(b.l(outer), n(2)),
    ];
    let body = vec![b.stmt(StmtKind::Block(block)), b.set(b.l(outer), n(3))];
    let program = b.main(body);
    let wanted = "int main(void)\n{\n    int outer;\n    {\n        int inner;\n        inner = 1;\n        outer = 2;\n    }\n    outer = 3;\n}\n";
    assert!(text(&program).ends_with(wanted), "{}", text(&program));
}

#[test]
fn a_variable_length_array_that_is_used_outside_of_its_block_is_erased() {
    let mut b = build();
    let len = b.hidden("len", Origin::Length, Type::Int(IntKind::ULong));
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Variable(len)), Storage::Local);
    let declare = vec![b.stmt(StmtKind::Declare(a))];
    let body = vec![
        b.set(b.l(len), Expr::int(4, IntKind::ULong, AT)),
        b.stmt(StmtKind::Block(declare)),
        b.set(b.cell(a, n(1)), n(5)),
    ];
    let text = text(&b.main(body));
    assert!(text.contains("void *a;"), "{text}");
    assert!(text.contains("a = __builtin_malloc(sizeof(int [len__2]));"), "{text}");
    assert!(text.contains("(*(int (*)[len__2])a)[1] = 5;"), "{text}");
}

#[test]
fn loops_keep_their_c_forms() {
    let mut b = build();
    let i = b.int("i");
    let step = vec![b.set(b.l(i), op(BinaryOp::Add, b.x(i), n(1)))];
    let body = vec![b.stmt(StmtKind::Continue)];
    let test = op(BinaryOp::Less, b.x(i), n(3));
    let all = vec![while_loop(&mut b, test, body, step)];
    assert!(text(&b.main(all)).contains("for (; i < 3; i = i + 1) {\n        continue;\n    }\n"));
}

#[test]
fn struct_types_come_after_those_they_contain() {
    let mut b = build();
    let member = |name: &str, ty| Member { name: name.into(), origin: Origin::Source, ty, bits: None, constant: false };
    let outer = vec![
        member("inner", Type::Array(Box::new(Type::Struct(StructId(1))), Length::Constant(2))),
        member("next", Type::Struct(StructId(0)).pointer_to()),
    ];
    for (name, members) in [("outer", outer), ("inner", vec![member("x", Type::INT)])] {
        b.program.structs.push(StructType {
            name: name.into(),
            is_union: false,
            packing: Packing::Natural,
            is_argument_list: false,
            members,
            location: AT,
        });
    }
    let text = text(&b.main(vec![]));
    let wanted =
        "struct inner {\n    int x;\n};\nstruct outer {\n    struct inner inner[2];\n    struct outer *next;\n};\n";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn conditions_of_checks_read_like_c() {
    let mut b = build();
    let i = b.int("i");
    let a = b.var("a", Type::Array(Box::new(Type::INT), Length::Constant(10)), Storage::Local);
    let one = op(BinaryOp::Add, b.x(i), n(1));
    let quotient = op(BinaryOp::Div, n(7), b.x(i));
    let shifted = op(BinaryOp::ShiftLeft, b.x(i), n(2));
    let statements = [
        (b.set(b.cell(a, one), n(0)), vec!["i + 1 <= INT_MAX", "0 <= i + 1 && i + 1 < 10"]),
        (b.set(b.l(i), quotient), vec!["i != 0", "!(7 == INT_MIN && i == -1)"]),
        (b.set(b.l(i), shifted), vec!["0 <= i && i << 2 <= INT_MAX"]),
    ];
    for (stmt, wanted) in &statements {
        let found: Vec<String> = checks_of(&b.program, stmt).iter().map(|c| check(&b.program, c)).collect();
        assert_eq!(&found, wanted);
    }
    let sum = Expr::binary(BinaryOp::Add, long(1), b.x(i).cast(Type::Int(IntKind::Long)), Type::Int(IntKind::Long));
    let stmt = b.stmt(StmtKind::Assume(sum));
    let found: Vec<String> = checks_of(&b.program, &stmt).iter().map(|c| check(&b.program, c)).collect();
    assert_eq!(found, ["LONG_MIN <= 1 + i && 1 + i <= LONG_MAX"]);
}
