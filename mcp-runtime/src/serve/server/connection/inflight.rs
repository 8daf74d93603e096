//! The calls of a connection that have not ended yet.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::{
    base::mutex::Mutex,
    engine::call::{Call, CallState, MessageSink, body::Body},
    serve::server::core::reply_to::ReplyTo,
    wire::protocol::{
        error::RpcError,
        frame::Frame,
        id::{Id, RequestId},
        text::shortened,
    },
};

/// The calls in flight of a connection, by the ids of their requests. Only the code that removes a call from this table
/// may send its answer. When a call ends, its task removes the call and answers it. A cancellation removes the call and
/// sends no answer.
#[derive(Default)]
pub(crate) struct InFlight {
    calls: Mutex<CallTable>,
    empty: Notify,
}

#[derive(Default)]
struct CallTable {
    by_id: foldhash::HashMap<RequestId, CallInFlight>,
    /// The number of calls whose answer is being sent.
    answering: usize,
}

struct CallInFlight {
    call: Arc<CallState>,
    reply_to: ReplyTo,
    /// Where the answer goes. The request of the call has it too, but not while another call runs for it: a call that
    /// this request resumes.
    sink: Arc<dyn MessageSink>,
}

impl InFlight {
    /// Rejects a call whose id is in use.
    pub(super) fn admit(&self, id: &Id<'_>) -> Result<(), RpcError> {
        let calls = self.calls.lock();
        if calls.by_id.contains_key(id) {
            return Err(RpcError::invalid_request(format!(
                "the id {} belongs to a request in flight; use a new id",
                shortened(id.as_json())
            )));
        }
        Ok(())
    }

    pub(super) fn enter(&self, id: RequestId, call: Arc<CallState>, reply_to: ReplyTo, sink: Arc<dyn MessageSink>) {
        self.calls.lock().by_id.insert(id, CallInFlight { call, reply_to, sink });
    }

    /// Removes the call and answers it. If the call was cancelled, does nothing, because `id` can then belong to
    /// another call.
    pub(super) fn finish(&self, id: &RequestId, call: &Arc<CallState>, body: Body) {
        let mut calls = self.calls.lock();
        let Some(entry) = calls.by_id.remove(id) else { return };
        if !Arc::ptr_eq(&entry.call, call) {
            calls.by_id.insert(id.clone(), entry);
            return;
        }
        calls.answering += 1;
        drop(calls);
        if let Some(frame) = entry.reply_to.answer(id, body) {
            entry.sink.send(frame);
        }
        self.calls.lock().answering -= 1;
        self.empty.notify_waiters();
    }

    /// Ends a call without an answer. If a batch waited only for this call, sends the responses of the batch.
    pub(super) fn cancel(&self, id: &RequestId) {
        let Some(entry) = self.calls.lock().by_id.remove(id) else { return };
        self.empty.notify_waiters();
        entry.end(None);
    }

    /// Ends all calls, and answers each with `error`.
    pub(crate) fn refuse_all(&self, error: &RpcError) {
        let calls: Vec<_> = self.calls.lock().by_id.drain().collect();
        calls.into_iter().for_each(|(id, entry)| entry.end(Some(Frame::error(Some(&id), error))));
        self.empty.notify_waiters();
    }

    /// Returns the calls in flight.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().by_id.values().map(|entry| Call::of(Arc::clone(&entry.call))).collect()
    }

    /// Drops the calls that only wait for their client's answers.
    pub(super) fn cancel_parked(&self) {
        let calls = self.calls.lock();
        let parked = calls.by_id.iter().filter(|(_, entry)| entry.call.task.is_parked());
        let parked: Vec<_> = parked.map(|(id, _)| id.clone()).collect();
        drop(calls);
        parked.iter().for_each(|id| self.cancel(id));
    }

    pub(super) fn cancel_all(&self) {
        self.calls.lock().by_id.drain().for_each(|(_, entry)| entry.stop());
        self.empty.notify_waiters();
    }

    pub(crate) async fn wait_until_empty(&self) {
        loop {
            let notified = self.empty.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if self.is_empty() {
                return;
            }
            notified.await;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let calls = self.calls.lock();
        calls.by_id.is_empty() && calls.answering == 0
    }
}

impl CallInFlight {
    fn stop(&self) {
        // First aborts the task, because `cancel` wakes a parked call.
        self.call.task.abort();
        self.call.cancel();
    }

    /// Ends the call, and sends `answer`. If a batch waited only for this call, sends the responses of the batch.
    fn end(self, answer: Option<Frame>) {
        self.stop();
        if let Some(frame) = self.reply_to.deliver(answer) {
            self.sink.send(frame);
        }
    }
}
