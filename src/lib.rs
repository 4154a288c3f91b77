//! smalti
