//! A question that asks the user to open a page, as an application's handler gets it.

use std::future::{Pending, pending};

use serde_json::value::RawValue;

use super::{Asked, handler::question_accessors, reply::Elicited};

/// A question that asks the user to open a page ([`Ctx::visit`](crate::Ctx::visit)), as an application's handler gets
/// it. The method `elicit_url` of the trait that [`#[elicits]`](macro@crate::elicits) generates takes this request.
///
/// The answer `Accept` means that the user agreed to open the page, not that the user has finished there.
#[derive(Clone, Copy, Debug)]
pub struct ElicitUrlRequest<'a> {
    asked: Asked<'a>,
}

impl<'a> ElicitUrlRequest<'a> {
    question_accessors!();

    pub(super) fn new(asked: Asked<'a>) -> Self {
        Self { asked }
    }

    /// Returns the message that says why the user should open the page.
    pub fn message(&self) -> &'a str {
        self.asked.message
    }

    /// Returns the URL of the page. Show it in full, and open it only if the user agrees.
    pub fn url(&self) -> &'a str {
        self.asked.url
    }

    /// Leaves the question on the timeline of the call, where a follower answers it. The returned future never
    /// completes. The host drops it when the question is answered, or when its time is over.
    pub fn on_timeline(self) -> Pending<Elicited<()>> {
        pending()
    }
}
