//! Runs a program on concrete inputs.
