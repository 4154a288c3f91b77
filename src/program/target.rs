//! The machine that a program is compiled for, as far as the meaning of C depends on it.

use super::DataModel;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// What a compiler chooses for a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// Sizes of the integer types and of pointers.
    pub data_model: DataModel,
    /// How values are represented.
    pub representation: Representation,
}

/// How values are represented, apart from their sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Representation {
    /// Whether plain `char` has the values of `unsigned char`.
    pub unsigned_char: bool,
    /// Whether the first byte of a number is its most significant one.
    pub big_endian: bool,
}

/// The names of data models.
const MODELS: [(&str, DataModel); 2] = [("lp64", DataModel::Lp64), ("ilp32", DataModel::Ilp32)];

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MODELS.iter().find(|(_, model)| model == self).map_or("", |(name, _)| name))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data_model.fmt(f)?;
        if self.representation.unsigned_char {
            f.write_str(",char=unsigned")?;
        }
        if self.representation.big_endian {
            f.write_str(",endian=big")?;
        }
        Ok(())
    }
}

/// The widths in bits that are given one by one.
#[derive(Default)]
struct Widths {
    long: Option<u32>,
    pointer: Option<u32>,
}

impl FromStr for Target {
    type Err = String;

    /// `[NAME][,KEY=VALUE]…`, as [`Target`] is displayed; widths may be given one by one.
    fn from_str(text: &str) -> Result<Target, String> {
        let mut target = Target::default();
        let (mut named, mut widths) = (None, Widths::default());
        for (n, part) in text.split(',').map(str::trim).enumerate() {
            let Some((key, value)) = part.split_once('=') else {
                let model = MODELS.iter().find(|(name, _)| *name == part).filter(|_| n == 0);
                let Some((_, model)) = model else {
                    let names = MODELS.map(|(name, _)| format!("`{name}`")).join(" and ");
                    return Err(format!("there is no target `{part}`; a target begins with {names}, or with a key"));
                };
                named = Some(*model);
                continue;
            };
            match (key, value) {
                ("char", "signed" | "unsigned") => target.representation.unsigned_char = value == "unsigned",
                ("endian", "little" | "big") => target.representation.big_endian = value == "big",
                ("short", "16") | ("int", "32") | ("longlong", "64") => {}
                ("long", "32" | "64") => widths.long = value.parse().ok(),
                ("pointer", "32" | "64") => widths.pointer = value.parse().ok(),
                _ => return Err(wrong(key, value)),
            }
        }
        target.data_model = widths.model(named)?;
        Ok(target)
    }
}

/// The error message for a wrong value: what it may be instead.
fn wrong(key: &str, value: &str) -> String {
    let values = match key {
        "char" => "`signed` or `unsigned`",
        "endian" => "`little` or `big`",
        "short" => "`16`",
        "int" => "`32`",
        "long" | "pointer" => "`32` or `64`",
        "longlong" => "`64`",
        _ => {
            let keys = "`char`, `endian`, `short`, `int`, `long`, `longlong` and `pointer`";
            return format!("a target has no key `{key}`; there are {keys}");
        }
    };
    format!("`{key}` of a target is {values}, not `{value}`")
}

impl Widths {
    /// The data model with these widths, which must not contradict the named one.
    fn model(&self, named: Option<DataModel>) -> Result<DataModel, String> {
        let width = |model: DataModel| model.pointer_width();
        let both = (self.long.or(named.map(width)), self.pointer.or(named.map(width)));
        let model = match both {
            (None, None) | (Some(64), None | Some(64)) | (None, Some(64)) => DataModel::Lp64,
            (Some(32), None | Some(32)) | (None, Some(32)) => DataModel::Ilp32,
            (long, pointer) => {
                let (long, pointer) = (long.unwrap_or(64), pointer.unwrap_or(64));
                return Err(format!(
                    "a target with a `long` of {long} bits and pointers of {pointer} is not supported: they have the same width"
                ));
            }
        };
        match named.filter(|named| *named != model) {
            Some(named) => Err(format!("these widths are not those of `{named}`")),
            None => Ok(model),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        text.parse::<Target>().map(|t| t.to_string())
    }

    #[test]
    fn targets_are_read_as_they_are_written() {
        for same in ["lp64", "ilp32", "lp64,char=unsigned", "ilp32,endian=big", "lp64,char=unsigned,endian=big"] {
            assert_eq!(read(same).as_deref(), Ok(same));
        }
        for (text, target) in [
            ("char=unsigned", "lp64,char=unsigned"),
            ("long=32", "ilp32"),
            ("long=32,pointer=32,endian=big", "ilp32,endian=big"),
            ("lp64,char=signed,endian=little,short=16,int=32,long=64,longlong=64,pointer=64", "lp64"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(target));
        }
    }

    #[test]
    fn targets_that_cannot_be_are_refused() {
        for (text, message) in [
            ("llp64", "there is no target `llp64`"),
            ("char=unsigned,lp64", "there is no target `lp64`"),
            ("", "there is no target ``"),
            ("lp64,char=7", "`char` of a target is `signed` or `unsigned`, not `7`"),
            ("lp64,int=16", "`int` of a target is `32`, not `16`"),
            ("lp64,bytes=9", "a target has no key `bytes`"),
            ("long=32,pointer=64", "a `long` of 32 bits and pointers of 64"),
            ("lp64,long=32", "a `long` of 32 bits and pointers of 64"),
            ("lp64,long=32,pointer=32", "these widths are not those of `lp64`"),
        ] {
            let found = read(text).expect_err(text);
            assert!(found.contains(message), "{text}: {found}");
        }
    }
}
