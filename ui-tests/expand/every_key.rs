#[mcp_tool(
    name = "search.all",
    title = "Search",
    description = "Searches everything.",
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    requires(sampling),
    optional(roots),
    scopes("search", "catalogue:read"),
    timeout = "30s",
    replayable,
    register = SearchTool,
    allow(unportable_name, undescribed_parameter),
    meta("example.com/version" = 3, beta = true),
    crate = ::facade::mcp
)]
async fn search() {}
