//! What is published, what is enforced, and what a model reads.

mod texts;
