//! Implements [`Host`], the interface through which a call uses its server.

use std::any::{Any, TypeId};

use super::service::Inner;
use crate::{
    base::error::ToolError,
    engine::{
        call::{
            AskError,
            call_target::CallTarget,
            host::{CallOutcome, Host},
            operation::Operation,
            request::Asker,
        },
        layer::Rejection,
    },
    wire::protocol::{
        error::{CallRefusal, RpcError},
        result::CallToolResult,
        revision::Revision,
    },
};

impl Host for Inner {
    fn map_error(&self, tool: &dyn CallTarget, revision: Revision, error: &ToolError) -> CallOutcome {
        let rejected = self.settings.layers.as_ref().and_then(|_| Rejection::of(error));
        let of_protocol =
            || self.multi_round.get().and_then(|multi_round| multi_round.protocol_error(tool, revision, error));
        let refused = || error.downcast_ref().map(|CallRefusal(refusal)| refusal.clone());
        match rejected.or_else(of_protocol).or_else(refused) {
            Some(error) => Err(error),
            None => {
                let (is_error, message) = match &self.settings.error_mapper {
                    Some(mapper) => mapper(error),
                    None if self.settings.error_sources => (true, error.chain()),
                    None => (true, without_sources(tool, error)),
                };
                if tool.operation() != Operation::CallTool {
                    let is_of_user = error.downcast_ref().is_some_and(AskError::is_of_user);
                    return Err(if is_of_user { RpcError::user_rejected } else { RpcError::internal }(message));
                }
                Ok(CallToolResult { is_error, ..CallToolResult::error(message) })
            }
        }
    }

    fn info(&self) -> &str {
        &self.info
    }

    fn asker(&self) -> Option<Box<dyn Asker>> {
        self.multi_round.get().map(|multi_round| multi_round.asker())
    }

    fn find(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        fn as_any<T: Any + Send + Sync>(value: &T, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
            (TypeId::of::<T>() == of).then_some(value)
        }
        // Every round of a call looks for the first two.
        as_any(&self.durable, of)
            .or_else(|| as_any(&self.multi_round, of))
            .or_else(|| as_any(&self.settings.states, of))
            .or_else(|| as_any(&self.settings.sampling, of))
            .or_else(|| as_any(self.settings.layers.as_ref()?, of))
            .or_else(|| as_any(self, of))
    }

    #[cfg(feature = "testing")]
    fn note_run(&self, what: &dyn std::fmt::Display) {
        self.runs.note(what.to_string());
    }
}

/// Returns the error's own message. If the error has sources, logs all messages.
fn without_sources(tool: &dyn CallTarget, error: &ToolError) -> String {
    let (message, chain) = (error.to_string(), error.chain());
    if message != chain {
        crate::base::report::report_limited!("the {} failed: {chain}", tool.described());
    }
    message
}
