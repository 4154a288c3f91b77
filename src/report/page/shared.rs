//! Writes JSON in which repeated values are written once.
//!
//! The states of neighbouring lines share most of their arrays, groups and formulas. Each string,
//! list and object that occurs several times is an entry of the list `shared`. All its occurrences
//! become the string `~n`, where `n` is its place in the list in base 36. Entries refer to earlier
//! entries only. A string that begins with `~` itself gets another `~` before it. `page.js` undoes
//! this.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// The minimal length of a shared value. Shorter ones are not worth a reference.
const LEAST: usize = 5;

/// The JSON text of an object, with the list `shared` as one more member.
pub(super) fn shared(object: &Map<String, Value>) -> String {
    let mut pool = Pool::default();
    let members: Vec<(&String, usize)> = object.iter().map(|(name, value)| (name, pool.node(value))).collect();
    members.iter().for_each(|(_, node)| pool.uses[*node] += 1);
    pool.number();
    let mut text = "{\"shared\":[".to_owned();
    for (n, node) in pool.entries.iter().enumerate() {
        if n > 0 {
            text.push(',');
        }
        pool.write(*node, &mut text);
    }
    text.push(']');
    for (name, node) in members {
        text.push_str(&format!(",{}:", quoted(name)));
        pool.refer(node, &mut text);
    }
    text.push('}');
    text
}

/// A value whose parts are given by their numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// A value that is written unchanged: a number, a truth value, null.
    Atom(String),
    Text(String),
    List(Vec<usize>),
    Object(Vec<(String, usize)>),
}

/// Each value once. The parts of a value come before it.
#[derive(Default)]
struct Pool {
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    /// The number of references to each node.
    uses: Vec<usize>,
    /// The index of each node among the shared ones, if it is shared.
    places: Vec<Option<usize>>,
    entries: Vec<usize>,
}

impl Pool {
    fn node(&mut self, value: &Value) -> usize {
        let node = match value {
            Value::String(text) => Node::Text(text.clone()),
            Value::Array(all) => Node::List(all.iter().map(|v| self.node(v)).collect()),
            Value::Object(all) => Node::Object(all.iter().map(|(k, v)| (k.clone(), self.node(v))).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) => Node::Atom(value.to_string()),
        };
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        match &node {
            Node::List(parts) => parts.iter().for_each(|part| self.uses[*part] += 1),
            Node::Object(parts) => parts.iter().for_each(|(_, part)| self.uses[*part] += 1),
            Node::Atom(_) | Node::Text(_) => {}
        }
        self.nodes.push(node.clone());
        self.uses.push(0);
        self.numbers.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Chooses and numbers the values to share.
    fn number(&mut self) {
        let is_long = |node: &Node| match node {
            Node::Atom(_) => false,
            Node::Text(text) => text.len() >= LEAST,
            Node::List(parts) => !parts.is_empty(),
            Node::Object(parts) => !parts.is_empty(),
        };
        self.places = vec![None; self.nodes.len()];
        for n in 0..self.nodes.len() {
            if self.uses[n] > 1 && is_long(&self.nodes[n]) {
                self.places[n] = Some(self.entries.len());
                self.entries.push(n);
            }
        }
    }

    /// Writes a reference to a shared node, or the node itself.
    fn refer(&self, node: usize, text: &mut String) {
        match self.places[node] {
            Some(place) => text.push_str(&format!("\"~{}\"", base_36(place))),
            None => self.write(node, text),
        }
    }

    fn write(&self, node: usize, text: &mut String) {
        match &self.nodes[node] {
            Node::Atom(atom) => text.push_str(atom),
            Node::Text(own) if own.starts_with('~') => text.push_str(&quoted(&format!("~{own}"))),
            Node::Text(own) => text.push_str(&quoted(own)),
            Node::List(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    text.push(if n == 0 { '[' } else { ',' });
                    self.refer(*part, text);
                }
                text.push_str(if parts.is_empty() { "[]" } else { "]" });
            }
            Node::Object(parts) => {
                for (n, (name, part)) in parts.iter().enumerate() {
                    text.push(if n == 0 { '{' } else { ',' });
                    text.push_str(&format!("{}:", quoted(name)));
                    self.refer(*part, text);
                }
                text.push_str(if parts.is_empty() { "{}" } else { "}" });
            }
        }
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

fn base_36(mut n: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[n % 36] as char);
        n /= 36;
        if n == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Does the same as `page.js`.
    fn expanded(value: &Value, table: &[Value]) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('~') {
                Some(rest) if rest.starts_with('~') => rest.into(),
                Some(rest) => table[usize::from_str_radix(rest, 36).expect("a number")].clone(),
                None => value.clone(),
            },
            Value::Array(all) => all.iter().map(|v| expanded(v, table)).collect(),
            Value::Object(all) => all.iter().map(|(k, v)| (k.clone(), expanded(v, table))).collect(),
            other => other.clone(),
        }
    }

    fn there_and_back(value: &Value) -> (String, Value) {
        let text = shared(value.as_object().expect("an object"));
        let mut read: Value = serde_json::from_str(&text).expect("JSON");
        let entries = read.as_object_mut().and_then(|o| o.remove("shared")).expect("the list");
        let mut table = Vec::new();
        for entry in entries.as_array().expect("a list") {
            let entry = expanded(entry, &table);
            table.push(entry);
        }
        (text, expanded(&read, &table))
    }

    #[test]
    fn what_occurs_several_times_is_written_once() {
        let group = json!({ "cells": "{0..i-1}", "holds": ["value == 7", "~"], "low": null });
        let value =
            json!({ "states": [[group, group], [group]], "lines": [{ "state": 0 }], "text": "value == 7", "none": [] });
        let (text, read) = there_and_back(&value);
        assert_eq!(read, value);
        assert_eq!(text.matches("value == 7").count(), 1);
        assert_eq!(text.matches("cells").count(), 1);
    }

    #[test]
    fn strings_that_look_like_references_stay_strings() {
        let value = json!({ "a": ["~0", "~~0", "~", "~0", "long enough ~", "long enough ~"], "b": "~zz", "c": {}, "d": [1, true, null] });
        assert_eq!(there_and_back(&value).1, value);
    }

    #[test]
    fn places_are_counted_in_base_36() {
        for n in [0, 9, 10, 35, 36, 1295, 1296, 123_456] {
            assert_eq!(usize::from_str_radix(&base_36(n), 36), Ok(n));
        }
        assert_eq!(base_36(36), "10");
    }
}
