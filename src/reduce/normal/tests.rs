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
