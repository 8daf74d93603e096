//! A layer that records spans and events.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Id, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// All spans so far in the order of their creation, and all events so far.
#[derive(Clone, Default)]
pub(crate) struct Seen(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    spans: Vec<Span>,
    events: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Span {
    id: Id,
    pub(crate) name: &'static str,
    /// The name of the span that contains the event.
    pub(crate) within: Option<&'static str>,
    pub(crate) fields: Fields,
    pub(crate) closed: bool,
}

pub(crate) type Fields = BTreeMap<&'static str, String>;

impl Seen {
    pub(crate) fn spans(&self, name: &str) -> Vec<Span> {
        self.0.lock().unwrap().spans.iter().filter(|span| span.name == name).cloned().collect()
    }

    /// Returns the fields of the last span with this name.
    pub(crate) fn last(&self, name: &str) -> Fields {
        self.spans(name).pop().expect("there is one").fields
    }

    pub(crate) fn events(&self) -> Vec<String> {
        self.0.lock().unwrap().events.clone()
    }

    /// Returns the whole recording as text.
    pub(crate) fn text(&self) -> String {
        let kept = self.0.lock().unwrap();
        format!("{:?}\n{:?}", kept.spans, kept.events)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).unwrap();
        let mut fields = Fields::new();
        attributes.record(&mut Into(&mut fields));
        let within = span.parent().map(|parent| parent.name());
        let seen = Span { id: id.clone(), name: span.name(), within, fields, closed: false };
        self.0.lock().unwrap().spans.push(seen);
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, _: Context<'_, S>) {
        let mut kept = self.0.lock().unwrap();
        let span = kept.spans.iter_mut().rev().find(|span| span.id == *id).unwrap();
        record.record(&mut Into(&mut span.fields));
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Into(&mut fields));
        self.0.lock().unwrap().events.push(format!("{}: {fields:?}", event.metadata().level()));
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        let mut kept = self.0.lock().unwrap();
        kept.spans.iter_mut().rev().find(|span| span.id == id).unwrap().closed = true;
    }
}

struct Into<'a>(&'a mut Fields);

impl Visit for Into<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}
