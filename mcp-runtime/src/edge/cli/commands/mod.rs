//! The commands of `Server::run` with the feature `cli`.

mod answering;
mod call;
mod command;
#[cfg(feature = "http")]
mod http;
mod item;
mod json_error;
mod layout;
mod page;
mod parameter;
mod pretty;
mod reading;
mod store;
mod table;
mod terminal;

pub(crate) use self::command::act;
use crate::edge::cli::{REFUSED, refuse, serve};

/// The line of the command `http`, if there is one.
#[cfg(feature = "http")]
macro_rules! http_command {
    () => {
        "  http       Serve MCP clients over HTTP, at the path /mcp\n"
    };
}

#[cfg(not(feature = "http"))]
macro_rules! http_command {
    () => {
        ""
    };
}

pub(crate) const COMMANDS_HELP: &str = concat!(
    "\
Commands of the server:
  stdio      Serve the MCP client at standard input and output (the default command)
  tools      Show the tools
  manifest   Print all that the server publishes, as JSON
  call       Call a tool
  prompts    Show the prompts
  prompt     Get a prompt
  resources  Show the resources
  read       Read a resource
  complete   Complete an argument of a prompt, or a variable of a template of resources
  store      Create or change the tables of the store
",
    http_command!(),
    "  help       Show these commands"
);
