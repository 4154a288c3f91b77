// smalti: --function append --stages domains,summary,induction --checks assertion,bounds
// Wrong: one more character is copied than there is room for.
struct text { char *chars; unsigned length, room; };

/*@ predicate text(struct text *t) = \valid(t) && \valid(t->chars + (0 .. t->room - 1)) &&
      \separated(t, t->chars + (0 .. t->room - 1)) && t->length <= t->room <= 100000; */

/*@ requires text(t) && \valid(from + (0 .. n - 1)) && n <= t->room - t->length;
    requires \separated(from + (0 .. n - 1), t->chars + (0 .. t->room - 1));
    requires \separated(from + (0 .. n - 1), t);
    check ensures text(t);                                                  //@ RESIDUAL!
*/
void append(struct text *t, const char *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    unsigned at = t->length + i + 1;
    char *chars = t->chars;
    int c = from[i];
    chars[at] = c;                                                          //@ RESIDUAL! bounds
  }
  t->length += n + 1;
}

int main(void) { return 0; }
