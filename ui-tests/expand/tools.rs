tools! { (::mcp_runtime) search, files::read_file }
