//! Implements [`Host`], the interface through which a call uses its server.

use std::any::{Any, TypeId};

use super::{service::Inner, settings::ServiceSettings};
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
        fn is<T: Any>(_value: &T, of: TypeId) -> bool {
            TypeId::of::<T>() == of
        }
        match &self.settings {
            // Every round of a call looks for the first two.
            _ if is(&self.durable, of) => Some(&self.durable),
            _ if is(&self.multi_round, of) => Some(&self.multi_round),
            _ if is(&self.registry, of) => Some(&self.registry),
            settings if is(&settings.states, of) => Some(&settings.states),
            settings if is(&settings.sampling, of) => Some(&settings.sampling),
            ServiceSettings { layers: Some(layers), .. } if is(layers, of) => Some(layers),
            _ => is(self, of).then_some(self),
        }
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
