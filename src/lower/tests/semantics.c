// Every assertion holds under gcc -fsanitize=undefined (lp64); the lowered program must agree in the interpreter.
void assert(int);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
struct P { int x; char c; struct { int q; int r[3]; }; unsigned b : 3; int sb : 4; } g = { .x = 1, .r[1] = 5, 7, .b = 9 };
union U { int i; short s[2]; };
enum E { A, B = 5, C, NEG = -1 };
enum F { F0, F1 };
typedef unsigned char u8;
int tab[] = { 1, 2, [5] = 6, 7, [0] = 9 };
int ranges[10] = { [2 ... 4] = 3, 4, [8] = 1 };
char s[] = "hi\n\x41\101" "z";
char s3[3] = "abc";
char *p = "hello";
int m[2][3] = { {1,2,3}, 4, 5 };
int m3[2][2][2] = { 1, 2, 3, { 4 } };
struct Q { int a; struct P p[2]; int z; } qq = { 1, { { 2, 'c', { 3, { 4, 5 } } }, 6 }, 7 };
int tentative; int tentative; extern int tentative;
int later[];
static int f(int a, long b) { return a + b; }
static int twice(int (*fn)(int, long), int v) { return fn(v, v); }
int (*fp)(int, long) = f;
int (*fps[2])(int, long) = { f, &f };
int (*getf(void))(int, long) { return f; }
int knr(a, b) int a; char b; { return a + b; }
int counter; int count(void) { return ++counter; }
struct P make(int v) { struct P r = { v, 'm' }; r.r[2] = v + 1; return r; }
int sum(int n, int a[n]) { int t = 0; for (int i = 0; i < n; i++) t += a[i]; return t; }
int sum2(int n, int k, int a[n][k]) { int t = 0; for (int i = 0; i < n; i++) for (int j = 0; j < k; j++) t += a[i][j]; return t; }
int stat_(void) { static int calls = 10; static int arr[3] = {1, 2}; arr[2]++; return calls++ + arr[2]; }
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
int duff(int n) { int t = 0, c = n; switch (c % 3) { do { case 0: t += 1; case 2: t += 10; case 1: t += 100; } while ((n -= 3) > 0); } return t; }
int sw(int v) { int r = 0; switch (v) { case 1: r = 1; break; case 2: r = 2; case 3: r += 3; break; case 7 ... 9: r = 79; break; default: r = -1; } return r; }
int swloop(void) { int t = 0; for (int i = 0; i < 10; i++) { switch (i) { case 3: continue; case 7: goto out; default: break; } t += i; } out: return t; }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int later[3];
int comma(void) { int i; return i = 3, i += 2, i * 2; }
int main(void) {
  /* integer conversions */
  u8 c = 200; c += 100; assert(c == 44); c = 255; c++; assert(c == 0);
  signed char sc = 127; sc++; assert(sc == -128);
  unsigned u = -1; assert(u == 4294967295u); assert(u > 0); assert(-1 > 0u);
  long L = u; assert(L == 4294967295L); assert((int)u == -1); assert(-1L < 0u);
  assert((short)70000 == 4464); assert((_Bool)256 == 1); _Bool bb = 2; assert(bb == 1); bb++; assert(bb == 1); bb--; assert(bb == 0); bb--; assert(bb == 1);
  assert(-5 / 2 == -2); assert(-5 % 2 == -1); assert(5 % -3 == 2); assert((~0u >> 1) == 2147483647);
  assert('a' == 97); assert('\xff' == -1); assert('ab' == 24930); assert(sizeof('a') == 4); assert(sizeof(int[3]) == 12);
  assert((1 ? -1 : 0u) > 0); assert(sizeof(1 ? (char)1 : (char)2) == 4);
  assert(0x7fffffff + 0x80000000 == 0xffffffff); assert(1u - 2u == 4294967295u); assert((u8)~0 == 255); assert(!5 == 0); assert(!!5 == 1);
  assert(017 == 15); assert(0b101 == 5); assert(10000000000 > 0 && sizeof(10000000000) == 8); assert(sizeof(0xffffffff) == 4); assert(0xffffffff > 0);
  assert((-1 >> 1) == -1); assert((1u << 31) == 2147483648u);
  /* enums */
  enum E e = C; assert(e == 6 && NEG < 0); enum F fe = F1; assert(sizeof fe == 4); assert(fe - 2 > 0u); assert((enum F)-1 > 0);
  /* initialisers */
  assert(g.x == 1 && g.c == 0 && g.r[0] == 0 && g.r[1] == 5 && g.r[2] == 7 && g.b == 1);
  assert(sizeof tab / sizeof tab[0] == 7); assert(tab[0] == 9 && tab[1] == 2 && tab[2] == 0 && tab[5] == 6 && tab[6] == 7);
  assert(ranges[1] == 0 && ranges[2] == 3 && ranges[4] == 3 && ranges[5] == 4 && ranges[6] == 0 && ranges[8] == 1);
  assert(sizeof s == 7 && s[2] == '\n' && s[3] == 'A' && s[4] == 'A' && s[5] == 'z' && s[6] == 0); assert(s3[2] == 'c');
  assert(p[1] == 'e' && p[5] == 0 && "xyz"[1] == 'y'); assert(m[1][0] == 4 && m[1][1] == 5 && m[1][2] == 0 && m[0][2] == 3);
  assert(m3[0][0][1] == 2 && m3[0][1][0] == 3 && m3[1][0][0] == 0);
  assert(qq.a == 1 && qq.p[0].x == 2 && qq.p[0].q == 3 && qq.p[0].r[1] == 5 && qq.p[1].x == 6 && qq.z == 7);
  assert(tentative == 0 && later[2] == 0);
  struct P loc = g, l2 = { 1, .c = 'x' }; assert(loc.r[2] == 7 && l2.c == 'x' && l2.r[1] == 0); l2 = loc; l2.x++; assert(l2.x == 2 && loc.x == 1);
  struct P arr[2] = { loc, { .x = 4 } }; assert(arr[0].r[1] == 5 && arr[1].x == 4);
  int cc[2][2] = { [1][0] = 5, 6 }; assert(cc[0][1] == 0 && cc[1][0] == 5 && cc[1][1] == 6);
  /* bit-fields */
  g.b = 12; assert(g.b == 4); g.b--; assert(g.b == 3); g.sb = 9; assert(g.sb == -7); assert(g.b - 5 < 0); int bv = (g.b = 10); assert(bv == 2);
  /* functions */
  assert(f(1, 2) == 3 && fp(2, 3) == 5 && (*fp)(1, 1) == 2 && fps[1](4, 4) == 8 && getf()(3, 4) == 7 && twice(f, 6) == 12 && (&f)(1,0) == 1);
  assert(knr(3, 4) == 7); assert(make(5).x == 5 && make(6).r[2] == 7); struct P mk = make(8); assert(mk.c == 'm');
  int sa[4] = {1, 2, 3, 4}; assert(sum(4, sa) == 10); int s2[2][3] = {1,2,3,4,5,6}; assert(sum2(2, 3, s2) == 21);
  assert(stat_() == 11 && stat_() == 13); assert(fact(5) == 120); assert(duff(7) == 100 + 111 * 2); assert(duff(6) == 222);
  assert(sw(1) == 1 && sw(2) == 5 && sw(3) == 3 && sw(8) == 79 && sw(10) == -1); assert(swloop() == 0 + 1 + 2 + 4 + 5 + 6); assert(comma() == 10);
  int x = 1, y = 2; swap(&x, &y); assert(x == 2 && y == 1); swap(&sa[0], sa + 3); assert(sa[0] == 4 && sa[3] == 1);
  /* effects and order */
  int i = 0; int a[5]; a[i++] = i == 0 ? 7 : 8; i = 0; assert(i++ == 0 && i++ == 1 && i == 2); assert(i++ || count()); assert(counter == 0);
  (void)(i == 3 && count()); assert(counter == 1); i = 5; i = i-- - --i < 100 ? 1 : 1; int k = (i = 4, ++i); assert(k == 5 && i == 5);
  x = y = 7; assert(x == 7 && y == 7); x += y -= 2; assert(x == 12 && y == 5); k = x > 3 ? count() : count() + count(); assert(k == 2 && counter == 2);
  int n = 0; while (n < 10 && count() < 8) n++; assert(n == 5 && counter == 8); n = 0; while (count() < 12 && n < 100) n++; assert(n == 3);
  n = 3; do { if (n == 2) continue; k = n; } while (--n > 0 && count()); assert(n == 0 && k == 1);
  for (n = 0; ; n++) { if (n == 4) break; if (n & 1) continue; } assert(n == 4); for (n = 0; n++ < 3; ) ; assert(n == 4);
  if ((k = count()) > 5 || count()) k++; assert(k == counter + 1); if (!(count() && 0)) k = 77; assert(k == 77);
  k = ({ int z = 3; z + 4; }); assert(k == 7); i = 2; { int i = 9; assert(i == 9); } assert(i == 2);
  counter = 0; k = count(); assert(k == 1); k = count() * 10 + count(); assert(k == 23 || k == 32);
  /* pointers and arrays */
  int *q = a; *q++ = 1; *q++ = 2; *q = 3; assert(a[0] == 1 && a[1] == 2 && a[2] == 3 && q - a == 2 && q == &a[2] && q > a && *(q - 1) == 2 && q[-2] == 1 && 1[a] == 2); --q; assert(*q == 2 && !(q == 0)); q = 0; assert(!q && q == 0);
  int b[2][3]; int (*row)[3] = b; row[1][2] = 5; (*row)[1] = 6; row++; (*row)[0] = 8; assert(b[1][2] == 5 && b[0][1] == 6 && b[1][0] == 8); assert(sizeof b == 24 && sizeof b[0] == 12 && sizeof *row == 12);
  int *h = malloc(3 * sizeof(int)); h[2] = 4; *h = 2; assert(h[2] + h[0] == 6); free(h); int *z = calloc(5, sizeof *z); assert(z[4] == 0); struct P *sp = malloc(sizeof *sp); sp->x = 3; (*sp).r[1] = sp->x + 1; assert(sp[0].r[1] == 4);
  int **pp = malloc(2 * sizeof(int *)); for (n = 0; n < 2; n++) { pp[n] = malloc(3 * sizeof(int)); for (k = 0; k < 3; k++) pp[n][k] = n * k; } assert(pp[1][2] == 2);
  n = 4; int v[n]; n = 2; assert(sizeof v == 16); int vv[n][n + 1]; vv[1][2] = 9; assert(vv[1][2] == 9 && sizeof vv == 24 && sizeof vv[0] == 12);
  for (n = 0; n < 4; n++) v[n] = n; assert(v[3] == 3); memset(v, 0, sizeof v); assert(v[3] == 0); memset(a, 255, sizeof a); assert(a[2] == -1); int w[4] = {1,2,3,4}; memcpy(v, w, 4 * sizeof(int)); assert(v[2] == 3); memset(w, 0, sizeof(w)); assert(w[1] == 0);
  int *lit = (int[]){ 4, 5, 6 }; assert(lit[2] == 6); assert(((struct P){ .x = 5 }).x == 5); const char *fn = __func__; assert(fn[0] == 'm' && fn[3] == 'n');
  assert(sizeof(struct P) == 28 && sizeof(union U) == 4 && sizeof(struct Q) == 64 && __builtin_offsetof(struct Q, z) == 60 && _Alignof(long) == 8);
  _Static_assert(sizeof(int) == 4, "int"); typeof(x) tx = 3; __typeof__(a[0]) ty = 4; assert(tx + ty == 7); double d = 1; d = d * 2;
  goto end; assert(0); end: ; { int done = 0; again: if (done < 3) { done++; goto again; } assert(done == 3); }
  assert(_Generic(x, int: 1, default: 2) == 1); assert(__builtin_expect(x == x, 1));
  char *str = p; int len = 0; while (*str++) len++; assert(len == 5); assert(&a[3] - &a[1] == 2); assert(*&x == x);
  int t3 = -7; t3 /= 2; assert(t3 == -3); t3 -= 1 ? 0 : 1; assert(t3 == -3); u = 7; u ^= 2; u |= 8; u &= ~1u; assert(u == 12); u >>= 2; assert(u == 3); L = 5; L *= u; assert(L == 15); unsigned short us = 65535; us += 2; assert(us == 1); us = 3; us -= 5; assert(us == 65534);
  return 0;
}
