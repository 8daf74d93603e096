//! A gateway before the server whose program is the argument, written with `rmcp`: it passes calls on, and nothing else.

use rmcp::{
    ClientLifecycleMode, ClientServiceExt as _, ErrorData, RoleClient, RoleServer, ServerHandler, ServiceError,
    ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ServerCapabilities, ServerConfig,
    },
    service::{Peer, RequestContext},
    transport::{TokioChildProcess, stdio_pipes},
};
use tokio::process::Command;

struct Gateway(Peer<RoleClient>);

impl ServerHandler for Gateway {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.0.list_tools(page).await.map_err(|error| failed(&error))
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.call_tool_once(params).await.map_err(|error| failed(&error))
    }
}

fn failed(error: &ServiceError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = std::env::args().nth(1).ok_or("no program")?;
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let process = TokioChildProcess::new(Command::new(program))?;
    let behind = ().serve_with_lifecycle(process, lifecycle).await?;
    Gateway(behind.peer().clone()).serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}
