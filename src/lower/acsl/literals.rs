//! Constants in annotations.

/// The value of an integer constant.
pub(super) fn number(text: &str) -> Option<i128> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(binary) = text.strip_prefix("0b").or_else(|| text.strip_prefix("0B")) {
        return u64::from_str_radix(binary, 2).map(i128::from).ok();
    }
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => {
            i64::from_str_radix(hex, 16).map(i128::from).or_else(|_| u64::from_str_radix(hex, 16).map(i128::from)).ok()
        }
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(text, 8).map(i128::from).ok(),
        None => text.parse::<u64>().map(i128::from).ok(),
    }
}

/// The value of a character constant.
pub(super) fn character(text: &str) -> Option<i128> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        let digits = escape.strip_prefix('x').map_or((escape, 8), |hex| (hex, 16));
        if let Ok(n) = u32::from_str_radix(digits.0, digits.1) {
            // Whether larger ones are negative depends on the machine.
            return (n < 128).then(|| i128::from(n));
        }
    }
    let mut chars = inside.chars();
    let value = match (chars.next()?, chars.next()) {
        ('\\', Some(c)) => match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            '\\' | '\'' | '"' => c as u32,
            _ => return None,
        },
        (c, _) => c as u32,
    };
    Some(i128::from(value))
}
