//! The list of commands for the help of a program with its own flags.

macro_rules! commands_help {
    ($http:literal, $dev:literal) => {
        concat!(
            "\
Commands of the server:
  stdio      Serve the MCP client at standard input and output (the default command)
  tools      Show the tools
  manifest   Print all that the server publishes, as JSON, or write a package of the server
  call       Call a tool
  prompts    Show the prompts
  prompt     Get a prompt
  resources  Show the resources
  read       Read a resource
  complete   Complete an argument of a prompt, or a variable of a template of resources
  store      Create or change the tables of the store
  install    Add this server to the configuration of hosts, such as Claude Code or VS Code
  check      Find what hosts would stumble over
  doctor     Connect to this server as hosts do, and show what is slow, wrong or missing
",
            $http,
            $dev,
            "  help       Show these commands"
        )
    };
}

pub(crate) const COMMANDS_HELP: &str = if cfg!(feature = "dev") {
    commands_help!(
        "  http       Serve MCP clients over HTTP, at the path /mcp\n",
        "  dev        Build and run this program while you change it, and try its tools\n"
    )
} else if cfg!(feature = "http") {
    commands_help!("  http       Serve MCP clients over HTTP, at the path /mcp\n", "")
} else {
    commands_help!("", "")
};
