// smalti: --stages domains --stack relation/partition/octagon --function follow --checks assertion,bounds
/* A used node points to a used node. That this node lies in the table is not stated for the first table. */
#define NODES 32
struct node { int next; int used; };
struct node q[NODES];
struct node r[NODES];
/*@ requires \forall integer k; 0 <= k < NODES && q[k].used > 0 ==> q[q[k].next].used > 0;
    requires \forall integer k; 0 <= k < NODES && r[k].used > 0 ==> 0 <= r[k].next < NODES;
    requires \forall integer k; 0 <= k < NODES && r[k].used > 0 ==> r[r[k].next].used > 0;
    requires 0 <= start < NODES && q[start].used > 0 && r[start].used > 0; */
/*@ ensures \forall integer k; 0 <= k < NODES && q[k].used > 0 ==> 0 <= q[k].next < NODES; */   //@ RESIDUAL!
/*@ ensures \forall integer k; 0 <= k < NODES && r[k].used > 0 ==> r[r[k].next].used > 0; */     //@ PROVED
int follow(int start) {
    int one = q[start].next;                        //@ PROVED bounds
    int two = r[start].next;                        //@ PROVED bounds
    int used = r[two].used;                         //@ PROVED bounds   the range is said apart
    //@ PROVED      used > 0
    //@ RESIDUAL!   used > 1
    return q[one].used;                             //@ RESIDUAL! bounds
}
int main(void) { return 0; }
