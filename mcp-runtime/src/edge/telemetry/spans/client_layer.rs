//! The layer that forwards the events of a tool to the client of the call.

use std::{cell::Cell, error::Error, fmt::Debug, sync::Weak};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use tracing::{
    Event, Id, Metadata, Subscriber,
    field::{Field, Visit},
    span::Attributes,
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

use super::{CALL, making};
use crate::{base::error::chain, engine::call::CallState, wire::protocol::level::Level};

/// A layer that forwards `tracing` events to the client. If an event is inside a call, the client of that call gets the
/// event as a log message. Other layers still get the event.
///
/// ```
/// use mcp_runtime::prelude::*;
/// use tracing_subscriber::prelude::*;
///
/// /// Weigh an animal.
/// #[mcp_tool(read_only)]
/// async fn weigh(animal: String) -> Text<u32> {
///     tracing::info!(animal, "on the scales");
///     Text(7)
/// }
///
/// # use mcp_runtime::Server;
/// # fn main() {
/// let operator = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
/// let subscriber = tracing_subscriber::registry().with(operator).with(mcp_runtime::telemetry::client_layer());
/// // A program writes `subscriber.init();`.
/// # let _guard = subscriber.set_default();
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// # let mut client = Server::new("zoo", "1.0.0").tools(tools![weigh]).build().unwrap().memory();
/// # client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weigh","arguments":{"animal":"cat"},
/// #     "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
/// #     "io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}}"#).await;
/// # let message = client.receive().await.unwrap();
/// # assert!(message.contains(r#""data":{"message":"on the scales","animal":"cat"}"#), "{message}");
/// # });
/// # }
/// ```
///
/// The client gets only messages of its log level and above. In a session, the log level is `info` until the client
/// sets another. Since 2026-07-28, the request sets the log level. The logger of a message is the event's target. The
/// data of a message is the text of the event. If the event has fields, the data is an object with the fields, and with
/// the text as `message`. Events of the levels `TRACE` and `DEBUG` have the level `debug`.
///
/// The layer ignores events of this crate and of tokio, events outside of a call, and events after the call's end. A
/// task that the tool spawns is inside the call if it has the call's span: `tokio::spawn(work.in_current_span())`
/// (`tracing::Instrument`). Put no secrets into events.
///
/// The layer finds the call of an event by the call's span `mcp.call`, which has the level `ERROR` and a target in
/// `mcp_runtime`. If a filter for all layers hides this target, the client gets no events. Give each other layer its
/// own filter instead (`with_filter`), or allow `mcp_runtime=error`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientLayer {
    _private: (),
}

/// Returns the layer that forwards events to the client. See [`ClientLayer`].
pub fn client_layer() -> ClientLayer {
    ClientLayer::default()
}

/// A weak reference to a call, which is stored in the extensions of the call's span.
struct CallOf(Weak<CallState>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for ClientLayer {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().name() != CALL {
            return;
        }
        if let (Some(call), Some(span)) = (making(), context.span(id)) {
            span.extensions_mut().replace(CallOf(call));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        if is_machinery(metadata.target()) {
            return;
        }
        let Some(_forwarding) = Forwarding::begin() else { return };
        let Some(mut scope) = context.event_scope(event) else { return };
        let call = scope.find_map(|span| span.extensions().get().map(|CallOf(call)| Weak::clone(call)));
        if let Some(call) = call.and_then(|call| call.upgrade()) {
            call.log(level(metadata), &logger(event), &Data(event));
        }
    }
}

/// Whether an event comes from the code that sends log messages. Forwarding such an event would cause new events
/// without end.
fn is_machinery(target: &str) -> bool {
    // Tokio's instrumentation uses the targets `tokio` and `runtime`.
    let crates = ["mcp_runtime", "tokio", "runtime"];
    crates.iter().any(|name| target.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::")))
}

/// A guard against recursion. While it exists, no event is forwarded, because the `Debug` of a field can emit events.
struct Forwarding;

thread_local! {
    static FORWARDING: Cell<bool> = const { Cell::new(false) };
}

impl Forwarding {
    fn begin() -> Option<Self> {
        (!FORWARDING.replace(true)).then_some(Self)
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        FORWARDING.set(false);
    }
}

fn level(metadata: &Metadata<'_>) -> Level {
    match *metadata.level() {
        tracing::Level::ERROR => Level::Error,
        tracing::Level::WARN => Level::Warning,
        tracing::Level::INFO => Level::Info,
        _ => Level::Debug,
    }
}

/// Returns the target of an event. If the event comes from the crate `log`, the target is in a field.
fn logger(event: &Event<'_>) -> String {
    let target = event.metadata().target();
    let own = (target == "log").then(|| Fields::of(event).log_target).flatten();
    own.unwrap_or_else(|| target.to_owned())
}

/// The data of a log message. The fields of the event are read only when the data is serialized.
struct Data<'a>(&'a Event<'a>);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Fields { message, mut others, .. } = Fields::of(self.0);
        match message {
            Some(message) if others.is_empty() => message.serialize(serializer),
            None => others.serialize(serializer),
            Some(message) => {
                others.shift_insert(0, "message".to_owned(), message);
                others.serialize(serializer)
            }
        }
    }
}

/// An event's message and its other fields, in order.
#[derive(Default)]
struct Fields {
    message: Option<Value>,
    others: Map<String, Value>,
    log_target: Option<String>,
}

impl Fields {
    fn of(event: &Event<'_>) -> Self {
        let mut fields = Self::default();
        event.record(&mut fields);
        fields
    }

    fn put(&mut self, field: &Field, value: Value) {
        match field.name() {
            "message" => self.message = Some(value),
            "log.target" => self.log_target = value.as_str().map(ToOwned::to_owned),
            // The source location of a record of the `log` crate.
            name if name.starts_with("log.") => {}
            name => drop(self.others.insert(name.to_owned(), value)),
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, json!(value));
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        self.put(field, chain(value).into());
    }
}
