//! Tools from an OpenAPI document: the operations of a service that has one, without code for each.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use mcp_runtime::{openapi, prelude::*};
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     let pets = openapi!("../../docs/macros/openapi/petstore.json", except("deletePet"));
//!     Server::new("pets", "1.0.0").tools(pets).run().await
//! }
//! ```
//!
//! [`openapi!`](crate::openapi!) reads the document when the program is compiled; its documentation says what becomes of
//! each part. The macro writes one table, so many operations cost the compiler little. It returns an [`Api`], whose methods
//! set the URL, the credentials and the limits.
//!
//! # Credentials
//!
//! Each security scheme that the operations use is a [setting](crate::settings) of the server, a secret, unless
//! [`Api::credential`] sets it. So the command line lists them in its help, `install` and packages ask for them, and the
//! operator sets them as any other setting: `PETSTORE_API_KEY`, a file that `PETSTORE_API_KEY_FILE` names, or
//! `petstore_api_key` in the settings file.
//!
//! ```
//! use mcp_runtime::{openapi, prelude::*};
//!
//! let pets = openapi!("../../docs/macros/openapi/petstore.json");
//! let service = Server::new("pets", "1.0.0").tools(pets).build().unwrap();
//!
//! let [key] = &service.setting_definitions()[..] else { unreachable!("the document has one scheme") };
//! assert_eq!((key.name(), key.env(), key.is_secret()), ("petstore_api_key", "PETSTORE_API_KEY", true));
//! ```
//!
//! No setting is required: a call whose operation needs a credential fails if it is not set, and says what to set. The names
//! begin with that of the file. Two documents with the same file name share a setting if they have the same server; otherwise
//! each would get the credential of the other, and [`Server::build`](crate::Server::build) fails. Only `build` checks this:
//! before you add the tools of a document to a server that runs, give its file a name that no other document has, or set its
//! credentials with [`Api::credential`].
//!
//! A server that only some operations have gets credentials only after the author has named it with
//! [`Api::own_server`].
//!
//! # Calls
//!
//! The arguments are checked against the schema of the operation before a request is sent, as those of a hand-written tool.
//! So is the answer, if the tool has an output schema. The credentials of a request are those of the first alternative in
//! `security` for which all are [set](Api::credential); the alternative `{}` is used only if no other one can be. A credential
//! in the query replaces an argument of the same name.
//!
//! Credentials appear in no result, no error and not in `Debug`, also if the service repeats them: as they are, encoded as in
//! a URL or in JSON, or in Base64 for basic authentication. There the password is hidden alone too, or the user if the
//! password is shorter than 4 bytes. Results still show what is shorter than 12 bytes, because other texts can contain it,
//! so use longer credentials.
//!
//! A request is a [step](crate::Ctx::step) of its call. If the call is rebuilt, a `POST` or a `PATCH` is not sent again. The
//! answer of a `GET` that is longer than 4 KiB is not recorded, and is requested again.
//!
//! # Failures
//!
//! | the service | the call |
//! | --- | --- |
//! | answers 429, or 503 with `Retry-After` | repeats the request after this time, or with exponential backoff |
//! | answers 500, 502, 503 or 504, or the connection is lost | repeats the request, except a `POST` or a `PATCH`, which may have had an effect |
//! | cannot be reached | repeats the request |
//! | still does not succeed after two [retries](Api::retries), or answers another error | fails with the status, what the service says, and what to do |
//! | has not answered within 30 seconds, with all tries ([`timeout`](Api::timeout)) | fails |
//! | answers more than 4 MiB ([`max_response`](Api::max_response)) | fails, and says how to ask for less |
//! | answers HTML, or bytes that are not text | fails, and says so |
//! | answers JSON that does not match the output schema | fails with each place that does not match, and with up to 2,000 characters of the JSON |
//! | redirects inside of its origin | follows, at most five times |
//! | redirects to another origin, and its document has a redirect among the answers | returns the URL |
//! | redirects to another origin otherwise | fails, because it would get the credentials |
//!
//! A failure is a result with `isError`, which the model reads.
//!
//! # The document of the examples
//!
//! ```json
#![doc = include_str!("../../docs/macros/openapi/petstore.json")]
//! ```

mod answer;
mod api;
mod base_url;
mod credentials;
mod exchange;
mod failure;
mod grouped;
mod redaction;
mod request;
mod shared;
pub(crate) mod table;
mod tool;
mod write;

pub use self::api::Api;
