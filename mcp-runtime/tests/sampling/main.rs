//! Asking a model: through the client, or through a provider of the server's own.

mod provided;
