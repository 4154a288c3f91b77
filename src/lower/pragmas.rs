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
            ["pack", arguments @ ..] => self.pack(arguments),
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
            [] => self.packing = Packing::Natural,
            ["push"] => self.pushed.push(self.packing),
            ["push", most] => {
                self.pushed.push(self.packing);
                self.limit(most);
            }
            ["pop"] => self.packing = self.pushed.pop().unwrap_or_default(),
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
        assert_eq!(read(" ms_struct on"), Effect::Layout(Packing::Unknown));
        assert_eq!(read(" pack()"), Effect::Layout(Packing::Unknown));
    }

    #[test]
    fn places_with_names_and_odd_limits_are_not_modelled() {
        for text in [" pack(push, here, 1)", " pack(pop, here)", " pack(3)", " pack(here)"] {
            assert_eq!(Pragmas::default().read(text), Effect::Layout(Packing::Unknown), "{text}");
        }
    }
}
