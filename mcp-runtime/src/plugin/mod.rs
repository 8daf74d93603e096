//! Tools inside an application, without a client between the tool and the user.

mod answer;
mod driver;
mod error;
mod event;
mod exchange;
mod handle;
mod handler;
mod host;
mod live;
mod model_tools;
mod question;
mod record;
#[cfg(feature = "http")]
mod router;
mod store;
mod table;
mod timeline;
#[cfg(feature = "http")]
mod typescript;
mod with_handler;

pub use self::{
    error::{AnswerProblem, PluginError},
    event::{AnswerAction, CallStatus, TimelineEvent, TimelineEventKind},
    handle::{PluginCall, PluginOutcome},
    handler::{AnsweredBy, NoHandler, OnElicit},
    host::{HostedPlugin, PluginHost, PluginHostBuilder, StartError},
    model_tools::ModelApi,
    question::{PluginQuestion, QuestionMode},
    with_handler::{AsksForms, Plugin},
};
#[cfg(feature = "http")]
pub use self::typescript::TypeScript;
