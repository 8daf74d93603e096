//! The client of a service in the same process.
//!
//! The command line, the plugin host and the scripted client of tests all call a service as an MCP client does, in any
//! revision. They share this module: a [`ClientProfile`] writes every message of a client, and a [`ServerMessage`] is
//! read from every message of a server. A [`ServiceClient`] sends its messages through a connection of its own, so its
//! calls pass the same guard as the calls of any other client.

mod call;
mod message;
mod profile;
mod question;
mod request;
mod service_client;
#[cfg(test)]
mod tests;

pub(crate) use self::{
    call::{AnswersQuestions, RequestFailure},
    message::{InputRequired, ServerMessage, ServerNotification},
    profile::{ClientProfile, response},
    request::{ClientRequest, CompletedArgument, RoundInput},
    service_client::ServiceClient,
};
pub use self::{
    message::{Log, ProtocolError, Report},
    question::Question,
};
