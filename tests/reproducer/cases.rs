//! Programs that fail, one for each kind of failure and of input.

/// A program, the options of its check, and what its run prints at the end.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) options: &'static [&'static str],
    pub(super) says: &'static str,
    pub(super) text: &'static str,
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "every_integer_type_is_an_input",
        options: &[],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern _Bool __VERIFIER_nondet_bool(void);
            extern char __VERIFIER_nondet_char(void);
            extern signed char __VERIFIER_nondet_schar(void);
            extern unsigned char __VERIFIER_nondet_uchar(void);
            extern short __VERIFIER_nondet_short(void);
            extern unsigned short __VERIFIER_nondet_ushort(void);
            extern unsigned __VERIFIER_nondet_uint(void);
            extern long __VERIFIER_nondet_long(void);
            extern unsigned long __VERIFIER_nondet_ulong(void);
            extern long long __VERIFIER_nondet_longlong(void);
            extern unsigned long long __VERIFIER_nondet_ulonglong(void);
            int main(void) {
                _Bool b = __VERIFIER_nondet_bool();
                char c = __VERIFIER_nondet_char();
                signed char sc = __VERIFIER_nondet_schar();
                unsigned char uc = __VERIFIER_nondet_uchar();
                short s = __VERIFIER_nondet_short();
                unsigned short us = __VERIFIER_nondet_ushort();
                unsigned u = __VERIFIER_nondet_uint();
                long l = __VERIFIER_nondet_long();
                unsigned long ul = __VERIFIER_nondet_ulong();
                long long ll = __VERIFIER_nondet_longlong();
                unsigned long long ull = __VERIFIER_nondet_ulonglong();
                if (b && c == -128 && sc == -1 && uc == 255 && s == -32768 && us == 65535 && u == 4294967295u
                    && l == (-9223372036854775807l - 1) && ul == 18446744073709551615ul && ll == -5
                    && ull == 9223372036854775808ull)
                    __VERIFIER_assert(0);
                return 0;
            }"#,
    },
    Case {
        name: "a_machine_of_32_bits",
        options: &["--data-model", "ilp32"],
        says: "overflow violated",
        text: r#"
            extern long __VERIFIER_nondet_long(void);
            int main(void) {
                long x = __VERIFIER_nondet_long(), *p = &x;
                if (x > -5 || sizeof p != 4) return 0;
                return (int)(*p - 2147483647l);
            }"#,
    },
    Case {
        name: "an_annotation_on_a_machine_of_32_bits",
        options: &["--data-model", "ilp32", "--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            int main(void) {
                long s = 0, a[10];
                for (int i = 0; i < 10; i++) {
                    a[i] = s;
                    //@ assert \forall integer k; 0 <= k < i + 1 ==> a[k] < 13;
                    s += i;
                }
                return 0;
            }"#,
    },
    Case {
        name: "inputs_of_a_loop_keep_their_order",
        options: &[],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int a[4];
                for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
                __VERIFIER_assert(!(a[0] == 3 && a[1] == -7 && a[2] == a[0] + 100000 && a[3] < a[1]));
                return 0;
            }"#,
    },
    Case {
        name: "inputs_in_a_recursion",
        options: &[],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern unsigned char __VERIFIER_nondet_uchar(void);
            int down(int n) {
                int mine = __VERIFIER_nondet_uchar();
                if (n == 0) return mine;
                int rest = down(n - 1);
                return 2 * rest + (mine & 1);
            }
            int main(void) { __VERIFIER_assert(down(3) != 13); return 0; }"#,
    },
    Case {
        name: "a_local_that_nothing_has_written",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(void) { int x; int y; if (x == 12345) __VERIFIER_assert(y != -54321); return 0; }"#,
    },
    Case {
        name: "a_local_of_each_iteration",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(void) {
                int sum = 0;
                for (int i = 0; i < 3; i++) { int x; if (x > i && x < 5) sum += 10 * x + i; }
                __VERIFIER_assert(sum != 10 * 2 + 10 * 3 + 1 + 10 * 4 + 2);
                return 0;
            }"#,
    },
    Case {
        name: "an_array_that_nothing_has_written",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(void) {
                short a[3][2];
                int found = 0;
                for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) found += a[i][j] == 7 * i - j;
                __VERIFIER_assert(found < 6);
                return 0;
            }"#,
    },
    Case {
        name: "members_that_nothing_has_written",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            struct pair { int key; unsigned char flag : 3; long more[2]; };
            int main(void) {
                struct pair p[2], q;
                q = p[1];
                if (p[0].key == 9) __VERIFIER_assert(!(q.flag == 5 && q.more[1] == -8 && p[1].key == q.key));
                return 0;
            }"#,
    },
    Case {
        name: "heap_memory_that_nothing_has_written",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            #include <stdlib.h>
            extern void __VERIFIER_assert(int);
            int main(void) {
                int sum = 0;
                for (int i = 0; i < 2; i++) {
                    int *p = malloc(3 * sizeof *p);
                    p[0] = 1;
                    if (p[1] == 40 + i && p[2] == 7) sum += p[0];
                    free(p);
                }
                __VERIFIER_assert(sum != 2);
                return 0;
            }"#,
    },
    Case {
        name: "members_of_the_heap",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            #include <stdlib.h>
            extern void __VERIFIER_assert(int);
            struct node { struct node *next; int value; };
            int main(void) {
                struct node *list = 0;
                for (int i = 0; i < 2; i++) {
                    struct node *n = malloc(sizeof *n);
                    n->next = list;
                    list = n;
                }
                __VERIFIER_assert(list->value != list->next->value);
                return 0;
            }"#,
    },
    Case {
        name: "a_function_alone",
        options: &["--function", "f", "--checks", "division"],
        says: "division violated",
        text: r#"
            int limit;
            int f(int n, long m, unsigned char c) { if (n == 17 && m == -3 && limit == 9) return 100 / (c - 200); return 0; }"#,
    },
    Case {
        name: "an_array_that_a_function_alone_is_given",
        options: &["--function", "f", "--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            /*@ requires n > 0 && n < 5;
                requires \valid(a + (0 .. n - 1)); */
            void f(int *a, int n) {
                //@ assert a[0] != 77;
            }"#,
    },
    Case {
        name: "volatile_objects",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(void) { volatile int port[2]; int first = port[1]; __VERIFIER_assert(first != 5); return 0; }"#,
    },
    Case {
        name: "functions_of_the_library_that_read",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            #include <stdlib.h>
            extern void __VERIFIER_assert(int);
            int main(void) { int x = rand() % 100; __VERIFIER_assert(x != 99 || rand() != 12); return 0; }"#,
    },
    Case {
        name: "arguments_of_main",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(int argc, char **argv) { __VERIFIER_assert(argc != 4); return 0; }"#,
    },
    Case {
        name: "texts_of_main",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            int tiles[16];
            int main(int argc, char **argv) {
                if (argc == 3 && argv[2][0] == '-' && argv[2][1] != 0) tiles[argv[2][1]] = 1;
                return 0;
            }"#,
    },
    Case {
        name: "no_argument_at_all",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(int argc, char **argv) { if (argv != 0) __VERIFIER_assert(argv[0] != 0); return 0; }"#,
    },
    Case {
        name: "what_is_found_in_texts",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            #include <stdlib.h>
            #include <string.h>
            int tiles[16];
            int main(int argc, char **argv) {
                for (int i = 1; i < argc; i++) {
                    if (strcmp(argv[i], "0") == 0) continue;
                    int n = atoi(argv[i]);
                    if (n >= 0 && n < 16 && strlen(argv[i]) < 3) continue;
                    tiles[n] = 1;
                }
                return 0;
            }"#,
    },
    Case {
        name: "variable_of_the_environment",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            #include <stdlib.h>
            int tiles[4];
            int main(void) {
                for (int i = 0; i < 2; i++) {
                    char *most = getenv("MOST_TILES");
                    if (i == 0 && most != 0 && most[0] == '-') tiles[atoi(most)] = 1;
                }
                return 0;
            }"#,
    },
    Case {
        name: "missing_variable_of_the_environment",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            #include <stdlib.h>
            extern void __VERIFIER_assert(int);
            int main(void) { __VERIFIER_assert(getenv("MOST_TILES") != 0); return 0; }"#,
    },
    Case {
        name: "what_nothing_has_written",
        options: &["--checks", "initialised"],
        says: "initialised violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int t[4], sum = 0;
                for (int i = 0; i < 4; i++) if (__VERIFIER_nondet_int() != 5) t[i] = i;
                for (int i = 0; i < 4; i++) sum += t[i];
                return sum;
            }"#,
    },
    Case {
        name: "globals_that_others_define",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int outside;
            extern long table[3];
            int main(void) { __VERIFIER_assert(!(outside == 21 && table[2] == -1)); return 0; }"#,
    },
    Case {
        name: "a_pointer_that_nothing_has_written",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int main(void) { int *p; __VERIFIER_assert(p != 0); return 0; }"#,
    },
    Case {
        name: "floating_inputs_pass_by",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern double __VERIFIER_nondet_double(void);
            extern int __VERIFIER_nondet_int(void);
            double d; float f;
            int main(void) { d = __VERIFIER_nondet_double(); f = d * 2; __VERIFIER_assert(__VERIFIER_nondet_int() != 6); return 0; }"#,
    },
    Case {
        name: "what_is_assumed_before",
        options: &[],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int), __VERIFIER_assume(int);
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
                __VERIFIER_assume(x > 1000 && x < 1003 && y == 2 * x);
                __VERIFIER_assert(y + x == 3003);
                return 0;
            }"#,
    },
    Case {
        name: "an_annotation",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int a[6];
                for (int i = 0; i < 6; i++) a[i] = i * i;
                int n = __VERIFIER_nondet_int();
                if (n < 0 || n > 6) return 0;
                //@ assert \forall integer k; 0 <= k < n ==> a[k] < 20;
                return 0;
            }"#,
    },
    Case {
        name: "an_annotation_that_computes",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern unsigned char __VERIFIER_nondet_uchar(void);
            struct pair { int key, value[2][3]; } p;
            int main(void) {
                long n = __VERIFIER_nondet_uchar();
                int a[n + 2];
                for (long i = 0; i < n + 2; i++) a[i] = i - 1;
                p.value[1][2] = 7;
                //@ assert (p.value[1][2] == 7 && p.key == 0) <==> (\forall integer k; 0 <= k < n ==> a[k] * 4611686018427387904 * 4 / (p.key - 7) >= -10000000000000000000 || a[k + 1] % 3 != 1);
                return 0;
            }"#,
    },
    Case {
        name: "an_annotation_about_what_a_pointer_leads_to",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int a[3];
            void check(int *p) {
                //@ assert p[1] > -1;
            }
            int main(void) { check(a); a[2] = __VERIFIER_nondet_int(); check(a + 1); return 0; }"#,
    },
    Case {
        name: "an_annotation_of_a_loop",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            int main(void) {
                int s = 0;
                //@ loop invariant s <= 3;
                for (int i = 0; i < 10; i++) s++;
                return 0;
            }"#,
    },
    Case {
        name: "a_sum_that_overflows",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) { int s = 1; for (int i = 0; i < 3; i++) s = s + __VERIFIER_nondet_int(); return s; }"#,
    },
    Case {
        name: "a_product_a_difference_and_a_sign_that_overflow",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern long __VERIFIER_nondet_long(void);
            int main(void) { long x = __VERIFIER_nondet_long(); if (x < 5) return 0; return x * x == 0; }"#,
    },
    Case {
        name: "a_sign_that_overflows",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0) return 0; return -x; }"#,
    },
    Case {
        name: "a_quotient_that_overflows",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); return y == 0 ? 0 : x / y; }"#,
    },
    Case {
        name: "a_division_by_zero",
        options: &["--checks", "division"],
        says: "division violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int n = 0;
                for (int i = 10; ; i--) n += 100 % (i - __VERIFIER_nondet_int() % 2);
            }"#,
    },
    Case {
        name: "shifts",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern unsigned __VERIFIER_nondet_uint(void);
            int main(void) { unsigned n = __VERIFIER_nondet_uint(); return n > 20 && 1u << n; }"#,
    },
    Case {
        name: "a_shift_of_a_negative_number",
        options: &["--checks", "overflow"],
        says: "overflow violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0) return 0; return x << 3; }"#,
    },
    Case {
        name: "bounds_of_an_array",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int a[10];
            int main(void) { int i = __VERIFIER_nondet_int(); if (i > 5) a[i] = 1; return 0; }"#,
    },
    Case {
        name: "bounds_behind_a_guard",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int a[4] = {1, 2, 3, 4}, i = 0;
                while (i < 4 && a[i] > 0 || i == 7 || a[i] == 9) i++;
                return 0;
            }"#,
    },
    Case {
        name: "bounds_of_a_variable_length",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern unsigned char __VERIFIER_nondet_uchar(void);
            int main(void) {
                int n = __VERIFIER_nondet_uchar();
                if (n < 2) return 0;
                long a[n][2];
                for (int i = 0; i <= n; i++) a[i][1] = i;
                return 0;
            }"#,
    },
    Case {
        name: "a_length_below_one",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern int __VERIFIER_nondet_int(void);
            int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3) return 0; char a[n]; a[0] = 1; return a[0]; }"#,
    },
    Case {
        name: "bounds_of_the_heap",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            #include <stdlib.h>
            extern unsigned char __VERIFIER_nondet_uchar(void);
            int main(void) {
                int n = __VERIFIER_nondet_uchar();
                int *p = malloc(n * sizeof(int));
                for (int i = 0; i < 10; i++) p[i] = i;
                return 0;
            }"#,
    },
    Case {
        name: "bounds_of_arrays_in_structs",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern unsigned char __VERIFIER_nondet_uchar(void);
            struct s { int head; int cells[3]; } all[5];
            int main(void) {
                struct s *p = &all[__VERIFIER_nondet_uchar() % 5];
                p->cells[__VERIFIER_nondet_uchar() % 4] = 1;
                return 0;
            }"#,
    },
    Case {
        name: "a_null_pointer",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            extern _Bool __VERIFIER_nondet_bool(void);
            int x;
            int read(int *p) { return *p; }
            int main(void) { read(&x); return read(__VERIFIER_nondet_bool() ? &x : 0); }"#,
    },
    Case {
        name: "blocks_that_are_copied",
        options: &["--checks", "bounds"],
        says: "bounds violated",
        text: r#"
            #include <string.h>
            extern unsigned char __VERIFIER_nondet_uchar(void);
            char from[8], to[6];
            int main(void) { memcpy(to, from, __VERIFIER_nondet_uchar() % 9); return 0; }"#,
    },
    Case {
        name: "an_only_run",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            #include <assert.h>
            int fib[30];
            int main(void) {
                fib[0] = fib[1] = 1;
                for (int i = 2; i < 30; i++) fib[i] = fib[i - 1] + fib[i - 2];
                assert(fib[29] == 832041);
                return 0;
            }"#,
    },
    Case {
        name: "names_that_the_file_uses_itself",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int __VERIFIER_nondet_int(void);
            int smalti_input, setrlimit = 3;
            int dprintf(int execl) { return execl + setrlimit; }
            int smalti_fail(int smalti_visits) { return dprintf(smalti_visits) + smalti_input; }
            int main(void) { __VERIFIER_assert(smalti_fail(__VERIFIER_nondet_int()) != 8); return 0; }"#,
    },
    Case {
        name: "what_others_define_and_nobody_looks_at",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int __VERIFIER_nondet_int(void);
            extern int of_any_length[];
            struct hidden; extern struct hidden *somewhere;
            void elsewhere(int, char *);
            int main(void) {
                int *p = of_any_length;
                void (*f)(int, char *) = elsewhere;
                __VERIFIER_assert(!p || !f || __VERIFIER_nondet_int() != 2);
                return 0;
            }"#,
    },
    Case {
        name: "a_function_pointer_and_a_switch",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int __VERIFIER_nondet_int(void);
            int twice(int n) { switch (n) { case 1: return 2; case 21: return 42; default: return 0; } }
            int none(int n) { return 0; }
            int elsewhere(int n);
            int (*table[3])(int) = { none, twice, elsewhere };
            int main(void) { __VERIFIER_assert(table[1](__VERIFIER_nondet_int()) != 42); return 0; }"#,
    },
    Case {
        name: "large_objects_and_deep_calls",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            int down(int n) { int a[2000]; a[n] = n; return n == 0 ? 0 : a[n] - n + down(n - 1); }
            int main(void) { long many[3000000]; many[2999999] = down(1500); __VERIFIER_assert(many[2999999] == 1); return 0; }"#,
    },
    Case {
        name: "jumps",
        options: &["--checks", "assertion"],
        says: "assertion violated",
        text: r#"
            extern void __VERIFIER_assert(int);
            extern int __VERIFIER_nondet_int(void);
            int main(void) {
                int rounds = 0;
            again:;
                int x;
                x = __VERIFIER_nondet_int();
                if (x == rounds + 3) { rounds++; if (rounds < 3) goto again; __VERIFIER_assert(0); }
                return 0;
            }"#,
    },
];
