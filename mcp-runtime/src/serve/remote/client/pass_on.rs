//! Requests that a server passes on to another server as they are: those of a gateway.

use std::{pin::Pin, sync::Arc};

use serde_json::value::RawValue;

use super::{
    Remote, RemoteError,
    call::RemoteCall,
    outer::{OuterCall, RemoteTarget},
    request::{RequestOutcome, Sender},
    task::RemoteTask,
    within::run,
};
use crate::{
    base::error::{Result, ToolError},
    engine::{
        call::{Call, call_target::CallTarget, operation::Operation},
        compose::RunsOn,
    },
    serve::client::{ClientRequest, RoundInput},
    wire::protocol::{
        error::{CallRefusal, RpcError},
        result::CallToolResult,
    },
};

/// The result of a request as JSON.
pub(crate) type PassedOnFuture = Pin<Box<dyn Future<Output = Result<Box<RawValue>>> + Send>>;

impl RemoteCall {
    /// Begins the call within `outer`, as [`within`](Self::within) does. An error of the protocol becomes the same error
    /// of `outer`, and questions keep their keys. If the other server makes the call a task, `outer` becomes a task, too, if
    /// it can. `is_repeatable` says whether the tool can be called twice.
    pub(crate) fn pass_on(self, outer: &Call, is_repeatable: bool) -> Result<RunsOn> {
        self.repeatable(is_repeatable).begin_as(outer, true)
    }
}

/// Goes on with a call that the other server has made a task: in a task of this server, if `client_call` can be one.
/// Otherwise the call waits for its end.
pub(super) async fn pass_on_task(
    remote: Remote,
    task: RemoteTask,
    outer: OuterCall,
    client_call: Call,
) -> Result<CallToolResult> {
    #[cfg(feature = "actions")]
    if crate::serve::tasks::can_be_task(&client_call) {
        let (unfollowed, sender, of) = (task.clone(), outer.sender(), remote.clone());
        let run = move |call: Call| -> crate::engine::call::running::CallFuture {
            let outer = outer.moved_to(call);
            Box::pin(async move { outer.followed(&remote, task).await.map_err(passed_on) })
        };
        let begun = crate::serve::tasks::as_task(client_call, run).await;
        if begun.is_err() {
            unfollowed.cancel(of, sender);
        }
        return begun;
    }
    #[cfg(not(feature = "actions"))]
    drop(client_call);
    outer.followed(&remote, task).await
}

impl Remote {
    /// Sends a request about a prompt or a resource within `outer`. The other server can ask the client of this call.
    /// `name` is that of the item. A resource can be read twice. A prompt can ask, so it is not got twice.
    ///
    /// # Errors
    /// Fails if `outer` has come through too many servers.
    pub(crate) fn pass_on(
        &self,
        request: ClientRequest,
        operation: Operation,
        name: &str,
        outer: &Call,
    ) -> Result<PassedOnFuture> {
        let target = Arc::new(RemoteTarget::new(self, name).of(operation));
        target.set_may_send_again(operation == Operation::ReadResource);
        let too_far = || RemoteError::Loop { server: self.name().to_owned() };
        let call = outer.nest(Arc::clone(&target) as Arc<dyn CallTarget>).ok_or_else(too_far)?;
        let outer = OuterCall::new(call, target, None).ok_or_else(too_far)?.with_keys_of(outer);
        let remote = self.clone();
        Ok(Box::pin(async move { run(&remote, request, &outer).await?.into_json(&remote, operation.method()) }))
    }

    /// Sends a request that asks nothing and leaves no record in `outer`, such as that for a completion.
    ///
    /// # Errors
    /// Fails if the server has no result.
    pub(crate) async fn pass_on_once(&self, request: ClientRequest, outer: &Call) -> Result<Box<RawValue>> {
        let target = Arc::new(RemoteTarget::new(self, request.method()));
        target.set_may_send_again(true);
        let too_far = || RemoteError::Loop { server: self.name().to_owned() };
        let outer = OuterCall::new(outer.clone(), target, None).ok_or_else(too_far)?;
        let sender = Sender { abilities: Default::default(), ..outer.sender() };
        let sent = outer.until_cancelled(self.send(&request, RoundInput::default(), sender, &outer)).await;
        match sent {
            Some(Ok(RequestOutcome::Result(result))) => Ok(result),
            Some(Ok(RequestOutcome::Asks(..) | RequestOutcome::Asking(_) | RequestOutcome::Task(_))) => {
                Err(RemoteError::Asked { server: self.name().to_owned(), question: request.method().to_owned() }.into())
            }
            Some(Err(error)) => Err(error.into()),
            None => Err(ToolError::from("the request was cancelled".to_owned())),
        }
    }
}

/// Returns the error of the protocol with which the other server has refused a request, as an error of the call that
/// passed it on. Other errors stay as they are.
pub(crate) fn passed_on(error: ToolError) -> ToolError {
    match error.downcast_ref() {
        Some(RemoteError::Refused { error, .. }) => {
            CallRefusal(RpcError::passed_on(error.code, error.message.clone(), error.data.clone())).into()
        }
        _ => error,
    }
}
