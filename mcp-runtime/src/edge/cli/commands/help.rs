//! The list of commands for the help of a program with its own flags.

/// Defines a macro for the line of a command: an empty text without the feature.
macro_rules! line_of {
    ($name:ident, $feature:literal, $line:literal) => {
        #[cfg(feature = $feature)]
        macro_rules! $name {
            () => {
                $line
            };
        }
        #[cfg(not(feature = $feature))]
        macro_rules! $name {
            () => {
                ""
            };
        }
    };
}
line_of!(http, "http", "  http       Serve MCP clients over HTTP, at the path /mcp\n");
line_of!(
    remote,
    "remote",
    "  remote     Save the tools of another server for `remote_tools!`, or compare them with the saved ones\n"
);
line_of!(dev, "dev", "  dev        Build and run this program while you change it, and try its tools\n");

pub(crate) const COMMANDS_HELP: &str = concat!(
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
    http!(),
    remote!(),
    dev!(),
    "  help       Show these commands"
);
