remote_tools! { (::mcp_runtime) "remote_tools.json" }
