//! A question of a call, as the timeline of the call shows it.

use std::{borrow::Cow, sync::Arc};

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
    /// The URI of the view that can show the question instead of a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
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
    pub(crate) view: Option<Cow<'a, str>>,
    pub(crate) rejected: Option<Cow<'a, str>>,
}

/// The question of a call that waits for its answer: the event that shows the question, and the places of the question's
/// parts in the event. So the text is not scanned for each answer. The values of the parts would need several times as
/// much memory while the call waits.
#[derive(Default)]
pub(crate) struct ShownQuestion {
    pub(crate) seq: u32,
    mode: QuestionMode,
    event: Arc<str>,
    parts: QuestionParts,
}

/// The places of the parts of a question.
#[derive(Default)]
pub(crate) struct QuestionParts {
    key: TextPlace,
    form: TextPlace,
    message: TextPlace,
    url: TextPlace,
    view: TextPlace,
    rejected: TextPlace,
    schema: TextPlace,
    handoff: TextPlace,
}

/// The place of a JSON value in a text. Empty for an absent value.
#[derive(Clone, Copy, Default)]
struct TextPlace {
    start: usize,
    end: usize,
}

impl ShownQuestion {
    /// Returns a question whose event has just been written.
    pub(crate) fn new(question: &QuestionText<'_>, event: Arc<str>, parts: QuestionParts) -> Self {
        Self { seq: question.seq, mode: question.mode, event, parts }
    }

    /// Reads the event of a question. Returns `None` if the event has no question.
    pub(crate) fn read(event: Arc<str>) -> Option<Self> {
        let mut read = None;
        let is_read = Scanner::new(&event).object(|event, name| match &*name {
            "question" => QuestionParts::read(event).map(|question| read = Some(question)),
            _ => event.value().map(drop),
        });
        let (seq, mode, parts) = is_read.ok().and(read)?;
        Some(Self { seq, mode, event, parts })
    }

    /// Returns the question with its schema and its handoff as text.
    pub(crate) fn text(&self) -> QuestionText<'_> {
        let Self { seq, mode, event, parts } = self;
        let json = |place: TextPlace| event.get(place.start..place.end).filter(|text| !text.is_empty());
        let string = |place| json(place).and_then(read_string);
        QuestionText {
            seq: *seq,
            key: string(parts.key).unwrap_or_default(),
            mode: *mode,
            form: string(parts.form),
            message: string(parts.message).unwrap_or_default(),
            schema: json(parts.schema),
            url: string(parts.url),
            handoff: json(parts.handoff),
            view: string(parts.view),
            rejected: string(parts.rejected),
        }
    }

    /// Returns the question with its values.
    pub(crate) fn parsed(&self) -> Option<PluginQuestion> {
        #[derive(Deserialize)]
        struct Elicit {
            question: PluginQuestion,
        }
        serde_json::from_str(&self.event).ok().map(|Elicit { question }| question)
    }
}

impl QuestionParts {
    /// Reads a question that [`push`](QuestionText::push) has written: its number, its mode, and the places of its parts.
    fn read(question: &mut Scanner<'_>) -> Result<(u32, QuestionMode, Self), NotJson> {
        let (mut seq, mut mode, mut parts) = (0, QuestionMode::Form, Self::default());
        question.object(|question, name| {
            let value = question.value()?;
            let place = TextPlace { start: question.at() - value.len(), end: question.at() };
            match &*name {
                "seq" => seq = value.parse().unwrap_or_default(),
                "mode" if value == r#""url""# => mode = QuestionMode::Url,
                "key" => parts.key = place,
                "form" => parts.form = place,
                "message" => parts.message = place,
                "url" => parts.url = place,
                "view" => parts.view = place,
                "rejected" => parts.rejected = place,
                "schema" => parts.schema = place,
                "handoff" => parts.handoff = place,
                _ => {}
            }
            Ok(())
        })?;
        Ok((seq, mode, parts))
    }
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
            "ui" => self.view = view_of(value),
            "mcp-runtime/form" => self.form = read_string(value),
            "mcp-runtime/rejected" => self.rejected = read_string(value),
            _ => {}
        }
        Ok(())
    }

    /// Appends the question as the JSON of a [`PluginQuestion`]. Returns the places of its parts.
    pub(crate) fn push(&self, out: &mut Vec<u8>) -> QuestionParts {
        let Self { seq, key, mode, form, message, schema, url, handoff, view, rejected } = self;
        out.extend_from_slice(br#"{"seq":"#);
        push_json(out, seq);
        out.extend_from_slice(match mode {
            QuestionMode::Form => br#","mode":"form""#.as_slice(),
            QuestionMode::Url => br#","mode":"url""#,
        });
        let mut parts = QuestionParts::default();
        let strings = [
            (r#","key":"#, Some(&**key), &mut parts.key),
            (r#","form":"#, form.as_deref(), &mut parts.form),
            (r#","message":"#, Some(&**message), &mut parts.message),
            (r#","url":"#, url.as_deref(), &mut parts.url),
            (r#","view":"#, view.as_deref(), &mut parts.view),
            (r#","rejected":"#, rejected.as_deref(), &mut parts.rejected),
        ];
        for (name, text, place) in strings {
            if let Some(text) = text {
                *place = push_member(out, name, |out| push_json_string(out, text));
            }
        }
        for (name, json, place) in
            [(r#","schema":"#, schema, &mut parts.schema), (r#","handoff":"#, handoff, &mut parts.handoff)]
        {
            if let Some(json) = json {
                *place = push_member(out, name, |out| out.extend_from_slice(json.as_bytes()));
            }
        }
        out.push(b'}');
        parts
    }
}

/// Returns the URI of the view in this value of `_meta.ui`.
fn view_of(ui: &str) -> Option<Cow<'_, str>> {
    let mut uri = None;
    let read = Scanner::new(ui).object(|ui, name| {
        let value = ui.value()?;
        if name == "resourceUri" {
            uri = read_string(value);
        }
        Ok(())
    });
    read.ok().and(uri)
}

/// Appends a member of an object. Returns the place of its value.
fn push_member(out: &mut Vec<u8>, name: &str, push_value: impl FnOnce(&mut Vec<u8>)) -> TextPlace {
    out.extend_from_slice(name.as_bytes());
    let start = out.len();
    push_value(out);
    TextPlace { start, end: out.len() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_question_is_read_as_it_was_written() {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let ui = json!({ "resourceUri": "ui://a/\"b\"", "other": {} });
        let meta =
            json!({ "mcp-runtime/form": "Pick", "ui": ui, "mcp-runtime/rejected": "too \"late\"", "other": [1] });
        let form = json!({ "mode": "form", "message": "a\nb", "requestedSchema": schema, "_meta": meta });
        let page = json!({ "mode": "url", "message": "open", "url": "https://a.example", "elicitationId": "1" });
        for (params, handoff) in [(form, Some(r#"{"x":[1,2.0]}"#)), (page, None)] {
            let params = params.to_string();
            let question = QuestionText::new(3, "pick#2", &params, handoff).unwrap();
            let mut event = br#"{"type":"elicit","question":"#.to_vec();
            let parts = question.push(&mut event);
            event.push(b'}');
            let event: Arc<str> = String::from_utf8(event).unwrap().into();
            let written = ShownQuestion::new(&question, Arc::clone(&event), parts);
            let restored = ShownQuestion::read(event).unwrap();
            let read = restored.text();
            assert_eq!(format!("{read:?}"), format!("{question:?}"));
            assert_eq!(format!("{:?}", written.text()), format!("{question:?}"));
            let shown = restored.parsed().unwrap();
            let PluginQuestion { seq, key, mode, form, message, schema, url, handoff, view, rejected } = shown;
            assert_eq!(view.as_deref(), read.view.as_deref());
            assert_eq!(view.is_some(), mode == QuestionMode::Form);
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
