//! Pragmas that change what a program means. The analysis ignores the others.

/// What a pragma does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Nothing that matters.
    None,
    /// Types that are defined from here on have their usual layout (`false`) or another one.
    Layout(bool),
    /// Something that smalti does not follow.
    Unsupported(String),
}

/// The combined effect of the pragmas so far.
#[derive(Default)]
pub(super) struct Pragmas {
    packed: bool,
    pushed: Vec<bool>,
    /// Whether the layout stays another one to the end.
    lasting: bool,
}

impl Pragmas {
    /// Reads the next pragma, from after the word `pragma` on.
    pub(super) fn read(&mut self, text: &str) -> Effect {
        let blank = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let words: Vec<&str> = text.split(blank).filter(|w| !w.is_empty()).collect();
        match words.as_slice() {
            ["pack", arguments @ ..] => self.pack(arguments),
            ["ms_struct" | "scalar_storage_order", ..] => self.lasting = true,
            [name @ ("weak" | "redefine_extname"), ..] => {
                return Effect::Unsupported(format!("`#pragma {name}` is not supported"));
            }
            _ => return Effect::None,
        }
        Effect::Layout(self.packed || self.lasting)
    }

    fn pack(&mut self, arguments: &[&str]) {
        match arguments {
            [] => self.packed = false,
            ["push"] => self.pushed.push(self.packed),
            ["push", ..] => {
                self.pushed.push(self.packed);
                self.packed = true;
            }
            ["pop"] => self.packed = self.pushed.pop().unwrap_or(false),
            // A `pop` to a named place.
            ["pop", ..] => self.lasting = true,
            _ => self.packed = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, Pragmas};

    #[test]
    fn packing_ends_where_it_is_popped_or_reset() {
        let mut pragmas = Pragmas::default();
        let mut read = |text: &str| pragmas.read(text);
        assert_eq!(read(" once"), Effect::None);
        assert_eq!(read(" pack(push, 1)"), Effect::Layout(true));
        assert_eq!(read(" pack(2)"), Effect::Layout(true));
        assert_eq!(read(" pack ( pop )"), Effect::Layout(false));
        assert_eq!(read(" pack(push)"), Effect::Layout(false));
        assert_eq!(read(" pack(1)"), Effect::Layout(true));
        assert_eq!(read(" pack()"), Effect::Layout(false));
        assert_eq!(read(" ms_struct on"), Effect::Layout(true));
        assert_eq!(read(" pack()"), Effect::Layout(true));
    }
}
