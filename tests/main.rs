//! What a client or a user at a terminal sees: one program, so that it is linked once. `README.md` says what is tested where.

mod cli;
mod conformance;
mod mock_service;
mod model;
mod pet_store;
mod protocol;
mod repository;
mod support;
mod transcripts;
