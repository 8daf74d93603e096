//! Notices for the clients of sessions, and `resources/subscribe`.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::{
    Subscription, Subscriptions,
    table::ClientKey,
    topic::{LISTS, Topic},
};
use crate::{
    base::owned::Amount,
    engine::call::{
        MessageSink,
        request::{Caller, Session},
    },
    serve::server::core::{
        pending_call::RequestReply,
        service::{Extension as _, RequestContext},
    },
    wire::protocol::{error::RpcError, frame::Frame, scan::read_string},
};

impl Subscriptions {
    /// Subscribes a session to all lists that can change.
    pub(super) fn begin_session(self: &Arc<Self>, session: &Session, sink: &Arc<dyn MessageSink>, runtime: &Handle) {
        session.notices.get_or_init(|| {
            let subscription = self.subscriber(Arc::clone(sink), None, runtime.clone());
            for kind in LISTS.into_iter().filter(|kind| self.can_change(*kind)) {
                // Cannot fail, because a subscription has no limit for lists.
                let _ = subscription.watch(Topic::List(kind), None);
            }
            Box::new(subscription)
        });
    }

    /// Answers `resources/subscribe` and `resources/unsubscribe`.
    pub(super) fn set_watched<'a>(
        self: &Arc<Self>,
        context: RequestContext<'a>,
        caller: &Caller,
    ) -> Result<RequestReply<'a>, RpcError> {
        let Caller::Legacy { session, .. } = caller else {
            return Err(RpcError::method_not_found(context.method));
        };
        let uri = read_string(context.params.uri()?);
        let uri = uri.ok_or_else(|| RpcError::invalid_params("`uri` must be a string"))?;
        if context.method == "resources/subscribe" {
            Self::check_scopes(context, &uri)?;
        }
        if !context.peer.remote {
            self.begin_session(session, &context.peer.sink, &Handle::current());
        }
        let Some(subscription) = Subscription::of_session(session) else {
            return Err(RpcError::invalid_request(
                "this session is older than the server's support for subscriptions; open a new session",
            ));
        };
        let topic = Topic::Resource((&*uri).into());
        match context.method {
            "resources/subscribe" => {
                let client = ClientKey::new(context.peer.owner.as_ref(), &context.peer.sink);
                subscription.watch(topic, Some(&client))?;
            }
            _ => subscription.unwatch(&topic),
        }
        self.set_watched_changed();
        Ok(RequestReply::Ready(Frame::result(context.id, |out| out.extend_from_slice(b"{}"))))
    }
}

impl Subscription {
    pub(super) fn of_session(session: &Session) -> Option<&Self> {
        session.notices.get()?.downcast_ref()
    }

    /// Adds a topic. A resource counts against the limits of `client`.
    fn watch(&self, topic: Topic, client: Option<&ClientKey>) -> Result<(), RpcError> {
        let mut topics = self.topics.lock();
        if !topics.add(topic.clone())? {
            return Ok(());
        }
        let mut table = self.of.table.lock();
        if let (Topic::Resource(uri), Some(client)) = (&topic, client) {
            let mut place = self.place.lock();
            let amounts = [topics.amount(), Amount::one(uri.len())];
            match table.watch_more(client, &self.subscriber, *place, amounts) {
                Ok(taken) => *place = Some(taken),
                Err(error) => {
                    topics.remove(&topic);
                    return Err(error);
                }
            }
        }
        table.subscribe(&self.subscriber, topic);
        Ok(())
    }

    fn unwatch(&self, topic: &Topic) {
        let mut topics = self.topics.lock();
        if topics.remove(topic) {
            let mut table = self.of.table.lock();
            table.unsubscribe(&self.subscriber, topic);
            if let Some(place) = *self.place.lock() {
                table.held.resize(place, topics.amount());
            }
            drop(table);
            self.subscriber.withdraw(topic);
        }
    }
}
