//! The model of the C library does what the library of this machine does, on random calls.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Calls each function of the model and of the library with the same random arguments. A model that
/// leaves its result open is given the library's: its assumptions must allow that.
const HARNESS: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wanted;
#define __builtin_smalti_any() (wanted)
#define __builtin_smalti_assume(c) \
    do { if (!(c)) { printf("%s: the library's result %d is left out\n", __func__, wanted); exit(1); } } while (0)
#define MODEL(name) model_##name
#define strlen MODEL(strlen)
#define strnlen MODEL(strnlen)
#define strcpy MODEL(strcpy)
#define stpcpy MODEL(stpcpy)
#define strncpy MODEL(strncpy)
#define strcat MODEL(strcat)
#define strncat MODEL(strncat)
#define strcmp MODEL(strcmp)
#define strncmp MODEL(strncmp)
#define strchr MODEL(strchr)
#define strrchr MODEL(strrchr)
#define strspn MODEL(strspn)
#define strcspn MODEL(strcspn)
#define strpbrk MODEL(strpbrk)
#define strstr MODEL(strstr)
#define strdup MODEL(strdup)
#include "src/library/string.c"
#undef strlen
#undef strnlen
#undef strcpy
#undef stpcpy
#undef strncpy
#undef strcat
#undef strncat
#undef strcmp
#undef strncmp
#undef strchr
#undef strrchr
#undef strspn
#undef strcspn
#undef strpbrk
#undef strstr
#undef strdup

#undef isalpha
#undef isdigit
#undef isalnum
#undef isupper
#undef islower
#undef isspace
#undef isblank
#undef isxdigit
#undef iscntrl
#undef isprint
#undef isgraph
#undef ispunct
#undef tolower
#undef toupper
static int (*const real[])(int) = {isalpha, isdigit, isalnum, isupper, islower, isspace, isblank,
    isxdigit, iscntrl, isprint, isgraph, ispunct, tolower, toupper};
#ifdef __GLIBC__
static const unsigned short **table(void) { return __ctype_b_loc(); }
#endif
#define isalpha MODEL(isalpha)
#define isdigit MODEL(isdigit)
#define isalnum MODEL(isalnum)
#define isupper MODEL(isupper)
#define islower MODEL(islower)
#define isspace MODEL(isspace)
#define isblank MODEL(isblank)
#define isxdigit MODEL(isxdigit)
#define iscntrl MODEL(iscntrl)
#define isprint MODEL(isprint)
#define isgraph MODEL(isgraph)
#define ispunct MODEL(ispunct)
#define tolower MODEL(tolower)
#define toupper MODEL(toupper)
#define __ctype_b_loc MODEL(__ctype_b_loc)
#include "src/library/ctype.c"
static int (*const model[])(int) = {isalpha, isdigit, isalnum, isupper, islower, isspace, isblank,
    isxdigit, iscntrl, isprint, isgraph, ispunct, tolower, toupper};

#define SAME(what, a, b) \
    do { if ((a) != (b)) { printf("%s: %ld, the library: %ld (\"%s\", \"%s\", %d)\n", what, \
                                  (long)(a), (long)(b), x, y, n); return 1; } } while (0)
static int sign(int n) { return n < 0 ? -1 : n > 0; }

int main(void)
{
    static char x[12], y[12], a[64], b[64];
    srand(7);
    for (int run = 0; run < 200000; run++) {
        int n = rand() % 9, c = rand() % 3 ? "abc"[rand() % 3] : 0;
        for (int k = 0, end = rand() % 6; k <= end; k++) x[k] = k < end ? "ab\xe9"[rand() % 3] : 0;
        for (int k = 0, end = rand() % 4; k <= end; k++) y[k] = k < end ? "ab\xe9"[rand() % 3] : 0;
        SAME("strlen", model_strlen(x), strlen(x));
        SAME("strnlen", model_strnlen(x, n), strnlen(x, n));
        wanted = strcmp(x, y);
        SAME("strcmp", model_strcmp(x, y), wanted);
        wanted = strncmp(x, y, n);
        SAME("strncmp", model_strncmp(x, y, n), wanted);
        SAME("strcmp", sign(model_strcmp(x, x)), 0);
        SAME("strchr", model_strchr(x, c), strchr(x, c));
        SAME("strrchr", model_strrchr(x, c), strrchr(x, c));
        SAME("strspn", model_strspn(x, y), strspn(x, y));
        SAME("strcspn", model_strcspn(x, y), strcspn(x, y));
        SAME("strpbrk", model_strpbrk(x, y), strpbrk(x, y));
        SAME("strstr", model_strstr(x, y), strstr(x, y));
        char *copy = model_strdup(x);
        SAME("strdup", strcmp(copy, x), 0);
        free(copy);
        for (int which = 0; which < 5; which++) {
            memset(a, 'z', sizeof a);
            memset(b, 'z', sizeof b);
            strcpy(a, y);
            strcpy(b, y);
            switch (which) {
            case 0: SAME("strcpy", model_strcpy(a, x) - a, strcpy(b, x) - b); break;
            case 1: SAME("stpcpy", model_stpcpy(a, x) - a, stpcpy(b, x) - b); break;
            case 2: SAME("strncpy", model_strncpy(a, x, n) - a, strncpy(b, x, n) - b); break;
            case 3: SAME("strcat", model_strcat(a, x) - a, strcat(b, x) - b); break;
            default: SAME("strncat", model_strncat(a, x, n) - a, strncat(b, x, n) - b);
            }
            SAME("what was written", memcmp(a, b, sizeof a), 0);
        }
    }
    for (int n = -1; n < 256; n++) {
        for (unsigned f = 0; f < sizeof real / sizeof *real; f++) {
            wanted = real[f](n);
            SAME("a function of <ctype.h>", model[f](n), wanted);
        }
    }
#ifdef __GLIBC__
    for (int n = -128; n < 256; n++) SAME("the table", (*model___ctype_b_loc())[n], (*table())[n]);
#endif
    return 0;
}
"#;

#[test]
fn the_model_does_what_the_library_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("harness.c"), folder.path().join("harness"));
    std::fs::write(&source, HARNESS).expect("a file");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O1", "-fno-builtin", "-I"]).arg(Path::new(ROOT)).arg("-o").arg(&binary).arg(&source);
    let built = compiler.output().expect("a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().expect("a run");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
