//! The end of a history: after the last event, all operations finish and the client retries.

use std::time::Duration;

use tokio::time::Instant;

use super::{LEASE, SECOND, Violation, World};
use crate::serve::server::tests::model::{
    HOUR,
    reply::{Answer, Reply, State},
    tools::ToolKind,
};

impl World {
    pub(in super::super) async fn settle(&mut self) -> Result<(), Violation> {
        self.instances.iter().for_each(|instance| instance.ledger.set_away(false));
        self.common.points.open(true);
        self.await_responses().await?;
        let start = Instant::now();
        let newest = self.states[self.states.len() - 1].clone();
        let end = self.run_to_end(newest, Answer::First).await?;
        if !self.excuses.may_be_interrupted() && 5 * SECOND < start.elapsed() {
            return Err(format!("blocked for {:?} without a reason", start.elapsed()));
        }
        // Neither background work nor a retry from the first state changes the result.
        self.pass(2 * LEASE).await;
        let first = self.states[0].clone();
        let again = self.run_to_end(first, Answer::Second).await?;
        if again != end && !self.is_excused(&again, &[Reply::Past]) && matches!(end, Reply::Done(_) | Reply::Failed(_))
        {
            return Err(format!("the result was {end:?}, and is now {again:?}"));
        }
        self.forget().await
    }

    /// Removes expired entries and corrects the clocks, first at once, then after all states have expired. Repeated
    /// requests must not run anything again.
    async fn forget(&mut self) -> Result<(), Violation> {
        for time in [Duration::ZERO, HOUR] {
            self.pass(time).await;
            self.instances.iter().for_each(|instance| instance.ledger.write_another());
            self.instances.iter().for_each(|instance| instance.wall.correct_if_ahead());
            for attempt in 0..2 {
                let first = self.states[0].clone();
                self.ask(attempt, &first, Answer::Second).await?;
            }
        }
        Ok(())
    }

    /// Retries from a state, on alternating instances, until the call has ended.
    async fn run_to_end(&mut self, mut state: State, answer: Answer) -> Result<Reply, Violation> {
        let mut told = Vec::new();
        for attempt in 0..16 {
            let reply = self.ask(attempt, &state, answer).await?;
            if matches!(reply, Reply::Done(_) | Reply::Failed(_)) || self.is_excused(&reply, &told) {
                return Ok(reply);
            }
            match &reply {
                Reply::Asks(next) => state = next.clone(),
                // Lets background work retry.
                _ => self.pass(SECOND).await,
            }
            told.push(reply);
        }
        Err(format!("blocked: {told:?}, {:?}", self.excuses))
    }

    /// Whether this reply is an allowed end after the earlier ones.
    fn is_excused(&self, reply: &Reply, told: &[Reply]) -> bool {
        let excuses = &self.excuses;
        let interrupted = excuses.may_be_interrupted();
        match reply {
            Reply::Unknown => self.common.kind == ToolKind::Book && interrupted,
            Reply::OtherLedger => excuses.ledger_lost,
            Reply::NotKept => excuses.evicted,
            Reply::Past if excuses.late() => true,
            Reply::Past => {
                // True if each instance has replied that it does not have the future.
                let nowhere = told.iter().rev().take_while(|reply| **reply == Reply::Past).count() + 1;
                let dropped = self.common.kind == ToolKind::Wander && (excuses.dropped || interrupted);
                dropped && self.instances.len() <= nowhere
            }
            Reply::NotOurs => excuses.killed && !self.common.rules.seal,
            Reply::Asks(_) | Reply::Done(_) | Reply::Failed(_) | Reply::Later | Reply::Malformed => false,
        }
    }

    /// Sends one request and returns its reply.
    async fn ask(&mut self, instance: usize, state: &State, answer: Answer) -> Result<Reply, Violation> {
        self.answer(instance, state, answer, false).await;
        self.await_responses().await?;
        self.last.take().ok_or_else(|| "no response to a request".to_owned())
    }

    /// Waits until every request has a response.
    async fn await_responses(&mut self) -> Result<(), Violation> {
        for _ in 0..200 {
            self.run_ready().await?;
            if self.requests.is_empty() {
                return Ok(());
            }
            self.pass(SECOND / 4).await;
        }
        Err(format!("no response to a request: {:?}", self.excuses))
    }
}
