//! Runs the machine's C preprocessor.
//!
//! `assert` gets smalti's own definition, so that an assertion stays one call that carries the
//! source text of its condition. Everything else comes from the machine's headers. For 32 bits the
//! compiler's predefined macros are overridden one by one: `-m32` would look for headers that most
//! machines lack.

use super::LowerOptions;
use super::error::{InputError, InputErrorKind, SourceSpan};
use crate::process::{self, End, Guard, Limits, Scratch};
use crate::program::DataModel;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The largest source file and the largest preprocessor output that are read, in bytes.
const MAX_TEXT: u64 = 64 << 20;

/// Address space of the preprocessor in MiB: a text that includes a device without end must not
/// fill the machine's memory within the time limit.
const MEMORY: u64 = 2048;

/// The name that an assertion has after preprocessing: its condition, then its text as a string.
pub(super) const ASSERT: &str = "__smalti_assert";

const ASSERT_HEADER: &str = "#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __smalti_assert((__VA_ARGS__), #__VA_ARGS__)
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
";

/// What is preprocessed.
#[derive(Clone, Copy)]
pub(super) enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// A text, under a name.
    Text(&'a str, &'a str),
}

/// Reads a source file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    let fail = |why: String| InputError::new(InputErrorKind::NotFound, format!("{}: {why}", path.display()));
    let meta = std::fs::metadata(path).map_err(|e| fail(plain(&e)))?;
    if meta.is_dir() {
        return Err(fail("this is a folder, not a file".into()));
    }
    let file = std::fs::File::open(path).map_err(|e| fail(plain(&e)))?;
    let mut bytes = Vec::new();
    file.take(MAX_TEXT + 1).read_to_end(&mut bytes).map_err(|e| fail(plain(&e)))?;
    if bytes.len() as u64 > MAX_TEXT {
        let message = format!("{}: larger than {} MiB", path.display(), MAX_TEXT >> 20);
        return Err(InputError::new(InputErrorKind::TooDeep, message));
    }
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        let line = 1 + bytes[..at].iter().filter(|b| **b == b'\n').count();
        let message = format!("{}: a NUL byte on line {line}: this is not a text file", path.display());
        return Err(InputError::new(InputErrorKind::Syntax, message));
    }
    Ok(bytes)
}

/// The C files in a folder, by name.
pub(super) fn c_files(folder: &Path) -> Result<Vec<PathBuf>, InputError> {
    let fail =
        |e: std::io::Error| InputError::new(InputErrorKind::NotFound, format!("{}: {}", folder.display(), plain(&e)));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The system's message without its number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text.to_lowercase(),
    }
}

/// Runs the preprocessor and returns what it wrote.
pub(super) fn run(input: Input<'_>, options: &LowerOptions) -> Result<Vec<u8>, InputError> {
    let fail = |why: String| InputError::new(InputErrorKind::Preprocess, why);
    // The guard outlives the folder: a signal takes effect after the folder is removed.
    let guard = Guard::new();
    let folder = Scratch::new().map_err(|e| fail(format!("no temporary folder for a header: {}", plain(&e))))?;
    let written = write(&folder, input, options).map_err(|e| fail(format!("no temporary file: {}", plain(&e))))?;
    let mut missing = Vec::new();
    for compiler in compilers() {
        let Some(program) = process::located(Path::new(compiler.split_whitespace().next().unwrap_or("cc"))) else {
            missing.push(format!("{compiler}: no such program"));
            continue;
        };
        let arguments = arguments(&compiler, folder.path(), &written, options);
        return answer(&program, &compiler, &arguments, &guard, input, options);
    }
    Err(fail(format!("no C preprocessor was found ({})", missing.join("; ")))
        .note("install gcc or clang, or name one in the environment variable CC")
        .note("files ending in .i and --no-preprocess need none"))
}

/// The compilers to try, the one that the user chose first.
fn compilers() -> Vec<String> {
    let chosen = std::env::var("CC").ok().filter(|c| !c.trim().is_empty());
    chosen.into_iter().chain(["cc", "gcc", "clang"].map(String::from)).collect()
}

/// Writes smalti's headers, and the input if it is not a file yet; returns the file to preprocess.
fn write(folder: &Scratch, input: Input<'_>, options: &LowerOptions) -> std::io::Result<PathBuf> {
    std::fs::write(folder.file("assert.h"), ASSERT_HEADER)?;
    // The C library's headers include these even if only the 64-bit ones are installed. They
    // contain no declarations.
    std::fs::create_dir(folder.file("gnu"))?;
    for name in ["stubs-32.h", "stubs-x32.h"] {
        std::fs::write(folder.file("gnu").join(name), "")?;
    }
    if options.representation.big_endian {
        // The machine's own definitions describe the machine itself.
        let bits = options.data_model.pointer_width();
        std::fs::create_dir(folder.file("bits"))?;
        std::fs::write(folder.file("bits").join("endianness.h"), "#define __BYTE_ORDER __BIG_ENDIAN\n")?;
        std::fs::write(folder.file("bits").join("wordsize.h"), format!("#define __WORDSIZE {bits}\n"))?;
    }
    match input {
        Input::File(path) if path.as_os_str().to_string_lossy().starts_with('-') => Ok(Path::new(".").join(path)),
        Input::File(path) => Ok(path.to_owned()),
        Input::Text(name, text) => {
            let file = folder.file("text.c");
            std::fs::write(&file, format!("# 1 \"{}\"\n{text}", name.escape_default()))?;
            Ok(file)
        }
    }
}

fn arguments(compiler: &str, headers: &Path, file: &Path, options: &LowerOptions) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = compiler.split_whitespace().skip(1).map(OsString::from).collect();
    // Comments stay for their annotations, which may name macros: these stay too.
    // The parser knows no other spelling of `asm`.
    arguments.extend(["-E", "-x", "c", "-w", "-C", "-dD", "-Dasm=__asm__"].map(OsString::from));
    for folder in std::iter::once(headers).chain(options.include_dirs.iter().map(PathBuf::as_path)) {
        arguments.extend([OsString::from("-I"), folder.into()]);
    }
    if options.representation.unsigned_char {
        arguments.push("-funsigned-char".into());
    }
    if options.representation.big_endian {
        arguments.extend(X86.iter().map(|m| format!("-U{m}").into()));
        arguments.extend(BIG_ENDIAN.iter().map(|m| format!("-D{m}").into()));
    } else if options.data_model == DataModel::Ilp32 {
        arguments.extend(["-D__i386__=1", "-D__i386=1"].map(OsString::from));
    }
    if options.data_model == DataModel::Ilp32 {
        arguments.extend(ILP32_UNDEFINED.iter().map(|m| format!("-U{m}").into()));
        arguments.extend(ILP32_DEFINED.iter().map(|m| format!("-D{m}").into()));
    }
    arguments.extend(["-U__SIZEOF_INT128__", "-U__OPTIMIZE__", "-U_FORTIFY_SOURCE"].map(OsString::from));
    arguments.extend(options.defines.iter().map(|d| format!("-D{d}").into()));
    arguments.push(file.into());
    arguments
}

/// No processor of this family has its bytes the other way round.
const X86: [&str; 4] = ["__x86_64__", "__x86_64", "__amd64__", "__amd64"];

const BIG_ENDIAN: [&str; 3] =
    ["__BYTE_ORDER__=__ORDER_BIG_ENDIAN__", "__FLOAT_WORD_ORDER__=__ORDER_BIG_ENDIAN__", "__BIG_ENDIAN__=1"];

const ILP32_UNDEFINED: [&str; 5] = ["__x86_64__", "__x86_64", "__amd64__", "__LP64__", "_LP64"];

const ILP32_DEFINED: [&str; 25] = [
    "__SIZE_TYPE__=unsigned int",
    "__PTRDIFF_TYPE__=int",
    "__INTPTR_TYPE__=int",
    "__UINTPTR_TYPE__=unsigned int",
    "__INT64_TYPE__=long long int",
    "__UINT64_TYPE__=long long unsigned int",
    "__INTMAX_TYPE__=long long int",
    "__UINTMAX_TYPE__=long long unsigned int",
    "__SIZEOF_LONG__=4",
    "__SIZEOF_POINTER__=4",
    "__SIZEOF_SIZE_T__=4",
    "__SIZEOF_PTRDIFF_T__=4",
    "__LONG_MAX__=2147483647L",
    "__LONG_WIDTH__=32",
    "__SIZE_MAX__=4294967295U",
    "__SIZE_WIDTH__=32",
    "__PTRDIFF_MAX__=2147483647",
    "__PTRDIFF_WIDTH__=32",
    "__INTPTR_MAX__=2147483647",
    "__UINTPTR_MAX__=4294967295U",
    "__INT64_MAX__=9223372036854775807LL",
    "__UINT64_MAX__=18446744073709551615ULL",
    "__INT64_C(c)=c ## LL",
    "__UINT64_C(c)=c ## ULL",
    "__INTMAX_MAX__=9223372036854775807LL",
];

/// Runs the preprocessor, kills it when it takes too long or writes too much, and evaluates its
/// result.
fn answer(
    program: &Path,
    compiler: &str,
    arguments: &[OsString],
    guard: &Guard,
    input: Input<'_>,
    options: &LowerOptions,
) -> Result<Vec<u8>, InputError> {
    let fail = |why: String| Err(InputError::new(InputErrorKind::Preprocess, format!("{compiler}: {why}")));
    let limits = Limits { deadline: Instant::now() + options.preprocess_time, memory: MEMORY, output: MAX_TEXT };
    // The current folder, so that relative names mean the same as for the user.
    let end = process::run(program, arguments, Path::new("."), &limits, guard, |output| {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    });
    match end {
        Err(e) => fail(plain(&e)),
        Ok(End::Exited(Ok(output), status, _)) if status.success() => Ok(output),
        Ok(End::Exited(_, status, errors)) if !status.success() => Err(rejected(compiler, &errors, input)),
        Ok(End::Exited(..)) => fail("the output of the preprocessor could not be read".into()),
        Ok(End::TooLarge) => fail("the preprocessor used more memory than it may".into()),
        Ok(End::TooMuch) => fail(format!("the preprocessor wrote more than {} MiB", MAX_TEXT >> 20)),
        Ok(End::Late | End::Interrupted | End::Lingered(_)) => {
            let seconds = options.preprocess_time.as_secs_f32();
            fail(format!("the preprocessor did not finish within {seconds} s"))
        }
    }
}

/// The first error that the preprocessor wrote, as `file:line:column: error: message`.
fn rejected(compiler: &str, errors: &str, input: Input<'_>) -> InputError {
    for line in errors.lines() {
        let Some((place, message)) = line.split_once(": fatal error: ").or_else(|| line.split_once(": error: ")) else {
            continue;
        };
        let mut error = InputError::new(InputErrorKind::Preprocess, message.trim());
        if let Some(header) = message.strip_suffix(": No such file or directory") {
            error = InputError::new(InputErrorKind::Preprocess, format!("the header `{header}` was not found"));
            let standard = ["stdlib.h", "stdio.h", "string.h", "limits.h", "stdint.h", "stddef.h", "stdbool.h"];
            error = if standard.contains(&header) || header.starts_with("bits/") || header.starts_with("sys/") {
                error.note("the headers of the C library are not installed (Debian: libc6-dev; Fedora: glibc-devel)")
            } else {
                error.note("name the folder that holds it with -I")
            };
        }
        return match place_of(place, input) {
            Some(place) => error.at(place),
            None => error,
        };
    }
    let text: String = errors.trim().chars().take(500).collect();
    InputError::new(InputErrorKind::Preprocess, format!("the preprocessor `{compiler}` failed: {text}"))
}

fn place_of(text: &str, input: Input<'_>) -> Option<SourceSpan> {
    let mut parts = text.rsplitn(3, ':');
    let column: u32 = parts.next()?.parse().ok()?;
    let line: u32 = parts.next()?.parse().ok()?;
    let file = parts.next()?.to_owned();
    let content = match input {
        Input::Text(name, text) if name == file => text.to_owned(),
        _ => String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned(),
    };
    let source_line = content.lines().nth((line as usize).saturating_sub(1)).unwrap_or("").to_owned();
    Some(SourceSpan { file, line, column, length: 1, source_line })
}
