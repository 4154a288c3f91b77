//! Ties a domain stack to a control-flow graph.
