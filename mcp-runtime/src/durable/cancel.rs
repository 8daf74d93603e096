//! Ends calls that were cancelled while they waited for answers. Such a call counts against no quota, and a late answer
//! to it gets an error.
//!
//! A cancelled request does not end a call that can be rebuilt: its client may send the same state again. So only an
//! application can cancel such a call. A call that cannot be rebuilt ends with the request that ran it.

use std::sync::Arc;

use super::{Durable, ledger::Claim};
#[cfg(feature = "plugin")]
use super::{
    continuation::{Binding, Placed},
    ledger::{ClaimOutcome, LedgerKey},
};
#[cfg(feature = "plugin")]
use crate::tool::registered::RegisteredTool;
use crate::{
    call::{body::Body, place::Place},
    protocol::error::RpcError,
};

impl Durable {
    /// Ends a call that waits for its next round. `state` is the state of the call's last round.
    ///
    /// Does nothing if the state is invalid, or if another request has continued the call. If the ledger fails, the
    /// future of the call is dropped, and the call counts until it expires.
    #[cfg(feature = "plugin")]
    pub(crate) async fn cancel_waiting(
        &self,
        tool: &RegisteredTool,
        arguments: &str,
        principal: Option<&str>,
        state: &str,
    ) {
        let binding = Binding { tool: &tool.unique_name, arguments, principal };
        let claims = self.claims();
        let Ok(ledger) = claims.ledger_id().await else { return };
        let (keep, replayable) = (tool.definition.states_kept(), tool.definition.replayable);
        let placed = Placed { claims, ledger, binding: &binding, keep, replayable };
        let Ok(continuation) = self.request_states.read(placed, self.waives_ledger(tool), state) else { return };
        let place = continuation.place;
        let name = place.call.name();
        let turn = self.turn(tool, LedgerKey::new(ledger, &name), place, Some(continuation.expires));
        match claims.claim_round(turn, || true).await {
            Ok(ClaimOutcome::Run(claim)) => {
                self.parking.drop_done(place);
                if record_cancelled(&claim).await {
                    self.quotas().cancel(place.call, place.is_keyed());
                }
            }
            Ok(_) => {}
            Err(error) => {
                self.parking.drop_done(place);
                crate::report::report_limited!("a cancelled call of `{}` stays open: {error}", tool.definition.name);
            }
        }
    }

    /// Ends a call whose future was dropped and which cannot be rebuilt.
    pub(super) fn end_lost(&self, place: Place, claim: Arc<Claim>) {
        self.quotas().cancel(place.call, place.is_keyed());
        self.detached.spawn(async move {
            record_cancelled(&claim).await;
        });
    }
}

/// Records that the call of this round was cancelled. Returns whether the ledger has recorded it.
async fn record_cancelled(claim: &Claim) -> bool {
    claim.finish(Body::error(&RpcError::cancelled()).to_keep()).await.is_ok()
}

#[cfg(all(test, feature = "plugin"))]
mod tests {
    #![allow(unused_imports, reason = "expansions import traits that only other crates need")]

    use serde_json::{Value, json};

    use crate::{MemoryClient, Server, prelude::*};

    #[elicits]
    enum Wish {
        Sit { seat: String },
    }

    /// Asks for a seat.
    #[mcp_tool]
    async fn sit(ctx: &Ctx<Wish>) -> ToolResult<String> {
        Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
    }

    /// Asks for a seat, and can be rebuilt.
    #[mcp_tool(replayable)]
    async fn sit_again(ctx: &Ctx<Wish>) -> ToolResult<String> {
        Ok(ctx.elicit::<Sit>("Which seat?").strict().await?.seat)
    }

    async fn call(client: &mut MemoryClient, tool: &str, more: &Value) -> Value {
        let mut params = json!({ "name": tool, "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        client.send(&request.to_string()).await;
        serde_json::from_str(&client.receive().await.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn a_late_answer_to_a_cancelled_call_gets_an_error() {
        let service = Server::new("s", "1").tools(tools![sit, sit_again]).build().unwrap();
        let mut client = service.memory();
        for tool in ["sit", "sit_again"] {
            let asked = call(&mut client, tool, &json!({})).await;
            let state = asked["result"]["requestState"].as_str().unwrap();
            let registered = service.0.registry.find(tool).unwrap();
            // Another principal cannot cancel the call.
            for principal in [Some("eve"), None] {
                let durable = &service.0.durable;
                durable.cancel_waiting(&registered, "{}", principal, state).await;
                assert_eq!(durable.quotas().sweep(), principal.is_some(), "{tool}");
            }
            let seat = json!({ "action": "accept", "content": { "seat": "12A" } });
            let answer = json!({ "requestState": state, "inputResponses": { "sit": seat } });
            let late = call(&mut client, tool, &answer).await;
            assert_eq!(late["error"]["code"], -32602, "{late}");
            assert!(late["error"]["message"].as_str().unwrap().contains("was cancelled"), "{late}");
        }
    }
}
