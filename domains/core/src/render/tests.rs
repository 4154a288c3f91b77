use super::conjunction::LIMIT;
use super::*;
use crate::Relation;

const NAMES: [&str; 5] = ["i", "j", "n", "x", "y"];

fn name(v: Var) -> String {
    if v.is_scalar() { NAMES[usize::try_from(v.0).unwrap()].into() } else { "a[k]".into() }
}

/// The chains as text; a contradiction is `false`.
fn texts(chains: Option<Vec<Chain<Var>>>, name: &dyn Fn(Var) -> String) -> Vec<String> {
    let text = |chain: Chain<Var>| chain.map(|v| name(*v)).to_string();
    chains.map_or(vec!["false".to_owned()], |all| all.into_iter().map(text).collect())
}

fn render(constraints: &[Constraint], name: &dyn Fn(Var) -> String) -> Vec<String> {
    texts(chains(constraints), name)
}

fn render_given(given: &[Constraint], constraints: &[Constraint], name: &dyn Fn(Var) -> String) -> Vec<String> {
    texts(chains_given(given, constraints), name)
}

fn cell() -> Var {
    Var::summary(crate::ArrayId(0), crate::FieldId(0))
}

/// The expression of a little text such as `i - 2*n + 3`.
fn expr(text: &str) -> LinearExpr {
    let (mut terms, mut constant, mut sign) = (Vec::new(), 0, 1);
    for word in text.split(' ') {
        let (factor, rest) = word.split_once('*').map_or((1, word), |(f, r)| (f.parse().unwrap(), r));
        let var = NAMES.iter().position(|n| *n == rest).map(|i| Var::scalar(u32::try_from(i).unwrap()));
        match (rest, var.or((rest == "a[k]").then(cell))) {
            ("+", _) => sign = 1,
            ("-", _) => sign = -1,
            (_, Some(v)) => terms.push((v, sign * factor)),
            (number, None) => constant += sign * number.parse::<i128>().unwrap(),
        }
    }
    LinearExpr::new(terms, constant).unwrap()
}

fn constraint(text: &str) -> Constraint {
    for (operator, build) in [
        (" <= ", Constraint::le as fn(&LinearExpr, &LinearExpr) -> Option<Constraint>),
        (" >= ", Constraint::ge),
        (" == ", Constraint::eq),
        (" != ", Constraint::ne),
        (" < ", Constraint::lt),
    ] {
        if let Some((a, b)) = text.split_once(operator) {
            return build(&expr(a), &expr(b)).unwrap();
        }
    }
    panic!("no constraint: {text}")
}

fn shown(texts: &[&str]) -> String {
    let constraints: Vec<Constraint> = texts.iter().map(|t| constraint(t)).collect();
    let rendered = render(&constraints, &name);
    let mut reversed = constraints;
    reversed.reverse();
    assert_eq!(render(&reversed, &name), rendered, "the order of constraints does not matter");
    rendered.join("; ")
}

/// What is left out follows from the rest: a point satisfies the reduced constraints, with what
/// is given, just where it satisfies all.
#[test]
fn reduced_constraints_mean_the_same() {
    let given = ["i >= 0", "n <= 9", "x + y <= 7"].map(constraint);
    let all = [
        "i >= 0",
        "i <= n",
        "n <= 9",
        "i <= 9",
        "j == i + 1",
        "x + y <= 6",
        "x != y",
        "x + 2*y - i >= -4",
        "x <= 5",
        "y <= 5",
    ];
    let all = all.map(constraint);
    for given in [&[][..], &given[..]] {
        let few = reduced(given, &all).expect("no contradiction");
        assert!(few.len() < all.len(), "{few:?}");
        let holds = |constraints: &[Constraint], point: &[i128; 5]| {
            let value = |v: Var| usize::try_from(v.0).ok().and_then(|n| point.get(n)).copied().unwrap_or(0);
            constraints.iter().all(|c| c.holds(value) == Some(true))
        };
        let mut state = 1u64;
        let mut satisfied = 0;
        for _ in 0..200_000 {
            let point = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                i128::from((state >> 33) % 14) - 3
            });
            if holds(given, &point) {
                assert_eq!(holds(&few, &point), holds(&all, &point), "{point:?} {few:?}");
                satisfied += usize::from(holds(&all, &point));
            }
        }
        assert!(satisfied > 100, "{satisfied}");
    }
    assert_eq!(reduced(&[], &["i <= 0", "i >= 1"].map(constraint)), None);
}

#[test]
fn single_constraints_are_what_one_would_write() {
    for text in [
        "i == 3",
        "i >= 1",
        "i <= 7",
        "1 <= n <= 100",
        "i <= n",
        "i < n",
        "i <= n + 2",
        "i <= n - 2",
        "i == j + 1",
        "i == j",
        "x + y <= 7",
        "x + y >= -7",
        "x + y == 7",
        "2*x <= 3*y + 5",
        "2*x + 5 <= 3*y",
        "n == x + y",
        "n == i + j",
        "n == i + j + 1",
        "2*y == i + 3*x",
        "i != 3",
        "i != j",
        "i != j + 1",
        "x + y != 0",
        "a[k] == i + 1",
        "a[k] == i",
        "a[k] == i - 1",
    ] {
        let both: Vec<String> = match text.split(" <= ").collect::<Vec<_>>()[..] {
            [a, b, c] => vec![format!("{a} <= {b}"), format!("{b} <= {c}")],
            _ => vec![text.to_string()],
        };
        let texts: Vec<&str> = both.iter().map(String::as_str).collect();
        assert_eq!(shown(&texts), text);
    }
}

#[test]
fn inequalities_that_meet_form_a_chain() {
    assert_eq!(shown(&["0 <= i", "i <= n", "n <= 100", "i <= 100", "0 <= n"]), "0 <= i <= n <= 100");
    assert_eq!(shown(&["0 <= i", "i < n", "n <= 100"]), "0 <= i < n <= 100");
    assert_eq!(shown(&["0 <= i", "i <= n", "n <= 100", "1 <= n"]), "0 <= i <= n; 1 <= n <= 100");
    assert_eq!(shown(&["0 <= i", "i <= n - 2"]), "0 <= i <= n - 2");
    assert_eq!(shown(&["n <= i", "i <= j"]), "n <= i <= j");
    assert_eq!(shown(&["i <= n", "n <= i + 1"]), "i <= n <= i + 1");
    assert_eq!(shown(&["i <= 3", "j <= i"]), "j <= i <= 3");
}

#[test]
fn opposite_inequalities_are_an_equality() {
    assert_eq!(shown(&["i <= 3", "i >= 3"]), "i == 3");
    assert_eq!(shown(&["i <= j + 1", "j + 1 <= i"]), "i == j + 1");
    assert_eq!(shown(&["x + y <= 3", "x + y >= 3"]), "x + y == 3");
    assert_eq!(shown(&["i <= j", "j <= n", "n <= i"]), "i == j; i == n");
}

#[test]
fn what_an_equality_implies_is_left_out() {
    assert_eq!(shown(&["i == n", "0 <= i", "i <= 5", "0 <= n", "n <= 5"]), "i == n; 0 <= i <= 5");
    assert_eq!(shown(&["x == 3", "x + y <= 7", "x <= n"]), "x == 3; n >= 3; y <= 4");
    assert_eq!(shown(&["i == j", "i != 3", "j != 3"]), "i == j; i != 3");
    // Twice i is 6 once j is known.
    assert_eq!(shown(&["2*i + j == 7", "j == 1"]), "i == 3; j == 1");
}

#[test]
fn what_bounds_imply_is_left_out() {
    let bounds = ["0 <= x", "x <= 3", "0 <= y", "y <= 4"];
    let with = |more: &str| shown(&[&bounds[..], &[more]].concat());
    assert_eq!(with("x + y <= 7"), "0 <= x <= 3; 0 <= y <= 4");
    assert_eq!(with("x + y <= 6"), "0 <= x <= 3; 0 <= y <= 4; x + y <= 6");
    assert_eq!(with("x <= y + 3"), "0 <= x <= 3; 0 <= y <= 4");
    assert_eq!(with("x != 5"), "0 <= x <= 3; 0 <= y <= 4");
    assert_eq!(shown(&["i <= j", "j + n <= 5", "i + n <= 5"]), "i <= j; j + n <= 5");
    assert_eq!(shown(&["i < j", "i != j", "n <= 3", "n <= 5"]), "i < j; n <= 3");
}

#[test]
fn sums_with_two_bounds_are_one_conjunct() {
    assert_eq!(shown(&["x + y >= 2", "x + y <= 7"]), "2 <= x + y <= 7");
    assert_eq!(shown(&["x - 2*y >= 2", "x - 2*y <= 7"]), "2 <= x - 2*y <= 7");
}

#[test]
fn contradictions_and_tautologies_are_seen() {
    assert_eq!(shown(&["i <= 3", "i >= 4"]), "false");
    assert_eq!(shown(&["i < j", "j < i"]), "false");
    assert_eq!(shown(&["2*i == 7"]), "false");
    assert_eq!(shown(&["x + y <= 1", "x + y >= 2"]), "false");
    assert_eq!(shown(&["i == 2", "i != 2"]), "false");
    assert_eq!(shown(&["i <= i + 1", "2*i != 7"]), "");
    assert_eq!(render(&[], &name), [""; 0]);
}

#[test]
fn what_is_given_is_not_said_again() {
    let given = |given: &[&str], texts: &[&str]| {
        let parse = |texts: &[&str]| -> Vec<Constraint> { texts.iter().map(|t| constraint(t)).collect() };
        render_given(&parse(given), &parse(texts), &name).join("; ")
    };
    let scalars = ["0 <= i", "i <= n", "n <= 100"];
    assert_eq!(given(&scalars, &scalars), "");
    assert_eq!(given(&scalars, &["0 <= a[k]", "a[k] < i", "a[k] <= 99", "a[k] <= n - 1"]), "0 <= a[k] < i");
    assert_eq!(given(&scalars, &["0 <= a[k]", "a[k] <= 100"]), "0 <= a[k] <= 100");
    assert_eq!(given(&["i == j"], &["i == j", "a[k] == i"]), "a[k] == i");
    assert_eq!(given(&["i == 3", "j >= 2"], &["j <= 7", "j != 4"]), "j <= 7; j != 4");
    assert_eq!(given(&["x + y <= 7"], &["x + y <= 7", "x + y >= 2"]), "x + y >= 2");
    assert_eq!(given(&["x + y <= 7", "i != j"], &["x + y <= 8", "i != j"]), "");
    assert_eq!(given(&["i <= 3"], &["i >= 4"]), "false");
    assert_eq!(given(&["i <= 3", "i >= 4"], &["j == 4"]), "");
}

/// What is shown, read again, has the same points: nothing is invented and nothing needed is
/// left out. Each conjunction is shown whole, and again as far as it goes beyond its first
/// half.
#[test]
fn rendering_keeps_the_meaning() {
    let pool = [
        "i <= n",
        "n <= i + 1",
        "j == i + 1",
        "0 <= i",
        "n <= 2",
        "i + j <= 2",
        "2*i <= n + 1",
        "j != n",
        "i != 1",
        "n <= j",
        "i + n >= 0",
        "i + n + j >= -1",
        "j - n <= 1",
        "i == 1",
        "i + j == 1",
    ];
    let points: Vec<[i128; 3]> = (0..343).map(|p| [p / 49 - 3, p / 7 % 7 - 3, p % 7 - 3]).collect();
    for mask in (0..1u32 << pool.len()).filter(|mask| mask.count_ones() <= 4) {
        let chosen = pool.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        let all: Vec<Constraint> = chosen.map(|(_, text)| constraint(text)).collect();
        for known in [0, all.len() / 2] {
            let shown = render_given(&all[..known], &all[known..], &name);
            let mut after = all[..known].to_vec();
            match &shown[..] {
                [contradiction] if contradiction == "false" => after.push(constraint("1 <= 0")),
                _ => after.extend(shown.iter().flat_map(|line| parsed_chain(line))),
            }
            for p in &points {
                let value = |v: Var| p[usize::try_from(v.0).unwrap()];
                let hold = |cs: &[Constraint]| cs.iter().all(|c| c.holds(value).unwrap());
                assert_eq!(hold(&all), hold(&after), "{all:?} ({known} given) shown as {shown:?} at {p:?}");
            }
        }
    }
}

fn parsed_chain(line: &str) -> Vec<Constraint> {
    let words: Vec<&str> = line.split(' ').collect();
    let is_operator = |w: &&str| ["<=", "<", ">=", "==", "!="].contains(w);
    let operators: Vec<usize> = (0..words.len()).filter(|i| is_operator(&words[*i])).collect();
    let mut constraints = Vec::new();
    for k in 0..operators.len() {
        let from = if k == 0 { 0 } else { operators[k - 1] + 1 };
        let to = operators.get(k + 1).copied().unwrap_or(words.len());
        constraints.push(constraint(&words[from..to].join(" ")));
    }
    constraints
}

#[test]
fn huge_numbers_do_not_panic() {
    let huge = [i128::MAX, i128::MIN, i128::MAX - 1, i128::MIN + 1];
    for a in huge {
        for b in huge {
            for relation in [Relation::NonNegative, Relation::Zero, Relation::NonZero] {
                let e = |terms: &[(Var, i128)]| LinearExpr::new(terms.iter().copied(), b).unwrap();
                let (i, j) = (Var::scalar(0), Var::scalar(1));
                let forms =
                    [e(&[(i, 1)]), e(&[(i, -1)]), e(&[(i, 1), (j, -1)]), e(&[(i, a), (j, 1)]), e(&[(i, a), (j, b)])];
                let all: Vec<Constraint> = forms.into_iter().map(|expr| Constraint { expr, relation }).collect();
                render(&all, &name);
                all.iter().for_each(|c| drop(render(std::slice::from_ref(c), &name)));
            }
        }
    }
}

#[test]
fn many_variables_are_printed_as_they_are() {
    let var = |n: usize| LinearExpr::var(Var::scalar(u32::try_from(n).unwrap()));
    let chain: Vec<Constraint> = (0..LIMIT).map(|n| Constraint::le(&var(n), &var(n + 1)).unwrap()).collect();
    let lines = render(&chain, &|v| format!("v{}", v.0));
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("v0 <= v1 <= v2 <= "));
}
