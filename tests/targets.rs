//! Targets: the choices that compilers make for a machine, compared with gcc if gcc can make the
//! same choices.

mod tools;

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The outcome of `smalti check` and its report.
fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smalti"));
    command.current_dir(folder).args(["check", "--format", "json"]).args(arguments).timeout(Duration::from_secs(120));
    tools::name_tools(&mut command);
    let output = command.output().expect("smalti runs");
    let document = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), document, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whether all assertions hold in the program that gcc compiles.
fn runs(folder: &Path, flags: &[&str]) -> bool {
    let mut gcc = std::process::Command::new("gcc");
    let built = gcc.current_dir(folder).args(["-w", "x.c", "-o", "x"]).args(flags).status().expect("gcc runs");
    assert!(built.success(), "gcc {flags:?}");
    std::process::Command::new(folder.join("x"))
        .stderr(std::process::Stdio::null())
        .status()
        .expect("it runs")
        .success()
}

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("x.c"), text).expect("a file is written");
    folder
}

#[test]
fn chars_have_the_sign_that_gcc_gives_them() {
    let text = "#include <assert.h>\n#include <limits.h>\nchar text[] = \"\\xe4\";\nint main(void) {\n  int high = 0;\n\
        for (int i = 0; i < 2; i++) if (text[i] > CHAR_MAX / 2) high++;\n  char c = CHAR_MIN;\n  c--;\n\
        #ifdef __CHAR_UNSIGNED__\n  assert(c == 255 && CHAR_MAX == 255);\n#else\n  assert(c == 127);\n#endif\n\
        assert(high == (CHAR_MIN == 0));\n  assert(text[0] < 0);\n  return 0;\n}\n";
    let folder = folder_with(text);
    for (flag, target, holds) in [("-fsigned-char", "lp64", true), ("-funsigned-char", "lp64,char=unsigned", false)] {
        assert_eq!(runs(folder.path(), &[flag]), holds, "gcc {flag}");
        let (status, document, err) = check(folder.path(), &["x.c", "--target", target]);
        assert_eq!(status, Some(if holds { 0 } else { 1 }), "{target}: {err}");
        let given = document["configuration"]["target"].as_str();
        assert_eq!(given, (!holds).then_some(target), "what is not usual is in the report");
    }
}

#[test]
fn the_byte_order_decides_what_a_union_shows() {
    // A model checker, not the domains, interprets the bytes.
    let text = "#include <assert.h>\n#include <endian.h>\nunion u { unsigned n; unsigned char b[4]; };\nint main(void) {\n  union u u;\n  u.n = 0x01020304;\n\
        #if __BYTE_ORDER == __BIG_ENDIAN && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n  assert(u.b[0] == 1);\n#else\n  assert(u.b[0] == 4);\n#endif\n  return 0;\n}\n";
    let folder = folder_with(text);
    assert!(runs(folder.path(), &[]));
    for target in ["lp64", "lp64,endian=big", "ilp32", "ilp32,endian=big"] {
        let (status, document, err) = check(folder.path(), &["x.c", "--target", target]);
        let verdict = document["obligations"][0]["verdict"].as_str();
        assert_eq!((status, verdict), (Some(0), Some("proved")), "{target}: {err}");
    }
    let swapped = text.replace("#if __BYTE_ORDER == __BIG_ENDIAN &&", "#if __BYTE_ORDER != __BIG_ENDIAN || !");
    let folder = folder_with(&swapped.replace("|| ! __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__", ""));
    assert!(!runs(folder.path(), &[]));
    for target in ["lp64", "lp64,endian=big", "ilp32,endian=big"] {
        let (_, document, err) = check(folder.path(), &["x.c", "--target", target]);
        let verdict = document["obligations"][0]["verdict"].as_str();
        assert_ne!(verdict, Some("proved"), "{target}: {err}");
    }
}

#[test]
fn macros_and_headers_follow_the_target() {
    let headers = "#include <assert.h>\n#include <stdint.h>\n#include <limits.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
        #include <ctype.h>\n#include <math.h>\n#include <time.h>\n#include <errno.h>\n#include <unistd.h>\n#include <pthread.h>\n#include <signal.h>\n";
    for (target, conditions) in [
        (
            "lp64",
            "sizeof(long) == 8 && LONG_MAX > INT_MAX && sizeof(int64_t) == 8 && sizeof(size_t) == 8 && CHAR_MIN < 0 && X86 == 64",
        ),
        (
            "ilp32",
            "sizeof(long) == 4 && LONG_MAX == INT_MAX && sizeof(int64_t) == 8 && sizeof(size_t) == 4 && CHAR_MIN < 0 && X86 == 32",
        ),
        ("lp64,endian=big", "sizeof(long) == 8 && sizeof(int64_t) == 8 && sizeof(intptr_t) == 8 && X86 == 0"),
        (
            "ilp32,endian=big,char=unsigned",
            "sizeof(long) == 4 && sizeof(int64_t) == 8 && sizeof(intptr_t) == 4 && CHAR_MIN == 0 && X86 == 0",
        ),
    ] {
        let text = format!(
            "{headers}#if defined __x86_64__\n#define X86 64\n#elif defined __i386__\n#define X86 32\n#else\n#define X86 0\n#endif\n\
             int main(void) {{ assert({conditions}); return 0; }}\n"
        );
        let folder = folder_with(&text);
        let (status, _, err) = check(folder.path(), &["x.c", "--target", target, "--stages", "domains"]);
        assert_eq!(status, Some(0), "{target}: {err}");
    }
}

#[test]
fn targets_that_cannot_be_are_refused() {
    let folder = folder_with("int main(void) { return 0; }\n");
    for (arguments, message) in [
        (&["--target", "llp64"][..], "there is no target `llp64`"),
        (&["--target", "long=32,pointer=64"], "is not supported"),
        (&["--target", "lp64", "--data-model", "lp64"], "cannot be used with"),
    ] {
        let (status, _, err) = check(folder.path(), &[&["x.c"], arguments].concat());
        assert!(status == Some(2) && err.contains(message), "{arguments:?}: {err}");
    }
}
