//! The faults at the requests and replies of a round.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::{
    CallDriver, CausedFault, DevCallEnd, RoundReply,
    exchange::{MIDDLE, NoReply},
};
use crate::{
    base::clock,
    edge::dev::session::api::{fault::DevFault, record::DevCallRecord},
    serve::client::RoundInput,
};

/// How far the clock goes past the end of a state.
const PAST: Duration = Duration::from_secs(60);

/// How far the clock goes if the end of the state is not known. No tool that is usual gives more time.
const LONG: Duration = Duration::from_secs(8 * 24 * 3600);

impl CallDriver {
    /// Sends the request of a round with the fault that is armed, and judges the faults so far.
    pub(super) async fn round(&mut self, input: &RoundInput) -> Result<RoundReply, DevCallEnd> {
        self.before_request(input).await?;
        let mut reply = if self.call.take_armed(DevFault::SendTwice) {
            self.send_twice(input).await?
        } else if self.call.take_armed(DevFault::CloseConnection) {
            self.close_connection(input).await?
        } else {
            self.exchange(input, false).await?
        };
        if self.call.take_armed(DevFault::LoseReply) {
            self.tell(DevFault::LoseReply);
            let again = self.exchange(input, true).await?;
            self.pending
                .push(CausedFault { same_reply: Some(again.is_same(&reply)), ..CausedFault::of(DevFault::LoseReply) });
            reply = again;
        }
        self.judge(&reply).await;
        if input.request_state.is_some() && self.call.take_armed(DevFault::AnswerSpent) {
            self.answer_spent(input, &reply).await?;
        }
        Ok(reply)
    }

    async fn before_request(&mut self, input: &RoundInput) -> Result<(), DevCallEnd> {
        if self.call.take_armed(DevFault::OtherInstance) {
            self.tell(DevFault::OtherInstance);
            self.setup.other_instance = !self.setup.other_instance;
            self.pending.push(CausedFault::of(DevFault::OtherInstance));
        }
        if input.request_state.is_some() && self.call.take_armed(DevFault::AnswerLate) {
            self.tell(DevFault::AnswerLate);
            let (by, target) = (self.until_expired().await, Arc::clone(self.pool.target()));
            self.while_listening(async move { target.advance_clock(by).await }).await?.map_err(DevCallEnd::failed)?;
            self.pending.push(CausedFault::of(DevFault::AnswerLate));
        }
        Ok(())
    }

    /// Returns how long the state of the call is still valid, and a minute more.
    async fn until_expired(&self) -> Duration {
        let ahead = self.pool.target().status().borrow().server.clock;
        let now = clock::now() + ahead * 1000;
        let expires = self.record().await.and_then(|record| record.state?.expires_at);
        expires.map_or(LONG, |expires| Duration::from_millis(expires.saturating_sub(now)) + PAST)
    }

    pub(super) async fn record(&self) -> Option<DevCallRecord> {
        self.call.record(&**self.pool.target()).await.ok()
    }

    async fn send_twice(&mut self, input: &RoundInput) -> Result<RoundReply, DevCallEnd> {
        self.tell(DevFault::SendTwice);
        self.begin_round(false);
        let mut connection = self.connect().await?;
        let first = self.send(&connection, input);
        self.begin_round(true);
        let second = self.send(&connection, input);
        match self.replies(&mut connection, [first, second]).await {
            Ok([first, second]) => {
                self.pool.put(&self.setup, connection);
                self.pending.push(CausedFault {
                    same_reply: Some(first.is_same(&second)),
                    ..CausedFault::of(DevFault::SendTwice)
                });
                Ok(first)
            }
            Err(NoReply::End(end)) => Err(end),
            Err(NoReply::Broken(_)) => self.exchange(input, true).await,
        }
    }

    async fn close_connection(&mut self, input: &RoundInput) -> Result<RoundReply, DevCallEnd> {
        self.tell(DevFault::CloseConnection);
        self.begin_round(false);
        let mut connection = self.connect().await?;
        let id = self.send(&connection, input);
        if let Ok(Err(NoReply::End(end))) = timeout(MIDDLE, self.replies(&mut connection, [id])).await {
            return Err(end);
        }
        drop(connection);
        self.pending.push(CausedFault::of(DevFault::CloseConnection));
        sleep(MIDDLE).await;
        self.exchange(input, true).await
    }

    /// Sends a round again whose state is spent, with other answers. `latest` is the latest reply of the call.
    pub(super) async fn answer_spent(&mut self, input: &RoundInput, latest: &RoundReply) -> Result<(), DevCallEnd> {
        self.tell(DevFault::AnswerSpent);
        let reply = self.exchange(&input.clone().with_other_answers(), true).await?;
        self.pending
            .push(CausedFault { same_reply: Some(reply.is_same(latest)), ..CausedFault::of(DevFault::AnswerSpent) });
        self.judge(&reply).await;
        Ok(())
    }
}

impl RoundReply {
    /// Returns whether both replies say the same.
    fn is_same(&self, other: &Self) -> bool {
        match (&self.outcome, &other.outcome) {
            (Ok(one), Ok(other)) => without_meta(one) == without_meta(other),
            (Err(one), Err(other)) => one == other,
            _ => false,
        }
    }
}

/// The server's own `_meta` is not a part of a recorded reply.
fn without_meta(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(members) = result.as_object_mut() {
        members.remove("_meta");
    }
    result
}
