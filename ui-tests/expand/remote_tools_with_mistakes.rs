remote_tools! { (::mcp_runtime) "remote_tools_with_mistakes.json" }
