//! From C source files to a program: preprocess, parse, type, lower.
