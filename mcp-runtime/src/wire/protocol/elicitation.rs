//! Writes the `params` of `elicitation/create` for each revision.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{
    revision::Revision,
    text::{push_json_string, push_json_text},
};

/// Additional data about a form. The protocol does not define the data for applications.
#[derive(Clone, Copy, Default)]
pub(crate) struct FormMeta<'a> {
    /// For an application: the key of the form in its `#[elicits]` enum.
    pub(crate) form: Option<&'a str>,
    /// For an application: why the last answer was rejected.
    pub(crate) rejected: Option<&'a str>,
    /// The URI of the view that shows the form (SEP-3118).
    pub(crate) view: Option<&'a str>,
}

/// The name that the field `form` of [`FormMeta`] has in `_meta`.
pub(crate) const FORM: &str = "mcp-runtime/form";
pub(crate) const REJECTED: &str = "mcp-runtime/rejected";

/// Returns the `params` of a request to show a form.
pub(crate) fn form_params(
    revision: Revision,
    message: &str,
    schema: &RawValue,
    FormMeta { form, rejected, view }: FormMeta<'_>,
) -> Arc<str> {
    let mode = if revision.has_url_elicitation() { r#""mode":"form","# } else { "" };
    write(mode, message, |out| {
        out.push_str(r#","requestedSchema":"#);
        out.push_str(schema.get());
        if form.is_none() && view.is_none() {
            return;
        }
        out.push_str(r#","_meta":{"#);
        let members = [(FORM, form), (REJECTED, rejected)];
        let members = members.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let mut comma = "";
        for (name, value) in members {
            out.push_str(std::mem::replace(&mut comma, ","));
            push_json_text(out, name);
            out.push(':');
            push_json_text(out, value);
        }
        if let Some(view) = view {
            out.push_str(comma);
            out.push_str(r#""ui":{"resourceUri":"#);
            push_json_text(out, view);
            out.push('}');
        }
        out.push('}');
    })
}

/// Returns the `params` of a request to open a URL. Only clients of revisions with the mode `url` get this request.
pub(crate) fn url_params(message: &str, url: &str, id: Option<&str>) -> Arc<str> {
    write(r#""mode":"url","#, message, |out| {
        out.push_str(r#","url":"#);
        push_json_text(out, url);
        if let Some(id) = id {
            out.push_str(r#","elicitationId":"#);
            push_json_text(out, id);
        }
    })
}

/// Appends the `params` of `notifications/elicitation/complete`.
pub(crate) fn push_completed(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(br#"{"elicitationId":"#);
    push_json_string(out, id);
    out.push(b'}');
}

fn write(mode: &str, message: &str, rest: impl FnOnce(&mut String)) -> Arc<str> {
    let mut out = String::with_capacity(256);
    out.push('{');
    out.push_str(mode);
    out.push_str(r#""message":"#);
    push_json_text(&mut out, message);
    rest(&mut out);
    out.push('}');
    out.into()
}
