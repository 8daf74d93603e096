//! The client of a service in the same process.
//!
//! The command line, the plugin host and the scripted client of tests all call a service as an MCP client does, in any
//! revision. They share this module: a [`ClientProfile`] writes every message of a client, and a [`ServerMessage`] is
//! read from every message of a server. A [`ServiceClient`] sends its messages through a connection of its own, so its
//! calls pass the same guard as the calls of any other client.

#[cfg(feature = "cli")]
mod call;
mod message;
mod profile;
mod question;
mod request;
#[cfg(any(feature = "cli", feature = "plugin"))]
mod service_client;
#[cfg(all(test, feature = "cli"))]
mod tests;

#[cfg(feature = "cli")]
pub(crate) use self::call::{AnswersQuestions, CallEnd};
#[cfg(any(feature = "cli", feature = "plugin"))]
pub(crate) use self::service_client::ServiceClient;
pub(crate) use self::{
    message::{InputRequired, ServerMessage, ServerNotification},
    profile::{ClientProfile, response},
    request::{ClientRequest, CompletedArgument, RoundInput},
};
#[cfg(feature = "testing")]
pub use self::{
    message::{Log, ProtocolError, Report},
    question::Question,
};
#[cfg(not(feature = "testing"))]
pub(crate) use self::{
    message::{Log, ProtocolError, Report},
    question::Question,
};
