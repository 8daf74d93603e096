//! The checks of a reply, and the events that allow a call to end with an error.

use super::{Excuses, Sent, Violation, World};
use crate::{
    engine::tool::definition::FUTURE_KEPT,
    serve::server::tests::model::reply::{Asks, Reply, State},
};

impl World {
    /// Checks that the reply agrees with the earlier ones and with the answers sent.
    pub(super) fn check(&mut self, reply: &Reply) -> Result<(), Violation> {
        match reply {
            Reply::Asks(State { asks: Asks::Sure(seat), .. }) => return self.check_seat(seat),
            Reply::Done(_) | Reply::Failed(_) => {}
            _ => return Ok(()),
        }
        let result = self.sent.result.get_or_insert_with(|| reply.clone());
        if result != reply {
            return Err(format!("two results for one call: {result:?} and {reply:?}"));
        }
        match reply {
            Reply::Done(text) => self.check_result(text),
            Reply::Failed(text) if self.sent.excuses(text) => Ok(()),
            // A question has a deadline, even if its state was renewed.
            Reply::Failed(text) if text.starts_with("no answer within") && self.excuses.late() => Ok(()),
            Reply::Failed(text)
                if text.starts_with("the step `")
                    && text.contains("` was begun before")
                    && self.common.kind.has_unknown_steps()
                    && self.excuses.may_be_interrupted() =>
            {
                Ok(())
            }
            #[cfg(feature = "remote")]
            Reply::Failed(text) if self.explains(text) => Ok(()),
            _ => Err(format!("unexpected reply: {reply:?}, {:?}", self.excuses)),
        }
    }

    fn check_result(&mut self, text: &str) -> Result<(), Violation> {
        let mut words = text.split(' ');
        let (Some(seat), Some(sure)) = (words.next(), words.next()) else {
            return Err(format!("result of one word: {text}"));
        };
        let (begun, charged) = {
            let effects = self.common.effects.lock().unwrap();
            (effects.begun.clone(), effects.charged)
        };
        if (charged == 1) != self.common.kind.charges() {
            return Err(format!("the result is {text}, and the step began {charged} times"));
        }
        if self.common.kind.has_after() && begun != [format!("{seat} {sure}")] {
            return Err(format!("the result is {text}, and `after` began with {begun:?}"));
        }
        if !sure.parse().is_ok_and(|sure| self.sent.sures.contains(&sure)) {
            return Err(format!("the result contains an answer that was not sent: {text}"));
        }
        self.check_seat(seat)
    }

    fn check_seat(&mut self, seat: &str) -> Result<(), Violation> {
        let first = self.sent.seat.get_or_insert_with(|| seat.to_owned());
        if first != seat {
            return Err(format!("two seats are taken: {first} and {seat}"));
        }
        if self.sent.seats.contains(seat) { Ok(()) } else { Err(format!("the client did not answer the seat {seat}")) }
    }
}

impl Excuses {
    /// Whether an effect that has begun can have been interrupted.
    pub(super) fn may_be_interrupted(&self) -> bool {
        self.killed || self.stalled || self.ledger_failed || self.ahead
    }

    /// Whether a state can have expired.
    pub(super) fn late(&self) -> bool {
        self.ahead || FUTURE_KEPT <= self.passed
    }
}

impl Sent {
    /// Whether the answers that the client sent explain this failure.
    fn excuses(&self, failure: &str) -> bool {
        match failure {
            "the user declined" => 1 <= self.declined,
            // The message continues with the reason. The server repeats the question once.
            _ if failure.starts_with("the answer does not fit") => 2 <= self.unfit,
            "the client was asked three times and sent no answer" => 3 <= self.missing,
            _ => false,
        }
    }
}
