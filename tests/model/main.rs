//! Models that a server asks itself, against a real one: small, weak, and on this machine. `.ci/model` starts it and
//! runs these tests; without it they are ignored. What holds is asserted, never what the model says.

mod guaranteed;
mod provider;
mod support;
mod tools;
