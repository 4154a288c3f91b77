//! Random programs over a table whose fields are indexes of the same table, as in kernels: slots
//! are free or in use, and each has a parent and a next slot. Scans find, count and update slots;
//! links are followed.

use super::Random;
use std::fmt::Write as _;

const PRELUDE: &str = "extern void abort(void);\nextern void __VERIFIER_assert(int condition);\n\
                       extern void __VERIFIER_assume(int condition);\nextern int __VERIFIER_nondet_int(void);\n\
                       struct slot { int used; int parent; int next; };\n";

/// Fields that hold indexes.
const LINKS: [&str; 2] = ["parent", "next"];

struct Tables {
    random: Random,
    text: String,
    /// The number of slots: a constant or a variable.
    size: String,
}

/// A program of about this many scans and updates.
pub(super) fn program(seed: u64, statements: u32) -> String {
    let mut g = Tables { random: Random::new(seed), text: String::new(), size: String::new() };
    let _ = write!(g.text, "/* seed {seed}, a table */\n{PRELUDE}");
    let slots = 2 + g.random.below(5);
    let global = g.random.one_in(3);
    if global {
        let _ = writeln!(g.text, "struct slot t[{slots}];");
    }
    g.text.push_str("int main(void) {\n    int i = 0, j = 0, k = 0, count = 0, flag = 0;\n");
    if global || g.random.one_in(2) {
        g.size = slots.to_string();
        if !global {
            g.line(&format!("struct slot t[{slots}];"));
        }
    } else {
        g.size = "n".to_owned();
        g.line("int n = __VERIFIER_nondet_int();");
        g.line(&format!("if (n < 1 || n > {slots}) return 0;"));
        g.line("struct slot t[n];");
    }
    g.start();
    if g.random.one_in(3) {
        let value = g.value();
        g.take_some(value, "parent");
    }
    for _ in 0..2 + statements / 4 {
        g.statement();
    }
    g.text.push_str("    return 0;\n}\n");
    g.text
}

impl Tables {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    /// An index of the table.
    fn slot(&mut self) -> String {
        let size = self.size.clone();
        match self.random.below(7) {
            0 | 1 => "j".to_owned(),
            2 => "k".to_owned(),
            3 => format!("t[j].{}", self.link()),
            4 => "0".to_owned(),
            5 => format!("{size} - 1"),
            _ => self.any_slot(),
        }
    }

    fn any_slot(&self) -> String {
        format!("(unsigned int)__VERIFIER_nondet_int() % (unsigned int){}", self.size)
    }

    /// The value stored in `used` of a slot that is taken.
    fn value(&mut self) -> usize {
        1 + self.random.below(5)
    }

    fn link(&mut self) -> &'static str {
        LINKS[self.random.below(LINKS.len())]
    }

    /// The target that a slot gets while all slots are scanned.
    fn heir(&mut self) -> String {
        let size = self.size.clone();
        match self.random.below(6) {
            0 => "j".to_owned(),
            1 => "k".to_owned(),
            2 => format!("(i + 1) % {size}"),
            3 => format!("{size} - 1 - i"),
            _ => self.any_slot(),
        }
    }

    fn scan(&mut self) -> String {
        let size = self.size.clone();
        match self.random.below(4) {
            0 => format!("for (i = {size} - 1; i >= 0; i--)"),
            1 => format!("for (i = 1; i < {size}; i++)"),
            _ => format!("for (i = 0; i < {size}; i++)"),
        }
    }

    fn start(&mut self) {
        let (used, parent) = (self.random.below(2), *self.random.pick(&["0", "i", "0", "0", "-1"]));
        let size = self.size.clone();
        // If the table has no slot to point to, there are no links that can be followed.
        let next = match self.random.below(5) {
            0 => "0".to_owned(),
            1 => format!("(i + 1) % {size}"),
            2 => format!("{size} - 1 - i"),
            _ => "i".to_owned(),
        };
        self.line(&format!("for (i = 0; i < {size}; i++) {{"));
        self.line(&format!("    t[i].used = {used};"));
        self.line(&format!("    t[i].parent = {parent};"));
        self.line(&format!("    t[i].next = {next};"));
        self.line("}");
        if parent == "-1" {
            let to = self.slot();
            let to = if to.contains('.') { "0".to_owned() } else { to };
            self.line(&format!("for (i = 0; i < {size}; i++) t[i].parent = {to};"));
        }
        if self.random.one_in(2) {
            self.line("t[0].used = 1;");
        }
    }

    /// A loop without a counter: only facts about the slot distinguish its first iteration from the
    /// others.
    fn wander(&mut self, from: &str, link: &str) {
        let size = self.size.clone();
        let moved = *self.random.pick(&["j", "k"]);
        if !self.random.one_in(3) {
            self.line(&format!("{moved} = t[{from}].{link};"));
        }
        let moves = match self.random.below(4) {
            0 => format!("if (t[{from}].used != 0) {moved} = {from};"),
            1 => format!("{moved} = {moved} > 0 ? {moved} - 1 : {size} - 1;"),
            2 => format!("{moved} = {};", self.any_slot()),
            _ => format!("{moved} = {};", self.slot()),
        };
        self.line(&format!("while (__VERIFIER_nondet_int() > 2) {{ {moves} }}"));
    }

    /// Some slots are taken, and are found by their links.
    fn take_some(&mut self, value: usize, link: &str) {
        let to = if self.random.one_in(3) { self.heir() } else { "i".to_owned() };
        let scan = self.scan();
        self.line(&format!("{scan} if (__VERIFIER_nondet_int() > 3) {{ t[i].used = {value}; t[i].{link} = {to}; }}"));
        if !self.random.one_in(3) {
            let any = self.any_slot();
            self.wander(&any, link);
        }
    }

    fn statement(&mut self) {
        let (slot, link, scan) = (self.slot(), self.link(), self.scan());
        let size = self.size.clone();
        let value = self.value();
        match self.random.below(18) {
            // A free slot is taken. Its links point to slots.
            0 | 1 => {
                self.line(&format!("for (k = 0; k < {size}; k++) if (t[k].used == 0) break;"));
                self.line(&format!("if (k < {size}) {{"));
                let first = if self.random.one_in(2) { "used" } else { link };
                if first == "used" {
                    self.line(&format!("    t[k].used = {value};"));
                    self.line(&format!("    t[k].{link} = j;"));
                } else {
                    self.line(&format!("    t[k].{link} = j;"));
                    self.line(&format!("    t[k].used = {value};"));
                }
                self.line("    j = k;");
                self.line("} else k = 0;");
            }
            // A slot is freed. Links to it are changed to other slots.
            2 | 3 => {
                self.line(&format!("k = {slot};"));
                let heir = *self.random.pick(&["0", "j"]);
                self.line(&format!("{scan} if (t[i].{link} == k) t[i].{link} = {heir};"));
                self.line("t[k].used = 0;");
                if self.random.one_in(2) {
                    self.line(&format!("__VERIFIER_assert(t[j].{link} != k || k == 0 || j == k);"));
                }
            }
            4 => {
                self.line("count = 0;");
                self.line(&format!("{scan} if (t[i].used != 0) count++;"));
                self.line(&format!("__VERIFIER_assert(count <= {size});"));
            }
            5 | 6 => self.line(&format!("j = {slot};")),
            7 => self.line(&format!("k = {slot};")),
            8 => {
                self.line(&format!("flag = t[{slot}].used;"));
                self.line(&format!("if (flag == {}) t[{slot}].{link} = k;", value - 1));
            }
            // A chain of links of the largest allowed length.
            9 => {
                self.line(&format!("for (count = 0; count < {size} && t[j].used != 0; count++) j = t[j].{link};"));
            }
            10 => {
                self.line(&format!(
                    "{scan} if (t[i].used == 0) t[i].{link} = i; else if (t[i].{link} == j) flag = {value};"
                ));
            }
            11 => {
                self.line("{");
                self.line("    struct slot kept = t[j];");
                self.line("    t[j] = t[k];");
                self.line("    t[k] = kept;");
                self.line("}");
            }
            12 | 13 => self.wander(&slot, link),
            14 => self.take_some(value, link),
            15 | 16 => {
                let (heir, relation) = (self.heir(), *self.random.pick(&["==", "!=", "<="]));
                self.line(&format!("{scan} if (t[i].used {relation} {}) t[i].{link} = {heir};", value - 1));
            }
            _ => self.line(&format!("if (t[{slot}].used == 0) t[t[k].{link}].used = {value};")),
        }
        match self.random.below(6) {
            0 | 1 => self.line(&format!("__VERIFIER_assert(0 <= t[{slot}].{link} && t[{slot}].{link} < {size});")),
            2 => self.line(&format!("__VERIFIER_assert(t[{slot}].used >= 0);")),
            3 => self.line(&format!("__VERIFIER_assert(t[k].used != 0 || t[k].{link} == {});", value - 1)),
            4 => self.line(&format!("{scan} __VERIFIER_assert(t[i].used <= 5);")),
            _ => self.line("__VERIFIER_assert(0 <= j);"),
        }
    }
}
