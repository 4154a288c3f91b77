//! Circles among files: files that import each other, directly or through others.
//!
//! A file imports another if a `use` or a path in its code leads there. Names are followed through
//! re-exports to the file that defines them. So a module that only declares its children and hands
//! on their names imports nothing. Tests, comments and strings do not count. Calls of methods are
//! not seen, because no path leads to them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Files of which each reaches every other one by imports.
pub(super) struct Circle {
    /// All of them.
    pub(super) files: BTreeSet<String>,
    /// The steps of a shortest way round: a file, the path in its code, the file that it leads to.
    steps: Vec<(String, String, String)>,
}

impl std::fmt::Display for Circle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} files import each other in a circle; a shortest way round:", self.files.len())?;
        self.steps.iter().try_for_each(|(from, path, to)| write!(f, "\n    {from} uses {path} of {to}"))
    }
}

/// The circles among the files of one crate, given with their names and texts. `root` is the folder
/// of its root module.
pub(super) fn circles(root: &str, files: &[(String, String)]) -> Vec<Circle> {
    let mut modules = BTreeMap::new();
    for (file, text) in files {
        let Some(name) = file.strip_prefix(root).and_then(|name| name.strip_suffix(".rs")) else { continue };
        let mut path: Vec<String> = name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        if path.last().is_some_and(|last| last == "mod" || last == "lib") {
            path.pop();
        }
        Module::read(file, path, &tokens(text), &mut modules);
    }
    let imports = imports(&modules);
    let from_each: BTreeMap<&String, BTreeSet<String>> = imports.keys().map(|f| (f, reached(&imports, f))).collect();
    let mut circles: Vec<Circle> = Vec::new();
    for (file, reached) in &from_each {
        if !reached.contains(*file) || circles.iter().any(|c| c.files.contains(*file)) {
            continue;
        }
        let comes_back = |other: &&String| from_each.get(other).is_some_and(|r| r.contains(*file));
        let files: BTreeSet<String> = reached.iter().filter(comes_back).cloned().collect();
        let ways = files.iter().map(|f| way_round(&imports, f));
        let steps = ways.min_by_key(Vec::len).unwrap_or_default();
        circles.push(Circle { files, steps });
    }
    circles
}

/// For each file: the files that it imports, each with a path that leads there.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

fn imports(modules: &Modules) -> Imports {
    let mut imports = Imports::new();
    for (at, module) in modules {
        let from = imports.entry(module.file.clone()).or_default();
        let used = module.uses.iter().filter(|u| !u.is_handed_on || module.heads.contains(&u.name));
        for path in used.map(|u| &u.path).chain(&module.paths) {
            if let Some(to) = resolve(modules, at, path, 0).filter(|to| *to != module.file) {
                from.entry(to).or_insert_with(|| path.join("::"));
            }
        }
    }
    imports
}

/// The files that a file reaches in one step or more.
fn reached(imports: &Imports, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![from];
    while let Some(file) = next.pop() {
        for to in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(to.clone()) {
                next.push(to);
            }
        }
    }
    found
}

/// The steps of a shortest way from a file back to itself.
fn way_round(imports: &Imports, start: &str) -> Vec<(String, String, String)> {
    let mut ways = VecDeque::from([vec![]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let here = way.last().map_or(start, |(_, _, to): &(String, String, String)| to).to_owned();
        for (to, path) in imports.get(&here).into_iter().flatten() {
            let mut longer = way.clone();
            longer.push((here.clone(), path.clone(), to.clone()));
            if to == start {
                return longer;
            }
            if seen.insert(to.clone()) {
                ways.push_back(longer);
            }
        }
    }
    Vec::new()
}

/// The modules of a crate by their paths, those inside of files included.
type Modules = BTreeMap<Vec<String>, Module>;

/// What the code of a module says about names.
#[derive(Default)]
struct Module {
    file: String,
    uses: Vec<Use>,
    /// Paths of several names in the code.
    paths: Vec<Vec<String>>,
    /// The first names of all paths in the code, and names that stand alone.
    heads: BTreeSet<String>,
    /// The names that it defines.
    items: BTreeSet<String>,
}

/// A name that a `use` declares.
struct Use {
    path: Vec<String>,
    /// The name, or `*`.
    name: String,
    /// Whether other modules see the name.
    is_handed_on: bool,
}

const DEFINES: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

impl Module {
    /// Reads the module, and those that are written inside of it.
    fn read(file: &str, path: Vec<String>, tokens: &[String], modules: &mut Modules) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let mut is_test = false;
        let mut n = 0;
        while n < tokens.len() {
            let (before, rest) = tokens.split_at(n);
            let is = |n: usize, word: &str| rest.get(n).is_some_and(|t| t == word);
            let until = |word: &str| rest.iter().position(|t| t == word).unwrap_or(rest.len() - 1);
            match rest[0].as_str() {
                "#" if rest.iter().zip(TEST).filter(|(a, b)| a == b).count() == TEST.len() => {
                    is_test = true;
                    n += TEST.len();
                    continue;
                }
                "pub" if is(1, "(") => n += until(")"),
                "pub" => {}
                "use" if !is(1, "<") => {
                    let end = until(";");
                    let is_handed_on = before.last().is_some_and(|t| t == "pub" || t == ")");
                    if !is_test {
                        module.add_use(&rest[1..end], &[], is_handed_on);
                    }
                    n += end;
                    is_test = false;
                }
                "mod" if is(2, "{") => {
                    let end = closing(&rest[2..]) + 2;
                    if !is_test {
                        let inner = path.iter().chain([&rest[1]]).cloned().collect();
                        Module::read(file, inner, &rest[3..end], modules);
                    }
                    n += end;
                    is_test = false;
                }
                "mod" => n += 1,
                word if DEFINES.contains(&word) && rest.get(1).is_some_and(|t| is_name(t) && t != "fn") => {
                    module.items.insert(rest[1].clone());
                    n += 1;
                    is_test = false;
                }
                word if is_name(word) && before.last().is_none_or(|t| t != ".") => {
                    let mut end = 1;
                    while is(end, "::") && rest.get(end + 1).is_some_and(|t| is_name(t)) {
                        end += 2;
                    }
                    module.heads.insert(word.to_owned());
                    if end > 1 {
                        module.paths.push(names(&rest[..end]));
                    }
                    n += end - 1;
                }
                _ => {}
            }
            n += 1;
        }
        modules.insert(path, module);
    }

    /// Adds the names of a tree of imports under a path.
    fn add_use(&mut self, tree: &[String], under: &[String], is_handed_on: bool) {
        if let Some(open) = tree.iter().position(|t| t == "{") {
            let under = [under, &names(&tree[..open])].concat();
            let mut rest = &tree[open + 1..tree.len() - 1];
            while !rest.is_empty() {
                let end = next_comma(rest);
                self.add_use(&rest[..end], &under, is_handed_on);
                rest = rest.get(end + 1..).unwrap_or_default();
            }
            return;
        }
        let (path, alias) = match tree.iter().position(|t| t == "as") {
            Some(at) => (&tree[..at], tree.get(at + 1)),
            None => (tree, None),
        };
        let mut path = [under, &names(path)].concat();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(name) = alias.or(path.last()).cloned() else { return };
        self.uses.push(Use { path, name, is_handed_on });
    }
}

/// The names of a path.
fn names(tokens: &[String]) -> Vec<String> {
    tokens.iter().filter(|t| *t != "::").cloned().collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

/// Where the brace is closed that the tokens begin with.
fn closing(tokens: &[String]) -> usize {
    let mut depth = 0_usize;
    let closes = |t: &String| {
        depth += usize::from(t == "{");
        depth -= usize::from(t == "}");
        depth == 0
    };
    tokens.iter().position(closes).unwrap_or(tokens.len() - 1)
}

/// Where the first comma stands that is not inside of braces.
fn next_comma(tokens: &[String]) -> usize {
    let mut depth = 0_usize;
    let ends = |t: &String| {
        depth += usize::from(t == "{");
        depth -= usize::from(t == "}");
        depth == 0 && t == ","
    };
    tokens.iter().position(ends).unwrap_or(tokens.len())
}

/// The file that a path in a module leads to, if it is one of the crate. `depth` counts the imports
/// that were followed.
fn resolve(modules: &Modules, at: &[String], path: &[String], depth: usize) -> Option<String> {
    // No chain of re-exports is this long. The names lead back to themselves.
    if depth > 16 {
        return None;
    }
    let (first, mut rest) = path.split_first()?;
    let mut base = at.to_vec();
    match first.as_str() {
        "crate" => base.clear(),
        "self" => {}
        "super" => _ = base.pop(),
        name => {
            base.push(name.to_owned());
            if !modules.contains_key(&base) {
                let named = modules.get(at)?.uses.iter().find(|u| u.name == *name && u.path != [name])?;
                return resolve(modules, at, &[&named.path, rest].concat(), depth + 1);
            }
        }
    }
    while let Some((name, after)) = rest.split_first() {
        if name == "super" {
            base.pop();
        } else {
            base.push(name.clone());
            if !modules.contains_key(&base) {
                base.pop();
                break;
            }
        }
        rest = after;
    }
    let module = modules.get(&base)?;
    let Some((name, after)) = rest.split_first() else { return Some(module.file.clone()) };
    if !module.items.contains(name) {
        if let Some(named) = module.uses.iter().find(|u| u.name == *name && name != "*") {
            return resolve(modules, &base, &[&named.path, after].concat(), depth + 1);
        }
        for glob in module.uses.iter().filter(|u| u.name == "*") {
            let from = &glob.path[..glob.path.len() - 1];
            let path = [from, rest].concat();
            let found = resolve(modules, &base, &path, depth + 1);
            let defines = |m: &Module| Some(&m.file) == found.as_ref() && m.items.contains(name);
            if modules.values().any(defines) {
                return found;
            }
        }
    }
    Some(module.file.clone())
}

/// The names and signs of a text, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let name = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        let length = match skipped(rest) {
            Some(length) => length,
            None if name > 0 => name,
            None if rest.starts_with("::") => 2,
            None => c.len_utf8(),
        };
        if skipped(rest).is_none() && !c.is_whitespace() {
            out.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    out
}

/// The length of the comment, string or character that a text begins with.
fn skipped(text: &str) -> Option<usize> {
    let to = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |n| from + n + end.len());
    if text.starts_with("//") {
        return Some(to("\n", 0));
    }
    if text.starts_with("/*") {
        return Some(to("*/", 2));
    }
    let plain = text.strip_prefix('b').unwrap_or(text);
    let start = text.len() - plain.len();
    if let Some(raw) = plain.strip_prefix('r') {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        if raw[marks..].starts_with('"') {
            return Some(to(&format!("\"{}", "#".repeat(marks)), start + marks + 2));
        }
    }
    let ends = |quote: char| {
        let mut escaped = false;
        let end = plain.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == quote && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        end.map_or(text.len(), |(n, _)| start + n + 1)
    };
    let second = plain.chars().nth(1);
    match plain.chars().next() {
        Some('"') => Some(ends('"')),
        // Otherwise it is a lifetime.
        Some('\'') if second == Some('\\') || plain.chars().nth(2) == Some('\'') => Some(ends('\'')),
        _ => None,
    }
}

#[test]
fn a_circle_is_found_through_names_that_are_handed_on() {
    let files = |all: &[(&str, &str)]| -> Vec<(String, String)> {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    let tree = [
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::{B as Other, inner};\n"),
        ("src/a.rs", "use crate::c::C;\npub struct A(C);\nconst S: &str = \"{ crate::b::B\";\n// crate::b::B\n"),
        ("src/b.rs", "pub struct B;\npub mod inner {\n    pub fn f() -> super::B { super::B }\n}\n"),
        ("src/c/mod.rs", "pub struct C;\n#[cfg(test)]\nmod tests {\n    use crate::A;\n}\nfn f<'a>(_: &'a str) {}\n"),
    ];
    assert!(circles("src", &files(&tree)).is_empty());
    for (file, import, way) in [
        ("src/c/mod.rs", "use crate::A;", "c/mod.rs uses crate::A of src/a.rs"),
        ("src/c/mod.rs", "fn g(_: super::a::A) {}", "c/mod.rs uses super::a::A of src/a.rs"),
        ("src/c/mod.rs", "use super::{Other as B, inner::{self, f}};", ""),
        ("src/b.rs", "use crate::a;", ""),
    ] {
        let mut changed = tree.map(|(name, text)| (name, text.to_owned()));
        changed.iter_mut().filter(|(name, _)| *name == file).for_each(|(_, text)| *text += import);
        let changed: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let found = circles("src", &files(&changed));
        match &found[..] {
            [circle] if !way.is_empty() => {
                assert_eq!(circle.files.iter().collect::<Vec<_>>(), ["src/a.rs", "src/c/mod.rs"]);
                assert!(circle.to_string().contains(way), "{circle}");
            }
            found => assert!(found.is_empty() && way.is_empty(), "{import}"),
        }
    }
    // Through several files, and by a name that its own file hands on.
    let mut longer = tree.map(|(name, text)| (name, text.to_owned()));
    longer[2].1 += "use crate::A;";
    longer[3].1 += "use crate::inner::f;";
    let longer: Vec<(&str, &str)> = longer.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let found = circles("src", &files(&longer));
    assert_eq!(found.iter().map(|c| c.files.len()).collect::<Vec<_>>(), [3]);
}
