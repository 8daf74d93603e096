//! `subscriptions/listen`: a request that stays open while the client wants notices (since 2026-07-28).

use std::{future::poll_fn, mem::take, pin::pin, sync::Arc, task::Poll};

use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::{Subscription, Subscriptions, filter::Filter, table::ClientKey, topic::push_subscription_id};
use crate::{
    engine::call::{
        Call,
        call_target::CallTarget,
        observer::observer,
        operation::Operation,
        request::{Caller, Request},
        round_observer::RoundObserver as _,
        running::Running,
    },
    serve::server::core::{
        pending_call::{PendingCall, RequestReply},
        service::{Extension as _, Inner, RequestContext},
    },
    wire::protocol::{
        capability::{Capabilities, Capability},
        error::RpcError,
        frame::{Frame, push_json},
        result::{CallToolResult, OtherResult, push_meta},
        revision::Revision,
    },
};

/// The item that a request of `subscriptions/listen` runs, as a call runs its tool.
struct Listening;

/// The result of a subscription that the server has ended. It contains the id of the request, as JSON.
#[derive(Debug)]
struct ListenResult(Value);

impl Subscriptions {
    /// Answers `subscriptions/listen`: begins a call that lasts as long as the subscription.
    pub(super) fn listen<'a>(
        self: Arc<Self>,
        context: RequestContext<'a>,
        caller: Caller,
    ) -> Result<RequestReply<'a>, RpcError> {
        let RequestContext { server, peer, id, params, .. } = context;
        let filter = Filter::read(params.text, |topic| self.can_change(topic.kind()))?;
        check_tasks(&filter, server, &caller)?;
        filter.resources().try_for_each(|uri| Self::check_scopes(context, uri))?;
        let client = ClientKey::new(peer.owner.as_ref(), &peer.sink);
        let mut amount = filter.amount();
        // The id is kept in two places.
        amount.bytes = amount.bytes.saturating_add(2 * id.as_json().len());
        let subscription = self.subscriber(Arc::clone(&peer.sink), Some(id.as_json().into()), Handle::current());
        let most = server.settings.limits.subscriptions;
        let place = self.table.lock().begin_listening(&client, &subscription.subscriber, amount, most)?;
        *subscription.place.lock() = Some(place);
        let result = ListenResult(serde_json::from_str(id.as_json()).unwrap_or_default());
        let call = Call::new(Arc::clone(server) as _, Arc::new(Listening), Request::new(caller, None, peer));
        let state = Arc::clone(&call.0);
        let watch = observer().call(&state, 0);
        let calling = Box::pin(async move {
            subscription.listen(filter, call).await;
            Ok(CallToolResult::other(result))
        });
        Ok(RequestReply::Pending(PendingCall::First(Running::new(calling, None, state, Vec::new(), watch), "".into())))
    }
}

/// Checks that a client that names tasks declares the tasks extension. A server without tasks ignores them.
fn check_tasks(filter: &Filter, server: &Inner, caller: &Caller) -> Result<(), RpcError> {
    if filter.tasks.is_empty() || caller.client().supports(Capability::Tasks) {
        return Ok(());
    }
    if server.has_method("tasks/get") {
        return Err(RpcError::missing_capability("subscription to tasks", Capabilities::of(&[Capability::Tasks])));
    }
    Ok(())
}

impl Subscription {
    /// Sends notices until the server ends the subscription.
    async fn listen(&self, mut filter: Filter, call: Call) {
        let ids = take(&mut filter.tasks);
        let mut following = match self.of.follow_tasks.get() {
            Some(follow) if !ids.is_empty() => {
                let (found, following) = follow(call, ids, Arc::clone(&self.subscriber)).await;
                filter.tasks = found;
                Some(following)
            }
            _ => {
                drop(call);
                None
            }
        };
        self.open(filter);
        let mut ended = pin!(self.subscriber.wait_for_end());
        poll_fn(|cx| {
            if let Some(Poll::Ready(never)) = following.as_mut().map(|following| following.as_mut().poll(cx)) {
                match never {}
            }
            ended.as_mut().poll(cx)
        })
        .await;
    }

    /// Adds the topics of `filter`, and sends the acknowledgement before any notice.
    fn open(&self, filter: Filter) {
        let id = self.subscriber.id();
        let acknowledged = Frame::notification("notifications/subscriptions/acknowledged", |out| {
            out.extend_from_slice(br#"{"notifications":"#);
            push_json(out, &filter.to_json());
            out.push(b',');
            push_subscription_id(out, id);
            out.push(b'}');
        });
        self.subscriber.open(acknowledged, || {
            let mut table = self.of.table.lock();
            filter.topics().for_each(|topic| table.subscribe(&self.subscriber, topic.clone()));
        });
        *self.topics.lock() = filter;
        self.of.set_watched_changed();
    }
}

impl CallTarget for Listening {
    fn name(&self) -> &str {
        "subscriptions/listen"
    }

    fn operation(&self) -> Operation {
        Operation::Listen
    }
}

impl OtherResult for ListenResult {
    fn push(&self, out: &mut Vec<u8>, revision: Revision, server_info: &str) {
        let mut meta = Map::new();
        meta.insert("io.modelcontextprotocol/subscriptionId".into(), self.0.clone());
        out.extend_from_slice(br#"{"resultType":"complete""#);
        push_meta(out, Some(&meta), revision, server_info);
        out.push(b'}');
    }
}
