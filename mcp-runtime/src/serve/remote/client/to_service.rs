//! A request to a service in the same process.

use std::{pin::pin, sync::Arc};

use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::{
    RemoteError,
    connect::profile,
    limits::RequestLimits,
    request::{Hears, RequestOutcome, Sender},
};
use crate::{
    base::mutex::Mutex,
    serve::{
        client::{
            AnswersQuestions, ClientReply, ClientRequest, Question, RequestFailure, RoundInput, ServerNotification,
            ServiceClient,
        },
        remote::transport::TransferError,
        server::Service,
    },
    wire::protocol::revision::Revision,
};

/// Sends a request to a service in the same process. Notifications renew the time limit. Dropping the future cancels the
/// request.
pub(super) async fn send_to_service(
    service: &Service,
    request: &ClientRequest,
    input: RoundInput,
    sender: Sender,
    hears: &dyn Hears,
    limits: &RequestLimits,
) -> Result<RequestOutcome, RemoteError> {
    let follows_tasks = request.follows_tasks() && service.0.has_method("tasks/get");
    let abilities = if follows_tasks { sender.abilities.with_tasks() } else { sender.abilities };
    let profile = profile(Revision::LATEST, abilities, sender.log_level);
    let client = Arc::new(ServiceClient::connect_for(service, &profile, sender.is_remote));
    let last = Mutex::new(Instant::now());
    let mut hearer = ToHearer { hears, last: &last };
    let mut exchanging = pin!(client.exchange(request.clone(), input, sender.principal, &mut hearer));
    let exchanged = loop {
        let left = limits.within.saturating_sub(last.lock().elapsed());
        match timeout(left, &mut exchanging).await {
            Ok(exchanged) => break exchanged,
            Err(_) if last.lock().elapsed() < limits.within => {}
            Err(_) => return Err(limits.timeout()),
        }
    };
    match exchanged {
        Ok(ClientReply::Result(result)) => {
            limits.outcome(result.into_json().map_err(|error| limits.invalid(error.to_string()))?)
        }
        Ok(ClientReply::Asks(asked, state)) => {
            Ok(RequestOutcome::Asks(asked.into_iter().map(Question::from).collect(), state))
        }
        Ok(ClientReply::Refused(error, _)) => Err(limits.refused(error)),
        Err(RequestFailure::Unreadable(error)) => Err(limits.invalid(error.to_string())),
        Err(RequestFailure::Refused(error)) => Err(limits.refused(error)),
        Err(RequestFailure::Stopped(never)) => match never {},
        Err(RequestFailure::Lost) => Err(limits.failed(TransferError::Broken("the service has ended".to_owned()))),
    }
}

/// Passes the notifications of a service on. Its questions end a round.
struct ToHearer<'a> {
    hears: &'a dyn Hears,
    /// When the request began, or the last notification came.
    last: &'a Mutex<Instant>,
}

impl AnswersQuestions for ToHearer<'_> {
    type Stop = std::convert::Infallible;

    async fn answer(&mut self, _: &Question) -> Result<Option<Value>, Self::Stop> {
        Ok(None)
    }

    fn notice(&mut self, notification: ServerNotification) {
        *self.last.lock() = Instant::now();
        self.hears.hear(notification);
    }
}
