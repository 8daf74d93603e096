//! A question that asks the user to open a page, as an application's handler gets it.

use std::future::{Pending, pending};

use serde_json::value::RawValue;

use super::{Asked, reply::Elicited};

/// A question that asks the user to open a page ([`Ctx::visit`](crate::Ctx::visit)), as an application's handler gets
/// it. The method `elicit_url` of the trait that [`#[elicits]`](macro@crate::elicits) generates takes this request.
///
/// The answer `Accept` means that the user agreed to open the page, not that the user has finished there.
#[derive(Clone, Copy, Debug)]
pub struct ElicitUrlRequest<'a> {
    asked: Asked<'a>,
}

impl<'a> ElicitUrlRequest<'a> {
    pub(super) fn new(asked: Asked<'a>) -> Self {
        Self { asked }
    }

    /// Returns the name of the tool that asks.
    pub fn tool_name(&self) -> &'a str {
        self.asked.tool_name
    }

    /// Returns the id of the call.
    pub fn call_id(&self) -> &'a str {
        self.asked.call_id
    }

    /// Returns the key of the question. The key is unique within the call.
    pub fn key(&self) -> &'a str {
        self.asked.key
    }

    /// Returns the number of the question in its call, counted from 1.
    pub fn seq(&self) -> u32 {
        self.asked.seq
    }

    /// Returns the message that says why the user should open the page.
    pub fn message(&self) -> &'a str {
        self.asked.message
    }

    /// Returns the URL of the page. Show it in full, and open it only if the user agrees.
    pub fn url(&self) -> &'a str {
        self.asked.url
    }

    /// Returns the arguments of the call.
    pub fn arguments(&self) -> &'a RawValue {
        self.asked.arguments
    }

    /// Returns the value that the phase `before` has passed to the later phases, as JSON. Returns `None` if the tool is
    /// not a [`#[handoff]`](macro@crate::docs::handoff).
    pub fn handoff(&self) -> Option<&'a RawValue> {
        self.asked.handoff
    }

    /// Leaves the question on the timeline of the call, where a follower answers it. The returned future never
    /// completes. The host drops it when the question is answered, or when its time is over.
    pub fn on_timeline(self) -> Pending<Elicited<()>> {
        pending()
    }
}
