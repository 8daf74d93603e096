//! The server with a tool whose calls become tasks, written with `rmcp` and its `TaskManager`.

use std::future::pending;

use rmcp::{
    ErrorData, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult, GetTaskParams,
        GetTaskResult, ServerCapabilities, ServerConfig,
    },
    service::{RequestContext, RoleServer},
    task_manager::{TaskManager, TaskOptions},
    transport::stdio_pipes,
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Default)]
struct Tasks(TaskManager);

#[derive(Deserialize)]
struct Echo {
    text: String,
}

impl ServerHandler for Tasks {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let task = match &*request.name {
            "hold" => self.0.spawn(TaskOptions::new(), |_| Box::pin(pending())),
            _ => {
                let Echo { text } = serde_json::from_value(arguments)
                    .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
                self.0.spawn(TaskOptions::new(), |_| {
                    Box::pin(async { Ok(CallToolResult::success(vec![ContentBlock::text(text)])) })
                })
            }
        };
        Ok(CallToolResponse::Task(CreateTaskResult::new(task)))
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.0.get_task(&request.task_id)?))
    }

    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tasks().build())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Tasks::default().serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}
