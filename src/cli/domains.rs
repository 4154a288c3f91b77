//! The verb `domains`: the domain stacks, and why some are missing.

use super::output::paint;
use crate::report::{Style, Table};
use smalti_stack::{Registry, StackPart};

/// The table of the domains.
pub(super) fn domains(registry: &Registry) -> String {
    let mut table = Table::new(&["part", "name", "what it is"]);
    let mut missing = Vec::new();
    for info in registry.available() {
        let part = match info.part {
            StackPart::Layer => "arrays",
            StackPart::Numeric => "numbers",
        };
        let name = if info.missing.is_some() { Style::Open } else { Style::Good };
        let about = format!("{}{}", info.about, if info.missing.is_some() { " (missing)" } else { "" });
        table.row([(part.into(), None), (info.name, Some(name)), (about, None)]);
        missing.extend(info.missing);
    }
    missing.sort();
    missing.dedup();
    let mut text = table.render(paint());
    text += "\nA stack is a numeric domain, alone or under a domain for arrays: `smash/box`.\n";
    text += &format!("Without --stack it is `{}`.\n", registry.default_stacks().join(","));
    for why in missing {
        text += &format!("Missing: {why}\n");
    }
    text
}
