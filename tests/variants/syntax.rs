//! A parser for the part of C that the programs need: declarations and expressions are token lists,
//! statements are a tree.

/// A statement. Tokens of simple statements do not include the semicolon.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    Simple(Vec<String>),
    Block(Vec<Stmt>),
    If(Vec<String>, Box<Stmt>, Option<Box<Stmt>>),
    While(Vec<String>, Box<Stmt>),
    Do(Box<Stmt>, Vec<String>),
    For(Vec<String>, Vec<String>, Vec<String>, Box<Stmt>),
}

/// The items at the top level of a file.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Other(Vec<String>),
    Function(Vec<String>, Vec<Stmt>),
}

pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Vec<String> {
    const LONG: [&str; 13] = ["++", "--", "+=", "-=", "*=", "->", "&&", "||", "==", "!=", "<=", ">=", "<<"];
    let (mut rest, mut found) = (text.trim_start(), Vec::new());
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            LONG.iter().find(|l| rest.starts_with(**l)).map_or(first.len_utf8(), |l| l.len())
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    found
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn is(&self, token: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|t| t == token)
    }

    fn expect(&mut self, token: &str) -> Option<()> {
        let found = self.is(token);
        self.at += 1;
        found.then_some(())
    }

    /// All tokens up to `end` outside brackets, which is consumed.
    fn until(&mut self, end: &str) -> Option<Vec<String>> {
        let (mut depth, mut found) = (0u32, Vec::new());
        loop {
            let token = self.tokens.get(self.at)?.clone();
            self.at += 1;
            if depth == 0 && token == end {
                return Some(found);
            }
            match token.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            found.push(token);
        }
    }

    fn condition(&mut self) -> Option<Vec<String>> {
        self.expect("(")?;
        self.until(")")
    }

    fn stmt(&mut self) -> Option<Stmt> {
        if self.is("{") {
            self.at += 1;
            return self.block().map(Stmt::Block);
        }
        let start = self.at;
        self.at += 1;
        match self.tokens.get(start)?.as_str() {
            "if" => {
                let (condition, then) = (self.condition()?, Box::new(self.stmt()?));
                let other = if self.is("else") {
                    self.at += 1;
                    Some(Box::new(self.stmt()?))
                } else {
                    None
                };
                Some(Stmt::If(condition, then, other))
            }
            "while" => Some(Stmt::While(self.condition()?, Box::new(self.stmt()?))),
            "do" => {
                let body = Box::new(self.stmt()?);
                self.expect("while")?;
                let condition = self.condition()?;
                self.expect(";")?;
                Some(Stmt::Do(body, condition))
            }
            "for" => {
                self.expect("(")?;
                let (init, condition, step) = (self.until(";")?, self.until(";")?, self.until(")")?);
                Some(Stmt::For(init, condition, step, Box::new(self.stmt()?)))
            }
            _ => {
                self.at = start;
                self.until(";").map(Stmt::Simple)
            }
        }
    }

    /// The statements up to the closing brace.
    fn block(&mut self) -> Option<Vec<Stmt>> {
        let mut found = Vec::new();
        while !self.is("}") {
            found.push(self.stmt()?);
        }
        self.at += 1;
        Some(found)
    }

    fn item(&mut self) -> Option<Item> {
        let head = self.tokens[self.at..].iter().position(|t| t == ";" || t == "{")? + self.at;
        let function = self.tokens[head] == "{" && self.tokens.get(head.checked_sub(1)?).is_some_and(|t| t == ")");
        if function {
            let before = self.tokens[self.at..head].to_vec();
            self.at = head + 1;
            return Some(Item::Function(before, self.block()?));
        }
        self.until(";").map(Item::Other)
    }
}

/// The items of a file; `None` if it is not understood.
pub(crate) fn parse(text: &str) -> Option<Vec<Item>> {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut items = Vec::new();
    while parser.at < parser.tokens.len() {
        items.push(parser.item()?);
    }
    Some(items)
}

/// The tokens of a file.
pub(crate) fn render(items: &[Item]) -> Vec<String> {
    let mut to = Vec::new();
    for item in items {
        match item {
            Item::Other(tokens) => {
                to.extend(tokens.iter().cloned());
                to.push(";".into());
            }
            Item::Function(head, body) => {
                to.extend(head.iter().cloned());
                Stmt::Block(body.clone()).render(&mut to);
            }
        }
    }
    to
}

/// Tokens as text, with a line for each statement.
pub(crate) fn layout(tokens: &[String]) -> String {
    let (mut text, mut depth) = (String::new(), 0u32);
    for token in tokens {
        text.push_str(token);
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = depth == 0 && matches!(token.as_str(), ";" | "{" | "}");
        text.push(if end { '\n' } else { ' ' });
    }
    text
}

/// Whether a token of the statement is this name.
pub(crate) fn mentions(stmt: &Stmt, name: &str) -> bool {
    let mut tokens = Vec::new();
    stmt.render(&mut tokens);
    tokens.iter().any(|t| t == name)
}

impl Stmt {
    fn render(&self, to: &mut Vec<String>) {
        let word = |to: &mut Vec<String>, words: &[&str]| to.extend(words.iter().map(|w| (*w).to_owned()));
        match self {
            Stmt::Simple(tokens) => {
                to.extend(tokens.iter().cloned());
                word(to, &[";"]);
            }
            Stmt::Block(inside) => {
                word(to, &["{"]);
                inside.iter().for_each(|s| s.render(to));
                word(to, &["}"]);
            }
            Stmt::If(condition, then, other) => {
                word(to, &["if", "("]);
                to.extend(condition.iter().cloned());
                // In braces, so that no `else` belongs to another `if`.
                word(to, &[")", "{"]);
                then.render(to);
                word(to, &["}"]);
                if let Some(other) = other {
                    word(to, &["else", "{"]);
                    other.render(to);
                    word(to, &["}"]);
                }
            }
            Stmt::While(condition, body) => {
                word(to, &["while", "("]);
                to.extend(condition.iter().cloned());
                word(to, &[")"]);
                body.render(to);
            }
            Stmt::Do(body, condition) => {
                word(to, &["do"]);
                body.render(to);
                word(to, &["while", "("]);
                to.extend(condition.iter().cloned());
                word(to, &[")", ";"]);
            }
            Stmt::For(init, condition, step, body) => {
                word(to, &["for", "("]);
                to.extend(init.iter().cloned());
                word(to, &[";"]);
                to.extend(condition.iter().cloned());
                word(to, &[";"]);
                to.extend(step.iter().cloned());
                word(to, &[")"]);
                body.render(to);
            }
        }
    }

    /// Whether the statement contains a `break` or `continue` that belongs to the enclosing loop.
    pub(crate) fn has_own(&self, jump: &str) -> bool {
        match self {
            Stmt::Simple(tokens) => tokens.first().is_some_and(|t| t == jump),
            Stmt::Block(inside) => inside.iter().any(|s| s.has_own(jump)),
            Stmt::If(_, then, other) => then.has_own(jump) || other.as_ref().is_some_and(|s| s.has_own(jump)),
            Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) => false,
        }
    }

    /// The variable that the assignment writes (or a cell of it), if the assignment may be moved:
    /// it contains no call, no declaration, and no pointer access.
    pub(crate) fn target(&self) -> Option<String> {
        let Stmt::Simple(tokens) = self else { return None };
        let simple = tokens.iter().any(|t| t == "=") && tokens.get(1).is_some_and(|t| t == "=" || t == "[");
        let plain = !tokens.iter().any(|t| matches!(t.as_str(), "(" | "*" | "->" | "," | "++" | "--"));
        tokens.first().filter(|t| simple && plain && is_name(t)).cloned()
    }
}
