//! SARIF, the Static Analysis Results Interchange Format, version 2.1.0 (OASIS standard, 27 March
//! 2020), which code hosts read.
//!
//! * Every obligation is a result. `kind` and `level` go together as section 3.27.10 has it: only
//!   what fails has a level.
//! * Fingerprints depend on the text of the obligation and not on its place, so they stay the same
//!   when lines move.
//! * A failing run is a code flow: inputs, calls, branches, in the order of the interpreter's
//!   replay.
//! * Assumptions and notes are notifications of the invocation.
//!
//! Columns count characters (`columnKind`), whereas the rest of smalti counts bytes.

use crate::program::{Location, ObligationKind, SourceMap};
use crate::verdict::{Counterexample, Decided, PathEvent, Report, Verdict};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Where relative paths start.
const ROOT: &str = "%SRCROOT%";
/// The name of the fingerprint. If it is computed in another way, it gets another number.
const FINGERPRINT: &str = "smaltiObligation/v1";
/// The bytes that a path of a URI has in an encoded form: all but the unreserved ones of RFC 3986,
/// section 2.3.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The largest number of inputs in a message. The code flow has more.
const MOST_INPUTS: usize = 10;

/// Facts about the run of smalti itself.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// The arguments of the command line.
    pub arguments: Vec<String>,
    /// The exit status.
    pub exit_code: u8,
    /// The start of the run, in the form of RFC 3339, in universal time.
    pub start: String,
    /// The end of the run.
    pub end: String,
    /// For each file of the report: its path relative to the root of the repository, or its
    /// absolute path if it lies elsewhere.
    pub relative: BTreeMap<String, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool,
    invocations: [InvocationObject<'r>; 1],
    original_uri_base_ids: BTreeMap<&'static str, BaseId>,
    artifacts: Vec<Artifact>,
    results: Vec<ResultObject>,
    column_kind: &'static str,
    properties: RunProperties<'r>,
}

#[derive(Serialize)]
struct BaseId {
    description: Message,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
    notifications: [NotificationRule; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Message,
    full_description: Message,
    help: Help,
    default_configuration: DefaultConfiguration,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct DefaultConfiguration {
    level: &'static str,
}

#[derive(Serialize)]
struct RuleProperties {
    tags: Vec<&'static str>,
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NotificationRule {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InvocationObject<'r> {
    arguments: &'r [String],
    execution_successful: bool,
    exit_code: u8,
    #[serde(skip_serializing_if = "str::is_empty")]
    start_time_utc: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    end_time_utc: &'r str,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    descriptor: Descriptor,
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Descriptor {
    id: &'static str,
    index: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    location: ArtifactLocation,
    roles: [&'static str; 1],
    source_language: &'static str,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultObject {
    rule_id: &'static str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [LocationObject; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    properties: ResultProperties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocationObject {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Message>,
}

#[derive(Serialize)]
struct LogicalLocation {
    name: String,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    message: Message,
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadFlowLocation {
    location: LocationObject,
    execution_order: usize,
    kinds: Vec<&'static str>,
    importance: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state: BTreeMap<String, Message>,
}

#[derive(Serialize)]
struct ResultProperties {
    obligation: String,
    verdict: Verdict,
    stage: String,
    detail: String,
    #[serde(rename = "timeMs")]
    time_ms: u64,
}

#[derive(Serialize)]
struct RunProperties<'r> {
    verdict: crate::verdict::Outcome,
    configuration: &'r BTreeMap<String, String>,
    statistics: &'r BTreeMap<String, u64>,
}

/// The report as one SARIF document, with a line feed at the end.
///
/// # Errors
/// None in practice; an error of the serialiser is passed on.
pub fn sarif(report: &Report, invocation: &Invocation) -> Result<String, serde_json::Error> {
    let writer = Writer { sources: &report.sources, invocation };
    let mut fingerprints = Fingerprints::default();
    let results = report.obligations.iter().map(|d| writer.result(d, &mut fingerprints)).collect();
    let notification = |index: usize, text: &str| Notification {
        descriptor: Descriptor { id: NOTIFICATIONS[index].0, index },
        level: NOTIFICATIONS[index].1,
        message: Message { text: text.to_owned() },
    };
    let assumed = report.assumptions.iter().map(|a| notification(0, &a.line()));
    let noted = report.notes.iter().map(|n| notification(1, n));
    let base = Message { text: "the root of the repository, or the folder in which smalti was started".into() };
    let version = env!("CARGO_PKG_VERSION");
    let driver = Driver {
        name: "smalti",
        version,
        semantic_version: version,
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: ObligationKind::ALL.into_iter().map(rule).collect(),
        notifications: NOTIFICATIONS
            .map(|(id, _, text)| NotificationRule { id, short_description: Message { text: text.into() } }),
    };
    let run = Run {
        tool: Tool { driver },
        invocations: [InvocationObject {
            arguments: &invocation.arguments,
            execution_successful: report.complete || !report.obligations.is_empty(),
            exit_code: invocation.exit_code,
            start_time_utc: &invocation.start,
            end_time_utc: &invocation.end,
            tool_execution_notifications: assumed.chain(noted).collect(),
        }],
        original_uri_base_ids: BTreeMap::from([(ROOT, BaseId { description: base })]),
        artifacts: report
            .files
            .iter()
            .map(|f| Artifact { location: writer.artifact(f), roles: ["analysisTarget"], source_language: "c" })
            .collect(),
        results,
        column_kind: "unicodeCodePoints",
        properties: RunProperties {
            verdict: report.outcome(),
            configuration: &report.configuration,
            statistics: &report.statistics,
        },
    };
    let mut text = serde_json::to_string_pretty(&Document { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    text.push('\n');
    Ok(text)
}

/// The kinds of notifications: id, level, description.
const NOTIFICATIONS: [(&str, &str, &str); 2] = [
    ("assumption", "note", "An assumption: proofs hold only where it holds."),
    ("note", "note", "Something that a reader of the results should know about the run."),
];

/// The rule of a kind of obligation.
fn rule(kind: ObligationKind) -> Rule {
    let rule = &kind.entry().rule;
    Rule {
        id: rule.id,
        name: rule.name,
        short_description: Message { text: rule.short.into() },
        full_description: Message { text: rule.full.into() },
        help: Help { text: rule.help, markdown: rule.markdown },
        default_configuration: DefaultConfiguration { level: "error" },
        properties: RuleProperties { tags: rule.tags.to_vec(), precision: "very-high", severity: "error" },
    }
}

/// Distinguishes obligations with the same text by their order.
#[derive(Default)]
struct Fingerprints(BTreeMap<(String, &'static str, String, String), usize>);

impl Fingerprints {
    /// White space and the place of the obligation do not matter.
    fn next(&mut self, uri: &str, rule: &'static str, function: &str, condition: &str) -> String {
        let condition = condition.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = (uri.to_owned(), rule, function.to_owned(), condition);
        let number = self.0.entry(key.clone()).or_default();
        *number += 1;
        let mut hash = Sha256::new();
        for part in [&key.0, key.1, &key.2, &key.3] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        let mut text = String::new();
        for byte in &hash.finalize()[..16] {
            let _ = write!(text, "{byte:02x}");
        }
        format!("{text}:{number}")
    }
}

struct Writer<'r> {
    sources: &'r SourceMap,
    invocation: &'r Invocation,
}

impl Writer<'_> {
    fn artifact(&self, name: &str) -> ArtifactLocation {
        let relative = self.invocation.relative.get(name).map(String::as_str);
        let path = relative.unwrap_or(name);
        let uri = encoded(path);
        if path.starts_with('/') {
            ArtifactLocation { uri: format!("file://{uri}"), uri_base_id: None }
        } else {
            ArtifactLocation { uri, uri_base_id: Some(ROOT) }
        }
    }

    fn physical(&self, at: Location, length: usize) -> PhysicalLocation {
        let line = self.sources.line(at);
        let start = (at.column as usize).checked_sub(1);
        // The number of characters before a byte. Every byte of a character counts as the
        // character.
        let column = |byte: usize| line.char_indices().take_while(|(n, _)| *n < byte).count() + 1;
        let known = start.filter(|s| *s < line.len());
        let region = Region {
            start_line: at.line.max(1),
            start_column: known.map(column),
            end_column: known.filter(|_| length > 0).map(|s| column((s + length).min(line.len()))),
            snippet: None,
        };
        let artifact_location = self.artifact(&self.sources.file(at.file).name);
        PhysicalLocation { artifact_location, region: (at.line > 0).then_some(region) }
    }

    fn result(&self, d: &Decided, fingerprints: &mut Fingerprints) -> ResultObject {
        let o = &d.obligation;
        let rule_index = ObligationKind::ALL.iter().position(|k| *k == o.kind).unwrap_or(0);
        let rule_id = o.kind.entry().rule.id;
        let (kind, level) = match d.verdict {
            Verdict::Violated => ("fail", "error"),
            Verdict::Unknown => ("open", "none"),
            Verdict::Proved | Verdict::Unreachable => ("pass", "none"),
        };
        let run = d.evidence.counterexample.as_ref();
        let place = super::Excerpt::new(self.sources, o.location, &o.condition);
        let at = Location { column: place.column, ..o.location };
        let mut physical_location = self.physical(at, place.length);
        if let Some(region) = physical_location.region.as_mut().filter(|_| !place.text.is_empty()) {
            region.snippet = Some(Message { text: place.text.clone() });
        }
        let fingerprint =
            fingerprints.next(&physical_location.artifact_location.uri, rule_id, &o.function, &o.condition);
        ResultObject {
            rule_id,
            rule_index,
            kind,
            level,
            message: Message { text: message(self.sources, d, run) },
            locations: [LocationObject {
                physical_location,
                logical_locations: vec![LogicalLocation { name: o.function.clone(), kind: "function" }],
                message: None,
            }],
            partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint)]),
            code_flows: run.map(|run| self.flow(d, run)).into_iter().collect(),
            properties: ResultProperties {
                obligation: o.id.clone(),
                verdict: d.verdict,
                stage: d.evidence.stage.to_string(),
                detail: d.detail(self.sources),
                time_ms: d.evidence.time_ms,
            },
        }
    }

    fn flow(&self, d: &Decided, run: &Counterexample) -> CodeFlow {
        let mut locations: Vec<ThreadFlowLocation> = Vec::new();
        let mut step = |at: Location, text: String, kinds: Vec<&'static str>, importance, state| {
            locations.push(ThreadFlowLocation {
                location: LocationObject {
                    physical_location: self.physical(at, 0),
                    logical_locations: Vec::new(),
                    message: Some(Message { text }),
                },
                execution_order: locations.len() + 1,
                kinds,
                importance,
                state,
            });
        };
        for s in &run.path {
            let which = |holds: bool| if holds { ("holds", "true") } else { ("does not hold", "false") };
            match &s.event {
                PathEvent::Input { target, value, .. } => {
                    let state = BTreeMap::from([(target.clone(), Message { text: value.to_string() })]);
                    step(s.location, format!("the input `{target}` is {value}"), vec!["taint"], "essential", state);
                }
                PathEvent::Call { function } => {
                    let text = format!("`{function}` is called");
                    step(s.location, text, vec!["call", "function"], "important", BTreeMap::new());
                }
                PathEvent::Branch { holds } => {
                    let (text, kind) = which(*holds);
                    let text = format!("the condition {text}");
                    step(s.location, text, vec!["branch", kind], "important", BTreeMap::new());
                }
                PathEvent::Loop { holds } => {
                    let text = if *holds { "the loop goes on" } else { "the loop ends" };
                    let kinds = vec!["branch", which(*holds).1];
                    step(s.location, text.into(), kinds, "unimportant", BTreeMap::new());
                }
            }
        }
        let o = &d.obligation;
        let text = format!("{} fails: `{}`", o.kind, o.condition);
        step(o.location, text, vec!["danger"], "essential", BTreeMap::new());
        let what = if run.shortened { "; not all of them are listed" } else { "" };
        let text = format!("A run that fails, replayed in {} statements{what}.", run.steps);
        CodeFlow { message: Message { text }, thread_flows: [ThreadFlow { locations }] }
    }
}

fn message(sources: &SourceMap, d: &Decided, run: Option<&Counterexample>) -> String {
    let o = &d.obligation;
    let about = format!("{} `{}` ({})", o.kind, o.condition, o.id);
    let detail = d.detail(sources);
    let by = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    match d.verdict {
        Verdict::Proved => format!("{about} is proved by {}{by}.", d.evidence.stage),
        Verdict::Unreachable => format!("{about} is never reached ({}{by}).", d.evidence.stage),
        Verdict::Unknown => format!("{about} is open{by}."),
        Verdict::Violated => {
            let inputs = run.map(|r| r.inputs.as_slice()).unwrap_or_default();
            let mut list: Vec<String> =
                inputs.iter().take(MOST_INPUTS).map(|i| format!("{} = {}", i.target, i.value)).collect();
            if inputs.len() > MOST_INPUTS {
                list.push(format!("and {} more", inputs.len() - MOST_INPUTS));
            }
            let with = if list.is_empty() { String::new() } else { format!(", with {}", list.join(", ")) };
            format!("{about} can fail{with}.")
        }
    }
}

/// A path as the path of a URI (RFC 3986, section 3.3), without `.` segments.
fn encoded(path: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (n, part) in path.split('/').enumerate() {
        if part == "." || (part.is_empty() && n > 0) {
            continue;
        }
        parts.push(utf8_percent_encode(part, ENCODED).to_string());
    }
    parts.join("/")
}
