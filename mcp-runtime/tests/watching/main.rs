//! What the operator sees: spans, the traces of clients, measurements.

mod health;
mod measurements;
mod recorder;
mod secrets;
mod spans;
mod tools;
mod traces;
