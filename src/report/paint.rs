//! Colours of a terminal.

use anstyle::AnsiColor;

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
        let colour = match style {
            Style::Good => AnsiColor::Green.on_default(),
            Style::Bad => AnsiColor::Red.on_default().bold(),
            Style::Open => AnsiColor::Yellow.on_default(),
            Style::Frame => AnsiColor::Blue.on_default(),
            Style::Strong => anstyle::Style::new().bold(),
        };
        format!("{colour}{text}{colour:#}")
    }
}

/// The text with invisible characters made visible: control characters, and those that change the
/// direction of text, which can make a source look like another one.
pub(super) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' => "    ".to_owned(),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).map_or_else(String::new, String::from),
        '\u{7f}' => "\u{2421}".to_owned(),
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => {
            format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c))
        }
        c => c.to_string(),
    };
    if text.chars().all(|c| ('\u{20}'..'\u{7f}').contains(&c)) {
        text.to_owned()
    } else {
        text.chars().map(shown).collect()
    }
}
