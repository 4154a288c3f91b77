// smalti: --function append --checks assertion,bounds
// A buffer of text that has room for more.
struct text { char *chars; unsigned length, room; };

/*@ predicate text(struct text *t) = \valid(t) && \valid(t->chars + (0 .. t->room - 1)) &&
      \separated(t, t->chars + (0 .. t->room - 1)) && t->length <= t->room <= 100000; */

/*@ requires text(t) && \valid(from + (0 .. n - 1)) && n <= t->room - t->length;
    requires \separated(from + (0 .. n - 1), t->chars + (0 .. t->room - 1));
    requires \separated(from + (0 .. n - 1), t);
    ensures text(t);                                                        //@ PROVED
    ensures t->length == \old(t->length) + n;                               //@ PROVED
    ensures \forall integer k; 0 <= k < n ==> t->chars[\old(t->length) + k] == from[k];  //@ PROVED
    ensures \forall integer k; 0 <= k < \old(t->length) ==>  //@ PROVED
        t->chars[k] == \old(t->chars[k]);
*/
void append(struct text *t, const char *from, unsigned n) {
  unsigned i = 0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant t->length == \at(t->length, Pre) && t->room == \at(t->room, Pre);
      loop invariant \forall integer k; 0 <= k < i ==> t->chars[\at(t->length, Pre) + k] == from[k];
      loop invariant \forall integer k; 0 <= k < \at(t->length, Pre) ==>
          t->chars[k] == \at(t->chars[k], Pre);
      loop assigns i, t->chars[t->length .. t->length + n - 1];             //@ PROVED
  */
  while (i < n) {
    t->chars[t->length + i] = from[i];                                      //@ PROVED bounds
    i++;
  }
  t->length += n;
}

int main(void) { return 0; }
