//! Prepares preprocessed text for the parser without moving a byte, and refuses text that would
//! take too long to parse.
//!
//! The middle operand that `x ?: y` leaves out becomes a `0` (`Unit::is_left_out`), and the GNU
//! escape `\e`, which lang-c does not know, the escape `\a`.
//!
//! Blanked: comments, line markers, `__attribute__`, `__extension__`, `__thread`, `_Pragma`. Bytes
//! beyond ASCII inside literals become `?` (the values of literals are read from the raw text).

use super::error::InputErrorKind;
use super::pragmas::{Effect, Pragmas};
use crate::program::Packing;

/// The deepest nesting of brackets, operators and statements.
pub(crate) const MAX_DEPTH: usize = 20_000;

/// The greatest sum over all tokens of the number of brackets around them: lang-c copies what it
/// has parsed once per enclosing bracket, so its time grows with this number (measured: about 4
/// million per second).
const MAX_PARSE_COST: usize = 60_000_000;

/// The most tokens, about 20 s of parsing.
const MAX_TOKENS: usize = 6_000_000;

/// The most `++` and `--` with nothing but operators between them: lang-c reads each as two
/// operators as well when the rest does not parse, so its time doubles with every one.
const MAX_STEPS: u32 = 10;

/// The cleaned text, and what was found in it.
#[derive(Debug, Default)]
pub(super) struct Cleaned {
    /// ASCII, as long as the raw text.
    pub(super) text: String,
    /// Attributes that mean something, by offset.
    pub(super) attributes: Vec<(usize, Attribute)>,
    /// Offsets of each `#pragma` that changes the layout of types, and the layout from there on.
    pub(super) layouts: Vec<(usize, Packing)>,
    /// The texts of comments that begin with `@`, from after that sign up to their end.
    pub(super) annotations: Vec<std::ops::Range<usize>>,
    /// Words that lang-c cannot parse, to explain its errors: the offset, and what kind of word it
    /// is.
    pub(super) suspects: Vec<(usize, &'static str)>,
    /// Offsets of each `:` of a `?:` without middle operand that has no blank before it: there is
    /// no room for one.
    pub(super) tight: Vec<usize>,
}

/// An attribute that changes the meaning of the thing that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attribute {
    /// No member of the type is aligned, or this member is not.
    Packed,
    /// Changes the layout of a type in another way.
    Layout,
    /// `mode(QI)` and the like: an integer of that many bits.
    Mode(u32),
    /// The machine's word as a mode.
    ModeWord,
    /// Something that is only declared with this attribute may be missing; its address is then
    /// null.
    Weak,
    /// A function that does not return.
    NoReturn,
    /// The thing is another name of the function whose name stands between these offsets.
    Alias(usize, usize),
    /// Something that smalti does not follow.
    Unsupported(&'static str),
}

/// Why a text is refused, and where.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) offset: usize,
    pub(super) kind: InputErrorKind,
    pub(super) message: String,
}

struct Cleaner<'a> {
    raw: &'a [u8],
    text: Vec<u8>,
    at: usize,
    found: Cleaned,
    nesting: Nesting,
    previous: &'a [u8],
    /// `++` and `--` since the last operand.
    steps: u32,
    pragmas: Pragmas,
}

/// How deep the syntax tree can be at a token: brackets, plus operators since the last `,` or `;`
/// at each level.
struct Nesting {
    levels: Vec<Level>,
    operators: usize,
    tokens: usize,
    cost: usize,
}

#[derive(Default)]
struct Level {
    operators: usize,
    /// `else` since the last statement that ended a chain.
    elses: usize,
    ended: bool,
}

/// Cleans a preprocessed text.
pub(super) fn clean(raw: &[u8]) -> Result<Cleaned, Refused> {
    let nesting = Nesting { levels: vec![Level::default()], operators: 0, tokens: 0, cost: 0 };
    let mut cleaner = Cleaner {
        raw,
        text: raw.to_vec(),
        at: 0,
        found: Cleaned::default(),
        nesting,
        previous: b"",
        steps: 0,
        pragmas: Pragmas::default(),
    };
    cleaner.run()?;
    cleaner.found.text = String::from_utf8(cleaner.text).map_err(|_| Refused {
        offset: 0,
        kind: InputErrorKind::Syntax,
        message: "this is not C text".into(),
    })?;
    Ok(cleaner.found)
}

impl<'a> Cleaner<'a> {
    fn run(&mut self) -> Result<(), Refused> {
        let mut line_start = true;
        while let Some(&byte) = self.raw.get(self.at) {
            let start = self.at;
            match byte {
                b'\n' => {
                    self.at += 1;
                    line_start = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    // The parser does not know all of these as white space.
                    self.text[start] = b' ';
                    self.at += 1;
                    continue;
                }
                b'#' if line_start => {
                    self.skip_line();
                    let line = String::from_utf8_lossy(&self.raw[start + 1..self.at]).into_owned();
                    self.directive(start, line.trim_start())?;
                    self.blank(start);
                    continue;
                }
                b'/' if self.comment()? => {
                    if self.raw.get(start + 2) == Some(&b'@') {
                        let end = if self.raw[start + 1] == b'*' { self.at - 2 } else { self.at };
                        self.found.annotations.push(start + 3..end);
                    }
                    self.blank(start);
                    continue;
                }
                b'\\' => {
                    let rest = &self.raw[start + 1..];
                    let blank = rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
                    if rest.get(blank) != Some(&b'\n') {
                        return self.refuse(start, "a backslash outside of a literal");
                    }
                    self.text[start] = b' ';
                    self.at += blank + 2;
                    continue;
                }
                b'"' | b'\'' => {
                    self.literal(byte)?;
                    self.steps = 0;
                }
                b if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' => self.word()?,
                b if b.is_ascii_graphic() => {
                    self.at += self.operator(start, byte);
                    self.nesting.symbol(byte, self.raw.get(start + 1).copied().unwrap_or(0));
                    self.suspect_symbol(start, byte);
                }
                0 => return self.refuse(start, "a NUL byte: this is not C text"),
                b if b < 0x80 => return self.refuse(start, &format!("a control character (byte 0x{b:02x})")),
                b => {
                    return self
                        .refuse(start, &format!("a character beyond ASCII (byte 0x{b:02x}) outside of a literal"));
                }
            }
            line_start = false;
            self.previous = &self.raw[start..self.at];
            self.limits(start)?;
        }
        Ok(())
    }

    fn refuse<T>(&self, offset: usize, message: &str) -> Result<T, Refused> {
        Err(Refused { offset, kind: InputErrorKind::Syntax, message: message.into() })
    }

    fn limits(&mut self, offset: usize) -> Result<(), Refused> {
        let n = &mut self.nesting;
        n.tokens += 1;
        n.cost += n.levels.len();
        let depth = n.levels.len() + n.operators;
        let message = if depth > MAX_DEPTH {
            format!("nested more than {MAX_DEPTH} deep (brackets and operators)")
        } else if n.cost > MAX_PARSE_COST {
            "too much text inside too many brackets: parsing it would take too long".into()
        } else if n.tokens > MAX_TOKENS {
            format!("more than {MAX_TOKENS} tokens after preprocessing")
        } else if self.steps > MAX_STEPS {
            format!("more than {MAX_STEPS} `++` and `--` without an operand between them")
        } else {
            return Ok(());
        };
        Err(Refused { offset, kind: InputErrorKind::TooDeep, message })
    }

    fn skip_until(&mut self, stop: impl Fn(&[u8]) -> bool) {
        while self.at < self.raw.len() && !stop(&self.raw[self.at..]) {
            self.at += 1;
        }
    }

    /// Skips the rest of a line, and the lines that a backslash joins to it.
    fn skip_line(&mut self) {
        loop {
            let start = self.at;
            self.skip_until(|rest| rest[0] == b'\n');
            if self.at >= self.raw.len() || !self.raw[start..self.at].trim_ascii_end().ends_with(b"\\") {
                return;
            }
            self.at += 1;
        }
    }

    /// Skips the comment that begins here. Returns whether there was one.
    fn comment(&mut self) -> Result<bool, Refused> {
        let start = self.at;
        if self.raw[start..].starts_with(b"//") {
            self.skip_line();
        } else if self.raw[start..].starts_with(b"/*") {
            self.at += 2;
            self.skip_until(|rest| rest.starts_with(b"*/"));
            if self.at >= self.raw.len() {
                return self.refuse(start, "a comment without end");
            }
            self.at += 2;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Blanks from `start` to here, keeping line feeds.
    fn blank(&mut self, start: usize) {
        for b in &mut self.text[start..self.at] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
    }

    fn literal(&mut self, quote: u8) -> Result<(), Refused> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.raw.get(self.at) {
                None | Some(b'\n') => return self.refuse(start, "a literal without end"),
                Some(b'\\') => {
                    self.at += 1;
                    // A byte beyond ASCII after a backslash would not be an escape.
                    match self.raw.get(self.at) {
                        Some(b'\n') => return self.refuse(start, "a literal without end"),
                        Some(b'e' | b'E') => self.text[self.at] = b'a',
                        _ => {}
                    }
                }
                Some(&b) if b == quote => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b) if !b.is_ascii() || *b == 0 => self.text[self.at] = b'?',
                Some(_) => {}
            }
            if self.at < self.raw.len() {
                self.at += 1;
            }
        }
    }

    fn word(&mut self) -> Result<(), Refused> {
        let start = self.at;
        while self.raw.get(self.at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$') {
            self.at += 1;
        }
        let word = &self.raw[start..self.at];
        if !matches!(
            word,
            b"sizeof"
                | b"_Alignof"
                | b"__alignof__"
                | b"__alignof"
                | b"__extension__"
                | b"__attribute__"
                | b"__attribute"
        ) {
            self.steps = 0;
        }
        match word {
            b"__extension__" | b"__thread" | b"_Thread_local" => self.blank(start),
            // lang-c reads only types after these words. (Blanks would hide the rest of the word.)
            b"_Alignof" | b"__alignof__" | b"__alignof" => {
                self.text[start..self.at].fill(b'\t');
                self.text[start..start + 6].copy_from_slice(b"sizeof");
                self.nesting.operator();
            }
            b"_Pragma" | b"__pragma" => {
                let inside = self.bracketed()?;
                let text = String::from_utf8_lossy(&inside).into_owned();
                self.pragma(start, text.trim_start_matches(['(', ' ', '"']))?;
                self.blank(start);
            }
            b"__attribute__" | b"__attribute" => {
                let inside = self.bracketed()?;
                self.attribute(start, &inside);
                self.blank(start);
            }
            b"__int128" | b"__int128_t" | b"__uint128_t" => {
                self.found.suspects.push((start, "128-bit integers are not supported"));
            }
            b"__float128" => self.found.suspects.push((start, "128-bit floats are not supported")),
            b"asm" | b"__asm__" | b"__asm" => {
                self.found.suspects.push((start, "inline assembly is not supported"));
            }
            b"nullptr" | b"constexpr" | b"auto" | b"typeof_unqual" | b"_BitInt" => {
                self.found.suspects.push((start, "C23 is not supported"));
            }
            b"if" | b"while" | b"for" | b"do" | b"switch" | b"case" | b"default" | b"sizeof" => self.nesting.operator(),
            b"else" => self.nesting.otherwise(),
            _ => self.nesting.other(),
        }
        Ok(())
    }

    /// Reads a directive. A preprocessor leaves pragmas, line markers and (on demand) definitions;
    /// a text with any other directive has not been preprocessed, and does not mean what it says.
    fn directive(&mut self, at: usize, text: &str) -> Result<(), Refused> {
        let name = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        match name {
            "pragma" => self.pragma(at, &text[name.len()..]),
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif" | "include"
            | "include_next" | "import" | "embed" | "error" => Err(Refused {
                offset: at,
                kind: InputErrorKind::Unsupported,
                message: format!("`#{name}` in text that should be preprocessed already"),
            }),
            _ => Ok(()),
        }
    }

    fn pragma(&mut self, at: usize, text: &str) -> Result<(), Refused> {
        match self.pragmas.read(text) {
            Effect::None => {}
            Effect::Layout(packing) => self.found.layouts.push((at, packing)),
            Effect::Unsupported(message) => {
                return Err(Refused { offset: at, kind: InputErrorKind::Unsupported, message });
            }
        }
        Ok(())
    }

    /// Skips white space and a balanced bracket, and returns the bracket's text. A text without a
    /// bracket there, or with a bracket that does not end, is not C: blanking the rest of the file
    /// would hide the program after it.
    fn bracketed(&mut self) -> Result<Vec<u8>, Refused> {
        self.skip_until(|rest| !rest[0].is_ascii_whitespace());
        let start = self.at;
        if self.raw.get(start) != Some(&b'(') {
            return self.refuse(start, "expected `(`");
        }
        let mut depth = 0usize;
        while let Some(&byte) = self.raw.get(self.at) {
            match byte {
                b'"' | b'\'' => {
                    self.literal(byte)?;
                    continue;
                }
                b'/' if self.comment()? => continue,
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(self.raw[start..self.at].to_vec());
            }
        }
        self.refuse(start, "a bracket without end")
    }

    fn attribute(&mut self, at: usize, inside: &[u8]) {
        let text = String::from_utf8_lossy(inside).into_owned();
        let words: Vec<&str> = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map(|w| w.trim_matches('_'))
            .filter(|w| !w.is_empty())
            .collect();
        for (n, word) in words.iter().enumerate() {
            let attribute = match *word {
                "packed" => Attribute::Packed,
                "aligned" | "scalar_storage_order" | "ms_struct" => Attribute::Layout,
                "weak" | "weak_import" => Attribute::Weak,
                "noreturn" => Attribute::NoReturn,
                "mode" => match words.get(n + 1).copied().unwrap_or("") {
                    "QI" | "byte" => Attribute::Mode(8),
                    "HI" => Attribute::Mode(16),
                    "SI" => Attribute::Mode(32),
                    "DI" => Attribute::Mode(64),
                    "word" | "pointer" => Attribute::ModeWord,
                    _ => Attribute::Unsupported("this machine mode"),
                },
                "vector_size" => Attribute::Unsupported("the attribute `vector_size`"),
                "cleanup" => Attribute::Unsupported("the attribute `cleanup`"),
                "section" if words.get(n + 1).is_some_and(|w| RUN_BY_THEMSELVES.contains(w)) => {
                    Attribute::Unsupported("a section of functions that run before or after `main`")
                }
                "constructor" => Attribute::Unsupported("the attribute `constructor`"),
                "destructor" => Attribute::Unsupported("the attribute `destructor`"),
                "alias" => self.alias(inside),
                "weakref" => Attribute::Unsupported("the attribute `weakref`"),
                "ifunc" => Attribute::Unsupported("the attribute `ifunc`"),
                _ => continue,
            };
            self.found.attributes.push((at, attribute));
        }
    }

    /// The attribute `alias` in the bracket that ends here.
    fn alias(&self, inside: &[u8]) -> Attribute {
        let start = self.at - inside.len();
        let mut quotes = (0..inside.len()).filter(|n| inside[*n] == b'"');
        match (quotes.next(), quotes.next(), quotes.next()) {
            (Some(open), Some(close), None) => Attribute::Alias(start + open + 1, start + close),
            _ => Attribute::Unsupported("the attribute `alias` in this form"),
        }
    }

    /// The length of the operator or bracket at an offset. Longer operators are read in parts.
    fn operator(&mut self, at: usize, byte: u8) -> usize {
        if matches!(byte, b'+' | b'-') && self.raw.get(at + 1) == Some(&byte) {
            self.steps += 1;
            return 2;
        }
        if !b"+-*&!~".contains(&byte) {
            self.steps = 0;
        }
        1
    }

    fn suspect_symbol(&mut self, at: usize, byte: u8) {
        let previous = self.previous;
        if byte == b':' && previous == b"?" {
            // Nothing but white space and comments stands between them.
            match self.raw[at - 1] {
                b' ' | b'\t' => self.text[at - 1] = b'0',
                _ => self.found.tight.push(at),
            }
        }
        if byte == b'&' && previous == b"&" && self.raw.get(at.wrapping_sub(1)) == Some(&b'&') {
            self.found.suspects.push((at - 1, "addresses of labels (computed goto) are not supported"));
        }
    }
}

/// Sections whose functions run without being called.
const RUN_BY_THEMSELVES: [&str; 7] = ["init_array", "preinit_array", "fini_array", "ctors", "dtors", "init", "fini"];

impl Nesting {
    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn operator(&mut self) {
        self.other();
        self.operators += 1;
        self.level().operators += 1;
    }

    /// Counts a token other than `else`: a chain of `else if` ends where a statement has ended.
    fn other(&mut self) {
        let level = self.level();
        if std::mem::take(&mut level.ended) {
            let elses = std::mem::take(&mut level.elses);
            self.operators -= elses;
        }
    }

    fn otherwise(&mut self) {
        let level = self.level();
        level.ended = false;
        level.elses += 1;
        self.operators += 1;
    }

    fn symbol(&mut self, byte: u8, next: u8) {
        match byte {
            b'(' | b'[' | b'{' => {
                self.other();
                self.levels.push(Level::default());
            }
            b')' | b']' | b'}' if self.levels.len() > 1 => {
                if let Some(level) = self.levels.pop() {
                    self.operators -= level.operators + level.elses;
                }
                if byte == b'}' {
                    self.end();
                }
            }
            b',' => self.comma(),
            b';' => self.end(),
            // The second half of an operator counts once.
            b'=' | b'&' | b'|' | b'<' | b'>' if next == byte || next == b'=' => self.other(),
            _ => self.operator(),
        }
    }

    /// Counts a comma: operands between commas are not nested.
    fn comma(&mut self) {
        self.other();
        let operators = std::mem::take(&mut self.level().operators);
        self.operators -= operators;
    }

    fn end(&mut self) {
        let level = self.level();
        level.ended = true;
        let operators = std::mem::take(&mut level.operators);
        self.operators -= operators;
    }
}
