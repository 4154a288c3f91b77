//! Enumerations whose variants are the rows of a table.

/// Gives an enumeration its list of all variants, their rows and their words, by a table with one
/// row for each variant in their order; `$variant` is the field of a row that holds its variant.
macro_rules! rows {
    ($Kind:ident, $Row:ident, $variant:ident, $TABLE:ident) => {
        impl $Kind {
            /// All of them, in their order.
            pub const ALL: [$Kind; $TABLE.len()] = {
                let mut all = [$TABLE[0].$variant; $TABLE.len()];
                let mut n = 0;
                while n < all.len() {
                    all[n] = $TABLE[n].$variant;
                    assert!(all[n] as usize == n, "a row is not in its place");
                    n += 1;
                }
                all
            };

            /// The row of this variant.
            pub fn entry(self) -> &'static $Row {
                &$TABLE[self as usize]
            }

            /// Its name in options, configurations, ids and reports; what `serde` writes.
            pub fn word(self) -> &'static str {
                self.entry().word
            }
        }

        impl std::fmt::Display for $Kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

pub(crate) use rows;

#[cfg(test)]
mod tests {
    use crate::program::ObligationKind;
    use crate::verdict::Stage;

    #[test]
    fn words_are_what_serde_writes() {
        let mut words = ObligationKind::ALL.map(|k| (serde_json::to_value(k).unwrap(), k.word())).to_vec();
        words.extend(Stage::ALL.map(|s| (serde_json::to_value(s).unwrap(), s.word())));
        for (written, word) in words {
            assert_eq!(written, word);
        }
    }
}
