//! Functions of the C library and of POSIX that write to no object of the program, call none of its
//! functions, and keep no pointer through which they would do so later.
//!
//! **Sound**: C11 7 and POSIX.1-2017 say of each what it does. Some return pointers to objects of
//! the library, which no name of the program means. They may set `errno`, which holds any value
//! wherever it is read.

use super::context::{Lowerer, Symbol};
use crate::program::{Expr, ExprKind, Location, Lvalue, Outside, StmtKind, Type};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// Those of C. Their names are reserved (C11 7.1.3), so that nothing else is meant by them.
const OF_C: &[&str] = &[
    // <stdio.h>
    "fopen",
    "freopen",
    "fclose",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "clearerr",
    "ungetc",
    "remove",
    "rename",
    "tmpfile",
    // <stdlib.h>, <string.h>, <locale.h>, <time.h>
    "getenv",
    "system",
    "mblen",
    "strerror",
    "strcoll",
    "setlocale",
    "localeconv",
    "difftime",
    "ctime",
    "asctime",
    "localtime",
    "gmtime",
    // <wctype.h>, <wchar.h>
    "towlower",
    "towupper",
    "iswalpha",
    "iswdigit",
    "iswalnum",
    "iswspace",
    "iswprint",
    "iswupper",
    "iswlower",
    "wcslen",
    // <math.h>
    "lround",
    "llround",
    "lrint",
    "llrint",
    "ilogb",
];

/// Those of <math.h> whose names come with `f` and `l` for the other types.
const OF_MATH: &[&str] = &[
    "sqrt",
    "pow",
    "fabs",
    "floor",
    "ceil",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "fmod",
    "round",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp2",
    "expm1",
    "log10",
    "log1p",
    "log2",
    "logb",
    "cbrt",
    "hypot",
    "erf",
    "erfc",
    "tgamma",
    "nearbyint",
    "rint",
    "trunc",
    "remainder",
    "copysign",
    "nextafter",
    "fdim",
    "fmax",
    "fmin",
    "fma",
    "ldexp",
    "scalbn",
    "scalbln",
];

/// Those of POSIX and of `gettext`. Their names are the program's if no header of the system
/// declares them.
const OF_POSIX: &[&str] = &[
    // Files
    "open",
    "creat",
    "close",
    "write",
    "lseek",
    "isatty",
    "unlink",
    "access",
    "chdir",
    "mkdir",
    "rmdir",
    "chmod",
    "fchmod",
    "chown",
    "fchown",
    "lchown",
    "link",
    "symlink",
    "dup",
    "dup2",
    "umask",
    "fsync",
    "ftruncate",
    "truncate",
    "fileno",
    "fdopen",
    "fseeko",
    "ftello",
    "popen",
    "pclose",
    "opendir",
    "closedir",
    "readdir",
    "utime",
    "utimes",
    "mkfifo",
    "tcsetattr",
    "tcflush",
    "ttyname",
    // Processes and users
    "getpid",
    "getppid",
    "getpgrp",
    "setpgid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "setuid",
    "setgid",
    "sleep",
    "usleep",
    "alarm",
    "kill",
    "killpg",
    "sysconf",
    "pathconf",
    "getpwuid",
    "getpwnam",
    "getgrgid",
    "getgrnam",
    "getlogin",
    "execl",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "putenv",
    "setenv",
    "unsetenv",
    "strsignal",
    // Networks and logs
    "socket",
    "listen",
    "shutdown",
    "bind",
    "connect",
    "send",
    "sendto",
    "setsockopt",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
    "inet_addr",
    "inet_ntoa",
    "gethostbyname",
    "getservbyname",
    "getservbyport",
    "openlog",
    "syslog",
    "closelog",
    // Languages
    "gettext",
    "dgettext",
    "dcgettext",
    "ngettext",
    "textdomain",
    "bindtextdomain",
    "bind_textdomain_codeset",
    "nl_langinfo",
    "wcwidth",
];

/// Those that return pointers to objects of the library, or null: neither an argument, nor what the
/// program has given to the library before.
const GIVE_OBJECTS: &[&str] = &[
    "fopen",
    "freopen",
    "tmpfile",
    "fdopen",
    "popen",
    "opendir",
    "readdir",
    "getenv",
    "strerror",
    "strsignal",
    "setlocale",
    "localeconv",
    "ctime",
    "asctime",
    "localtime",
    "gmtime",
    "ttyname",
    "getpwuid",
    "getpwnam",
    "getgrgid",
    "getgrnam",
    "getlogin",
    "gethostbyname",
    "getservbyname",
    "getservbyport",
    "inet_ntoa",
    "nl_langinfo",
];

/// Whether it is one of POSIX.
pub(super) fn is_of_posix(name: &str) -> bool {
    OF_POSIX.contains(&name)
}

/// Whether a function of that name writes to no object of the program, if it is the library's.
pub(super) fn is_harmless(name: &str) -> bool {
    OF_C.contains(&name) || is_of_posix(name) || is_of_math(name)
}

fn is_of_math(name: &str) -> bool {
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    OF_MATH.contains(&name) || OF_MATH.contains(&stem)
}

/// The functions of systems that return the address of `errno`, or of `h_errno`.
const ERRNO: [&str; 5] = ["__errno_location", "___errno", "__errno", "__error", "__h_errno_location"];

impl Lowerer<'_> {
    /// What `errno` is: where a pointer to it is followed at once, an object that holds any value.
    /// **Sound**: nothing else is known of what the library writes there, so a write is forgotten.
    /// Where the address itself is used, it is any.
    pub(super) fn errno(&mut self, pointer: &Node<Expression>, at: Location) -> Option<Lvalue> {
        let Expression::Call(call) = &pointer.node else { return None };
        let Expression::Identifier(name) = &call.node.callee.node else { return None };
        let name = name.node.name.as_str();
        let is_errno = ERRNO.contains(&name) && call.node.arguments.is_empty() && self.is_declared_by_header(name);
        is_errno.then(|| {
            let value = self.temporary(Type::INT, at);
            self.emit(StmtKind::Havoc(value.clone()), at);
            value
        })
    }

    /// Notes of the value of a call that it leads to an object of the library, if it does.
    pub(super) fn note_outside(&mut self, name: &str, value: &Expr) {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let variable = match &value.kind {
            ExprKind::Load(l) => l.as_var(),
            _ => None,
        };
        let (Some(v), Some(ty)) = (variable, value.ty.pointee()) else { return };
        // The environment may hold texts of the program.
        let names = |of: &[&str]| self.units.iter().any(|unit| of.iter().any(|word| unit.own_words.contains(*word)));
        let is_own = plain == "getenv" && names(&["putenv", "environ"]);
        if GIVE_OBJECTS.contains(&plain) && !is_own && *ty != Type::Function {
            // The text at the end of an entry of a folder may be shorter than its array.
            let is_whole = self.is_complete(ty) && *ty != Type::Void && plain != "readdir";
            let size = if is_whole { self.size_of(ty) } else { None };
            let stays = plain == "getenv" && size == Some(1) && !names(&["setenv", "unsetenv", "clearenv"]);
            let outside = if stays { Outside::Environment } else { Outside::Object(size.unwrap_or(1)) };
            self.program.outside.insert(v, outside);
        }
    }

    /// Whether a header declares the function of that name, and no file that is analysed does.
    pub(super) fn is_declared_by_header(&self, name: &str) -> bool {
        let Some(Symbol::Function(id)) = self.lookup(name) else { return false };
        !self.program.sources.file(self.program.function(*id).location.file).own
    }
}
