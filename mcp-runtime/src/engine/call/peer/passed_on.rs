//! What a request passes on to other servers: its trace, and the number of servers on its way.

use serde_json::{Map, Value};

use crate::wire::protocol::{json::set, params::Meta, scan::read_string};

/// A request that has come through this many servers is not passed on: the servers probably call each other.
pub(crate) const MOST_HOPS: u8 = 8;

/// What a request passes on to other servers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassedOn {
    /// The number of servers that the request has come through, without this one.
    pub(crate) hops: u8,
    /// Boxed, because few requests belong to a trace.
    trace: Option<Box<PassedTrace>>,
}

/// The members of `_meta` that name the trace.
#[derive(Clone, Debug, Default)]
struct PassedTrace {
    traceparent: Option<String>,
    tracestate: Option<String>,
    baggage: Option<String>,
}

impl PassedOn {
    pub(crate) fn of(meta: &Meta<'_>) -> Self {
        let read = |text: Option<&str>| text.and_then(read_string).map(std::borrow::Cow::into_owned);
        let trace = meta.traceparent.map(|_| {
            let [traceparent, tracestate, baggage] = [meta.traceparent, meta.tracestate, meta.baggage].map(read);
            Box::new(PassedTrace { traceparent, tracestate, baggage })
        });
        // What is no small number has come through more servers than any request may.
        let hops = meta.hops.map_or(0, |hops| hops.parse().unwrap_or(MOST_HOPS));
        Self { hops, trace }
    }

    /// Returns what a request to another server has. Returns `None` if it must not be sent.
    pub(crate) fn next(&self) -> Option<Self> {
        (self.hops < MOST_HOPS).then(|| Self { hops: self.hops + 1, trace: self.trace.clone() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hops == 0 && self.trace.is_none()
    }

    /// Adds the members to the `_meta` of a request.
    pub(crate) fn add_to(&self, meta: &mut Map<String, Value>) {
        if self.hops > 0 {
            set(meta, "hops", self.hops.into());
        }
        for (name, value) in self.trace_members() {
            if let Some(value) = value {
                set(meta, name, value.into());
            }
        }
    }

    /// Returns the members that name the trace.
    pub(crate) fn trace_members(&self) -> [(&'static str, Option<&str>); 3] {
        let trace = self.trace.as_deref();
        let of = |member: fn(&PassedTrace) -> &Option<String>| trace.and_then(|trace| member(trace).as_deref());
        [
            ("traceparent", of(|trace| &trace.traceparent)),
            ("tracestate", of(|trace| &trace.tracestate)),
            ("baggage", of(|trace| &trace.baggage)),
        ]
    }
}
