//! The control-flow graph of a program.
