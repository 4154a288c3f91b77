//! Random programs, and the soundness oracle that is built on them.
