//! Views of a report: text, JSON, annotated source.
