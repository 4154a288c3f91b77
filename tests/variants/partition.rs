//! Tests that precision does not depend on details of a file: makes variants of the programs that
//! the partition domain proves, and counts how many proofs survive.
//!
//! A variant is the program with other names and some of these changes: declarations split and
//! reordered, other constants, other array sizes, `for` written as `while` or as `do`, independent
//! neighbouring statements swapped, loops split into two parts. Each has the same meaning as the
//! original, up to the constants, so that its conditions hold, too. Variants are identified by
//! their number.

use super::parallel::results;
use super::syntax::{self, Item, Stmt, is_name, mentions, parse, render};
use smalti::analysis::{AnalysisConfig, analyse};
use smalti::fuzz::Random;
use smalti::lower::{LowerOptions, load_text};
use smalti::program::{ObligationKind, obligations};
use smalti::verdict::Verdict;
use std::path::Path;
use std::process::Command;

const VARIANTS: usize = 100;
const STACK: &str = "relation/partition/octagon";
const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assert(int); \
                       extern void abort(void); extern void *malloc(unsigned long);\n";

/// The program with only those conditions inserted that are proved; `None` if none is proved.
fn provable(text: &str) -> Option<String> {
    let octagons = |line: &&str| line.starts_with("// smalti:") && line.contains("partition/octagon");
    text.lines().find(octagons)?;
    let (mut program, mut proved) = (String::new(), 0);
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("//") && !l.starts_with("/*")) {
        let (code, comment) = line.split_once("//@").unwrap_or((line, ""));
        let condition = comment.trim().strip_prefix("PROVED");
        proved += usize::from(condition.is_some());
        program.push_str(code);
        if let (Some(condition), true) = (condition, code.trim().is_empty()) {
            let condition = condition.trim_start().split("  ").next().unwrap_or("");
            program.push_str(&format!("if (__VERIFIER_nondet_int()) {{ __VERIFIER_assert({condition}); abort(); }}"));
        }
        program.push('\n');
    }
    (proved > 0).then_some(program)
}

/// The changes made to one program.
struct Maker {
    random: Random,
    /// The number of names that the variant has introduced.
    fresh: usize,
    done: Vec<&'static str>,
    may_swap: bool,
}

impl Maker {
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("fresh{}", self.fresh)
    }

    fn items(&mut self, items: &mut [Item]) {
        for item in items {
            if let Item::Function(head, body) = item {
                // If arrays are passed to functions, two names may mean the same array.
                self.may_swap = !head.iter().any(|t| t == "*");
                self.block(body);
            }
        }
    }

    fn block(&mut self, block: &mut Vec<Stmt>) {
        let mut result: Vec<Stmt> = Vec::new();
        for stmt in std::mem::take(block) {
            self.stmt(stmt, &mut result);
        }
        if self.may_swap {
            self.swap(&mut result);
        }
        *block = result;
    }

    fn nested(&mut self, stmt: Stmt) -> Stmt {
        let mut inside = Vec::new();
        self.stmt(stmt, &mut inside);
        match inside.len() {
            1 => inside.remove(0),
            _ => Stmt::Block(inside),
        }
    }

    fn stmt(&mut self, stmt: Stmt, to: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Simple(tokens) => self.declaration(tokens, to),
            Stmt::Block(mut inside) => {
                self.block(&mut inside);
                to.push(Stmt::Block(inside));
            }
            Stmt::If(condition, then, other) => {
                let then = Box::new(self.nested(*then));
                let other = other.map(|s| Box::new(self.nested(*s)));
                to.push(Stmt::If(condition, then, other));
            }
            Stmt::While(condition, body) => {
                let body = Box::new(self.nested(*body));
                to.push(Stmt::While(condition, body));
            }
            Stmt::Do(body, condition) => to.push(Stmt::Do(body, condition)),
            Stmt::For(init, condition, step, body) => {
                let body = self.nested(*body);
                let parts = self.parts(init, condition, step, body);
                to.push(parts);
            }
        }
    }

    /// A loop, in another form or in two parts.
    fn parts(&mut self, init: Vec<String>, condition: Vec<String>, step: Vec<String>, body: Stmt) -> Stmt {
        let simple = !body.has_own("continue");
        let whole = !body.has_own("break") && simple;
        match self.random.below(6) {
            0 if simple => {
                self.done.push("while");
                let run = Stmt::While(condition, Box::new(Stmt::Block(vec![body, Stmt::Simple(step)])));
                Stmt::Block(vec![Stmt::Simple(init), run])
            }
            1 if simple => {
                self.done.push("do");
                let run = Stmt::Do(Box::new(Stmt::Block(vec![body, Stmt::Simple(step)])), condition.clone());
                Stmt::Block(vec![Stmt::Simple(init), Stmt::If(condition, Box::new(run), None)])
            }
            2 if whole => {
                // The first iterations, up to an unknown number, then the rest.
                self.done.push("two parts");
                let (first, left) = (self.name(), |s: &str| s.to_owned());
                let declared =
                    vec![left("int"), first.clone(), left("="), left("__VERIFIER_nondet_int"), left("("), left(")")];
                let mut both = vec![left("(")];
                both.extend(condition.iter().cloned());
                both.extend([")", "&&", &first, ">", "0"].map(left));
                let count = Stmt::Simple(vec![first.clone(), left("--")]);
                let part = Stmt::Block(vec![body.clone(), count]);
                Stmt::Block(vec![
                    Stmt::Simple(declared),
                    Stmt::Simple(init),
                    Stmt::For(Vec::new(), both, step.clone(), Box::new(part)),
                    Stmt::For(Vec::new(), condition, step, Box::new(body)),
                ])
            }
            _ => Stmt::For(init, condition, step, Box::new(body)),
        }
    }

    /// `int x = 1, y;` as two declarations, in any order if neither mentions the other.
    fn declaration(&mut self, tokens: Vec<String>, to: &mut Vec<Stmt>) {
        let base = match tokens.first().map(String::as_str) {
            Some("int" | "long") => 1,
            Some("struct") => 2,
            _ => 0,
        };
        let (mut parts, mut depth) = (vec![Vec::new()], 0i32);
        for token in &tokens[base..] {
            depth += match token.as_str() {
                "(" | "[" | "{" => 1,
                ")" | "]" | "}" => -1,
                _ => 0,
            };
            if token == "," && depth == 0 {
                parts.push(Vec::new());
            } else if let Some(last) = parts.last_mut() {
                last.push(token.clone());
            }
        }
        if base == 0 || parts.len() < 2 || self.random.one_in(2) {
            to.push(Stmt::Simple(tokens));
            return;
        }
        let declared: Vec<String> = parts.iter().filter_map(|p| p.iter().find(|t| is_name(t)).cloned()).collect();
        let apart = parts.iter().all(|p| declared.iter().filter(|d| p.contains(d)).count() == 1);
        if apart && self.random.one_in(2) {
            parts.reverse();
        }
        self.done.push("declarations");
        let whole = |part: Vec<String>| Stmt::Simple(tokens[..base].iter().cloned().chain(part).collect());
        to.extend(parts.into_iter().map(whole));
    }

    /// Swaps neighbouring assignments to different objects, if neither reads what the other writes.
    fn swap(&mut self, block: &mut [Stmt]) {
        for n in 1..block.len() {
            let (before, after) = block.split_at_mut(n);
            let (Some(one), Some(two)) = (before.last_mut(), after.first_mut()) else { continue };
            if let (Some(x), Some(y)) = (one.target(), two.target())
                && !mentions(one, &y)
                && !mentions(two, &x)
                && self.random.one_in(2)
            {
                std::mem::swap(one, two);
                self.done.push("swap");
            }
        }
    }

    /// Increases all constants from 3 on by the same amount, which keeps their order.
    fn constants(&mut self, tokens: &mut [String]) {
        let more = 1 + self.random.below(90);
        for token in tokens {
            if let Ok(value) = token.parse::<usize>()
                && (3..1_000_000).contains(&value)
            {
                *token = (value + more).to_string();
            }
        }
        self.done.push("constants");
    }

    fn rename(&mut self, tokens: &mut [String]) {
        const KEPT: [&str; 19] = [
            "int",
            "long",
            "void",
            "struct",
            "if",
            "else",
            "for",
            "while",
            "do",
            "return",
            "break",
            "continue",
            "sizeof",
            "main",
            "malloc",
            "abort",
            "__VERIFIER_nondet_int",
            "__VERIFIER_assert",
            "const",
        ];
        let mut names: Vec<String> =
            tokens.iter().filter(|t| is_name(t) && !KEPT.contains(&t.as_str())).cloned().collect();
        names.sort();
        names.dedup();
        // The order of names changes, too.
        let start = self.random.below(names.len().max(1));
        for token in tokens {
            if let Some(n) = names.iter().position(|name| name == token) {
                *token = format!("v{}_{}", (n * 7 + start) % 31, n);
            }
        }
    }
}

/// The variant with this seed: its text and its changes; `None` if only names would differ.
fn variant(name: &str, text: &str, seed: u64) -> Option<(String, String)> {
    let mut random = Random::new(seed);
    let size = *random.pick(&["__VERIFIER_nondet_int()", "24", "10000000", "57", "1000"]);
    let mut items = parse(&text.replace("SIZE", size)).unwrap_or_else(|| panic!("{name} is not understood"));
    let mut maker = Maker { random, fresh: 0, done: Vec::new(), may_swap: false };
    maker.items(&mut items);
    let mut tokens = render(&items);
    if maker.random.one_in(2) {
        maker.constants(&mut tokens);
    }
    maker.rename(&mut tokens);
    let what = format!("variant {seed} of {name} ({size}; {})", maker.done.join(", "));
    let text = format!("{PRELUDE}{}\n", syntax::layout(&tokens));
    (!maker.done.is_empty()).then_some((text, what))
}

/// Different variants, the same number for each program.
fn variants() -> Vec<(String, String)> {
    let programs = programs();
    let mut found: Vec<(String, String)> = Vec::new();
    for seed in 1.. {
        if found.len() == VARIANTS {
            break;
        }
        let (name, text) = &programs[found.len() % programs.len()];
        if let Some(new) = variant(name, text, seed)
            && found.iter().all(|(text, _)| *text != new.0)
        {
            found.push(new);
        }
    }
    found
}

/// The numbers of proved and of all conditions.
fn proofs(text: &str) -> Result<(usize, usize), String> {
    let options = LowerOptions { preprocess: false, ..LowerOptions::default() };
    let program = load_text("variant.c", text, &options).map_err(|e| e.to_string())?;
    let all = obligations(&program, &[ObligationKind::Assertion]);
    let config = AnalysisConfig { stack: Some(STACK.to_owned()), ..AnalysisConfig::default() };
    let analysis = analyse(&program, &all, &config).map_err(|e| e.to_string())?;
    let proved = |o: &&smalti::program::Obligation| {
        analysis.findings.get(&o.key).is_some_and(|f| matches!(f.verdict, Verdict::Proved | Verdict::Unreachable))
    };
    Ok((all.iter().filter(proved).count(), all.len()))
}

fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/partition");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of programs") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a readable program");
        if let Some(text) = provable(&text) {
            found.push((name, text));
        }
    }
    found.sort();
    assert!(found.len() > 10, "only {} programs", found.len());
    found
}

#[test]
fn nine_proofs_in_ten_survive_in_variants() {
    let programs = programs();
    // First the proofs of the originals: without one there is nothing to preserve.
    for (name, text) in &programs {
        let text = format!("{PRELUDE}{}", text.replace("SIZE", "__VERIFIER_nondet_int()"));
        let (proved, all) = results(1, |_| proofs(&text)).remove(0).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(proved, all, "{name}\n{text}");
    }
    let variants = variants();
    let found = results(VARIANTS, |n| proofs(&variants[n].0));
    let (mut proved, mut all, mut whole) = (0, 0, 0);
    for (result, (text, what)) in found.into_iter().zip(&variants) {
        let (some, of) = result.unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
        assert!(of > 0, "{what} has no condition:\n{text}");
        if some < of {
            println!("{what}: {some} of {of}");
            if std::env::var_os("SMALTI_VARIANTS").is_some() {
                println!("{text}");
            }
        }
        (proved, all, whole) = (proved + some, all + of, whole + usize::from(some == of));
    }
    println!("{VARIANTS} variants: {proved} of {all} proofs survive, all of them in {whole} variants");
    assert!(proved * 10 >= all * 9, "{proved} of {all}");
    assert!(whole * 10 >= VARIANTS * 9, "all proofs survive in {whole} variants only");
}

#[test]
fn variants_are_c() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut compiler = Command::new("cc");
    compiler.args(["-fsyntax-only", "-w", "-fno-builtin"]);
    for (n, (text, _)) in variants().iter().enumerate() {
        let path = folder.path().join(format!("variant{n}.c"));
        std::fs::write(&path, text).expect("a temporary file");
        compiler.arg(path);
    }
    let output = compiler.output().expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
