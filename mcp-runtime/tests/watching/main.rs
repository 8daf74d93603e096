//! What the operator sees: spans, the traces of clients, measurements.

mod health;
mod measured;
mod secrets;
mod seen;
mod spans;
mod tools;
mod traces;
