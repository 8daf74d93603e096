//! Spans, traces and metrics, as an operator sees them.

mod errors;
mod health;
mod measurements;
mod nested;
mod recorder;
mod secrets;
mod spans;
mod tools;
mod traces;
