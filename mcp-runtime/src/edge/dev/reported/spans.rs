//! Reports the spans of requests.

use std::{
    fmt::Debug,
    io::{self, Write as _},
    time::Instant,
};

use tracing::{
    Event, Id, Level, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span::{Attributes, Record},
};
use tracing_subscriber::{
    Layer, Registry,
    filter::{FilterExt as _, filter_fn},
    layer::{Context, SubscriberExt as _},
    registry::LookupSpan,
};

use super::line::{short, write};
use crate::edge::dev::target::Reported;

/// The field of the span `mcp.request` that has the id of the request.
const REQUEST_ID: &str = "jsonrpc.request.id";

/// The largest number of fields that are reported of one span.
const MOST_FIELDS: usize = 64;

/// Returns the subscriber of a process in development mode.
pub(super) fn subscriber(log_level: Option<LevelFilter>) -> impl Subscriber + Send + Sync {
    let log = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
    let log = log_level.map(|level| log.with_filter(level));
    let faults = FaultLines.with_filter(filter_fn(|metadata| {
        metadata.is_event() && *metadata.level() == Level::ERROR && metadata.target() == "mcp_runtime"
    }));
    let spans = SpanReports.with_filter(LevelFilter::DEBUG.and(filter_fn(|metadata| metadata.is_span())));
    Registry::default().with(log_level.is_none().then_some(faults)).with(log).with(spans)
}

/// Writes the faults that the runtime reports, as it does in a process without a subscriber.
struct FaultLines;

impl<S: Subscriber> Layer<S> for FaultLines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = SpanFields::default();
        event.record(&mut fields);
        if let Some((_, message)) = fields.0.into_iter().find(|(name, _)| name == "message") {
            // Standard error may be closed.
            let _ = writeln!(io::stderr(), "{message}");
        }
    }
}

/// Reports each span inside of a request when the span closes.
struct SpanReports;

struct OpenSpan {
    since: Instant,
    fields: SpanFields,
}

#[derive(Default)]
struct SpanFields(Vec<(String, String)>);

impl SpanFields {
    fn put(&mut self, field: &Field, value: String) {
        let value = short(value);
        if let Some((_, known)) = self.0.iter_mut().find(|(name, _)| name == field.name()) {
            *known = value;
        } else if self.0.len() < MOST_FIELDS {
            self.0.push((field.name().to_owned(), value));
        }
    }

    fn request_id(&self) -> Option<&str> {
        self.0.iter().find_map(|(name, value)| (name == REQUEST_ID).then_some(&**value))
    }
}

impl Visit for SpanFields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for SpanReports {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = SpanFields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(OpenSpan { since: Instant::now(), fields });
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions_mut().get_mut::<OpenSpan>()
        {
            values.record(&mut open.fields);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else { return };
        let request = span.scope().find_map(|span| {
            let extensions = span.extensions();
            extensions.get::<OpenSpan>()?.fields.request_id().map(as_json)
        });
        let Some(OpenSpan { since, fields }) = span.extensions_mut().remove() else { return };
        if request.is_some() {
            let took = since.elapsed().as_secs_f64() * 1000.0;
            write(&Reported::Span { request, name: span.name().to_owned(), took, fields: fields.0 });
        }
    }
}

/// Returns the id of a request as JSON text. The field of the span has no quotes around a string.
fn as_json(id: &str) -> String {
    match id.parse::<i64>() {
        Ok(_) => id.to_owned(),
        Err(_) => serde_json::Value::from(id).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_requests_are_json() {
        assert_eq!(as_json("7"), "7");
        assert_eq!(as_json("a\"b"), r#""a\"b""#);
    }
}
