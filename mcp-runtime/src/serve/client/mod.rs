//! The client of a service in the same process.
//!
//! The command line and the plugin host call a service as an MCP client of the newest revision does, with a
//! [`ServiceClient`]. It has a connection of its own, so its calls pass the same guard as the calls of any other client.
//! A request is not written as JSON to be parsed again, and neither is a reply: the client passes a parsed message to the
//! connection, and gets a [`ClientReply`].
//!
//! The scripted client of tests reads and writes messages in any revision: a [`ClientProfile`] writes every message of a
//! client, and a [`ServerMessage`] is read from every message of a server.

mod call;
mod message;
#[cfg(feature = "cli")]
mod pages;
mod profile;
mod question;
mod reply;
mod request;
mod service_client;
#[cfg(test)]
mod tests;
#[cfg(feature = "remote")]
mod written;

#[cfg(feature = "cli")]
pub(crate) use self::pages::ListPages;
#[cfg(any(feature = "dev", feature = "testing"))]
pub(crate) use self::profile::ClientAbilities;
#[cfg(any(feature = "cli", feature = "remote"))]
pub(crate) use self::profile::answer_to_request;
pub(crate) use self::{
    call::{AnswersQuestions, RequestFailure},
    message::{InputRequired, ServerMessage, ServerNotification},
    profile::{ClientProfile, response},
    reply::{AskedQuestion, ClientReply, ClientResult},
    request::{ClientRequest, CompletedArgument, RoundInput},
    service_client::ServiceClient,
};
#[cfg(feature = "remote")]
pub(crate) use self::{message::read_questions, written::WrittenClient};
pub use self::{
    message::{Log, ProtocolError, Report},
    question::Question,
};
