//! JSON documents that must be valid under a JSON schema.

use boon::{Compiler, Schemas};
use serde_json::Value;

/// Holds a document against a schema. Formats, such as those of dates and URIs, count.
///
/// # Errors
/// Where the document breaks the schema, a line for each place.
pub(crate) fn valid(schema: &Value, document: &Value) -> Result<(), String> {
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.enable_format_assertions();
    compiler.add_resource("schema.json", schema.clone()).expect("a place for the schema");
    let schema = compiler.compile("schema.json", &mut schemas).expect("the schema is one");
    schemas.validate(document, schema).map_err(|e| format!("{e:#}"))
}
