//! Models that a server asks itself, tested with a real model. The model is small and weak, and runs on this machine.
//! `.ci/model` starts the model and runs these tests. Otherwise, the tests are ignored. The tests assert the rules that
//! hold for every reply, never the text of a reply.

mod actions;
mod guaranteed;
mod provider;
mod support;
mod tools;
