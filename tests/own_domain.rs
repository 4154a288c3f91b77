//! The example of an external domain equals the code that its tutorial builds, and behaves as the
//! tutorial says.

mod markdown;

use markdown::{fenced, without_time};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TUTORIAL: &str = include_str!("../docs/own-domain.md");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn example() -> PathBuf {
    Path::new(ROOT).join("examples/own-domain")
}

/// The blocks of a file, put together.
fn file(name: &str) -> String {
    let of_file = |info: &str| info.split_once(' ').is_some_and(|(_, file)| file == name);
    let parts: Vec<String> =
        fenced(TUTORIAL).into_iter().filter(|(info, _)| of_file(info)).map(|(_, text)| text).collect();
    parts.join("\n")
}

#[test]
fn the_blocks_of_the_tutorial_are_the_files_of_the_example() {
    for name in ["Cargo.toml", "src/lib.rs", "src/main.rs", "tests/laws.rs"] {
        let written = fs::read_to_string(example().join(name)).expect("a file of the example");
        assert_eq!(file(name), written, "docs/own-domain.md builds another {name}");
    }
}

/// Each package and version of a lock file, except those of this repository.
fn locked(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a lock file");
    let lock: toml::Table = text.parse().expect("a lock file is TOML");
    let packages = lock["package"].as_array().expect("packages");
    let from_outside = packages.iter().filter(|p| p.get("source").is_some());
    let text = |value: &toml::Value| value.as_str().expect("a text").to_owned();
    from_outside.map(|p| text(&p["name"]) + " " + &text(&p["version"])).collect()
}

#[test]
fn the_example_is_built_with_the_packages_of_the_workspace() {
    let known = locked(&Path::new(ROOT).join("Cargo.lock"));
    let own = locked(&example().join("Cargo.lock"));
    let strange: Vec<&String> = own.iter().filter(|package| !known.contains(package)).collect();
    let how = "copy Cargo.lock to examples/own-domain, and let `cargo check` there leave out what it does not use";
    assert!(strange.is_empty(), "{strange:?}: {how}");
}

/// Runs a command of the tutorial and returns its output. Cargo works in the example and shares the
/// build of the workspace. The program of the example works in `folder`.
fn run(command: &str, folder: &Path) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder is around it");
    let words: Vec<&str> = command.split_whitespace().collect();
    let output = match words[..] {
        ["cargo", verb, ref arguments @ ..] => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args([verb, "--offline", "--locked"]).args(arguments);
            cargo.current_dir(example()).env("CARGO_TARGET_DIR", target).output()
        }
        ["own-domain", ref arguments @ ..] => {
            Command::new(target.join("debug/own-domain")).args(arguments).current_dir(folder).output()
        }
        _ => panic!("{command} calls something else"),
    };
    let output = output.expect("the command starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 3)), "{command}: {out}{err}");
    out.into_owned()
}

/// The time that a check has taken differs from run to run.
fn steady(text: &str) -> String {
    text.lines().map(|l| without_time(l).unwrap_or_else(|| l.trim_end().to_owned()) + "\n").collect()
}

/// Whether the output of a command matches the shown text; `…` matches any lines.
fn is_shown(shown: &str, printed: &str) -> bool {
    let parts: Vec<&str> = shown.split("…\n").collect();
    let mut rest = printed;
    for (n, part) in parts.iter().enumerate() {
        match rest.find(part) {
            Some(at) if n > 0 || at == 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    parts.last().is_some_and(|part| part.is_empty()) || rest.is_empty()
}

#[test]
fn the_commands_of_the_tutorial_print_what_it_shows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("parity.c"), file("parity.c")).expect("a program is written");
    let mut commands = 0;
    for (_, text) in fenced(TUTORIAL).into_iter().filter(|(info, _)| *info == "console") {
        let (command, shown) = text.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ ").expect("a command begins with a prompt");
        let printed = steady(&run(command, folder.path()));
        assert!(is_shown(&steady(shown), &printed), "{command} prints now:\n{printed}");
        commands += 1;
    }
    assert_eq!(commands, 5, "the laws, the list of domains, two checks and the states");
}

#[test]
fn dots_stand_for_any_lines() {
    let shown = |shown| is_shown(shown, "a\nb\nc\n");
    assert!(shown("a\nb\nc\n") && shown("a\n…\nc\n") && shown("…\nb\n…\n") && shown("…\n"));
    assert!(!shown("a\nb\n") && !shown("b\n…\n") && !shown("…\na\n") && !shown("…\nc\n…\nb\n…\n"));
}
