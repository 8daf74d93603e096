//! Calls as conversations: their events, questions and answers, in rounds and in sessions.

mod answers;
mod driver;
mod live;
mod table;

pub(crate) use self::{
    answers::check_prepared,
    driver::{CallStart, start},
    live::{CallCommand, DevLiveCall},
    table::DevCalls,
};
