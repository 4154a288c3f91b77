//! Aligned columns.

use super::paint::visible;
use super::{Paint, Style};
use std::fmt::Write;

/// Rows of text, aligned to the left in columns two spaces apart.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    cells: Vec<(String, Option<Style>)>,
    below: Vec<String>,
}

impl Table {
    /// A table with a heading.
    pub fn new(heading: &[&str]) -> Table {
        let mut table = Table::default();
        table.row(heading.iter().map(|h| ((*h).to_owned(), Some(Style::Strong))));
        table
    }

    /// Adds a row. Invisible characters are made visible.
    pub fn row(&mut self, cells: impl IntoIterator<Item = (String, Option<Style>)>) {
        let cells = cells.into_iter().map(|(text, style)| (visible(&text), style)).collect();
        self.rows.push(Row { cells, below: Vec::new() });
    }

    /// Adds a line of its own below the last row, indented, outside the columns.
    pub fn below(&mut self, line: String) {
        if let Some(row) = self.rows.last_mut() {
            row.below.push(visible(&line));
        }
    }

    /// The lines, each with its end.
    pub fn render(&self, paint: Paint) -> String {
        let columns = self.rows.iter().map(|r| r.cells.len()).max().unwrap_or(0);
        let width = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..columns)
            .map(|c| self.rows.iter().filter_map(|r| r.cells.get(c)).map(|(t, _)| width(t)).max().unwrap_or(0))
            .collect();
        let mut out = String::new();
        for row in &self.rows {
            // The padding before a cell is written with that cell, so that no line ends in spaces.
            let mut padding = 0;
            for ((text, style), column) in row.cells.iter().zip(&widths) {
                if !text.is_empty() {
                    let text_painted = style.map_or_else(|| text.clone(), |s| paint.text(s, text));
                    let _ = write!(out, "{:padding$}{text_painted}", "");
                    padding = 0;
                }
                padding += column - width(text) + 2;
            }
            out.push('\n');
            for line in &row.below {
                let _ = writeln!(out, "    {line}");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_no_line_ends_in_spaces() {
        let mut table = Table::new(&["a", "long heading", "c"]);
        table.row([("wide cell".into(), None), (String::new(), None), ("x".into(), None)]);
        table.below("reason: none".into());
        table.row([("y".into(), None), ("z".into(), None), (String::new(), None)]);
        let expected = "a          long heading  c\nwide cell                x\n    reason: none\ny          z\n";
        assert_eq!(table.render(Paint::PLAIN), expected);
    }
}
