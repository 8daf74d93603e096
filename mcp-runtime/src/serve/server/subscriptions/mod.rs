//! Notices about changes of lists and resources, for the clients that want them.
//!
//! In a session, a client gets notices about every list that can change, and about the resources that it named in
//! `resources/subscribe`. Since 2026-07-28 a client gets exactly what it named in `subscriptions/listen`.
//!
//! The cost of a change does not depend on the number of clients that wait for it: the change marks its topic, and a
//! task notifies the subscribers. Each subscriber gets at least one notice after every change, and changes that follow
//! each other closely become one notice. A client that reads slowly does not delay other clients, and no queue grows:
//! the client's next notice of a topic waits until the client has read its earlier notices.

pub(crate) mod deliver;
mod filter;
mod listen;
mod session;
pub(crate) mod subscriber;
mod table;
pub(crate) mod topic;

use std::{
    convert::Infallible,
    pin::Pin,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU16, Ordering},
    },
};

use serde_json::{Map, Value, json};
use tokio::{
    runtime::Handle,
    sync::{Notify, watch},
};

use self::{filter::Filter, subscriber::Subscriber, table::SubscriptionTable, topic::Topic};
use super::core::{
    pending_call::RequestReply,
    service::{Extension, RequestContext},
};
use crate::{
    base::mutex::Mutex,
    engine::call::{
        Call, MessageSink,
        operation::Operation,
        request::{Caller, Session},
    },
    wire::protocol::{error::RpcError, revision::Revision},
};

/// The subscriptions of all clients of a server.
#[derive(Default)]
pub(crate) struct Subscriptions {
    table: Mutex<SubscriptionTable>,
    /// Wakes the task that delivers notices.
    changed: Notify,
    /// The lists that can change: a bit for each [`Operation`].
    changing: AtomicU16,
    /// Counts how often the set of resources with subscribers has changed.
    watched: watch::Sender<u64>,
    /// Set if the server has tasks.
    pub(crate) follow_tasks: OnceLock<FollowTasks>,
}

/// Finds the tasks with these ids that belong to the caller. Returns their ids, and the future that sends a notice to the
/// subscriber whenever one of these tasks has changed.
pub(crate) type FollowTasks = fn(Call, Vec<String>, Arc<Subscriber>) -> BoxFuture<(Vec<String>, BoxFuture<Infallible>)>;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A subscriber and its topics. Dropping this value ends the subscription.
pub(super) struct Subscription {
    of: Arc<Subscriptions>,
    subscriber: Arc<Subscriber>,
    /// The topics, and the size of their URIs.
    topics: Mutex<Filter>,
    /// The place of the subscription among those that count against limits. A session that names no resources has none.
    place: Mutex<Option<u64>>,
}

impl Subscriptions {
    /// Declares that the items that requests of this kind call can change.
    pub(crate) fn allow(&self, kind: Operation) {
        self.changing.fetch_or(1 << kind as u16, Ordering::AcqRel);
    }

    /// Tells the subscribers of the topic that the topic has changed. Call this method after the change is visible.
    pub(crate) fn change(self: &Arc<Self>, topic: &Topic) {
        let mut table = self.table.lock();
        let Some(runtime) = table.change(topic) else { return };
        let is_delivering = std::mem::replace(&mut table.is_delivering, true);
        drop(table);
        if is_delivering {
            self.changed.notify_one();
        } else {
            runtime.spawn(self.deliver(Vec::new()));
        }
    }

    /// Returns a number that changes whenever the set of the resources changes that clients have subscribed to.
    #[cfg(feature = "remote")]
    pub(crate) fn watched_changes(&self) -> watch::Receiver<u64> {
        self.watched.subscribe()
    }

    /// Returns the URIs of the resources that clients have subscribed to.
    #[cfg(feature = "remote")]
    pub(crate) fn watched_resources(&self) -> Vec<Arc<str>> {
        self.table.lock().resources().cloned().collect()
    }

    /// Notes that clients may have subscribed to other resources.
    fn set_watched_changed(&self) {
        self.watched.send_modify(|count| *count += 1);
    }

    /// Creates a subscriber without topics.
    fn subscriber(self: &Arc<Self>, sink: Arc<dyn MessageSink>, id: Option<Box<str>>, runtime: Handle) -> Subscription {
        let number = self.table.lock().next_number();
        let subscriber = Arc::new(Subscriber::new(number, sink, id, runtime));
        Subscription { of: Arc::clone(self), subscriber, topics: Mutex::default(), place: Mutex::default() }
    }
}

impl Extension for Subscriptions {
    fn methods(&self) -> &'static [&'static str] {
        &["subscriptions/listen", "resources/subscribe", "resources/unsubscribe"]
    }

    fn can_change(&self, kind: Operation) -> bool {
        self.changing.load(Ordering::Acquire) & (1 << kind as u16) != 0
    }

    fn declare(&self, context: RequestContext<'_>, _: Revision, capabilities: &mut Map<String, Value>) {
        for (kind, name, members) in [
            (Operation::CallTool, "tools", json!({ "listChanged": true })),
            (Operation::GetPrompt, "prompts", json!({ "listChanged": true })),
            (Operation::ReadResource, "resources", json!({ "subscribe": true, "listChanged": true })),
        ] {
            if self.can_change(kind) && context.can_get_notices() {
                capabilities.insert(name.into(), members);
            }
        }
    }

    fn answer<'a>(self: Arc<Self>, context: RequestContext<'a>, caller: Caller) -> Result<RequestReply<'a>, RpcError> {
        let is_modern = caller.revision().is_modern();
        match context.method {
            _ if !context.can_get_notices() => Err(RpcError::method_not_found(context.method)),
            "subscriptions/listen" if is_modern => self.listen(context, caller),
            "resources/subscribe" | "resources/unsubscribe"
                if !is_modern && self.can_change(Operation::ReadResource) =>
            {
                self.set_watched(context, &caller)
            }
            _ => Err(RpcError::method_not_found(context.method)),
        }
    }

    fn session_began(self: Arc<Self>, session: &Session, sink: &Arc<dyn MessageSink>, runtime: &Handle) {
        self.begin_session(session, sink, runtime);
    }

    fn stream_opened(self: Arc<Self>, session: &Session) {
        if let Some(subscription) = Subscription::of_session(session) {
            self.flush_later(&subscription.subscriber);
        }
    }

    fn end_notices(&self, sink: &Arc<dyn MessageSink>) {
        self.end_where(|subscriber| subscriber.sends_to(sink));
    }

    fn end_all_notices(&self) {
        self.table.lock().is_over = true;
        self.end_where(|_| true);
    }
}

impl Subscriptions {
    /// Checks that the caller may read this resource, if the server has it.
    fn check_scopes(context: RequestContext<'_>, uri: &str) -> Result<(), RpcError> {
        let resource = context.server.find_resource(uri);
        resource.map_or(Ok(()), |resource| resource.check_scopes(context.peer))
    }

    fn end_where(&self, is_meant: impl Fn(&Subscriber) -> bool) {
        let listening: Vec<_> = self.table.lock().listening().cloned().collect();
        listening.iter().filter(|subscriber| is_meant(subscriber)).for_each(|subscriber| subscriber.end());
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscriber.end();
        let mut table = self.of.table.lock();
        for topic in self.topics.lock().topics() {
            table.unsubscribe(&self.subscriber, topic);
        }
        if let Some(place) = *self.place.lock() {
            table.held.remove(place);
        }
        drop(table);
        self.of.set_watched_changed();
    }
}
