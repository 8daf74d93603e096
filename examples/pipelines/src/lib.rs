//! Data pipelines as the actions of one tool.
//!
//! A pipeline is a file in the folder `pipelines` of the data folder: it names its parameters and its steps. So the
//! parameters are known only when the server runs, and the built-in action `describe` shows them. [`Pipelines`] has the
//! actions; a run of a pipeline continues after its request has ended. Pipelines read files of the data folder, and
//! write files below its folder `reports`. Clients that show views show a chart of the rows ([`RunChart`]).

mod actions;
mod chart;
mod definition;
mod error;
mod folder;
mod runner;
pub mod steps;
mod table;

pub use self::{
    actions::Pipelines,
    chart::{RunChart, chart_rows},
    definition::{Definition, Parameter},
    error::PipelineError,
    folder::DataFolder,
    runner::{Replace, RunOutput},
    table::{Format, Table},
};
