//! The testing kit.

mod support;
mod tools;

mod cancelled;
mod faults;
mod mode_differences;
mod models;
mod modes;
mod outputs;
mod prompts;
mod replay_safety;
mod resources;
mod script_errors;
mod scripts;
mod state_of_functions;
mod subscriptions;
