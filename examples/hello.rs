use mcp_runtime::{Arguments, ArgumentsError, Call, CallToolResult, Calling, Server, Tool, ToolDefinition};
struct Echo;
impl Tool for Echo {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("echo", "Echoes.").input_schema(
            serde_json::json!({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}),
        )
    }
    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<Calling, ArgumentsError> {
        #[derive(serde::Deserialize)]
        struct A {
            text: String,
        }
        let a: A = arguments.read()?;
        Ok(Box::pin(async move {
            let ctx: mcp_runtime::Ctx = call.context();
            if a.text == "wait" {
                ctx.progress(0.1).message("x");
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            }
            if a.text == "panic" {
                panic!("no")
            }
            ctx.log(mcp_runtime::Level::Info, "hi");
            Ok(CallToolResult::default().with(a.text))
        }))
    }
}
#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    Server::new("hello", "0.1.0").tool(Echo).serve_stdio().await
}
