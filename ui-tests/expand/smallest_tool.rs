/// Says hello.
#[mcp_tool]
async fn hello() -> String {
    "Hello!".to_owned()
}
