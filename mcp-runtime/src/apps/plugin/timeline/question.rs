//! A question of a call, as the timeline of the call shows it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::protocol::{
    scan::{NotJson, Scanner, read_string},
    text::{push_json, push_json_string},
};

/// A question to the user that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PluginQuestion {
    /// The number of the question in its call, starting at 1. An answer must give this number.
    pub seq: u32,
    /// The key of the question, unique in its call, such as `confirm` or `confirm#2`.
    pub key: String,
    /// Whether the user fills in a form or opens a page.
    pub mode: QuestionMode,
    /// The key of the form in its `#[elicits]` enum. `None` if the user opens a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// The message above the form.
    pub message: String,
    /// The `requestedSchema` of the form, with the choices and defaults that the tool sets at run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The page to open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The value that the phase `before` has passed to the later phases, for a tool with `#[handoff]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Value>,
    /// Why the last answer to this question was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
}

/// What the user does to answer a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionMode {
    /// The user fills in a form.
    #[default]
    Form,
    /// The user opens a page in the browser.
    Url,
}

/// A [`PluginQuestion`] whose schema and handoff are JSON text, so that they are copied and not parsed.
#[derive(Debug, Default)]
pub(crate) struct QuestionText<'a> {
    pub(crate) seq: u32,
    pub(crate) key: Cow<'a, str>,
    pub(crate) mode: QuestionMode,
    pub(crate) form: Option<Cow<'a, str>>,
    pub(crate) message: Cow<'a, str>,
    pub(crate) schema: Option<&'a str>,
    pub(crate) url: Option<Cow<'a, str>>,
    pub(crate) handoff: Option<&'a str>,
    pub(crate) rejected: Option<Cow<'a, str>>,
}

impl<'a> QuestionText<'a> {
    /// Returns the question with this number as the timeline shows it. `params` are those of `elicitation/create`.
    ///
    /// # Errors
    /// Fails if the params cannot be read.
    pub(crate) fn new(seq: u32, key: &'a str, params: &'a str, handoff: Option<&'a str>) -> Result<Self, NotJson> {
        let mut question = Self { seq, key: key.into(), handoff, ..Self::default() };
        let mut is_page = false;
        Scanner::new(params).object(|params, name| {
            match &*name {
                "mode" => is_page = read_string(params.value()?).is_some_and(|mode| mode == "url"),
                "message" => question.message = read_string(params.value()?).unwrap_or_default(),
                "requestedSchema" => question.schema = Some(params.value()?),
                "url" => question.url = read_string(params.value()?),
                // See [`FormMeta`](crate::wire::protocol::elicitation::FormMeta).
                "_meta" => return params.object(|meta, name| question.read_meta(meta, &name)).map(drop),
                _ => drop(params.value()?),
            }
            Ok(())
        })?;
        question.url = question.url.filter(|_| is_page);
        if question.url.is_some() {
            question.mode = QuestionMode::Url;
        }
        Ok(question)
    }

    fn read_meta(&mut self, meta: &mut Scanner<'a>, name: &str) -> Result<(), NotJson> {
        let value = meta.value()?;
        match name {
            "mcp-runtime/form" => self.form = read_string(value),
            "mcp-runtime/rejected" => self.rejected = read_string(value),
            _ => {}
        }
        Ok(())
    }

    /// Reads a question that [`push`](Self::push) has written.
    ///
    /// # Errors
    /// Fails if the text is not JSON.
    pub(crate) fn read(question: &mut Scanner<'a>) -> Result<Self, NotJson> {
        let mut read = Self::default();
        question.object(|question, name| {
            let value = question.value()?;
            match &*name {
                "seq" => read.seq = value.parse().unwrap_or_default(),
                "key" => read.key = read_string(value).unwrap_or_default(),
                "mode" if value == r#""url""# => read.mode = QuestionMode::Url,
                "form" => read.form = read_string(value),
                "message" => read.message = read_string(value).unwrap_or_default(),
                "schema" => read.schema = Some(value),
                "url" => read.url = read_string(value),
                "handoff" => read.handoff = Some(value),
                "rejected" => read.rejected = read_string(value),
                _ => {}
            }
            Ok(())
        })?;
        Ok(read)
    }

    /// Appends the question as the JSON of a [`PluginQuestion`].
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        let Self { seq, key, mode, form, message, schema, url, handoff, rejected } = self;
        out.extend_from_slice(br#"{"seq":"#);
        push_json(out, seq);
        let mode = match mode {
            QuestionMode::Form => "form",
            QuestionMode::Url => "url",
        };
        let texts = [
            (r#","key":"#, Some(&**key)),
            (r#","mode":"#, Some(mode)),
            (r#","form":"#, form.as_deref()),
            (r#","message":"#, Some(&**message)),
            (r#","url":"#, url.as_deref()),
            (r#","rejected":"#, rejected.as_deref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                out.extend_from_slice(name.as_bytes());
                push_json_string(out, text);
            }
        }
        for (name, json) in [(r#","schema":"#, schema), (r#","handoff":"#, handoff)] {
            if let Some(json) = json {
                out.extend_from_slice(name.as_bytes());
                out.extend_from_slice(json.as_bytes());
            }
        }
        out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_question_is_read_as_it_was_written() {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let meta = json!({ "mcp-runtime/form": "Pick", "mcp-runtime/rejected": "too \"late\"", "other": [1] });
        let form = json!({ "mode": "form", "message": "a\nb", "requestedSchema": schema, "_meta": meta });
        let page = json!({ "mode": "url", "message": "open", "url": "https://a.example", "elicitationId": "1" });
        for (params, handoff) in [(form, Some(r#"{"x":[1,2.0]}"#)), (page, None)] {
            let params = params.to_string();
            let question = QuestionText::new(3, "pick#2", &params, handoff).unwrap();
            let mut text = Vec::new();
            question.push(&mut text);
            let text = String::from_utf8(text).unwrap();
            let read = QuestionText::read(&mut Scanner::new(&text)).unwrap();
            assert_eq!(format!("{read:?}"), format!("{question:?}"));
            let shown: PluginQuestion = serde_json::from_str(&text).unwrap();
            let PluginQuestion { seq, key, mode, form, message, schema, url, handoff, rejected } = shown;
            let json = |text: Option<&str>| text.map(|text| serde_json::from_str::<Value>(text).unwrap());
            assert_eq!((seq, &*key, mode, &*message), (3, "pick#2", read.mode, &*read.message));
            assert_eq!((form.as_deref(), url.as_deref()), (read.form.as_deref(), read.url.as_deref()));
            assert_eq!((schema, handoff), (json(read.schema), json(read.handoff)));
            assert_eq!(rejected.as_deref(), read.rejected.as_deref());
        }
    }

    #[test]
    fn the_url_of_a_form_is_not_a_page() {
        let question = QuestionText::new(1, "a", r#"{"mode":"form","message":"m","url":"https://a.example"}"#, None);
        let QuestionText { mode, url, .. } = question.unwrap();
        assert_eq!((mode, url), (QuestionMode::Form, None));
    }
}
