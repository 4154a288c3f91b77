//! Pragmas that change what a program means. The analysis ignores the others.

use crate::program::Packing;

/// What a pragma does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing that matters.
    None,
    /// Types that are defined from here on are laid out in this way.
    Layout(Packing),
    /// Something that smalti does not follow.
    Unsupported(String),
}

/// The combined effect of the pragmas so far.
#[derive(Default)]
pub(super) struct Pragmas {
    packing: Packing,
    pushed: Vec<Packing>,
    /// Whether the layout is not modelled from here to the end.
    is_lost: bool,
}

impl Pragmas {
    /// Reads the next pragma, from after the word `pragma` on.
    pub(super) fn read(&mut self, text: &str) -> Effect {
        let blank = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let words: Vec<&str> = text.split(blank).filter(|w| !w.is_empty()).collect();
        match words.as_slice() {
            ["pack", ..] => match arguments(text) {
                Some(arguments) => self.pack(&arguments),
                // A compiler may take it or leave it.
                None => self.is_lost = true,
            },
            ["ms_struct" | "scalar_storage_order", ..] => self.is_lost = true,
            [name @ ("weak" | "redefine_extname"), ..] => {
                return Effect::Unsupported(format!("`#pragma {name}` is not supported"));
            }
            _ => return Effect::None,
        }
        Effect::Layout(if self.is_lost { Packing::Unknown } else { self.packing })
    }

    fn pack(&mut self, arguments: &[&str]) {
        match arguments {
            [""] => self.packing = Packing::Natural,
            ["push"] => self.pushed.push(self.packing),
            ["push", most] => {
                self.pushed.push(self.packing);
                self.limit(most);
            }
            // One that nothing was pushed for changes nothing.
            ["pop"] => self.packing = self.pushed.pop().unwrap_or(self.packing),
            [most] => self.limit(most),
            // Places with names.
            _ => self.is_lost = true,
        }
    }

    fn limit(&mut self, most: &str) {
        match most.parse() {
            Ok(most @ (1 | 2 | 4 | 8 | 16)) => self.packing = Packing::AtMost(most),
            _ => self.is_lost = true,
        }
    }
}

/// What stands between the brackets of a pragma, if they are all that follows its name (before a
/// comment, or the end of the string of `_Pragma`).
fn arguments(text: &str) -> Option<Vec<&str>> {
    let (_, after) = text.split_once("pack")?;
    let (inside, rest) = after.trim_start().strip_prefix('(')?.split_once(')')?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || c == ')');
    let ends = rest.is_empty() || rest.starts_with("/*") || rest.starts_with("//");
    ends.then(|| inside.split(',').map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::{Effect, Packing, Pragmas};

    #[test]
    fn packing_ends_where_it_is_popped_or_reset() {
        let mut pragmas = Pragmas::default();
        let mut read = |text: &str| pragmas.read(text);
        assert_eq!(read(" once"), Effect::None);
        let natural = Effect::Layout(Packing::Natural);
        let at_most = |most| Effect::Layout(Packing::AtMost(most));
        assert_eq!(read(" pack(push, 1)"), at_most(1));
        assert_eq!(read(" pack(2)"), at_most(2));
        assert_eq!(read(" pack ( pop )"), natural);
        assert_eq!(read(" pack(push)"), natural);
        assert_eq!(read(" pack(1)"), at_most(1));
        assert_eq!(read(" pack()"), natural);
        assert_eq!(read(" pack(1) // for the device"), at_most(1));
        assert_eq!(read(" pack(pop)"), natural);
        assert_eq!(read(" pack(8)"), at_most(8));
        assert_eq!(read(" pack(pop)"), at_most(8));
        assert_eq!(read("pack(4)\")"), at_most(4));
        assert_eq!(read(" ms_struct on"), Effect::Layout(Packing::Unknown));
        assert_eq!(read(" pack()"), Effect::Layout(Packing::Unknown));
    }

    #[test]
    fn names_odd_limits_and_what_is_malformed_are_not_modelled() {
        for text in [
            " pack(push, here, 1)",
            " pack(pop, here)",
            " pack(3)",
            " pack(here)",
            " pack 1",
            " pack(1",
            " pack(push 1)",
        ] {
            assert_eq!(Pragmas::default().read(text), Effect::Layout(Packing::Unknown), "{text}");
        }
    }
}
