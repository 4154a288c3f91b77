//! The worklist fixpoint iterator over weak topological orders.
