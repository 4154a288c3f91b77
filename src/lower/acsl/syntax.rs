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
    /// `for b, c:`, the behaviors of the function to whose runs it applies; all runs if there are
    /// none.
    pub(in crate::lower) only_for: Vec<String>,
    /// What a word before the clause says.
    pub(in crate::lower) mode: Mode,
    /// What the written values depend on, which is not checked.
    pub(in crate::lower) from: Vec<Node>,
    /// Where it starts and ends, in the preprocessed text.
    pub(in crate::lower) start: usize,
    pub(in crate::lower) end: usize,
}

/// What is done with a clause.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) enum Mode {
    /// It is claimed, and what comes later relies on it.
    #[default]
    Plain,
    /// `check`: it is claimed, and nothing relies on it.
    Check,
    /// `admit`: it is taken for granted.
    Admit,
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
    /// `allocates` or `frees`: which blocks of memory are made, or freed.
    Blocks(Vec<Node>),
    LoopBlocks(Vec<Node>),
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
    /// A predicate without a body, and the cases that it satisfies.
    Inductive(Predicate, Vec<ClauseKind>),
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
    /// Whether it has no body.
    pub(in crate::lower) is_declared: bool,
    /// What it depends on, if it has no body.
    pub(in crate::lower) reads: Vec<Node>,
}

impl Predicate {
    fn each_node_mut(&mut self, f: &mut impl FnMut(&mut Node)) {
        f(&mut self.body);
        self.reads.iter_mut().for_each(f);
    }

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
    /// `..`, all indexes. As the end of a range: there is none.
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
    /// `{a, b}`
    Set(Vec<Node>),
    /// `a \in b`
    In(Box<Node>, Box<Node>),
    /// Operators on the bits of two numbers.
    Bits(BitOp, Box<Node>, Box<Node>),
    /// `~a`
    Complement(Box<Node>),
    /// `&a`
    Address(Box<Node>),
    /// `sizeof(type)`, with the number of its stars. The words may name an object instead.
    SizeOfType(String, usize),
    /// `sizeof a`
    SizeOf(Box<Node>),
}

/// Operators on bits. Numbers have infinitely many of them, as in two's complement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(in crate::lower) enum BitOp {
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Calls `$f` on the formulas and terms directly inside `$kind`.
macro_rules! parts {
    ($kind:expr, $f:expr, $iter:ident) => {
        match $kind {
            NodeKind::Old(a)
            | NodeKind::Not(a)
            | NodeKind::Negate(a)
            | NodeKind::Cast(_, a)
            | NodeKind::Complement(a)
            | NodeKind::Address(a)
            | NodeKind::SizeOf(a)
            | NodeKind::Member(a, _)
            | NodeKind::Arrow(a, _)
            | NodeKind::ForAll(_, a)
            | NodeKind::Exists(_, a) => $f(a),
            NodeKind::Index(a, b)
            | NodeKind::Arithmetic(_, a, b)
            | NodeKind::Bits(_, a, b)
            | NodeKind::In(a, b)
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
            NodeKind::Call(_, _, all) | NodeKind::Chain(all, _) | NodeKind::Set(all) => all.$iter().for_each(|a| $f(a)),
            NodeKind::Number(_)
            | NodeKind::All
            | NodeKind::Name(_)
            | NodeKind::True
            | NodeKind::False
            | NodeKind::ExitStatus
            | NodeKind::SizeOfType(..)
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
    let from = reader.dependencies(inner.clone())?;
    Ok(Clause { from, ..Clause::new(reader.clause(inner)?, start, end) })
}

impl Clause {
    /// A clause that stands alone.
    pub(in crate::lower) fn new(kind: ClauseKind, start: usize, end: usize) -> Clause {
        Clause { kind, behavior: None, only_for: Vec::new(), mode: Mode::Plain, from: Vec::new(), start, end }
    }

    /// Gives the clause and all its parts other places: `f` maps where something starts and ends.
    pub(in crate::lower) fn moved(&mut self, f: &impl Fn(usize, usize) -> (usize, usize)) {
        (self.start, self.end) = f(self.start, self.end);
        self.from.iter_mut().for_each(|n| n.moved(f));
        self.kind.each_node_mut(&mut |n| n.moved(f));
    }
}

impl Node {
    fn moved(&mut self, f: &impl Fn(usize, usize) -> (usize, usize)) {
        (self.start, self.end) = f(self.start, self.end);
        self.kind.each_part_mut(&mut |part| part.moved(f));
    }
}

impl ClauseKind {
    /// The clause as one that nothing can judge: whether something relies on it depends on what
    /// stands before it.
    pub(in crate::lower) fn with_mode(self, mode: Mode) -> ClauseKind {
        let (role, word) = match (mode, &self) {
            (Mode::Plain, _) => return self,
            (Mode::Check, ClauseKind::Requires(_)) => (Role::Contract, "requires"),
            (Mode::Admit, ClauseKind::Requires(_)) => (Role::Assumption, "requires"),
            (Mode::Check, ClauseKind::Ensures(_)) => (Role::Contract, "ensures"),
            (Mode::Admit, ClauseKind::Ensures(_)) => (Role::Assumption, "ensures"),
            (Mode::Admit, ClauseKind::Invariant(_)) => (Role::Assumption, "invariant"),
            (_, _) => return self,
        };
        ClauseKind::Unusable(Unusable { role, word: word.to_owned(), reason: String::new() })
    }

    /// Calls `f` on its formulas and terms.
    fn each_node_mut(&mut self, f: &mut impl FnMut(&mut Node)) {
        match self {
            ClauseKind::Requires(n)
            | ClauseKind::Ensures(n)
            | ClauseKind::Assumes(n)
            | ClauseKind::Exits(n)
            | ClauseKind::Terminates(n)
            | ClauseKind::Decreases(n, _)
            | ClauseKind::Variant(n, _)
            | ClauseKind::Assert(n)
            | ClauseKind::Check(n)
            | ClauseKind::Assume(n)
            | ClauseKind::Invariant(n)
            | ClauseKind::Lemma { formula: n, .. } => f(n),
            ClauseKind::Assigns(all)
            | ClauseKind::LoopAssigns(all)
            | ClauseKind::Blocks(all)
            | ClauseKind::LoopBlocks(all) => all.iter_mut().for_each(f),
            ClauseKind::Predicate(p) => p.each_node_mut(f),
            ClauseKind::Inductive(p, cases) => {
                p.each_node_mut(f);
                for case in cases {
                    if let ClauseKind::Lemma { formula, .. } = case {
                        f(formula);
                    }
                }
            }
            ClauseKind::Complete(_) | ClauseKind::Disjoint(_) | ClauseKind::GhostLabel(_) | ClauseKind::Unusable(_) => {
            }
        }
    }
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
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'!' | b'-' | b'*' | b'~' | b'&' => run += 1,
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

/// Two operands of an operator of two.
fn joined(rule: Rule, a: Node, b: Node) -> Node {
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
        Rule::bits_and => NodeKind::Bits(BitOp::And, a, b),
        Rule::bits_or => NodeKind::Bits(BitOp::Or, a, b),
        Rule::bits_xor => NodeKind::Bits(BitOp::Xor, a, b),
        Rule::shift_left => NodeKind::Bits(BitOp::ShiftLeft, a, b),
        Rule::shift_right => NodeKind::Bits(BitOp::ShiftRight, a, b),
        Rule::bits_imply => {
            let not = Node { kind: NodeKind::Complement(a), start, end };
            NodeKind::Bits(BitOp::Or, Box::new(not), b)
        }
        Rule::bits_iff => {
            let differ = Node { kind: NodeKind::Bits(BitOp::Xor, a, b), start, end };
            NodeKind::Complement(Box::new(differ))
        }
        _ => NodeKind::Arithmetic(TermOp::Rem, a, b),
    };
    Node { kind, start, end }
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
        Rule::cast | Rule::local | Rule::complement | Rule::address | Rule::empty | Rule::set | Rule::size => {
            &["a formula"]
        }
        Rule::reads | Rule::kw_reads => &["`reads`"],
        Rule::kw_inductive | Rule::inductive => &["a clause"],
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

/// How tightly operators bind, as in the grammar of Frama-C; `==>` and `-->` bind to the right.
fn level(rule: Rule) -> u8 {
    match rule {
        Rule::equivalent => 1,
        Rule::implies => 2,
        Rule::or => 3,
        Rule::xor => 4,
        Rule::and => 5,
        Rule::bits_or => 6,
        Rule::bits_iff => 7,
        Rule::bits_imply => 8,
        Rule::bits_xor => 9,
        Rule::bits_and => 10,
        Rule::shift_left | Rule::shift_right => 12,
        Rule::plus | Rule::minus => 13,
        Rule::times | Rule::divided | Rule::modulo => 14,
        _ => 11,
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
            let of_loop = |p: &Pair<'_, Rule>| {
                matches!(p.as_rule(), Rule::invariant | Rule::assigns | Rule::variant | Rule::blocks)
            };
            let found = pair.into_inner().find(of_loop);
            return match found {
                Some(p) if p.as_rule() == Rule::variant => {
                    let (node, relation) = self.measure(p)?;
                    Ok(ClauseKind::Variant(node, relation))
                }
                Some(p) if p.as_rule() == Rule::blocks => Ok(ClauseKind::LoopBlocks(self.locations(p)?)),
                Some(p) if p.as_rule() == Rule::assigns => Ok(ClauseKind::LoopAssigns(self.locations(p)?)),
                Some(p) => Ok(ClauseKind::Invariant(self.formula_in(p)?)),
                None => self.fail(at, "an invariant was expected"),
            };
        }
        if rule == Rule::decreases {
            let (node, relation) = self.measure(pair)?;
            return Ok(ClauseKind::Decreases(node, relation));
        }
        if rule == Rule::blocks {
            return Ok(ClauseKind::Blocks(self.locations(pair)?));
        }
        if rule == Rule::assigns {
            return Ok(ClauseKind::Assigns(self.locations(pair)?));
        }
        if rule == Rule::inductive {
            return self.inductive(pair);
        }
        if matches!(rule, Rule::lemma | Rule::axiom | Rule::inductive_case) {
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
        let (mut ty, mut is_pointer, mut reads) = (Vec::new(), false, Vec::new());
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
                Rule::reads => reads = self.locations(part)?,
                _ => {}
            }
        }
        let is_declared = body.is_none();
        let (start, end) = (self.base + at, self.base + at);
        let body = body.unwrap_or(Node { kind: NodeKind::True, start, end });
        let ty = (is_term && !is_pointer).then(|| ty.join(" "));
        Ok(ClauseKind::Predicate(Predicate { name, labels, parameters, body, is_term, ty, is_declared, reads }))
    }

    /// An inductive predicate: one without a body, and what is known of it.
    fn inductive(&self, pair: Pair<'_, Rule>) -> Result<ClauseKind, SyntaxError> {
        let ClauseKind::Predicate(predicate) = self.predicate(pair.clone())? else {
            return self.fail(pair.as_span().start(), "a predicate was expected");
        };
        let mut cases = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::inductive_case) {
            let mut case = self.clause(part)?;
            if let ClauseKind::Lemma { name, .. } = &mut case {
                *name = format!("{}.{name}", predicate.name);
            }
            cases.push(case);
        }
        Ok(ClauseKind::Inductive(predicate, cases))
    }

    /// What the written values depend on, according to an `assigns`.
    fn dependencies(&self, pair: Pair<'_, Rule>) -> Result<Vec<Node>, SyntaxError> {
        let assigns = match pair.as_rule() {
            Rule::loop_clause => pair.into_inner().find(|p| p.as_rule() == Rule::assigns),
            Rule::assigns => Some(pair),
            _ => None,
        };
        let from = assigns.and_then(|p| p.into_inner().find(|p| p.as_rule() == Rule::from));
        from.map_or(Ok(Vec::new()), |p| self.locations(p))
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
        if let Some(cut) = cuts.iter().find(|c| operators[**c].0 == Rule::is_in) {
            let at = operators[*cut].1;
            return match <[Node; 2]>::try_from(parts) {
                Ok([element, set]) => {
                    let (start, end) = (element.start, set.end);
                    Ok(Node { kind: NodeKind::In(Box::new(element), Box::new(set)), start, end })
                }
                Err(_) => self.fail(at, "`\\in` needs parentheses beside other comparisons"),
            };
        }
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
        let mut rules: Vec<Rule> = cuts.iter().map(|c| operators[*c].0).collect();
        if parts.len() > MAX_DEPTH {
            return self.fail(operators[cuts[MAX_DEPTH - 1]].1, &format!("more than {MAX_DEPTH} operators in a row"));
        }
        if loosest == level(Rule::implies) || loosest == level(Rule::bits_imply) {
            let mut all = parts.into_iter().rev();
            let Some(mut node) = all.next() else { return self.fail(0, "a formula was expected") };
            for a in all {
                node = joined(rules[0], a, node);
            }
            return Ok(node);
        }
        let mut all = parts.into_iter();
        let Some(mut node) = all.next() else { return self.fail(0, "a formula was expected") };
        for b in all {
            node = joined(rules.remove(0), node, b);
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
                        NodeKind::Index(inner, Box::new(self.range(p, start, end)?))
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
                Rule::complement => NodeKind::Complement(inner),
                Rule::address => NodeKind::Address(inner),
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

    /// The inside of brackets: one formula, or a range, whose ends may be missing.
    fn range(&self, pair: Pair<'_, Rule>, start: usize, end: usize) -> Result<Node, SyntaxError> {
        let at = pair.as_span().start();
        let (mut low, mut high, mut is_range) = (None, None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::dots => is_range = true,
                Rule::formula if is_range => high = Some(self.formula(part)?),
                Rule::formula => low = Some(self.formula(part)?),
                _ => {}
            }
        }
        let open = || Node { kind: NodeKind::All, start, end };
        Ok(match (low, high, is_range) {
            (Some(only), _, false) => only,
            (None, None, true) => open(),
            (low, high, true) => {
                let (low, high) = (low.unwrap_or_else(open), high.unwrap_or_else(open));
                Node { kind: NodeKind::Range(Box::new(low), Box::new(high)), start, end }
            }
            (None, ..) => return self.fail(at, "a formula was expected"),
        })
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
            Rule::parenthesised => self.range(p, start, end)?.kind,
            Rule::empty => NodeKind::Set(Vec::new()),
            Rule::set => NodeKind::Set(self.locations(p)?),
            Rule::size => match p.into_inner().find(|p| matches!(p.as_rule(), Rule::type_name | Rule::operand)) {
                Some(operand) if operand.as_rule() == Rule::operand => {
                    NodeKind::SizeOf(Box::new(self.operand(operand)?))
                }
                Some(name) => {
                    let text = name.as_str();
                    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || "@*".contains(c)).collect();
                    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
                    NodeKind::SizeOfType(words.join(" "), text.matches('*').count())
                }
                None => return self.fail(at, "a type was expected"),
            },
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
