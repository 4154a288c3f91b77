//! Makes texts that are almost valid, to attack the readers of programs and of the answers of CBMC
//! and solvers.
//!
//! The result must be an answer or a message, never a panic. An answer must fit the question
//! exactly.

use crate::cbmc;
use crate::fuzz::Random;
use crate::smt;

/// Possible answers of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// CBMC: a document.
    ByCbmc,
    /// A solver: the lines of a conversation.
    BySolver,
}

const DOCUMENT: &str = include_str!("../seeds/cbmc/failure.json");

const CONVERSATIONS: [&str; 4] = [
    include_str!("../seeds/solver/sat.txt"),
    include_str!("../seeds/solver/unsat.txt"),
    include_str!("../seeds/solver/unknown.txt"),
    include_str!("../seeds/solver/error.txt"),
];

/// Damaged answers of a tool.
pub(super) fn said(by: Said, seed: u64) -> String {
    let mut random = Random::new(seed);
    let whole = match by {
        Said::ByCbmc => DOCUMENT,
        Said::BySolver => *random.pick(&CONVERSATIONS),
    };
    damaged(whole, &mut random)
}

/// A text with a few places damaged.
pub(in crate::fuzz) fn damaged(text: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let from = random.below(text.len() + 1);
        // Often as much as a token, sometimes a line or two.
        let length = if random.one_in(5) { random.below(120) } else { 1 + random.below(6) };
        let to = (from + length).min(text.len());
        let piece: Vec<char> = match random.below(7) {
            // The part is removed, doubled, or replaced by another part.
            0 | 1 => Vec::new(),
            2 => text[from..to].iter().chain(&text[from..to]).copied().collect(),
            3 if !text.is_empty() => {
                let other = random.below(text.len());
                text[other..(other + length).min(text.len())].to_vec()
            }
            4 => text[from..to].iter().rev().copied().collect(),
            5 => random.pick(&PIECES).chars().collect(),
            _ => random.interesting().to_string().chars().collect(),
        };
        text.splice(from..to, piece);
        if random.one_in(12) {
            text.truncate(from);
        }
    }
    text.into_iter().collect()
}

/// Characters and words that matter in the grammars.
const PIECES: [&str; 36] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "/*@",
    "#",
    "\0",
    "\u{e9}",
    "\u{1F600}",
    " ",
    "\n",
    "|",
    "0x",
    "1e999",
    "-",
    "*",
    "&",
    "unsigned",
    "struct s {",
    "goto",
    "sizeof",
    "null",
    "true",
    "\\forall integer k;",
    "\"status\":\"SUCCESS\"",
    "#x",
];

/// The question that the answers of the solver are read for.
fn asked() -> smt::Script {
    let mut script = smt::Script { core: true, ..smt::Script::default() };
    let (word, byte) = (smt::Sort::Bits(32), smt::Sort::Bits(8));
    let a = script.declarations.constant(smt::Symbol::new("a"), smt::Sort::array(word.clone(), byte));
    let i = script.declarations.constant(smt::Symbol::new("i"), word);
    let cell = a.select(i.clone());
    let seven = cell.clone().equals(smt::Term::bits(7, 8));
    script.assertions = ["cell", "index"].map(|name| (smt::Symbol::new(name), smt::Term::bool(true))).into();
    script.values = vec![i, cell, seven];
    script
}

/// Reads the answer of a tool.
///
/// # Errors
/// The answer does not fit the question.
pub fn read(by: Said, text: &str) -> Result<(), String> {
    let answers_what_was_asked = match by {
        Said::ByCbmc => cbmc::read_for(text.as_bytes(), &["a", "b"]).is_none_or(|answer| {
            answer.properties.len() == 2 && ["a", "b"].iter().all(|p| answer.properties.contains_key(*p))
        }),
        Said::BySolver => {
            let script = asked();
            match smt::read_for(text.as_bytes(), &script) {
                Ok(smt::Answer::Satisfiable(values)) => values.len() == script.values.len(),
                Ok(smt::Answer::Unsatisfiable(core)) => {
                    !core.is_empty() && core.iter().all(|name| script.assertions.iter().any(|(known, _)| known == name))
                }
                Ok(smt::Answer::Unknown(_)) | Err(_) => true,
            }
        }
    };
    if answers_what_was_asked { Ok(()) } else { Err("an answer to something else".to_owned()) }
}
