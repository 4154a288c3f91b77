//! What the normal form of small programs is.

use super::*;
use crate::lower::{LowerOptions, load_text};
use crate::program::print;

/// The normal form for the first assertion, as C; or why there is none.
fn normal(text: &str) -> Result<String, String> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("t.c", text, &options).unwrap();
    match normalise(&program, AssertionId(0)) {
        Ok(normal) => Ok(print::to_c(&normal.to_program(), &mut print::Plain)),
        Err(why) => Err(why.describe(&program)),
    }
}

/// The lines of the entry's body in the normal form, without indentation.
#[track_caller]
fn lines(text: &str) -> Vec<String> {
    let c = normal(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let from = c.find("main(").expect("an entry");
    c[from..].lines().skip(1).map(|l| l.trim().to_owned()).filter(|l| !l.is_empty() && l != "}" && l != "{").collect()
}
