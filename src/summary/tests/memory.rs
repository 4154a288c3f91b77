//! What is known through pointers.

use super::open_beside;

/// What the programs of these tests declare.
const DECLARED: &str = "void *malloc(__SIZE_TYPE__); void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n\
                        void *realloc(void *, __SIZE_TYPE__); void free(void *);\n\
                        void *memcpy(void *, const void *, __SIZE_TYPE__);\n\
                        struct pair { int a, b; }; struct node { int n; int *p; };\n";

/// The assertions that are not shown. Inputs are those of a function that changes no memory.
fn open(declarations: &str, body: &str) -> Vec<String> {
    let declarations = format!("extern int __VERIFIER_nondet_int(void);\n{DECLARED} {declarations}");
    open_beside(&declarations, &body.replace("input()", "__VERIFIER_nondet_int()"))
}

fn all_hold_beside(declarations: &str, body: &str) {
    assert_eq!(open(declarations, body), [""; 0], "{declarations} {body}");
}

fn is_open_beside(declarations: &str, body: &str) {
    assert_eq!(open(declarations, body).len(), 1, "{declarations} {body}");
}

fn all_hold(body: &str) {
    all_hold_beside("", body);
}

fn is_open(body: &str) {
    is_open_beside("", body);
}

/// A program that begins with a length of at least 1.
fn with_length(body: &str) -> String {
    format!("int n = input(); if (n < 1 || n > 1000) return 0; int i, j; {body}")
}

fn all_hold_with_length(body: &str) {
    all_hold_beside("", &with_length(body));
}

fn is_open_with_length(body: &str) {
    is_open_beside("", &with_length(body));
}

/// A write through a pointer that was read from an array of pointers.
const SOMEWHERE: &str = "int x, y, *q[2]; q[0] = &x; q[1] = &y; int **p = q; p = p + (input() > 0); **p = 3;";

#[test]
fn writes_through_pointers_change_no_global_whose_address_is_not_taken() {
    all_hold_beside(
        "int g; int *from;",
        &format!(
            "int z; g = 1; from = &z; while (input()) from = (int *)(void *)from; *from = 2; {SOMEWHERE} assert(g == 1);"
        ),
    );
    is_open_beside("int g;", &format!("int *r = &g; {SOMEWHERE} q[0] = r; q[1] = r; g = 1; **p = 3; assert(g == 1);"));
    is_open_beside("int g; extern int *extra;", "g = 1; *extra = 2; assert(g == 1);");
    is_open_beside("int g; extern int *from(void);", "int *r = from(); g = 1; *r = 2; assert(g == 1);");
    is_open_beside("int g; extern long from(void);", "int *r = (int *)from(); g = 1; *r = 2; assert(g == 1);");
}

#[test]
fn a_pointer_to_one_of_two_variables_writes_the_one_that_the_condition_says() {
    all_hold("int x = 1, y = 2, c = input(); int *p = c ? &x : &y; *p = 3; assert(c || x == 1); assert(!c || x == 3);");
    is_open("int x = 1, y = 2, c = input(); int *p = c ? &x : &y; *p = 3; assert(x == 1);");
    is_open("int x = 1, y = 2, c = input(); int *p = c ? &x : &y; *p = 3; assert(y == 2 && c == 0);");
    all_hold(
        "int x = 1, y = 2; int *p = input() ? &x : &y; int *q = p; *p = 3; *q = 4; assert(x + y == 6 || x + y == 5);",
    );
    all_hold(
        "int a[9], b[9], c = input(), i; int *p = c > 0 ? a : b; for (i = 0; i < 9; i++) { a[i] = 1; b[i] = 2; } \
         for (i = 0; i < 9; i++) p[i] = 3; for (i = 0; i < 9; i++) if (c > 0) assert(a[i] == 3);",
    );
    is_open(
        "int a[9], b[9], c = input(), i; int *p = c > 0 ? a : b; for (i = 0; i < 9; i++) { a[i] = 1; b[i] = 2; } \
         for (i = 0; i < 9; i++) p[i] = 3; for (i = 0; i < 9; i++) assert(a[i] == 3);",
    );
}

#[test]
fn two_pointers_into_one_array_write_the_same_cells() {
    all_hold(
        "int a[9], *p = a, *q; if (input()) q = a + 2; else q = a + 3; *q = 1; p[2] = 5; p[3] = 6; assert(*q >= 5);",
    );
    is_open("int a[9], *p = a, *q; if (input()) q = a + 2; else q = a + 3; *q = 1; p[3] = 6; assert(*q == 1);");
    is_open(
        "int a[9], i = input(); if (i < 0 || i > 8) return 0; int *p = &a[3], *q = a; q = q + i; *p = 1; *q = 2; assert(*p == 1);",
    );
    all_hold(
        "int a[9], i = input(); if (i < 0 || i > 2) return 0; int *p = &a[3], *q = a; q = q + i; *p = 1; *q = 2; assert(*p == 1);",
    );
}

#[test]
fn blocks_allocated_in_branches_are_objects_of_their_own() {
    let fill = "for (i = 0; i < n; i++) a[i] = i; for (i = 0; i < n; i++) b[i] = 2 * i;";
    let both = "if (n > 0) { int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));";
    all_hold_with_length(&format!("{both} {fill} for (i = 0; i < n; i++) assert(a[i] == i); }}"));
    is_open_with_length(&format!("{both} if (n == 7) b = a; {fill} for (i = 0; i < n; i++) assert(a[i] == i); }}"));
    is_open_with_length(&format!("{both} {fill} for (i = 0; i < n; i++) assert(b[i] == i); }}"));
    all_hold_with_length(
        "if (n > 2) { int *a = calloc(n, sizeof(int)); a[0] = 1; for (i = 1; i < n; i++) assert(a[i] == 0); }",
    );
    is_open_with_length(
        "if (n > 2) { int *a = calloc(n, sizeof(int)); a[1] = 1; for (i = 1; i < n; i++) assert(a[i] == 0); }",
    );
    is_open_with_length("if (n > 2) { int *a = malloc(n * sizeof(int)); assert(a[1] == 0); }");
    all_hold_with_length("if (n > 2) { int *a = malloc(n * sizeof(int)); if (!a) return 1; assert(a != 0); }");
    is_open_with_length("int *a = 0; if (n > 2) { a = malloc(n * sizeof(int)); } assert(a != 0);");
    is_open_with_length(
        "int *a = 0, *b; if (n > 2) { a = malloc(n * sizeof(int)); b = a; if (n == 5) b = 0; assert(a == b); }",
    );
}

#[test]
fn rows_that_a_loop_allocates_are_a_matrix() {
    let rows = "int **m = malloc(n * sizeof(int *)); for (i = 0; i < n; i++) m[i] = malloc(n * sizeof(int));";
    let write = "for (i = 0; i < n; i++) for (j = 0; j < n; j++) m[i][j] = i + j;";
    let read = "for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(m[i][j] == i + j);";
    all_hold_with_length(&format!("{rows} {write} {read}"));
    is_open_with_length(&format!("{rows} {write} if (n > 1) m[1] = m[0]; {read}"));
    is_open_with_length(&format!("{rows} if (n > 1) m[1] = m[0]; {write} {read}"));
    is_open_with_length(&format!("{rows} {write} m[n - 1][0] = 7000; {read}"));
    all_hold_with_length(&format!(
        "{rows} {write} m[0][0] = 7; {}",
        read.replace("== i + j", "== i + j || i + j == 0")
    ));
    let again =
        "int **m = malloc(n * sizeof(int *)); int *row = malloc(n * sizeof(int)); for (i = 0; i < n; i++) m[i] = row;";
    is_open_with_length(&format!("{again} {write} {read}"));
    all_hold_with_length(
        "int **m = malloc(n * sizeof(int *)); for (i = 0; i < n; i++) { m[i] = malloc(n * sizeof(int)); \
         for (j = 0; j < n; j++) m[i][j] = j; } for (i = 0; i < n; i++) for (j = 0; j < n; j++) assert(m[i][j] == j);",
    );
}

#[test]
fn structs_on_the_heap_and_pointers_to_them() {
    let records = "if (n > 1) { struct pair *s = malloc(n * sizeof(struct pair));";
    all_hold_with_length(&format!(
        "{records} for (i = 0; i < n; i++) {{ s[i].a = i; s[i].b = 2; }} for (i = 0; i < n; i++) assert(s[i].a == i); }}"
    ));
    is_open_with_length(&format!(
        "{records} for (i = 0; i < n; i++) {{ s[i].b = 2; s[i].a = i; }} s[1].a = 3; for (i = 0; i < n; i++) assert(s[i].a == i); }}"
    ));
    let nodes = "struct node *t[1000]; for (i = 0; i < n; i++) { struct node *s = malloc(sizeof(struct node)); s->n = input(); \
                 if (s->n == 1) s->p = malloc(sizeof(int)); else s->p = 0; t[i] = s; }";
    all_hold_with_length(&format!(
        "{nodes} for (i = 0; i < n; i++) {{ struct node *s = t[i]; if (s->n == 1) assert(s->p != 0); }}"
    ));
    is_open_with_length(&format!(
        "{nodes} for (i = 0; i < n; i++) {{ struct node *s = t[i]; if (s->n <= 1) assert(s->p != 0); }}"
    ));
    is_open_with_length(&format!(
        "{nodes} t[0]->n = 1; for (i = 0; i < n; i++) {{ struct node *s = t[i]; if (s->n == 1) assert(s->p != 0); }}"
    ));
    is_open_with_length(&format!(
        "{nodes} if (n > 1) {{ t[1] = t[0]; t[0]->n = 5; t[1]->n = 6; assert(t[0]->n == 5); }}"
    ));
    all_hold_with_length(&format!("{nodes} if (n > 1) {{ t[0]->n = 5; t[1]->n = 6; assert(t[0]->n == 5); }}"));
}

#[test]
fn pointers_that_walk_through_an_array() {
    all_hold_with_length(
        "int a[n], *p = a; for (i = 0; i < n; i++) *p++ = i; for (i = 0; i < n; i++) assert(a[i] == i);",
    );
    is_open_with_length(
        "int a[n + 1], *p = a; for (i = 0; i < n; i++) *++p = i; for (i = 0; i < n; i++) assert(a[i] == i);",
    );
    all_hold_with_length(
        "int a[n], *p, *end = a + n; for (p = a; p < end; p++) *p = 7; for (i = 0; i < n; i++) assert(a[i] == 7);",
    );
    is_open_with_length(
        "int a[n], *p, *end = a + n; a[0] = 1; for (p = a + 1; p < end; p++) *p = 7; for (i = 0; i < n; i++) assert(a[i] == 7);",
    );
    all_hold_with_length("int a[n], *p = a; while (p != a + n) { *p = 7; p = p + 1; } assert(p - a == n);");
    all_hold_with_length(
        "int a[n], b[n], *p = a, *q = b; for (i = 0; i < n; i++) a[i] = i; while (p < a + n) *q++ = *p++; for (i = 0; i < n; i++) assert(b[i] == i);",
    );
    is_open_with_length(
        "int a[n], b[n], *p = a, *q = b; for (i = 0; i < n; i++) { a[i] = i; b[i] = i + 1; } q = a; while (p < a + n) *q++ = *p++ + 1; for (i = 0; i < n; i++) assert(a[i] == i);",
    );
    // From one array to the other.
    is_open_with_length(
        "int a[n], b[n], *p = a; b[0] = 1; for (i = 0; i < n; i++) { *p = 2; if (i + 2 < n) p++; else p = b; } assert(b[0] == 1);",
    );
}

#[test]
fn pointers_that_walk_along_one_row() {
    let with_row = |body: &str| format!("int r = input(), k; if (r < 0 || r > 2) return 0; {body}");
    let holds = |body: &str| all_hold_beside("int m[4][6];", &with_row(body));
    let open = |body: &str| is_open_beside("int m[4][6];", &with_row(body));
    let others = "for (k = 0; k < 6; k++) assert(m[r][k] == 5 && m[r + 1][k] == 0);";
    holds(&format!("int *p = m[r]; while (p < m[r] + 6) *p++ = 5; {others}"));
    holds(&format!("int *p = m[r], *end = p + 6; while (p != end) *p++ = 5; {others}"));
    holds(&format!("int *p = m[r] + 6; while (p > m[r]) *--p = 5; {others}"));
    holds(&format!("int *p = m[r]; do {{ *p = 5; p++; }} while (p != m[r] + 6); {others}"));
    // Along the next row, too.
    open(&format!("int *p = m[r]; while (p < m[r] + 7) *p++ = 5; {others}"));
    open(&format!("int *p = m[r]; do *p++ = 5; while (p <= m[r] + 6); {others}"));
    open("int *p = m[r] + 1; while (p < m[r] + 7) *p++ = 5; for (k = 0; k < 6; k++) assert(m[r + 1][k] == 0);");
    // From the start of the next row.
    open("int *p = m[r + 1] + 6; while (p >= m[r + 1]) *--p = 5; assert(m[r][5] == 0);");
    // From somewhere in the next row, and back to its start.
    let back = "if (p > m[r] + 6) s = 1; p = m[r];";
    open(&format!(
        "int s = 0; k = input(); if (k < 0 || k > 9) return 0; int *p = m[r] + k; while (input()) {{ {back} }} assert(s == 0);"
    ));
    // In steps that pass the end, and in steps of any length.
    open("int *p = m[r]; while (p < m[r] + 6) { *p = 5; p += 4; } *p = 5; assert(m[r + 1][2] == 0);");
    open(
        "int *p = m[r]; while (p < m[r] + 6) { int by = input(); p += by > 0 ? 7 : 1; } *p = 5; assert(m[r + 1][0] == 0);",
    );
    // Through the end, while other conditions look at where the pointer is.
    open("int *p = m[r], s = 0; for (k = 0; k < 9; k++) { if (p > m[r] + 6) s = 1; p++; } assert(s == 0);");
    open("int *p = m[r]; for (k = 0; k < 9; k++) { if (p != m[r] + 6) *p = 5; p++; } assert(m[r + 1][1] == 0);");
    // From one row to another.
    open("int *p = m[r]; for (k = 0; k < 6; k++) { *p = 5; if (input()) p = m[r + 1]; } assert(m[r + 1][0] == 0);");
}

#[test]
fn pointers_that_walk_along_an_array_that_is_a_member() {
    let declared = "struct line { int head; int cells[5]; int tail; } s;";
    let walk = |end: u32| format!("int *p = s.cells; while (p < s.cells + {end}) *p++ = 1;");
    let checks = "assert(s.head == 0 && s.tail == 0 && s.cells[0] == 1 && s.cells[4] == 1);";
    all_hold_beside(declared, &format!("{} {checks}", walk(5)));
    is_open_beside(declared, &format!("{} {checks}", walk(6)));
    is_open_beside(declared, &format!("{} *p = 1; assert(s.tail == 0);", walk(5)));
}

#[test]
fn addresses_given_to_functions_and_kept_in_structs() {
    let set = "static void set(int *to, int value) { *to = value; } static void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }";
    all_hold_beside(set, "int x = 1, y = 2; set(&x, 5); swap(&x, &y); assert(x == 2 && y == 5);");
    is_open_beside(set, "int x = 1, y = 2; set(&x, 5); swap(&x, &x); assert(x == 2 && y == 5);");
    all_hold_beside(
        set,
        "int a[9]; for (int i = 0; i < 9; i++) set(&a[i], i); for (int i = 0; i < 9; i++) assert(a[i] == i);",
    );
    is_open_beside(
        set,
        "int a[9]; for (int i = 0; i < 9; i++) set(&a[i / 2], i); for (int i = 0; i < 5; i++) assert(a[i] == i);",
    );
    all_hold_beside(
        set,
        "struct pair s[9]; for (int i = 0; i < 9; i++) set(&s[i].b, i); for (int i = 0; i < 9; i++) assert(s[i].b == i);",
    );
    is_open_beside(
        set,
        "struct pair s[9]; for (int i = 0; i < 9; i++) { set(&s[i].a, i); set(&s[i].b, 9); s[i].a++; } for (int i = 0; i < 9; i++) assert(s[i].a == i);",
    );
    all_hold_beside(set, "int x = 1; struct node s; if (input()) s.p = &x; else s.p = &x; *s.p = 4; assert(x == 4);");
}

#[test]
fn other_types_and_the_library_make_a_block_unknown() {
    let block =
        "if (n > 1) { int *a = malloc(n * sizeof(int)); a[0] = 1; int y = 3, *other = &y; if (input()) other = &y;";
    all_hold_with_length(&format!("{block} *other = 2; assert(a[0] == 1); }}"));
    is_open_with_length(&format!("{block} char *c = (char *)a; *c = 2; assert(a[0] == 1); }}"));
    is_open_with_length(&format!("{block} char *c = (char *)a; c[1] = 2; assert(a[0] == 1); }}"));
    is_open_with_length(&format!("{block} y = 7; memcpy(a, other, 4); assert(a[0] == 1); }}"));
    is_open_with_length(&format!("{block} a = realloc(a, 8 * n * sizeof(int)); a[0] = 4; assert(a[0] == 1); }}"));
    is_open_with_length(
        "union { int a; char b; } u; int *p = &u.a; if (input()) p = &u.a; *p = 1; u.b = 2; assert(*p == 1);",
    );
    is_open_with_length(
        "int m[2][3]; m[1][0] = 5; int *p = m[0]; if (input()) p = p + 1; else p++; p = p + 2; *p = 6; assert(m[1][0] == 5);",
    );
    is_open_with_length(
        "struct { int a[2]; int b; } s; s.b = 5; int *p = s.a, *q = 0; if (n == 2) q = p + 2; if (q == &s.b) { *q = 6; assert(s.b == 5); }",
    );
}

#[test]
fn addresses_of_variables_that_live_no_longer_are_unknown() {
    is_open(
        "struct pair *p; for (int i = 0; i < 3; i++) { struct pair x; x.a = i; p = &x; } int *q = &p->b; assert(q == 0);",
    );
}
