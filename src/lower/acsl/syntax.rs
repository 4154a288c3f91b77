//! Parses the text of annotations to syntax trees, by the grammar in `grammar.pest`.

use super::literals::{character, number};
use crate::program::BinaryOp;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "lower/acsl/grammar.pest"]
struct Grammar;

/// One clause of an annotation.
#[derive(Debug)]
pub(in crate::lower) struct Clause {
    pub(in crate::lower) kind: ClauseKind,
    /// The behavior of a contract that it belongs to.
    pub(in crate::lower) behavior: Option<String>,
    /// Where it starts and ends, in the preprocessed text.
    pub(in crate::lower) start: usize,
    pub(in crate::lower) end: usize,
}

/// The clauses.
#[derive(Clone, Debug)]
pub(in crate::lower) enum ClauseKind {
    Requires(Node),
    Ensures(Node),
    /// When a behavior applies.
    Assumes(Node),
    /// That some of the behaviors applies; all, if none is named.
    Complete(Vec<String>),
    /// That no two of the behaviors apply; of all, if none is named.
    Disjoint(Vec<String>),
    /// What holds where the program ends.
    Exits(Node),
    /// When a function ends.
    Terminates(Node),
    /// What becomes smaller in each call, and the relation by which it does.
    Decreases(Node, Option<String>),
    /// The same for the iterations of a loop.
    Variant(Node, Option<String>),
    /// What may be written.
    Assigns(Vec<Node>),
    LoopAssigns(Vec<Node>),
    Assert(Node),
    Check(Node),
    Assume(Node),
    Invariant(Node),
    /// Something to be taken for granted.
    Lemma {
        name: String,
        labels: Vec<String>,
        formula: Node,
    },
    /// A label that only annotations use.
    GhostLabel(String),
    Predicate(Predicate),
    /// Something that is not understood.
    Unusable(Unusable),
}

/// A clause that is not understood.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Unusable {
    /// The role that it would have had.
    pub(in crate::lower) role: Role,
    /// Its first word, or the second after `loop`.
    pub(in crate::lower) word: String,
    /// Why it is not understood, as text.
    pub(in crate::lower) reason: String,
}

/// What a clause that is not understood is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Role {
    /// A contract, which assumes it.
    Precondition,
    /// A contract, which claims it.
    Contract,
    /// It is assumed where it stands.
    Assumption,
    /// It is claimed where it stands.
    Statement,
    /// It is claimed of a loop.
    Loop,
}

/// A definition of a predicate, or of a logic function.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Predicate {
    pub(in crate::lower) name: String,
    /// The names of the moments that it is about.
    pub(in crate::lower) labels: Vec<String>,
    pub(in crate::lower) parameters: Vec<Parameter>,
    pub(in crate::lower) body: Node,
    /// Whether it is a function, and no predicate.
    pub(in crate::lower) is_term: bool,
    /// The words of the type of its values, if it is a function of numbers.
    pub(in crate::lower) ty: Option<String>,
}

impl Predicate {
    /// Whether both have parameters of the same types, so that no use tells them apart.
    pub(in crate::lower) fn is_alike(&self, other: &Predicate) -> bool {
        let types = |p: &Predicate| p.parameters.iter().map(|p| (p.is_pointer, p.ty.clone())).collect::<Vec<_>>();
        types(self) == types(other)
    }
}

/// A parameter of a definition.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Parameter {
    pub(in crate::lower) name: String,
    /// Whether it is a pointer or an array, as its type says.
    pub(in crate::lower) is_pointer: bool,
    /// The words of its type.
    pub(in crate::lower) ty: String,
}

/// A formula or a term.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Node {
    pub(in crate::lower) kind: NodeKind,
    /// Its offset in the preprocessed text.
    pub(in crate::lower) start: usize,
    pub(in crate::lower) end: usize,
}

/// The forms of formulas and terms.
#[derive(Clone, Debug)]
pub(in crate::lower) enum NodeKind {
    Number(i128),
    Name(String),
    True,
    False,
    Result,
    ExitStatus,
    Old(Box<Node>),
    Not(Box<Node>),
    Negate(Box<Node>),
    Index(Box<Node>, Box<Node>),
    Member(Box<Node>, String),
    Arrow(Box<Node>, String),
    /// An application: what is applied, the labels, the arguments.
    Call(String, Vec<String>, Vec<Node>),
    /// `(a .. b)`
    Range(Box<Node>, Box<Node>),
    /// `..`, all indexes.
    All,
    /// `a < b <= c`: two comparisons or more.
    Chain(Vec<Node>, Vec<BinaryOp>),
    Arithmetic(crate::program::TermOp, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Implies(Box<Node>, Box<Node>),
    Iff(Box<Node>, Box<Node>),
    ForAll(Vec<Binder>, Box<Node>),
    Exists(Vec<Binder>, Box<Node>),
    /// `c ? a : b`
    Conditional(Box<Node>, Box<Node>, Box<Node>),
    /// `\\let x = value; body`
    Let(String, Box<Node>, Box<Node>),
    /// `(type) a`
    Cast(String, Box<Node>),
}

/// Calls `$f` on the formulas and terms directly inside `$kind`.
macro_rules! parts {
    ($kind:expr, $f:expr, $iter:ident) => {
        match $kind {
            NodeKind::Old(a)
            | NodeKind::Not(a)
            | NodeKind::Negate(a)
            | NodeKind::Cast(_, a)
            | NodeKind::Member(a, _)
            | NodeKind::Arrow(a, _)
            | NodeKind::ForAll(_, a)
            | NodeKind::Exists(_, a) => $f(a),
            NodeKind::Index(a, b)
            | NodeKind::Arithmetic(_, a, b)
            | NodeKind::And(a, b)
            | NodeKind::Or(a, b)
            | NodeKind::Implies(a, b)
            | NodeKind::Iff(a, b)
            | NodeKind::Let(_, a, b)
            | NodeKind::Range(a, b) => {
                $f(a);
                $f(b);
            }
            NodeKind::Conditional(a, b, c) => {
                $f(a);
                $f(b);
                $f(c);
            }
            NodeKind::Call(_, _, all) | NodeKind::Chain(all, _) => all.$iter().for_each(|a| $f(a)),
            NodeKind::Number(_)
            | NodeKind::All
            | NodeKind::Name(_)
            | NodeKind::True
            | NodeKind::False
            | NodeKind::ExitStatus
            | NodeKind::Result => {}
        }
    };
}

impl NodeKind {
    /// Calls `f` on the formulas and terms directly inside it.
    pub(in crate::lower) fn each_part<'n>(&'n self, f: &mut impl FnMut(&'n Node)) {
        parts!(self, f, iter);
    }

    /// [`NodeKind::each_part`]
    pub(in crate::lower) fn each_part_mut(&mut self, f: &mut impl FnMut(&mut Node)) {
        parts!(self, f, iter_mut);
    }
}

/// A variable of a quantifier.
#[derive(Clone, Debug)]
pub(in crate::lower) struct Binder {
    pub(in crate::lower) name: String,
    /// The words of its type.
    pub(in crate::lower) ty: String,
    pub(in crate::lower) is_pointer: bool,
}

/// Why a text is not a clause.
#[derive(Debug)]
pub(in crate::lower) struct SyntaxError {
    /// The offset of the error in the preprocessed text.
    pub(in crate::lower) offset: usize,
    pub(in crate::lower) message: String,
    /// What could have stood there; sorted.
    pub(in crate::lower) expected: Vec<String>,
}

/// The deepest nesting of brackets, prefixes and operators: the parser recurses over them.
const MAX_DEPTH: usize = 200;
/// The greatest length of an annotation.
const MAX_LENGTH: usize = 100_000;

/// Reads one clause at the start of `text`, which stands at `base` in the preprocessed text.
pub(in crate::lower) fn clause(text: &str, base: usize) -> Result<Clause, SyntaxError> {
    guard(text, base)?;
    let mut pairs = Grammar::parse(Rule::clause, text).map_err(|e| syntax_error(&e, text, base))?;
    let missing = || SyntaxError { offset: base, message: "a clause was expected".into(), expected: Vec::new() };
    let clause = pairs.next().ok_or_else(missing)?;
    let reader = Reader { base };
    let (start, end) = (base + clause.as_span().start(), base + clause.as_span().end());
    let inner = clause.into_inner().next().ok_or_else(missing)?;
    Ok(Clause { kind: reader.clause(inner)?, behavior: None, start, end })
}

/// Reads a formula or term that is the whole text; all its nodes get the offset `at`.
pub(in crate::lower) fn formula(text: &str, at: usize) -> Option<Node> {
    guard(text, at).ok()?;
    let pair = Grammar::parse(Rule::formula, text).ok()?.next()?;
    if pair.as_span().end() != text.trim_end().len() {
        return None;
    }
    Reader { base: at }.formula(pair).ok()
}

/// Refuses text that would make the parser recurse too deeply.
fn guard(text: &str, base: usize) -> Result<(), SyntaxError> {
    let refuse =
        |offset: usize, message: String| Err(SyntaxError { offset: base + offset, message, expected: Vec::new() });
    if text.len() > MAX_LENGTH {
        return refuse(0, format!("an annotation of more than {MAX_LENGTH} bytes"));
    }
    let (mut depth, mut run) = (0usize, 0usize);
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'!' | b'-' | b'*' => run += 1,
            b'\\' => run += 1,
            b';' => run = 0,
            _ => {}
        }
        if depth > MAX_DEPTH || run > 10 * MAX_DEPTH {
            return refuse(at, format!("nested more than {MAX_DEPTH} deep"));
        }
    }
    Ok(())
}

fn syntax_error(error: &pest::error::Error<Rule>, text: &str, base: usize) -> SyntaxError {
    let offset = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let rest = text.get(offset..).unwrap_or("");
    let token = crate::lower::lines::token(rest.as_bytes());
    let message = if rest.trim().is_empty() {
        "unexpected end of the annotation".to_owned()
    } else {
        format!("unexpected `{}` in an annotation", String::from_utf8_lossy(token))
    };
    let mut expected: Vec<String> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.iter().flat_map(|r| readable(*r)).collect(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    expected.sort_unstable();
    expected.dedup();
    if expected.iter().any(|e| e == "a formula") {
        // A name is one.
        expected.retain(|e| e != "a name");
    }
    SyntaxError { offset: base + offset, message, expected }
}

/// Descriptions of a rule for users.
fn readable(rule: Rule) -> Vec<String> {
    let words: &[&str] = match rule {
        Rule::operator => &["an operator"],
        Rule::semicolon => &["`;`"],
        Rule::colon => &["`:`"],
        Rule::comma => &["`,`"],
        Rule::dots => &["`..`"],
        Rule::open => &["`(`"],
        Rule::close => &["`)`"],
        Rule::bracket_open => &["`[`"],
        Rule::bracket_close => &["`]`"],
        Rule::index | Rule::postfix => &["`[`", "`.`", "`->`"],
        Rule::arrow => &["`->`"],
        Rule::member => &["`.`"],
        Rule::defines => &["`=`"],
        Rule::name | Rule::identifier => &["a name"],
        // Names of formulas may stand before most of them.
        Rule::label | Rule::quoted => &[],
        Rule::number => &["a number"],
        Rule::kw_invariant | Rule::invariant => &["`invariant`"],
        Rule::kw_variant | Rule::variant => &["`variant`"],
        Rule::bound_type | Rule::binders | Rule::kw_integer => &["`integer`"],
        Rule::kw_char | Rule::kw_int | Rule::kw_long | Rule::kw_short | Rule::kw_signed | Rule::kw_unsigned => {
            &["a type"]
        }
        Rule::question => &["`?`"],
        Rule::alternatives => &["`?`"],
        Rule::cast | Rule::local => &["a formula"],
        Rule::bound => &["a name"],
        Rule::formula | Rule::nameless | Rule::operand | Rule::primary | Rule::prefix | Rule::not => &["a formula"],
        Rule::arguments => &["a formula"],
        Rule::parameter | Rule::parameters | Rule::type_word => &["a parameter"],
        Rule::labels | Rule::brace_open => &["`{`"],
        Rule::brace_close => &["`}`"],
        Rule::clause => &["a clause"],
        _ => return vec![format!("{rule:?}").to_lowercase().trim_start_matches("kw_").replace('_', " ")],
    };
    words.iter().map(|w| (*w).to_owned()).collect()
}

/// Turns the matches of the grammar into trees.
struct Reader {
    base: usize,
}

/// How tightly operators bind; `==>` binds to the right.
fn level(rule: Rule) -> u8 {
    match rule {
        Rule::equivalent => 1,
        Rule::implies => 2,
        Rule::or => 3,
        Rule::xor => 4,
        Rule::and => 5,
        Rule::plus | Rule::minus => 7,
        Rule::times | Rule::divided | Rule::modulo => 8,
        _ => 6,
    }
}

fn comparison(rule: Rule) -> BinaryOp {
    match rule {
        Rule::less => BinaryOp::Less,
        Rule::at_most => BinaryOp::LessEqual,
        Rule::greater => BinaryOp::Greater,
        Rule::at_least => BinaryOp::GreaterEqual,
        Rule::equal => BinaryOp::Equal,
        _ => BinaryOp::NotEqual,
    }
}

impl Reader {
    fn clause(&self, pair: Pair<'_, Rule>) -> Result<ClauseKind, SyntaxError> {
        let rule = pair.as_rule();
        if rule == Rule::loop_clause {
            let at = pair.as_span().start();
            let of_loop = |p: &Pair<'_, Rule>| matches!(p.as_rule(), Rule::invariant | Rule::assigns | Rule::variant);
            let found = pair.into_inner().find(of_loop);
            return match found {
                Some(p) if p.as_rule() == Rule::variant => {
                    let (node, relation) = self.measure(p)?;
                    Ok(ClauseKind::Variant(node, relation))
                }
                Some(p) if p.as_rule() == Rule::assigns => Ok(ClauseKind::LoopAssigns(self.locations(p)?)),
                Some(p) => Ok(ClauseKind::Invariant(self.formula_in(p)?)),
                None => self.fail(at, "an invariant was expected"),
            };
        }
        if rule == Rule::decreases {
            let (node, relation) = self.measure(pair)?;
            return Ok(ClauseKind::Decreases(node, relation));
        }
        if rule == Rule::assigns {
            return Ok(ClauseKind::Assigns(self.locations(pair)?));
        }
        if rule == Rule::lemma {
            let (mut name, mut labels) = (String::new(), Vec::new());
            let formula = self.formula_in(pair.clone())?;
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::name => name = part.as_str().to_owned(),
                    Rule::labels => labels = labels_of(part),
                    _ => {}
                }
            }
            return Ok(ClauseKind::Lemma { name, labels, formula });
        }
        if matches!(rule, Rule::predicate | Rule::logic) {
            return self.predicate(pair);
        }
        if rule == Rule::behaviors {
            let (mut names, mut complete) = (Vec::new(), false);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::kw_complete => complete = true,
                    Rule::name => names.push(part.as_str().to_owned()),
                    _ => {}
                }
            }
            return Ok(if complete { ClauseKind::Complete(names) } else { ClauseKind::Disjoint(names) });
        }
        let node = self.formula_in(pair)?;
        Ok(match rule {
            Rule::requires => ClauseKind::Requires(node),
            Rule::ensures => ClauseKind::Ensures(node),
            Rule::assumes => ClauseKind::Assumes(node),
            Rule::exits => ClauseKind::Exits(node),
            Rule::terminates => ClauseKind::Terminates(node),
            Rule::check => ClauseKind::Check(node),
            Rule::assumption => ClauseKind::Assume(node),
            _ => ClauseKind::Assert(node),
        })
    }

    /// What becomes smaller, and by which relation.
    fn measure(&self, pair: Pair<'_, Rule>) -> Result<(Node, Option<String>), SyntaxError> {
        let relation = pair.clone().into_inner().find(|p| p.as_rule() == Rule::name);
        Ok((self.formula_in(pair)?, relation.map(|p| p.as_str().to_owned())))
    }

    /// The locations of a list; none for `\nothing`.
    fn locations(&self, pair: Pair<'_, Rule>) -> Result<Vec<Node>, SyntaxError> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::formula).map(|p| self.formula(p)).collect()
    }

    fn predicate(&self, pair: Pair<'_, Rule>) -> Result<ClauseKind, SyntaxError> {
        let (mut name, mut labels, mut parameters, mut body) = (String::new(), Vec::new(), Vec::new(), None);
        let (at, is_term) = (pair.as_span().start(), pair.as_rule() == Rule::logic);
        let (mut ty, mut is_pointer) = (Vec::new(), false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = part.as_str().to_owned(),
                Rule::type_word => ty.push(part.as_str().trim().to_owned()),
                Rule::stars => is_pointer = !part.as_str().trim().is_empty(),
                Rule::labels => labels = labels_of(part),
                Rule::parameters => {
                    let all = part.into_inner().filter(|p| p.as_rule() == Rule::parameter);
                    parameters.extend(all.map(parameter));
                }
                Rule::formula => body = Some(self.formula(part)?),
                _ => {}
            }
        }
        match body {
            Some(body) => {
                let ty = (is_term && !is_pointer).then(|| ty.join(" "));
                Ok(ClauseKind::Predicate(Predicate { name, labels, parameters, body, is_term, ty }))
            }
            None => self.fail(at, "a predicate without a body"),
        }
    }

    fn fail<T>(&self, at: usize, message: &str) -> Result<T, SyntaxError> {
        Err(SyntaxError { offset: self.base + at, message: message.to_owned(), expected: Vec::new() })
    }

    fn formula_in(&self, pair: Pair<'_, Rule>) -> Result<Node, SyntaxError> {
        let at = pair.as_span().start();
        match pair.into_inner().find(|p| p.as_rule() == Rule::formula) {
            Some(p) => self.formula(p),
            None => self.fail(at, "a formula was expected"),
        }
    }

    fn formula(&self, pair: Pair<'_, Rule>) -> Result<Node, SyntaxError> {
        let mut operands = Vec::new();
        let mut operators = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::operand => operands.push(self.operand(part)?),
                Rule::alternatives => {
                    let condition = Box::new(self.tree(operands, &operators)?);
                    let (start, mut branches) = (condition.start, Vec::new());
                    let is_branch = |p: &Pair<'_, Rule>| matches!(p.as_rule(), Rule::formula | Rule::nameless);
                    for branch in part.into_inner().filter(is_branch) {
                        branches.push(self.formula(branch)?);
                    }
                    let (Some(b), Some(a)) = (branches.pop(), branches.pop()) else {
                        return self.fail(start - self.base, "a conditional without branches");
                    };
                    let end = b.end;
                    let kind = NodeKind::Conditional(condition, Box::new(a), Box::new(b));
                    return Ok(Node { kind, start, end });
                }
                Rule::label | Rule::quoted | Rule::colon => {}
                _ => operators.extend(part.into_inner().next().map(|p| (p.as_rule(), p.as_span().start()))),
            }
        }
        self.tree(operands, &operators)
    }

    /// Builds a tree: the loosest operator splits the list, and both parts become trees.
    fn tree(&self, operands: Vec<Node>, operators: &[(Rule, usize)]) -> Result<Node, SyntaxError> {
        let Some(loosest) = operators.iter().map(|o| level(o.0)).min() else {
            return match operands.into_iter().next() {
                Some(only) => Ok(only),
                None => self.fail(0, "a formula was expected"),
            };
        };
        let cuts: Vec<usize> = (0..operators.len()).filter(|n| level(operators[*n].0) == loosest).collect();
        let mut parts = Vec::new();
        let mut rest = operands;
        let mut taken = 0;
        for cut in &cuts {
            let tail = rest.split_off(cut + 1 - taken);
            parts.push(self.tree(rest, &operators[taken..*cut])?);
            rest = tail;
            taken = cut + 1;
        }
        parts.push(self.tree(rest, &operators[taken..])?);
        if loosest == level(Rule::less) {
            let ops: Vec<BinaryOp> = cuts.iter().map(|c| comparison(operators[*c].0)).collect();
            let up = |op: &BinaryOp| matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Equal);
            let down = |op: &BinaryOp| matches!(op, BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal);
            if ops.len() > 1 && !ops.iter().all(up) && !ops.iter().all(down) {
                return self.fail(operators[cuts[1]].1, "comparisons in a chain go one way, as in `0 <= k < n`");
            }
            let (start, end) = (parts[0].start, parts[parts.len() - 1].end);
            return Ok(Node { kind: NodeKind::Chain(parts, ops), start, end });
        }
        let join = |rule: Rule, a: Node, b: Node| {
            let (start, end) = (a.start, b.end);
            let (a, b) = (Box::new(a), Box::new(b));
            use crate::program::TermOp;
            let kind = match rule {
                Rule::equivalent => NodeKind::Iff(a, b),
                Rule::implies => NodeKind::Implies(a, b),
                Rule::or => NodeKind::Or(a, b),
                Rule::xor => NodeKind::Not(Box::new(Node { kind: NodeKind::Iff(a, b), start, end })),
                Rule::and => NodeKind::And(a, b),
                Rule::plus => NodeKind::Arithmetic(TermOp::Add, a, b),
                Rule::minus => NodeKind::Arithmetic(TermOp::Sub, a, b),
                Rule::times => NodeKind::Arithmetic(TermOp::Mul, a, b),
                Rule::divided => NodeKind::Arithmetic(TermOp::Div, a, b),
                _ => NodeKind::Arithmetic(TermOp::Rem, a, b),
            };
            Node { kind, start, end }
        };
        let mut rules: Vec<Rule> = cuts.iter().map(|c| operators[*c].0).collect();
        if parts.len() > MAX_DEPTH {
            return self.fail(operators[cuts[MAX_DEPTH - 1]].1, &format!("more than {MAX_DEPTH} operators in a row"));
        }
        if loosest == level(Rule::implies) {
            let mut all = parts.into_iter().rev();
            let Some(mut node) = all.next() else { return self.fail(0, "a formula was expected") };
            for a in all {
                node = join(Rule::implies, a, node);
            }
            return Ok(node);
        }
        let mut all = parts.into_iter();
        let Some(mut node) = all.next() else { return self.fail(0, "a formula was expected") };
        for b in all {
            node = join(rules.remove(0), node, b);
        }
        Ok(node)
    }

    fn operand(&self, pair: Pair<'_, Rule>) -> Result<Node, SyntaxError> {
        let (start, end) = (self.base + pair.as_span().start(), self.base + pair.as_span().end());
        let mut prefixes = Vec::new();
        let mut node = None;
        for part in pair.into_inner() {
            let span = (self.base + part.as_span().start(), self.base + part.as_span().end());
            match part.as_rule() {
                Rule::prefix => {
                    let inner = part.into_inner().next();
                    prefixes.extend(inner.map(|p| (p.as_rule(), p.as_str().to_owned(), span.0)));
                }
                Rule::primary => node = Some(self.primary(part)?),
                _ => {
                    let Some(inner) = node.take() else { continue };
                    let Some(p) = part.into_inner().next() else { continue };
                    let (rule, first) = (p.as_rule(), inner.start);
                    let inner = Box::new(inner);
                    let kind = if rule == Rule::index {
                        let (start, end) = span;
                        let mut ends = p.into_inner().filter(|p| p.as_rule() == Rule::formula);
                        let index = match (ends.next(), ends.next()) {
                            (Some(low), Some(high)) => {
                                let (low, high) = (Box::new(self.formula(low)?), Box::new(self.formula(high)?));
                                Node { kind: NodeKind::Range(low, high), start, end }
                            }
                            (Some(only), None) => self.formula(only)?,
                            _ => Node { kind: NodeKind::All, start, end },
                        };
                        NodeKind::Index(inner, Box::new(index))
                    } else {
                        let name = p.into_inner().next().map_or(String::new(), |n| n.as_str().to_owned());
                        if rule == Rule::arrow { NodeKind::Arrow(inner, name) } else { NodeKind::Member(inner, name) }
                    };
                    node = Some(Node { kind, start: first, end: span.1 });
                }
            }
        }
        let Some(mut node) = node else { return self.fail(start - self.base, "a formula was expected") };
        for (rule, text, at) in prefixes.into_iter().rev() {
            let inner = Box::new(node);
            let kind = match rule {
                Rule::not => NodeKind::Not(inner),
                Rule::times => pointed_to(*inner),
                Rule::cast => {
                    let words = text.trim_matches(|c: char| "()".contains(c) || c.is_whitespace());
                    NodeKind::Cast(words.split_whitespace().collect::<Vec<_>>().join(" "), inner)
                }
                _ => NodeKind::Negate(inner),
            };
            node = Node { kind, start: at, end };
        }
        Ok(node)
    }

    fn primary(&self, pair: Pair<'_, Rule>) -> Result<Node, SyntaxError> {
        let at = pair.as_span().start();
        let Some(p) = pair.into_inner().next() else { return self.fail(at, "a formula was expected") };
        let (start, end) = (self.base + p.as_span().start(), self.base + p.as_span().end());
        let kind = match p.as_rule() {
            Rule::truth => NodeKind::True,
            Rule::falsehood => NodeKind::False,
            Rule::result => NodeKind::Result,
            Rule::exit_status => NodeKind::ExitStatus,
            Rule::name => NodeKind::Name(p.as_str().to_owned()),
            Rule::number => match number(p.as_str()) {
                Some(n) => NodeKind::Number(n),
                None => return self.fail(at, "a number with too many digits"),
            },
            Rule::character => match character(p.as_str()) {
                Some(n) => NodeKind::Number(n),
                None => return self.fail(at, "an escape that is not known"),
            },
            Rule::parenthesised => {
                let mut ends = p.into_inner().filter(|p| p.as_rule() == Rule::formula);
                match (ends.next(), ends.next()) {
                    (Some(a), Some(b)) => NodeKind::Range(Box::new(self.formula(a)?), Box::new(self.formula(b)?)),
                    (Some(only), None) => self.formula(only)?.kind,
                    _ => return self.fail(at, "a formula was expected"),
                }
            }
            Rule::old => NodeKind::Old(Box::new(self.formula_in(p)?)),
            Rule::quantified => self.quantified(p)?,
            Rule::local => {
                let (mut name, mut parts) = (String::new(), Vec::new());
                for part in p.into_inner() {
                    match part.as_rule() {
                        Rule::name => name = part.as_str().to_owned(),
                        Rule::formula => parts.push(Box::new(self.formula(part)?)),
                        _ => {}
                    }
                }
                let (Some(body), Some(value)) = (parts.pop(), parts.pop()) else {
                    return self.fail(at, "a `\\let` without a body");
                };
                NodeKind::Let(name, value, body)
            }
            _ => {
                let mut inner = p.into_inner();
                let name = inner.next().map_or(String::new(), |n| n.as_str().to_owned());
                let (mut labels, mut arguments) = (Vec::new(), Vec::new());
                for part in inner {
                    match part.as_rule() {
                        Rule::labels => labels = labels_of(part),
                        Rule::arguments => {
                            for a in part.into_inner().filter(|p| p.as_rule() == Rule::formula) {
                                arguments.push(self.formula(a)?);
                            }
                        }
                        _ => {}
                    }
                }
                NodeKind::Call(name, labels, arguments)
            }
        };
        Ok(Node { kind, start, end })
    }

    fn quantified(&self, pair: Pair<'_, Rule>) -> Result<NodeKind, SyntaxError> {
        let mut binders = Vec::new();
        let mut exists = false;
        let at = pair.as_span().start();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::exists => exists = true,
                Rule::binders => binders.extend(binders_of(part)),
                Rule::formula => {
                    let body = self.formula(part)?;
                    let body = Box::new(body);
                    return Ok(if exists { NodeKind::Exists(binders, body) } else { NodeKind::ForAll(binders, body) });
                }
                _ => {}
            }
        }
        self.fail(at, "a quantifier without a body")
    }
}

/// `*(p + i)` is `p[i]`, and `*p` is `p[0]`.
fn pointed_to(pointer: Node) -> NodeKind {
    let (start, end) = (pointer.start, pointer.end);
    match pointer.kind {
        NodeKind::Arithmetic(crate::program::TermOp::Add, p, index) => NodeKind::Index(p, index),
        kind => {
            let first = Node { kind: NodeKind::Number(0), start, end };
            NodeKind::Index(Box::new(Node { kind, start, end }), Box::new(first))
        }
    }
}

/// The variables of one type in the head of a quantifier.
fn binders_of(pair: Pair<'_, Rule>) -> Vec<Binder> {
    let (mut ty, mut found) = (String::new(), Vec::new());
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::bound_type => ty = part.as_str().split_whitespace().collect::<Vec<_>>().join(" "),
            Rule::bound => {
                let mut binder = Binder { name: String::new(), ty: ty.clone(), is_pointer: false };
                for part in part.into_inner() {
                    match part.as_rule() {
                        Rule::stars => binder.is_pointer |= !part.as_str().trim().is_empty(),
                        Rule::name => binder.name = part.as_str().to_owned(),
                        _ => {}
                    }
                }
                found.push(binder);
            }
            _ => {}
        }
    }
    found
}

fn labels_of(pair: Pair<'_, Rule>) -> Vec<String> {
    pair.into_inner().filter(|p| p.as_rule() == Rule::identifier).map(|p| p.as_str().to_owned()).collect()
}

fn parameter(pair: Pair<'_, Rule>) -> Parameter {
    let mut found = Parameter { name: String::new(), is_pointer: false, ty: String::new() };
    for part in pair.into_inner() {
        match part.as_rule() {
            Rule::name => found.name = part.as_str().to_owned(),
            Rule::type_word => {
                let space = if found.ty.is_empty() { "" } else { " " };
                found.ty = format!("{}{space}{}", found.ty, part.as_str().trim());
            }
            Rule::stars | Rule::brackets => found.is_pointer |= !part.as_str().trim().is_empty(),
            _ => {}
        }
    }
    found
}
