//! Writes formulas and terms about the objects of a scope.

use super::super::Random;

/// What a formula can name.
pub(in crate::fuzz) struct Names {
    /// Objects that are integers, and other terms.
    pub(in crate::fuzz) scalars: Vec<&'static str>,
    /// Arrays of integers and pointers to them, with how many elements there are.
    pub(in crate::fuzz) arrays: Vec<(&'static str, usize)>,
    /// The labels that may be used.
    pub(in crate::fuzz) labels: Vec<&'static str>,
    /// Whether there are the table, the matrix and the pointers of a state.
    pub(in crate::fuzz) objects: bool,
    /// What formulas may consist of.
    pub(in crate::fuzz) fragment: Fragment,
    /// The variables of quantifiers and of `\let`.
    pub(in crate::fuzz) bound: Vec<String>,
}

/// What formulas may consist of. Not every stage reads all formulas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::fuzz) enum Fragment {
    /// What C can express too.
    Conditions,
    /// Also quantifiers, and predicates with them.
    Quantifiers,
    /// Everything.
    All,
}

impl Names {
    /// The scalars of a state, and their types.
    pub(super) const SCALARS: [(&'static str, &'static str); 9] = [
        ("g", "int"),
        ("x", "int"),
        ("u", "unsigned"),
        ("l", "long"),
        ("e", "unsigned long"),
        ("c", "unsigned char"),
        ("h", "short"),
        ("b", "_Bool"),
        ("o", "long long"),
    ];

    /// The names of the program's state.
    pub(in crate::fuzz) fn of_state(labels: Vec<&'static str>, fragment: Fragment) -> Names {
        Names {
            scalars: Names::SCALARS.iter().map(|s| s.0).collect(),
            arrays: vec![("a", 4), ("a", 4), ("bytes", 3), ("q", 2)],
            labels,
            objects: true,
            fragment,
            bound: Vec::new(),
        }
    }
}

/// Writes formulas. The depth bounds how deeply they are nested.
pub(in crate::fuzz) struct Writer<'r> {
    random: &'r mut Random,
    names: &'r mut Names,
}

impl<'r> Writer<'r> {
    pub(in crate::fuzz) fn new(random: &'r mut Random, names: &'r mut Names) -> Writer<'r> {
        Writer { random, names }
    }

    /// A formula.
    pub(in crate::fuzz) fn formula(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.atom(0);
        }
        let d = depth - 1;
        match self.random.below(20) {
            0 => format!("({} && {})", self.formula(d), self.formula(d)),
            1 => format!("({} || {})", self.formula(d), self.formula(d)),
            2 => format!("({} ==> {})", self.formula(d), self.formula(d)),
            3 => format!("({} <==> {})", self.formula(d), self.formula(d)),
            4 => format!("!({})", self.formula(d)),
            5 => format!("({} ? {} : {})", self.formula(d), self.formula(d), self.formula(d)),
            6..=9 if self.names.fragment >= Fragment::Quantifiers => self.quantified(d),
            10 => {
                let (value, name) = (self.term(d), self.fresh("v"));
                let body = self.inside(&name, |w| w.formula(d));
                format!("(\\let {name} = {value}; {body})")
            }
            11 | 12 => self.predicate(d),
            _ => self.atom(depth),
        }
    }

    fn atom(&mut self, depth: u32) -> String {
        const COMPARISONS: [&str; 7] = ["<", "<=", ">", ">=", "==", "==", "!="];
        match self.random.below(14) {
            0 => self.random.pick(&["\\true", "\\false"]).to_string(),
            1 => {
                let up = self.random.pick(&["<", "<=", "=="]).to_string();
                format!("{} <= {} {up} {}", self.small(), self.term(depth), self.term(depth))
            }
            2 => format!("{} > {} >= {}", self.term(depth), self.term(depth), self.small()),
            3 => self.term(depth),
            // What is near to being equal tells more than what is far apart.
            4 | 5 => {
                let term = self.term(depth);
                let op = *self.random.pick(&COMPARISONS);
                let by = self.small();
                format!("{term} {op} {term} + {by}")
            }
            _ => {
                let op = *self.random.pick(&COMPARISONS);
                let right = if self.random.one_in(2) { self.number() } else { self.term(depth) };
                format!("{} {op} {right}", self.term(depth))
            }
        }
    }

    fn quantified(&mut self, depth: u32) -> String {
        let (k, forall) = (self.fresh("k"), self.random.one_in(2));
        let (word, then) = if forall { ("\\forall", "==>") } else { ("\\exists", "&&") };
        let low = self.small();
        let high = if self.random.one_in(4) { self.term(0) } else { (1 + self.random.below(4)).to_string() };
        match self.random.below(8) {
            // A variable of a small type has a range without any guard.
            0 => {
                let ty = *self.random.pick(&["char", "unsigned char", "signed char", "_Bool"]);
                let ty = if ty == "_Bool" { "unsigned char" } else { ty };
                let guard = match self.random.below(3) {
                    0 => String::new(),
                    1 => format!("{k} <= {high} {then} "),
                    _ => format!("{low} < {k} {then} "),
                };
                let body = self.inside(&k, |w| w.formula(depth));
                format!("({word} {ty} {k}; {guard}{body})")
            }
            1 => {
                let j = format!("{k}j");
                let body = self.inside(&k, |w| w.inside(&j, |w| w.formula(depth)));
                format!("({word} integer {k}, {j}; {low} <= {k} <= {j} < {high} {then} {body})")
            }
            2 => {
                let j = format!("{k}j");
                let body = self.inside(&k, |w| w.inside(&j, |w| w.formula(depth)));
                format!("({word} int {k}, integer {j}; 0 <= {k} < 3 && {k} < {j} && {j} <= {high} {then} {body})")
            }
            _ => {
                let ty = *self.random.pick(&["integer", "integer", "int", "unsigned", "long", "short"]);
                let body = self.inside(&k, |w| w.formula(depth));
                format!("({word} {ty} {k}; {low} <= {k} < {high} {then} {body})")
            }
        }
    }

    fn predicate(&mut self, depth: u32) -> String {
        let p = self.ints();
        let kinds = match self.names.fragment {
            Fragment::Conditions => 2,
            Fragment::Quantifiers => 4,
            Fragment::All => 5,
        };
        match self.random.below(kinds) {
            0 => format!("positive({})", self.term(depth)),
            1 => format!("between({}, {}, {})", self.small(), self.term(depth), self.term(depth)),
            2 => format!("sorted({p}, {})", self.count()),
            3 => format!("has({p}, {}, {})", self.count(), self.term(depth)),
            _ => {
                let (k, l) = (*self.random.pick(&self.names.labels), *self.random.pick(&self.names.labels));
                // What is at a label is the cells, and not the pointer.
                format!("same{{{k}, {l}}}({p}, {})", self.index(4, 0))
            }
        }
    }

    /// A term.
    pub(in crate::fuzz) fn term(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.one_in(3) {
            return self.leaf(depth);
        }
        let d = depth - 1;
        match self.random.below(17) {
            0..=3 => {
                let op = *self.random.pick(&["+", "+", "-", "-", "*"]);
                format!("({} {op} {})", self.term(d), self.term(d))
            }
            4 => format!("({} * {})", self.term(d), self.small()),
            5 | 6 => {
                let op = *self.random.pick(&["/", "%"]);
                let by = match self.random.below(3) {
                    0 => self.term(d),
                    1 => format!("(-{})", 1 + self.random.below(4)),
                    _ => (1 + self.random.below(4)).to_string(),
                };
                format!("({} {op} {by})", self.term(d))
            }
            7 => format!("(-{})", self.term(d)),
            8 | 9 => format!("({} ? {} : {})", self.formula(d), self.term(d), self.term(d)),
            10 => {
                let (value, name) = (self.term(d), self.fresh("v"));
                let body = self.inside(&name, |w| w.term(d));
                format!("(\\let {name} = {value}; {body})")
            }
            11 => {
                let ty = *self.random.pick(&["integer", "integer", "integer", "long", "long long", "int"]);
                format!("(({ty}) {})", self.leaf(d))
            }
            12 if self.names.fragment == Fragment::All => {
                let label = *self.random.pick(&self.names.labels);
                let inner = self.term(d);
                format!("\\at({inner}, {label})")
            }
            12 | 13 => self.leaf(d),
            _ => self.applied(d),
        }
    }

    fn applied(&mut self, depth: u32) -> String {
        let p = self.ints();
        let label = *self.random.pick(&self.names.labels);
        let label = if self.random.one_in(4) { format!("{{{label}}}") } else { String::new() };
        let kinds = if self.names.fragment == Fragment::All { 8 } else { 2 };
        match self.random.below(kinds) {
            0 => format!("twice({})", self.term(depth)),
            1 => format!("cell({p}, {})", self.index(4, 0)),
            2 => format!("half({})", self.small()),
            3 | 4 => format!("total{label}({p}, {})", self.count()),
            5 | 6 => format!("count({p}, {}, {})", self.count(), self.number()),
            _ => format!("most({p}, {})", self.count()),
        }
    }

    /// An object, a variable or a number.
    fn leaf(&mut self, depth: u32) -> String {
        match self.random.below(12) {
            0 => self.number(),
            1 | 2 if !self.names.bound.is_empty() => self.random.pick(&self.names.bound).clone(),
            1..=4 => self.random.pick(&self.names.scalars).to_string(),
            5..=7 if self.names.objects => self.object(depth),
            _ => {
                let (array, size) = *self.random.pick(&self.names.arrays);
                let index = self.index(size, depth);
                match self.random.below(8) {
                    0 => format!("{index}[{array}]"),
                    1 => format!("*({array} + {index})"),
                    2 => format!("*{array}"),
                    _ => format!("{array}[{index}]"),
                }
            }
        }
    }

    fn object(&mut self, depth: u32) -> String {
        let (i, j) = (self.index(2, depth), self.index(2, 0));
        match self.random.below(14) {
            0 | 1 => format!("w[{i}][{j}]"),
            2 | 3 => format!("t[{i}].k"),
            4 => format!("t[{i}].y[{j}]"),
            5 => "p->k".to_owned(),
            6 => format!("p->y[{j}]"),
            7 => "p->next->k".to_owned(),
            8 => format!("t[{i}].next->y[{j}]"),
            9 => "(*p).k".to_owned(),
            10 => format!("end[-{}]", 1 + self.random.below(4)),
            11 => format!("q[-{}]", self.random.below(3)),
            12 => self.random.pick(&["none[0]", "*end", "*none", "p->next->next->k"]).to_string(),
            _ => format!("(p + {})->k", self.random.below(3) as i32 - 1),
        }
    }

    /// An index of an array, mostly of one of its elements.
    fn index(&mut self, size: usize, depth: u32) -> String {
        match self.random.below(12) {
            0..=5 => self.random.below(size).to_string(),
            6 | 7 if !self.names.bound.is_empty() => self.random.pick(&self.names.bound).clone(),
            6..=8 => {
                let term = self.random.pick(&self.names.scalars).to_string();
                format!("(0 <= {term} < {size} ? {term} : {})", self.random.below(size))
            }
            9 if depth > 0 => self.term(depth - 1),
            9 => self.random.pick(&self.names.scalars).to_string(),
            10 => self.small(),
            _ => self.random.below(size).to_string(),
        }
    }

    /// An array of the type `int`.
    fn ints(&mut self) -> String {
        let arrays: Vec<&str> = self.names.arrays.iter().map(|a| a.0).filter(|a| *a != "bytes").collect();
        match self.random.pick(&arrays) {
            &"q" => "q".to_owned(),
            array if self.random.one_in(6) => format!("({array} + 1)"),
            array => (*array).to_owned(),
        }
    }

    /// A number of elements.
    fn count(&mut self) -> String {
        match self.random.below(8) {
            0 => self.small(),
            1 => self.random.pick(&self.names.scalars).to_string(),
            _ => self.random.below(4).to_string(),
        }
    }

    fn small(&mut self) -> String {
        bracketed(self.random.below(7) as i128 - 2)
    }

    fn number(&mut self) -> String {
        match self.random.below(10) {
            0 => bracketed(self.random.interesting()),
            1 => self.random.pick(&["'a'", "'\\0'", "0x1F", "3u", "07L"]).to_string(),
            _ => self.small(),
        }
    }

    fn fresh(&mut self, name: &str) -> String {
        format!("{name}{}", self.names.bound.len())
    }

    fn inside<R>(&mut self, name: &str, write: impl FnOnce(&mut Self) -> R) -> R {
        self.names.bound.push(name.to_owned());
        let result = write(self);
        self.names.bound.pop();
        result
    }
}

/// A number that any operator may stand before.
fn bracketed(n: i128) -> String {
    if n < 0 { format!("({n})") } else { n.to_string() }
}
