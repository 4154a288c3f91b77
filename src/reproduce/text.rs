//! Comments, strings and numbers of the C file, and its first lines.

use super::record::Recording;
use crate::program::{DataModel, Obligation, Program};
use std::fmt::Write as _;

/// The command that compiles a file with this name and runs it.
pub fn command(model: DataModel, file: &str) -> String {
    let word = match model {
        DataModel::Lp64 => "cc",
        DataModel::Ilp32 => "cc -m32",
    };
    format!("{word} {file} && ./a.out")
}

/// Writes the comment at the head of the file, which describes it.
pub(super) fn head(program: &Program, obligation: &Obligation, recording: &Recording, counts: bool) -> String {
    let place = program.sources.describe(obligation.location);
    let command = command(program.data_model, "FILE");
    let mut text = format!(
        "/* A failing run, written by smalti {}. It violates {}, the first violated obligation\n   \
         of the report that can be written as a C file.\n   {}: {}: {}\n\n   \
         {command} aborts there and says so on standard error. This is the program as\n   \
         smalti reads it. It takes nothing from outside, because the file contains {}",
        env!("CARGO_PKG_VERSION"),
        comment(&obligation.id),
        comment(&place),
        obligation.kind,
        comment(&obligation.condition),
        taken(recording),
    );
    text += ".\n";
    if counts {
        let _ = write!(
            text,
            "   No C expression says whether this holds. So the file counts how often the statement runs, and\n   \
             fails at execution number {}.\n",
            recording.visits
        );
    }
    text += "   With -DSMALTI_UNCHECKED the failing operation is executed too: add -fsanitize=address,undefined. */\n";
    let (bytes, option) = match program.data_model {
        DataModel::Lp64 => (8, "without -m32"),
        DataModel::Ilp32 => (4, "with -m32"),
    };
    let _ = writeln!(
        text,
        "_Static_assert(sizeof(long) == {bytes} && sizeof(void *) == {bytes}, \"compile it {option}\");"
    );
    text += "_Static_assert((char)-1 < 0, \"compile it with -fsigned-char\");\n";
    text
}

/// Describes what the run took from outside, as part of a sentence.
fn taken(recording: &Recording) -> String {
    let plural = |n: usize, one: &str, many: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") };
    let cells: usize = recording.objects.values().map(|parts| parts.len()).sum();
    let inputs = plural(recording.inputs, "input", "inputs");
    let texts = match recording.arguments.len() + usize::from(recording.variable.is_some()) {
        0 => String::new(),
        n => format!(", {}", plural(n, "text", "texts")),
    };
    format!("{inputs}{texts} and {}", plural(cells, "uninitialised value", "uninitialised values"))
}

/// Changes a text so that it does not end the comment around it.
pub(super) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}

/// A string as C writes it.
pub(super) fn literal(text: impl AsRef<[u8]>) -> String {
    let mut out = String::from("\"");
    for &byte in text.as_ref() {
        match byte {
            b'"' | b'\\' => _ = write!(out, "\\{}", char::from(byte)),
            // No trigraphs, and nothing that a number could follow.
            b'?' | 0..=31 | 127.. => _ = write!(out, "\\{byte:03o}"),
            _ => out.push(char::from(byte)),
        }
    }
    out + "\""
}

/// A number as a C constant of a type that holds it.
pub(super) fn integer(n: i128) -> String {
    const MAX: i128 = i64::MAX as i128;
    match n {
        _ if n > MAX => format!("(long long){n}ull"),
        _ if n < -MAX => format!("(-{MAX}ll - 1)"),
        _ if n.abs() > i128::from(i32::MAX) => format!("{n}ll"),
        _ => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_inside_of_their_comments_and_strings() {
        assert_eq!(comment("a */ b /* c\n"), "a * / b / * c ");
        assert_eq!(literal("\"a\\b??/é\n1"), r#""\"a\\b\077\077/\303\251\0121""#);
    }

    #[test]
    fn numbers_keep_their_bits() {
        let cases = [
            (5, "5"),
            (-(1 << 31), "-2147483648ll"),
            (i128::from(i64::MIN), "(-9223372036854775807ll - 1)"),
            (i128::from(u64::MAX), "(long long)18446744073709551615ull"),
        ];
        for (n, text) in cases {
            assert_eq!(integer(n), text);
        }
    }
}
