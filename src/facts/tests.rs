use super::*;

fn name(text: &str) -> Name {
    Name::from(text)
}

fn sum(terms: &[(&str, i128)], constant: i128) -> Sum {
    Sum { terms: terms.iter().map(|(n, c)| (name(n), *c)).collect(), constant }
}

#[test]
fn texts_of_all_kinds_are_read_back() {
    let one = |n: i128| sum(&[], n);
    let chain = Chain { first: one(0), rest: vec![(Comparison::AtMost, sum(&[("i", 1)], 0))] };
    let cell = Name::new([Piece::Text("a[".into()), Piece::Index, Piece::Text("].f".into())]);
    let body = Chain::new(Sum { terms: vec![(cell, 1)], constant: 0 }, Comparison::Equal, one(7));
    let for_all = Fact::ForAll { index: "k".into(), low: one(0), high: sum(&[("n", 2)], -1), body: vec![body] };
    let range = Cells::Range { low: vec![one(3), sum(&[("i", 1)], 0)], high: vec![sum(&[("s.n", 1)], -1)], size: None };
    let telling = Some(Chain::new(sum(&[("value", 1)], 0), Comparison::Equal, one(1)));
    let group = |cells: &Cells, telling| GroupName { array: name("a"), cells: cells.clone(), telling };
    let all = vec![group(&Cells::One(sum(&[("i", 1)], -1)), None), group(&range, telling), group(&Cells::All, None)];
    let member = Fact::Member { name: name("p"), groups: all };
    for (fact, text) in [
        (Fact::Chain(chain), "0 <= i"),
        (for_all, "forall k. 0 <= k < 2*n - 1 ==> a[k].f == 7"),
        (member, "p is in a{i-1} or a{max(3, i)..s.n-1: value == 1} or a{all cells}"),
        (Fact::False, "false"),
        (Fact::Other("x <=".into()), "x <="),
    ] {
        assert_eq!(fact.to_string(), text);
        assert_eq!(Fact::from(text), fact);
    }
}

#[test]
fn what_is_no_fact_is_kept_as_it_is() {
    let huge = format!("x <= {}", "9".repeat(60));
    let broken =
        ["", "x", "x <= ", "x <= 1 +", "x <= 2 y", "x  <= 1", "forall k. ", "x is in ", "a[ <= 1", "1 = 2", &huge];
    for text in
        broken.into_iter().chain(["x is in a", "x is in a{", "forall k. 0 <= k < n ==> ", "0x <= 1", "é\u{301} <"])
    {
        assert_eq!(Fact::from(text), Fact::Other(text.to_owned()));
    }
    for text in ["{", "{}", "{..", "{max(}", "{i..j", "cells"] {
        assert_eq!(Cells::from(text), Cells::Other(text.to_owned()));
    }
}

#[test]
fn facts_that_differ_only_in_the_name_of_their_index_say_the_same() {
    let body = |text: &str| match Fact::from(text) {
        Fact::ForAll { low, high, body, .. } => (low, high, body),
        other => panic!("{other:?}"),
    };
    let of_k = body("forall k. 0 <= k < n ==> a[(k + 1) / 2].k_1 == k");
    assert_eq!(of_k, body("forall j. 0 <= j < n ==> a[(j + 1) / 2].k_1 == j"));
    assert_ne!(of_k, body("forall j. 0 <= j < n ==> a[(j + 1) / 2].k_1 == k"));
}

#[test]
fn odd_names_are_quoted() {
    for (text, expected) in [
        ("x@my-file.c", "\"x@my-file.c\""),
        ("a b", "\"a b\""),
        ("3", "\"3\""),
        ("a[i + 1]", "a[i + 1]"),
        ("a[", "\"a[\""),
        ("x@\"", "\"x@'\""),
        ("", "\"\""),
        ("\\result", "\\result"),
        ("x@dir/file.c:2", "x@dir/file.c:2"),
    ] {
        assert_eq!(name(text).to_string(), expected);
        let chain = format!("{expected} + 1 <= 2*{expected} - 3");
        assert!(matches!(Fact::from(chain.as_str()), Fact::Chain(_)), "{chain}");
    }
}

#[test]
fn groups_are_read_with_all_that_they_hold() {
    let text = "{max(1, i)..n-1} (size m): 1 <= value <= 2, index + value <= x[i, j], value is in a{0..i-1: value <= 1} or a{i}";
    let group = GroupContent::from(text);
    assert_eq!((group.holds.len(), group.to_string().as_str()), (3, text));
    assert!(group.holds.iter().all(|fact| !matches!(fact, Fact::Other(_))), "{group:?}");
    let any = GroupContent { cells: Cells::All, holds: Vec::new() };
    assert_eq!((GroupContent::from("all cells: any"), any.to_string().as_str()), (any.clone(), "all cells: any"));
}

/// A generator of numbers that always gives the same ones.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }

    fn number(&mut self) -> i128 {
        [0, 1, -1, 7, -128, i128::MAX, i128::MIN][self.below(7)]
    }

    fn name(&mut self, bound: bool) -> Name {
        let names = ["i", "x_1", "a[i + 1].f", "length(s.a)", "\\result", "x@f:2", "value", "a[].g", "q@a-b.c", "?3"];
        match bound && self.below(3) == 0 {
            true if self.below(2) == 0 => Name::index(),
            true => Name::new([Piece::Text("b[".into()), Piece::Index, Piece::Text(" / 4].h".into())]),
            false => name(names[self.below(names.len())]),
        }
    }

    fn sum(&mut self, bound: bool) -> Sum {
        let coefficients = [1, -1, 2, -3, i128::MIN];
        let terms = (0..self.below(3)).map(|_| (self.name(bound), coefficients[self.below(5)])).collect();
        Sum { terms, constant: self.number() }
    }

    fn chain(&mut self, bound: bool) -> Chain {
        let rest = (0..=self.below(3)).map(|_| (Comparison::ALL[self.below(6)], self.sum(bound))).collect();
        Chain { first: self.sum(bound), rest }
    }

    fn cells(&mut self) -> Cells {
        match self.below(4) {
            0 => Cells::All,
            1 => Cells::One(self.sum(false)),
            _ => {
                let mut end = || (0..self.below(3)).map(|_| self.sum(false)).collect();
                let (low, high) = (end(), end());
                Cells::Range { low, high, size: (self.below(2) == 0).then(|| self.sum(false)) }
            }
        }
    }

    fn fact(&mut self) -> Fact {
        match self.below(8) {
            0 => Fact::False,
            1 | 2 => {
                let telling = |n: &mut Numbers| (n.below(3) == 0).then(|| n.chain(false));
                let group = |n: &mut Numbers| GroupName { array: name("a.b"), cells: n.cells(), telling: telling(n) };
                Fact::Member { name: self.name(false), groups: (0..=self.below(3)).map(|_| group(self)).collect() }
            }
            3 | 4 => {
                let body = (0..=self.below(3)).map(|_| self.chain(true)).collect();
                Fact::ForAll { index: "k".into(), low: self.sum(false), high: self.sum(false), body }
            }
            _ => Fact::Chain(self.chain(false)),
        }
    }
}

#[test]
fn random_facts_are_read_back() {
    let mut numbers = Numbers(7);
    for _ in 0..20_000 {
        let fact = numbers.fact();
        let text = fact.to_string();
        assert_eq!(Fact::from(text.as_str()), fact, "{text}");
        let holds = (0..numbers.below(3)).map(|_| numbers.fact()).collect();
        let group = GroupContent { cells: numbers.cells(), holds };
        assert_eq!(GroupContent::from(group.to_string().as_str()), group, "{group}");
    }
}

#[test]
fn random_texts_stay_the_same() {
    let parts = [
        "x",
        "a[",
        "]",
        "{",
        "}",
        "0",
        "..",
        " <= ",
        " + ",
        "-",
        "*",
        "forall k. ",
        ": ",
        ", ",
        "\"",
        " is in ",
        "é",
        "max(",
    ];
    let mut numbers = Numbers(3);
    for _ in 0..20_000 {
        let text: String = (0..numbers.below(12)).map(|_| parts[numbers.below(parts.len())]).collect();
        assert_eq!(Fact::from(text.as_str()).to_string(), text);
        assert_eq!(Cells::from(text.as_str()).to_string(), text);
    }
}

#[test]
fn quantifiers_have_an_acsl_form() {
    let fact = Fact::from("forall k. 0 <= k < n ==> a[k] == 1 && b[k] >= a[k]");
    assert_eq!(fact.acsl(), "\\forall integer k; 0 <= k < n ==> a[k] == 1 && b[k] >= a[k]");
    assert_eq!(Fact::from("0 <= i").acsl(), "0 <= i");
}
