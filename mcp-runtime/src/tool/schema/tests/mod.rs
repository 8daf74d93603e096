//! What is published, what is enforced, and what a model and an author read.

#[cfg(feature = "jsonschema")]
mod foreign;
mod formats;
mod keywords;
mod oracle;
mod problems;
mod published;
mod texts;
mod types;
mod verbatim;
