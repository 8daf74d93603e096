//! The `params` of `elicitation/create`, as each revision knows them.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{revision::Revision, text::push_json_string};

/// In the order of the specification's examples.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    requested_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elicitation_id: Option<&'a str>,
}

/// A form.
pub(crate) fn form_params(revision: Revision, message: &str, schema: &RawValue) -> Arc<RawValue> {
    let mode = revision.has_url_elicitation().then_some("form");
    Params { mode, message, requested_schema: Some(schema), url: None, elicitation_id: None }.to_json()
}

/// A page to be opened. Only revisions that know this mode have clients that declare it.
pub(crate) fn url_params(message: &str, url: &str, id: Option<&str>) -> Arc<RawValue> {
    Params { mode: Some("url"), message, requested_schema: None, url: Some(url), elicitation_id: id }.to_json()
}

/// The `params` of `notifications/elicitation/complete`.
pub(crate) fn push_completed(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(br#"{"elicitationId":"#);
    push_json_string(out, id);
    out.push(b'}');
}

impl Params<'_> {
    fn to_json(&self) -> Arc<RawValue> {
        to_raw_value(self).expect("text and JSON text can be written").into()
    }
}
