//! An operation as a tool.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use super::{answer::ApiAnswer, request::ApiRequest, shared::SharedApi, table::ApiOperation};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{Call, Ctx, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    wire::schema::OutputSchema,
};

/// An answer of up to this length is recorded, even if the request could be sent again.
const SHORT_ANSWER: usize = 4 * 1024;

pub(super) struct ApiTool {
    pub(super) operation: &'static ApiOperation,
    pub(super) api: Arc<SharedApi>,
    /// The schema of the answer, which is read when it is first used.
    pub(super) output: Arc<OnceLock<Option<OutputSchema>>>,
}

impl Tool for ApiTool {
    fn definition(&self) -> ToolDefinition {
        let operation = self.operation;
        let read = |schema: &str| serde_json::from_str::<Value>(schema).unwrap_or_default();
        // Nothing happens outside of the step, so a call can run again.
        let mut definition = ToolDefinition::new(operation.name, operation.description)
            .input_schema(read(operation.input))
            .open_world(true)
            .replayable();
        // What a `POST` does is not known, so it is not told.
        match operation.method {
            "PUT" => definition = definition.idempotent(true),
            "DELETE" => definition = definition.idempotent(true).destructive(true),
            _ if operation.is_read_only() => definition = definition.read_only(true),
            _ => {}
        }
        if let Some(output) = operation.output {
            definition = definition.output_schema(read(output));
        }
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let arguments: Map<String, Value> = arguments.read()?;
        let (operation, output) = (self.operation, Arc::clone(&self.output));
        let api = Arc::clone(&self.api);
        let Some(server) = api.server(operation) else { return Err(ArgumentsError::new("the tool is not set up")) };
        // Checked here, so that the server tells it as any other mistake in an argument.
        ApiRequest::new(&server.base, operation, arguments.clone()).map_err(ArgumentsError::new)?;
        let server = server.clone();
        Ok(Box::pin(async move {
            let credentials = api.credentials();
            let send = async || {
                let request = ApiRequest::new(&server.base, operation, arguments.clone());
                let sent = match request {
                    Ok(request) => server.send(operation, request, credentials).await,
                    Err(problem) => return ApiAnswer::Failed(problem),
                };
                let output = output.get_or_init(|| output_schema(operation)).as_ref();
                ApiAnswer::of(sent, operation, output, credentials)
            };
            let ctx: Ctx = call.context();
            // A long answer of a request that can be sent again is not recorded.
            let long = Mutex::new(None);
            let step = ctx.step("send", async {
                let answer = send().await;
                if operation.is_read_only() && answer.len() > SHORT_ANSWER {
                    *long.lock() = Some(answer);
                    None
                } else {
                    Some(answer)
                }
            });
            let recorded = if operation.is_idempotent() { step.idempotent().await? } else { step.await? };
            let unrecorded = long.lock().take();
            let answer = match recorded.or(unrecorded) {
                Some(answer) => answer,
                None => send().await,
            };
            Ok(answer.into_result())
        }))
    }
}

fn output_schema(operation: &ApiOperation) -> Option<OutputSchema> {
    OutputSchema::new(serde_json::from_str(operation.output?).ok()?).ok()
}
