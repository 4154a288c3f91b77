//! Reads CBMC's JSON document as it arrives and keeps only what is asked for.
//!
//! The document is one array of objects. Those with `result` hold the properties, and one with
//! `cProverStatus` closes the document. A document is an error if it is incomplete, has no
//! properties, lacks one that was asked for or has one that was not. Exit codes are ignored,
//! because 10 also stands for a failed unwinding assertion.

use super::DECLARE;
use super::query::Query;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;

/// CBMC's answer to a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// For every property of the query, by name.
    pub properties: BTreeMap<String, PropertyAnswer>,
    /// Every loop was followed to its end: unwinding assertions were requested, and none failed.
    pub complete: bool,
    /// Failing checks that nobody asked for (`no body for callee f`). If there is one, nothing is
    /// proved.
    pub surprises: Vec<String>,
}

/// CBMC's answer for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyAnswer {
    /// No run within the unwinding fails.
    Holds,
    /// This run fails.
    Fails(Trace),
    /// CBMC gave no answer, but this word.
    Open(String),
}

/// The assignments of a failing run, in order: those to variables whose names begin with `smalti_`,
/// and the assignment right after each one to [`DECLARE`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The assignments.
    pub steps: Vec<TraceStep>,
}

/// One assignment of a trace. A declaration counts as the assignment of the arbitrary initial
/// value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The variable (or part of one) that is written, as CBMC spells it.
    pub target: String,
    /// The value.
    pub value: TraceValue,
}

/// A value in a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TraceValue {
    /// The bits of an integer or floating value, not extended.
    Bits(u128),
    /// Cells of an array that are known, by index.
    Array(BTreeMap<u64, TraceValue>),
    /// Members of a struct or union, by name.
    Struct(BTreeMap<String, TraceValue>),
    /// A value that cannot be used (pointers, values that CBMC does not show).
    #[default]
    Other,
}

/// The largest number of steps of a trace. A longer trace is dropped: the property fails, without a
/// run to show.
const MOST_STEPS: usize = 1 << 20;
/// How many bytes of CBMC's own error messages are kept.
const MESSAGES_KEPT: usize = 2000;

/// Everything that is taken from a document.
#[derive(Default)]
pub(super) struct Document {
    properties: Vec<Property>,
    finished: bool,
    succeeded: bool,
    errors: String,
}

/// Reads one document, and nothing after it.
pub(super) fn read(from: &mut dyn Read) -> Result<Document, String> {
    let mut document = Document::default();
    let mut deserializer = serde_json::Deserializer::from_reader(std::io::BufReader::new(from));
    match (Entries { document: &mut document }).deserialize(&mut deserializer) {
        Ok(()) => Ok(document),
        Err(e) if document.errors.is_empty() => {
            Err(format!("its output is not a JSON document of the expected form ({e})"))
        }
        Err(e) => Err(format!("it says `{}`, then its output breaks off ({e})", document.errors)),
    }
}

impl Document {
    /// The error messages of CBMC itself; may be empty.
    pub(super) fn errors(&self) -> &str {
        &self.errors
    }

    /// Whether the document says that the check is complete.
    pub(super) fn finished(&self) -> bool {
        self.finished
    }

    /// The answer to `query`, if the document is complete.
    pub(super) fn answer(self, query: &Query) -> Result<Answer, String> {
        let mut answer = Answer { complete: query.unwinding_assertions, ..Answer::default() };
        for property in self.properties {
            let fails = matches!(&*property.status, "FAILURE" | "failed");
            if property.is_unwinding() {
                // Any status but success means that some runs were not followed.
                answer.complete &= property.status == "SUCCESS";
            } else if query.properties.contains(&property.description) {
                let found = match &*property.status {
                    "SUCCESS" => PropertyAnswer::Holds,
                    "FAILURE" | "failed" => PropertyAnswer::Fails(Trace { steps: property.trace.0 }),
                    other => PropertyAnswer::Open(other.to_owned()),
                };
                // Several places may share a name. The worst of their answers counts.
                let slot = answer.properties.entry(property.description).or_insert(PropertyAnswer::Holds);
                if rank(&found) > rank(slot) {
                    *slot = found;
                }
            } else if property.is_assertion() {
                return Err(format!("it reports a property `{}` that the query does not have", property.description));
            } else if fails {
                answer.surprises.push(property.description);
            }
        }
        if query.stop_at_failure {
            // The document names the one property that fails, or none.
            let failed = answer.properties.values().any(|a| matches!(a, PropertyAnswer::Fails(_)));
            let others = match (failed, self.succeeded) {
                (false, true) => PropertyAnswer::Holds,
                _ => PropertyAnswer::Open("not looked at".to_owned()),
            };
            for name in &query.properties {
                answer.properties.entry(name.clone()).or_insert_with(|| others.clone());
            }
        }
        let missing: BTreeSet<_> = query.properties.iter().filter(|p| !answer.properties.contains_key(*p)).collect();
        match missing.first() {
            None => Ok(answer),
            Some(first) => {
                Err(format!("{} of {} properties are missing, `{first}` first", missing.len(), query.properties.len()))
            }
        }
    }
}

fn rank(answer: &PropertyAnswer) -> u8 {
    match answer {
        PropertyAnswer::Holds => 0,
        PropertyAnswer::Open(_) => 1,
        PropertyAnswer::Fails(_) => 2,
    }
}

#[derive(Deserialize)]
struct Property {
    property: String,
    #[serde(default)]
    description: String,
    status: String,
    #[serde(default)]
    trace: Steps,
}

impl Property {
    fn is_unwinding(&self) -> bool {
        // `main.unwind.0`, `f.recursion`: the second is for a recursion that was cut off.
        self.property.contains(".unwind.") || self.property.ends_with(".recursion")
    }

    fn is_assertion(&self) -> bool {
        self.property.contains(".assertion.")
    }
}

#[derive(Default)]
struct Steps(Vec<TraceStep>);

#[derive(Deserialize)]
struct RawStep {
    #[serde(default)]
    hidden: bool,
    #[serde(rename = "stepType", default)]
    kind: String,
    #[serde(default)]
    lhs: String,
    #[serde(default)]
    value: TraceValue,
}

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Filter;
        impl<'de> Visitor<'de> for Filter {
            type Value = Steps;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the steps of a trace")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut steps: A) -> Result<Steps, A::Error> {
                let mut kept = Vec::new();
                let mut announced = false;
                while let Some(step) = steps.next_element::<RawStep>()? {
                    // Hidden steps and names with `$` are internal to CBMC, such as the value
                    // before a declaration and the size of an array.
                    if step.kind != "assignment" || step.hidden || step.lhs.contains('$') {
                        continue;
                    }
                    if (announced || step.lhs.starts_with("smalti_")) && kept.len() < MOST_STEPS {
                        announced = step.lhs == DECLARE;
                        kept.push(TraceStep { target: step.lhs, value: step.value });
                    }
                }
                Ok(Steps(if kept.len() < MOST_STEPS { kept } else { Vec::new() }))
            }
        }
        deserializer.deserialize_seq(Filter)
    }
}

#[derive(Deserialize)]
struct RawElement {
    index: u64,
    value: TraceValue,
}

#[derive(Deserialize)]
struct RawMember {
    name: String,
    value: TraceValue,
}

impl<'de> Deserialize<'de> for TraceValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            #[serde(default)]
            binary: Option<String>,
            #[serde(default)]
            elements: Option<Vec<RawElement>>,
            #[serde(default)]
            members: Option<Vec<RawMember>>,
        }
        let raw = Raw::deserialize(deserializer)?;
        Ok(match (raw.binary, raw.elements, raw.members) {
            (Some(bits), ..) => u128::from_str_radix(&bits, 2).map_or(TraceValue::Other, TraceValue::Bits),
            (_, Some(elements), _) => TraceValue::Array(elements.into_iter().map(|e| (e.index, e.value)).collect()),
            (.., Some(members)) => TraceValue::Struct(members.into_iter().map(|m| (m.name, m.value)).collect()),
            _ => TraceValue::Other,
        })
    }
}

/// The outer array.
struct Entries<'d> {
    document: &'d mut Document,
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of messages and results")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        while entries.next_element_seed(Entry { document: &mut *self.document })?.is_some() {}
        Ok(())
    }
}

/// One object of the outer array.
struct Entry<'d> {
    document: &'d mut Document,
}

impl<'de> DeserializeSeed<'de> for Entry<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Entry<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message or a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut text, mut kind) = (String::new(), String::new());
        // If the search stops at a failure, the failing property is an object of its own.
        let (mut property, mut description, mut status, mut trace) = (None, String::new(), None, Steps::default());
        while let Some(key) = map.next_key::<String>()? {
            match &*key {
                "result" => self.document.properties.extend(map.next_value::<Vec<Property>>()?),
                "cProverStatus" => {
                    let status: String = map.next_value()?;
                    self.document.succeeded = status == "success";
                    self.document.finished = status == "success" || status == "failure";
                }
                "property" => property = Some(map.next_value()?),
                "description" => description = map.next_value()?,
                "status" => status = Some(map.next_value()?),
                "trace" => trace = map.next_value()?,
                "messageText" => text = map.next_value()?,
                "messageType" => kind = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if let (Some(property), Some(status)) = (property, status) {
            self.document.properties.push(Property { property, description, status, trace });
        }
        if kind == "ERROR" && self.document.errors.len() + text.len() < MESSAGES_KEPT {
            if !self.document.errors.is_empty() {
                self.document.errors.push_str("; ");
            }
            self.document.errors.push_str(text.trim());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cbmc::Tuning;
    use crate::program::DataModel;

    fn query(names: &[&str], unwinding_assertions: bool) -> Query {
        Query {
            source: String::new(),
            properties: names.iter().map(|&n| n.to_owned()).collect(),
            data_model: DataModel::Lp64,
            big_endian: false,
            unwind: 3,
            unwinding_assertions,
            stop_at_failure: false,
            tuning: Tuning::Plain,
        }
    }

    fn answer(text: &str, query: &Query) -> Result<Answer, String> {
        read(&mut text.as_bytes())?.answer(query)
    }

    const TWO: &str = r#"[{"program":"CBMC"},{"messageText":"x","messageType":"STATUS-MESSAGE"},{"result":[
        {"description":"a","property":"main.assertion.1","status":"SUCCESS"},
        {"description":"b","property":"main.assertion.2","status":"FAILURE","trace":[
            {"stepType":"assignment","hidden":true,"lhs":"smalti_v","value":{"binary":"11","width":2}},
            {"stepType":"assignment","hidden":false,"lhs":"other","value":{"binary":"11","width":2}},
            {"stepType":"assignment","hidden":false,"lhs":"smalti_v","value":{"binary":"101","data":"5","width":3}},
            {"stepType":"assignment","hidden":false,"lhs":"smalti_declare","value":{"binary":"1","width":1}},
            {"stepType":"assignment","hidden":false,"lhs":"a$array_size","value":{"binary":"1","width":1}},
            {"stepType":"assignment","hidden":false,"lhs":"a","value":{"name":"array","elements":[]}},
            {"stepType":"assignment","hidden":false,"lhs":"a","value":{"binary":"1","width":1}},
            {"stepType":"failure","hidden":false}]},
        {"description":"unwinding assertion loop 0","property":"main.unwind.0","status":"FAILURE","trace":[]}]},
        {"cProverStatus":"failure"}]"#;

    #[test]
    fn where_the_search_stops_at_a_failure_the_others_are_open() {
        let stopping = Query { stop_at_failure: true, ..query(&["a", "b"], false) };
        let failing = r#"[{"program":"CBMC"},{"description":"b","property":"main.assertion.2","status":"failed","trace":[
            {"stepType":"assignment","hidden":false,"lhs":"smalti_v","value":{"binary":"1","width":1}}]},{"cProverStatus":"failure"}]"#;
        let found = answer(failing, &stopping).unwrap();
        assert!(matches!(&found.properties["b"], PropertyAnswer::Fails(t) if t.steps.len() == 1), "{found:?}");
        assert!(matches!(found.properties["a"], PropertyAnswer::Open(_)), "{found:?}");
        let none = answer(r#"[{"program":"CBMC"},{"cProverStatus":"success"}]"#, &stopping).unwrap();
        assert_eq!(none.properties["a"], PropertyAnswer::Holds);
        // A failure without a property is not a success.
        let unnamed = answer(r#"[{"program":"CBMC"},{"cProverStatus":"failure"}]"#, &stopping).unwrap();
        assert!(matches!(unnamed.properties["a"], PropertyAnswer::Open(_)), "{unnamed:?}");
        // The query did not ask to stop at a failure, so all properties must be there.
        assert!(answer(failing, &query(&["a", "b"], false)).is_err());
    }

    #[test]
    fn a_trace_keeps_visible_steps_of_our_variables_and_announced_declarations() {
        let found = answer(TWO, &query(&["a", "b"], true)).unwrap();
        let step = |target: &str, value| TraceStep { target: target.into(), value };
        let steps = vec![
            step("smalti_v", TraceValue::Bits(5)),
            step(DECLARE, TraceValue::Bits(1)),
            step("a", TraceValue::Array(BTreeMap::new())),
        ];
        assert_eq!(found.properties["b"], PropertyAnswer::Fails(Trace { steps }));
        assert_eq!(found.properties["a"], PropertyAnswer::Holds);
    }

    #[test]
    fn a_failed_unwinding_assertion_is_no_violation_and_leaves_the_answer_incomplete() {
        let found = answer(TWO, &query(&["a", "b"], true)).unwrap();
        assert!(!found.complete);
        assert_eq!(found.properties.len(), 2);
    }

    #[test]
    fn without_unwinding_assertions_nothing_is_complete() {
        let text = r#"[{"result":[{"description":"a","property":"main.assertion.1","status":"SUCCESS"}]}]"#;
        assert!(!answer(text, &query(&["a"], false)).unwrap().complete);
        assert!(answer(text, &query(&["a"], true)).unwrap().complete);
    }

    #[test]
    fn a_missing_or_unknown_property_is_a_failure() {
        assert!(answer(TWO, &query(&["a", "b", "c"], true)).is_err());
        assert!(answer(TWO, &query(&["a"], true)).is_err());
        assert!(answer(r#"[{"cProverStatus":"success"}]"#, &query(&["a"], true)).is_err());
    }

    #[test]
    fn every_prefix_of_a_document_is_a_failure() {
        for end in 0..TWO.len() {
            assert!(read(&mut &TWO.as_bytes()[..end]).is_err(), "the first {end} bytes");
        }
    }

    #[test]
    fn one_name_at_two_places_fails_if_one_of_them_does() {
        let text = r#"[{"result":[{"description":"a","property":"f.assertion.1","status":"FAILURE"},
            {"description":"a","property":"f.assertion.2","status":"SUCCESS"}]}]"#;
        let found = answer(text, &query(&["a"], true)).unwrap();
        assert!(matches!(found.properties["a"], PropertyAnswer::Fails(_)));
    }

    #[test]
    fn values_of_arrays_and_structs_are_kept() {
        let text = r#"{"name":"array","elements":[{"index":1,"value":{"name":"struct","members":
            [{"name":"x","value":{"binary":"1"}},{"name":"p","value":{"name":"pointer","data":"NULL"}}]}}]}"#;
        let value: TraceValue = serde_json::from_str(text).unwrap();
        let members = [("x".to_owned(), TraceValue::Bits(1)), ("p".to_owned(), TraceValue::Other)];
        assert_eq!(value, TraceValue::Array([(1, TraceValue::Struct(members.into()))].into()));
    }
}
