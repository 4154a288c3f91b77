//! Reads the fenced blocks of Markdown texts, and the output of the commands in them.

/// The fenced blocks: the text after the opening fence, and the content.
pub(crate) fn fenced(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            found.push((info, lines.by_ref().take_while(|l| *l != "```").map(|l| format!("{l}\n")).collect()));
        }
    }
    found
}

/// The line of a total without its time, which differs from run to run.
pub(crate) fn without_time(line: &str) -> Option<String> {
    let (start, _) = line.split_once("decided) in ")?;
    Some(format!("{start}decided) in [time]"))
}
