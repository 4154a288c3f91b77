//! The model of the C library does what the library of this machine does, on random calls. What is
//! known of formats agrees with what it prints.

use serde_json::Value;
use smalti::fuzz::Random;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Calls each function of the model and of the library with the same random arguments. A model that
/// leaves its result open is given the library's: its assumptions must allow that.
const HARNESS: &str = r#"
#define _GNU_SOURCE
#include <ctype.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int wanted;
static const int *choices;
static int any(void) { return choices ? *choices++ : wanted; }
#define __builtin_smalti_any() any()
#define __builtin_smalti_input(words, least, most) any()
#define __builtin_smalti_exchange(block, bytes, size) ((void)(block), (void)((bytes) + (size)))
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
#define strcasecmp MODEL(strcasecmp)
#define strncasecmp MODEL(strncasecmp)
#define memcmp MODEL(memcmp)
#define memchr MODEL(memchr)
#define strtok MODEL(strtok)
#define strtok_r MODEL(strtok_r)
#define strsep MODEL(strsep)
#define strndup MODEL(strndup)
#define stpncpy MODEL(stpncpy)
#define strchrnul MODEL(strchrnul)
#define index MODEL(index)
#define rindex MODEL(rindex)
#define memrchr MODEL(memrchr)
#define memccpy MODEL(memccpy)
#define mempcpy MODEL(mempcpy)
#define bcopy MODEL(bcopy)
#define bzero MODEL(bzero)
#include "src/library/string.c"
#undef strndup
#undef stpncpy
#undef strchrnul
#undef index
#undef rindex
#undef memrchr
#undef memccpy
#undef mempcpy
#undef bcopy
#undef bzero
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
#undef strcasecmp
#undef strncasecmp
#undef memcmp
#undef memchr
#undef strtok
#undef strtok_r
#undef strsep

#define strtol MODEL(strtol)
#define strtoul MODEL(strtoul)
#define strtoll MODEL(strtoll)
#define strtoull MODEL(strtoull)
#define atoi MODEL(atoi)
#define atol MODEL(atol)
#define atoll MODEL(atoll)
#define bsearch MODEL(bsearch)
#define qsort MODEL(qsort)
#include "src/library/stdlib.c"
#undef strtol
#undef strtoul
#undef strtoll
#undef strtoull
#undef atoi
#undef atol
#undef atoll
#undef bsearch
#undef qsort

#undef getchar
#define getchar MODEL(getchar)
#undef getc
#define getc MODEL(getc)
#undef fgetc
#define fgetc MODEL(fgetc)
#undef fgets
#define fgets MODEL(fgets)
#undef fread
#define fread MODEL(fread)
#undef fwrite
#define fwrite MODEL(fwrite)
#define getdelim MODEL(getdelim)
#define getline MODEL(getline)
#include "src/library/stdio.c"
#undef getdelim
#undef getline

#define dirname MODEL(dirname)
#define __xpg_basename MODEL(__xpg_basename)
#define realpath MODEL(realpath)
#define canonicalize_file_name MODEL(canonicalize_file_name)
#define getcwd MODEL(getcwd)
#define mkstemp MODEL(mkstemp)
#define mkdtemp MODEL(mkdtemp)
#include "src/library/paths.c"
#undef dirname
#undef __xpg_basename
#undef realpath
#undef canonicalize_file_name
#undef getcwd
#undef mkstemp
#undef mkdtemp
#undef getchar
#undef getc
#undef fgetc
#undef fgets
#undef fread
#undef fwrite

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

static char x[32], y[32], a[64], b[64];

/* The texts that `strtok` and the like find, and what they write. */
static int parts(void)
{
    wanted = 0;
    for (int run = 0; run < 200000; run++) {
        int n = rand() % 12, first = 1;
        for (int k = 0; k <= n; k++) a[k] = k < n ? "ab,;"[rand() % 4] : 0;
        for (int k = 0, end = rand() % 4; k <= end; k++) y[k] = k < end ? ",;b"[rand() % 3] : 0;
        int which = rand() % 3;
        strcpy(x, a);
        strcpy(b, a);
        char *from = a, *model_rest = a, *rest = b;
        for (int calls = 0; calls < 14; calls++) {
            char *found, *library;
            switch (which) {
            case 0:
                found = model_strtok(first ? a : 0, y), library = strtok(first ? b : 0, y);
                break;
            case 1:
                found = model_strtok_r(first ? a : 0, y, &model_rest), library = strtok_r(first ? b : 0, y, &rest);
                SAME("where strtok_r goes on", model_rest - a, rest - b);
                break;
            default:
                found = model_strsep(&model_rest, y), library = strsep(&rest, y);
                SAME("the end of strsep", model_rest == 0, rest == 0);
                if (rest != 0) SAME("where strsep goes on", model_rest - a, rest - b);
            }
            SAME("whether a part is left", found == 0, library == 0);
            if (found != 0) SAME("the part", found - a, library - b);
            SAME("what was written", memcmp(a, b, sizeof a), 0);
            first = 0;
        }
    }
    return 0;
}

static int numbers(void)
{
    static const char *const limits[] = {"2147483647", "2147483648", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "7fffffffffffffff",
        "8000000000000000", "ffffffffffffffff", "10000000000000000", "777777777777777777777",
        "1777777777777777777777", "2000000000000000000000", "3w5e11264sgsf", "3w5e11264sgsg", "1y2p0ij32e8e7"};
    int n = 0, since_c23 = strtol("0b1", 0, 0) == 1;
    for (int run = 0; run < 1000000; run++) {
        int length = 0, base = rand() % 3 ? (int[]){0, 2, 8, 10, 16, 36}[rand() % 6] : rand() % 40 - 1;
        while (rand() % 3 == 0 && length < 2) x[length++] = " \t\n"[rand() % 3];
        if (rand() % 2) x[length++] = "+-"[rand() % 2];
        if (rand() % 2) {
            strcpy(x + length, limits[rand() % (sizeof limits / sizeof *limits)]);
            length = strlen(x);
            if (rand() % 4 == 0) x[length - 1] = "019aF"[rand() % 5];
        } else {
            if (rand() % 3 == 0) x[length++] = '0', x[length++] = "xXbB"[rand() % 4];
            for (int k = rand() % 20; k > 0; k--) x[length++] = "0123456789afgzAZ -x"[rand() % (rand() % 5 ? 10 : 19)];
        }
        x[length] = 0;
        wanted = base == 0 || base == 2 ? since_c23 : 0;
        n = base;
        char *end = x, *library = x;
        SAME("strtol", model_strtol(x, &end, base), strtol(x, &library, base));
        SAME("the end of strtol", end - x, library - x);
        SAME("strtoul", model_strtoul(x, &end, base), strtoul(x, &library, base));
        SAME("the end of strtoul", end - x, library - x);
        SAME("strtoll", model_strtoll(x, &end, base), strtoll(x, &library, base));
        SAME("the end of strtoll", end - x, library - x);
        SAME("strtoull", model_strtoull(x, &end, base), strtoull(x, &library, base));
        SAME("the end of strtoull", end - x, library - x);
        SAME("strtol", model_strtol(x, 0, base), strtol(x, 0, base));
        wanted = atoi(x);
        SAME("atoi", model_atoi(x), wanted);
        long value = strtol(x, 0, 10);
        if (value != LONG_MIN && value != LONG_MAX) {
            SAME("atol", model_atol(x), atol(x));
            SAME("atoll", model_atoll(x), atoll(x));
        }
    }
    return 0;
}

static int comparisons;
static int compare(const void *a, const void *b)
{
    comparisons++;
    return *(const int *)a - *(const int *)b;
}

/* The model may compare the elements that the library compares. */
static int tried[16];
static const char *start;
static int note(const void *a, const void *b)
{
    tried[comparisons] = ((const char *)b - start) / sizeof(int);
    return compare(a, b);
}

static int searches(void)
{
    for (int run = 0; run < 100000; run++) {
        int n = rand() % 12, count = rand() % 8, table[8], of_model[64], *end = of_model;
        for (int k = 0; k < count; k++) table[k] = (k ? table[k - 1] : 0) + rand() % 3;
        start = (const char *)table;
        comparisons = 0;
        int *library = bsearch(&n, table, count, sizeof *table, note), calls = comparisons;
        if (count > 0) *end++ = 0;
        for (int k = 0; k < calls; k++) *end++ = 1, *end++ = 0, *end++ = tried[k];
        *end = 0;
        choices = of_model;
        comparisons = 0;
        int *model = model_bsearch(&n, table, count, sizeof *table, compare);
        choices = 0;
        SAME("bsearch", model, library);
        SAME("the comparisons of bsearch", comparisons, calls);
    }
    return 0;
}

/* The model may read and return what the library does. */
static int paths(void)
{
    /* As the library of GNU does: both slashes are kept, and the last one is found. */
    wanted = 1;
    for (int run = 0; run < 200000; run++) {
        int n = rand() % 9;
        for (int k = 0; k <= n; k++) x[k] = k < n ? "a/b/"[rand() % 4] : 0;
        strcpy(a, x);
        strcpy(b, x);
        char *found = model_dirname(a), *library = dirname(b);
        SAME("what dirname finds", strcmp(found, library), 0);
        SAME("whether it is in the path", found == a, library == b);
        SAME("what dirname leaves", memcmp(a, b, sizeof a), 0);
        strcpy(a, x);
        strcpy(b, x);
        found = model___xpg_basename(a), library = basename(b);
        SAME("what basename finds", strcmp(found, library), 0);
        SAME("what basename leaves", strcmp(a, b), 0);
        if (x[0] != 0) SAME("where basename finds it", found - a, library - b);
    }
    /* What is written to a path is any text, so it is one that the library writes. */
    for (int run = 0; run < 200; run++) {
        int n = rand() % 9;
        for (int k = 0; k <= n; k++) x[k] = k < n ? "aX"[rand() % 4 > 0] : 0;
        strcpy(a, x);
        wanted = 'q';
        SAME("mkdtemp", model_mkdtemp(a), 0);
        strcpy(a, x);
        int fits = n >= 6 && strcmp(x + n - 6, "XXXXXX") == 0;
        SAME("mkstemp", model_mkstemp(a), fits ? 'q' : -1);
        SAME("the new name", strncmp(a, x, fits ? n - 6 : n), 0);
        if (fits) SAME("the end of the new name", strcmp(a + n - 6, "qqqqqq"), 0);
    }
    return 0;
}

static int streams(void)
{
    for (int run = 0; run < 100000; run++) {
        int n = 1 + rand() % 20, of_model[128], *end = of_model;
        for (int k = 0; k < n; k++) x[k] = "ab\n\xe9"[rand() % 4];
        FILE *stream = fmemopen(x, n, "r");
        memset(a, 'z', sizeof a);
        memset(b, 'z', sizeof b);
        for (int k = rand() % 8; k > 0; k--) {
            wanted = fgetc(stream);
            SAME("getchar", model_getchar(), wanted);
            SAME("getc", model_getc(0), wanted);
            SAME("fgetc", model_fgetc(0), wanted);
        }
        int before = ftell(stream), size = rand() % 5, count = rand() % 6;
        if (rand() % 2) {
            size_t read = fread(b, size, count, stream);
            int bytes = size * count < n - before ? size * count : n - before;
            for (int k = 0; k < bytes; k++) *end++ = (unsigned char)b[k];
            *end++ = EOF;
            choices = of_model;
            SAME("fread", model_fread(a, size, count, 0), read);
        } else {
            char *text = fgets(b, size, stream);
            int length = text ? strlen(b) : 0;
            if (size == 1) *end++ = text == 0;
            for (int k = 0; k < length; k++) *end++ = (unsigned char)b[k];
            *end++ = EOF, *end++ = 0;
            choices = of_model;
            SAME("fgets", model_fgets(a, size, 0) == 0, text == 0);
        }
        choices = 0;
        SAME("what was read", memcmp(a, b, sizeof a), 0);
        fclose(stream);
        stream = fmemopen(b, 1 + rand() % 12, "w");
        setvbuf(stream, 0, _IONBF, 0);
        size_t written = fwrite(x, size, count, stream);
        of_model[0] = 1, of_model[1] = 0, of_model[2] = written;
        choices = of_model;
        SAME("fwrite", model_fwrite(x, size, count, 0), written);
        choices = 0;
        fclose(stream);
    }
    return 0;
}

int main(void)
{
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
        wanted = memcmp(x, y, n);
        SAME("memcmp", model_memcmp(x, y, n), wanted);
        SAME("memchr", model_memchr(x, c, n), memchr(x, c, n));
        SAME("strchr", model_strchr(x, c), strchr(x, c));
        SAME("strrchr", model_strrchr(x, c), strrchr(x, c));
        SAME("strspn", model_strspn(x, y), strspn(x, y));
        SAME("strcspn", model_strcspn(x, y), strcspn(x, y));
        SAME("strpbrk", model_strpbrk(x, y), strpbrk(x, y));
        SAME("strstr", model_strstr(x, y), strstr(x, y));
        char *copy = model_strdup(x);
        SAME("strdup", strcmp(copy, x), 0);
        free(copy);
        copy = model_strndup(x, n);
        char *of_library = strndup(x, n);
        SAME("strndup", strcmp(copy, of_library), 0);
        free(copy);
        free(of_library);
        SAME("strchrnul", model_strchrnul(x, c), strchrnul(x, c));
        SAME("index", model_index(x, c), index(x, c));
        SAME("rindex", model_rindex(x, c), rindex(x, c));
        SAME("memrchr", model_memrchr(x, c, n), memrchr(x, c, n));
        for (int which = 0; which < 10; which++) {
            memset(a, 'z', sizeof a);
            memset(b, 'z', sizeof b);
            strcpy(a, y);
            strcpy(b, y);
            switch (which) {
            case 0: SAME("strcpy", model_strcpy(a, x) - a, strcpy(b, x) - b); break;
            case 1: SAME("stpcpy", model_stpcpy(a, x) - a, stpcpy(b, x) - b); break;
            case 2: SAME("strncpy", model_strncpy(a, x, n) - a, strncpy(b, x, n) - b); break;
            case 3: SAME("strcat", model_strcat(a, x) - a, strcat(b, x) - b); break;
            case 4: SAME("stpncpy", model_stpncpy(a, x, n) - a, stpncpy(b, x, n) - b); break;
            case 5: SAME("mempcpy", (char *)model_mempcpy(a, x, n) - a, (char *)mempcpy(b, x, n) - b); break;
            case 6: model_bcopy(a + 2, a, n), bcopy(b + 2, b, n); break;
            case 7: model_bzero(a, n), bzero(b, n); break;
            case 8: {
                char *copied = model_memccpy(a, x, c, n), *by_library = memccpy(b, x, c, n);
                SAME("whether memccpy finds it", copied == 0, by_library == 0);
                if (copied) SAME("where memccpy finds it", copied - a, by_library - b);
                break;
            }
            default: SAME("strncat", model_strncat(a, x, n) - a, strncat(b, x, n) - b);
            }
            SAME("what was written", memcmp(a, b, sizeof a), 0);
        }
    }
    for (int run = 0; run < 200000; run++) {
        int n = rand() % 9;
        for (int k = 0, end = rand() % 6; k <= end; k++) x[k] = k < end ? "aA@[z\xe9"[rand() % 6] : 0;
        for (int k = 0, end = rand() % 6; k <= end; k++) y[k] = k < end ? "aA@[z\xe9"[rand() % 6] : 0;
        wanted = strcasecmp(x, y);
        SAME("strcasecmp", model_strcasecmp(x, y), wanted);
        wanted = strncasecmp(x, y, n);
        SAME("strncasecmp", model_strncasecmp(x, y, n), wanted);
    }
    if (parts() || numbers() || searches() || paths() || streams()) return 1;
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

/// How many formats are tried.
const FORMATS: usize = 120;
/// What is printed of each type: its name, its length modifier, and expressions of it.
const PRINTED: [(&str, &str, [&str; 6]); 5] = [
    ("int", "hh", ["0", "1", "-1", "127", "-128", "77"]),
    ("int", "h", ["0", "7", "-1", "32767", "-32768", "1000"]),
    ("int", "", ["0", "-1", "2147483647", "-2147483647 - 1", "10", "99999"]),
    ("long", "l", ["0", "-1L", "9223372036854775807L", "-9223372036854775807L - 1", "10", "-5L"]),
    ("long long", "ll", ["0", "-1LL", "9223372036854775807LL", "-9223372036854775807LL - 1", "10", "-5LL"]),
];

/// A format with one conversion of a number between two texts, and the type that it prints.
fn format_of_a_number(random: &mut Random) -> (String, usize) {
    let mut one = |all: &[&'static str]| all[random.below(all.len())];
    let (before, after) = (one(&["", "a", "<%%"]), one(&["", "b", "100%%>"]));
    let (flag, width) = (one(&["", "", "-", "+", " ", "0"]), one(&["", "", "1", "5", "24"]));
    let (precision, letter) = (one(&["", "", ".0", ".", ".3", ".30"]), one(&["d", "i", "u", "x", "X", "o", "c"]));
    let alternative = if matches!(letter, "x" | "X" | "o") { one(&["", "#"]) } else { "" };
    let (flag, precision) = if letter == "c" { ("", "") } else { (flag, precision) };
    let ty = if letter == "c" { 2 } else { random.below(PRINTED.len()) };
    (format!("{before}%{flag}{alternative}{width}{precision}{}{letter}{after}", PRINTED[ty].1), ty)
}

#[test]
fn lengths_that_are_printed_are_not_ruled_out() {
    let mut random = Random::new(33);
    let formats: Vec<(String, usize)> = (0..FORMATS).map(|_| format_of_a_number(&mut random)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("lengths.c"), folder.path().join("lengths"));
    let mut text = String::from("#include <stdio.h>\nint main(void) {\n    char b[200];\n");
    for (format, ty) in &formats {
        for value in PRINTED[*ty].2 {
            let _ = writeln!(text, "    printf(\"%d \", sprintf(b, \"{format}\", {value}));");
        }
        text.push_str("    puts(\"\");\n");
    }
    text.push_str("    return 0;\n}\n");
    std::fs::write(&source, text).expect("a file");
    let built = Command::new("cc").arg("-w").arg("-o").arg(&binary).arg(&source).output().expect("a C compiler");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().expect("a run");
    let lengths = String::from_utf8_lossy(&run.stdout).into_owned();
    let lengths: Vec<Vec<u64>> =
        lengths.lines().map(|line| line.split_whitespace().map(|n| n.parse().expect("a number")).collect()).collect();

    assert_eq!(lengths.len(), FORMATS);

    let mut text = String::from(
        "#include <stdio.h>\nextern void __VERIFIER_assert(int);\nextern long long __VERIFIER_nondet_longlong(void);\n\
         int main(void) {\n    char b[200];\n    int n;\n",
    );
    for ((format, ty), lengths) in formats.iter().zip(&lengths) {
        let ty = PRINTED[*ty].0;
        let _ = writeln!(text, "    n = sprintf(b, \"{format}\", ({ty})__VERIFIER_nondet_longlong());");
        for length in [lengths.iter().min(), lengths.iter().max()] {
            let length = length.expect("a length");
            let _ = writeln!(text, "    if (n == {length} && __VERIFIER_nondet_longlong()) __VERIFIER_assert(0);");
        }
    }
    text.push_str("    return 0;\n}\n");
    std::fs::write(&source, &text).expect("a file");
    let mut smalti = Command::new(env!("CARGO_BIN_EXE_smalti"));
    smalti.args(["check", "--stages", "domains", "--stack", "values", "--checks", "assertion,bounds"]);
    let checked = smalti.args(["--format", "json"]).arg(&source).output().expect("a run");
    let report: Value = serde_json::from_slice(&checked.stdout).expect("a report");
    let all = report["obligations"].as_array().expect("a list");
    let of = |kind: &str, verdicts: &[&str]| {
        let is_one = |o: &&Value| o["kind"] == kind && verdicts.iter().any(|v| o["verdict"] == *v);
        all.iter().filter(is_one).collect::<Vec<_>>()
    };
    assert_eq!(of("assertion", &["unknown"]).len(), 2 * FORMATS, "{text}");
    let wrong = of("assertion", &["proved", "unreachable"]);
    assert!(wrong.is_empty(), "{wrong:#?}");
    // All texts are short. Where the length is certain, nothing is to be proved.
    assert!(of("bounds", &["unknown"]).is_empty(), "{text}");
    assert!(of("bounds", &["proved"]).len() >= FORMATS / 2, "{text}");
}
