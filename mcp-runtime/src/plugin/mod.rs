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
mod question;
mod record;
mod store;
mod table;
mod timeline;
mod with_handler;

pub use self::{
    error::{AnswerProblem, PluginError},
    event::{AnswerAction, CallStatus, TimelineEvent, TimelineEventKind},
    handle::{PluginCall, PluginOutcome},
    handler::{AnsweredBy, NoHandler, OnElicit},
    host::{HostedPlugin, PluginHost, PluginHostBuilder, StartError},
    question::{PluginQuestion, QuestionMode},
    with_handler::{AsksForms, Plugin},
};
