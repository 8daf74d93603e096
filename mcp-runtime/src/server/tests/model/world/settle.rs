//! The end of a history: nothing happens any more but that what runs goes on, and the client tries again.

use std::time::Duration;

use tokio::time::Instant;

use super::{LEASE, SECOND, Violation, World};
use crate::server::tests::model::{
    HOUR,
    reply::{Answer, Reply, State},
    tools::Kind,
};

impl World {
    pub(in super::super) async fn settle(&mut self) -> Result<(), Violation> {
        self.instances.iter().for_each(|instance| instance.way.is_away(false));
        self.common.points.open(true);
        self.hear_all().await?;
        let start = Instant::now();
        let newest = self.states[self.states.len() - 1].clone();
        let end = self.come_to_an_end(newest, Answer::First).await?;
        if !self.excuses.trouble() && 5 * SECOND < start.elapsed() {
            return Err(format!("blocked for {:?}, by nobody who does anything", start.elapsed()));
        }
        // What goes on in the background does no harm, and neither does a client that begins anew.
        self.pass(2 * LEASE).await;
        let first = self.states[0].clone();
        let again = self.come_to_an_end(first, Answer::Second).await?;
        if again != end && !self.is_excused(&again, &[Reply::Past]) && matches!(end, Reply::Done(_) | Reply::Failed(_))
        {
            return Err(format!("the result was {end:?}, and is now {again:?}"));
        }
        self.forget().await
    }

    /// What has expired goes, and clocks that are ahead are put back; then all has expired, wherever the clocks stand.
    /// A client that comes once more runs nothing.
    async fn forget(&mut self) -> Result<(), Violation> {
        for time in [Duration::ZERO, HOUR] {
            self.pass(time).await;
            self.instances.iter().for_each(|instance| instance.way.write_another());
            self.instances.iter().for_each(|instance| instance.wall.is_not_ahead());
            for attempt in 0..2 {
                let first = self.states[0].clone();
                self.ask(attempt, &first, Answer::Second).await?;
            }
        }
        Ok(())
    }

    /// A client goes on from a state, here and there, until it is told how the call ended.
    async fn come_to_an_end(&mut self, mut state: State, answer: Answer) -> Result<Reply, Violation> {
        let mut told = Vec::new();
        for attempt in 0..16 {
            let reply = self.ask(attempt, &state, answer).await?;
            if matches!(reply, Reply::Done(_) | Reply::Failed(_)) || self.is_excused(&reply, &told) {
                return Ok(reply);
            }
            match &reply {
                Reply::Asks(next) => state = next.clone(),
                // What was left in the background may be tried again there.
                _ => self.pass(SECOND).await,
            }
            told.push(reply);
        }
        Err(format!("blocked: {told:?}, {:?}", self.excuses))
    }

    /// Whether this may be the end of a call, after that.
    fn is_excused(&self, reply: &Reply, told: &[Reply]) -> bool {
        let excuses = &self.excuses;
        let trouble = excuses.trouble();
        match reply {
            Reply::Unknown => self.common.kind == Kind::Book && trouble,
            Reply::OtherLedger => excuses.ledger_lost,
            Reply::NotKept => excuses.evicted,
            Reply::Past if excuses.late() => true,
            Reply::Past => {
                // Nowhere is its future.
                let nowhere = told.iter().rev().take_while(|reply| **reply == Reply::Past).count() + 1;
                let dropped = self.common.kind == Kind::Wander && (excuses.dropped || trouble);
                dropped && self.instances.len() <= nowhere
            }
            Reply::NotOurs => excuses.killed && !self.common.rules.seal,
            Reply::Asks(_) | Reply::Done(_) | Reply::Failed(_) | Reply::Later | Reply::Malformed => false,
        }
    }

    /// The reply to a request that is alone.
    async fn ask(&mut self, instance: usize, state: &State, answer: Answer) -> Result<Reply, Violation> {
        self.answer(instance, state, answer, false).await;
        self.hear_all().await?;
        self.last.take().ok_or_else(|| "a request gets no response".to_owned())
    }

    /// No request is left without a response.
    async fn hear_all(&mut self) -> Result<(), Violation> {
        for _ in 0..200 {
            self.go_on().await?;
            if self.requests.is_empty() {
                return Ok(());
            }
            self.pass(SECOND / 4).await;
        }
        Err(format!("a request gets no response: {:?}", self.excuses))
    }
}
