//! Inserts code into C text at places that a witness names.

/// Line and column from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The number of bytes before a place.
pub(crate) fn offset(text: &str, place: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
    before + place.column - 1
}

/// The first opening bracket after the place, and its closing bracket.
fn brackets(text: &str, from: usize, opens: char, closes: char) -> (usize, usize) {
    let open = from + text[from..].find(opens).expect("a bracket");
    let mut depth = 0;
    for (n, c) in text[open..].char_indices() {
        match c {
            c if c == opens => depth += 1,
            c if c == closes && depth == 1 => return (open, open + n),
            c if c == closes => depth -= 1,
            _ => {}
        }
    }
    panic!("the bracket is not closed: {}", &text[open..]);
}

/// The start and end of the body of a `do`: a block or an expression statement.
fn body(text: &str, from: usize) -> (usize, usize) {
    let end = match text[from..].trim_start().starts_with('{') {
        true => brackets(text, from, '{', '}').1,
        false => from + text[from..].find(';').expect("the end of a statement"),
    };
    (from, end + 1)
}

/// The text with a test of every invariant: each time the condition of its loop is about to be
/// evaluated, and each time the body of a `do` is about to begin.
pub(crate) fn with_invariants(text: &str, invariants: &[(Position, String)]) -> String {
    let declared = "extern void smalti_holds(int);\n";
    format!("{declared}{}", with_invariants_as(text, invariants, "smalti_holds"))
}

/// [`with_invariants`], with the name of the function that is called for each.
pub(crate) fn with_invariants_as(text: &str, invariants: &[(Position, String)], function: &str) -> String {
    let mut insertions: Vec<(usize, usize, String)> = Vec::new();
    for (place, value) in invariants {
        let at = offset(text, *place);
        let body = text[at..].starts_with("do").then(|| body(text, at + "do".len()));
        if let Some((start, end)) = body {
            insertions.push((start, start, format!(" {{ {function}(!!({value}));")));
            insertions.push((end, end, "}".to_owned()));
        }
        let (open, close) = brackets(text, body.map_or(at, |(_, end)| end), '(', ')');
        let (start, end) = match &text[at..] {
            t if t.starts_with("do") => (open + 1, close),
            t if t.starts_with("while") => (open + 1, close),
            t if t.starts_with("for") => {
                let clauses: Vec<usize> = text[open..close].match_indices(';').map(|m| open + m.0).collect();
                let [first, second] = clauses[..] else { panic!("two semicolons: {}", &text[open..close]) };
                (first + 1, second)
            }
            t => panic!("no loop stands at {place:?}: {t}"),
        };
        let condition = match text[start..end].trim() {
            "" => "1",
            condition => condition,
        };
        insertions.push((start, end, format!(" ({function}(!!({value})), ({condition}))")));
    }
    replaced(text, insertions)
}

/// The text in which the conditions of the `if`s at these places report their values.
pub(crate) fn with_branches(text: &str, places: &[Position]) -> String {
    let told = |place: &Position| {
        let (open, close) = brackets(text, offset(text, *place), '(', ')');
        let condition = &text[open + 1..close];
        (open + 1, close, format!("smalti_took({}, {}, !!({condition}))", place.line, place.column))
    };
    format!("extern int smalti_took(int, int, int);\n{}", replaced(text, places.iter().map(told).collect()))
}

/// The text with replacements that do not overlap.
fn replaced(text: &str, mut with: Vec<(usize, usize, String)>) -> String {
    with.sort();
    let mut out = text.to_owned();
    for (start, end, by) in with.iter().rev() {
        out.replace_range(*start..*end, by);
    }
    out
}
