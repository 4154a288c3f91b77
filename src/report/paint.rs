//! Colours of a terminal.

/// Whether output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paint {
    /// Whether escape sequences are written at all.
    pub colour: bool,
}

/// What a piece of text means; the colour follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A good answer.
    Good,
    /// A bad answer.
    Bad,
    /// No answer.
    Open,
    /// Line numbers, rulers, everything that frames the content.
    Frame,
    /// Headings.
    Strong,
}

impl Paint {
    /// No colours.
    pub const PLAIN: Paint = Paint { colour: false };

    /// The text in its colour.
    pub fn text(self, style: Style, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.to_owned();
        }
        let code = match style {
            Style::Good => "32",
            Style::Bad => "31;1",
            Style::Open => "33",
            Style::Frame => "34",
            Style::Strong => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
