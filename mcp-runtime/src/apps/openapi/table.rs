//! The table that `openapi!` writes: the operations of a document, as constants.

#![expect(missing_docs, reason = "only generated code names these")]

use crate::serve::settings::{Secret, SettingDefinition, SettingDraft, SettingType};

/// What an API has, as far as its author has chosen it.
#[derive(Debug)]
pub struct ApiDocument {
    pub title: &'static str,
    /// The URL of the first server, if it is whole.
    pub server: Option<&'static str>,
    /// The URLs of servers that only some operations have.
    pub own_servers: &'static [&'static str],
    /// The schemes that the operations use.
    pub schemes: &'static [ApiScheme],
    /// One optional secret for each scheme.
    pub settings: &'static [SettingDefinition],
    pub operations: &'static [ApiOperation],
    pub groups: &'static [ApiGroup],
}

/// Operations that are the actions of one tool.
#[derive(Debug)]
pub struct ApiGroup {
    pub name: &'static str,
    pub description: &'static str,
    /// Their positions among the operations.
    pub operations: &'static [usize],
}

/// A security scheme.
#[derive(Debug)]
pub struct ApiScheme {
    pub name: &'static str,
    pub kind: ApiSchemeKind,
}

/// Where a credential goes.
#[derive(Debug)]
pub enum ApiSchemeKind {
    Header(&'static str),
    Query(&'static str),
    Bearer,
    /// `user:password`.
    Basic,
}

/// An operation, which becomes a tool.
#[derive(Debug)]
pub struct ApiOperation {
    pub name: &'static str,
    pub description: &'static str,
    pub method: &'static str,
    /// The path, with the names of parameters in braces.
    pub path: &'static str,
    /// The position of its own server.
    pub own_server: Option<usize>,
    pub parameters: &'static [ApiParameter],
    pub body: Option<ApiBody>,
    /// The header `Accept`.
    pub accept: &'static str,
    /// The schema of the arguments as JSON.
    pub input: &'static str,
    /// The schema of the answer as JSON, if it is an object.
    pub output: Option<&'static str>,
    /// Whether the document describes a redirect as an answer.
    pub redirects: bool,
    /// The schemes that a request needs, by their positions: all of one alternative.
    pub security: &'static [&'static [usize]],
}

/// An argument that is a parameter.
#[derive(Debug)]
pub struct ApiParameter {
    pub argument: &'static str,
    pub name: &'static str,
    pub place: ApiPlace,
    pub style: ApiStyle,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ApiPlace {
    Path,
    Query,
    Header,
}

/// How a list or an object is written.
#[derive(Clone, Copy, Debug)]
pub enum ApiStyle {
    Joined,
    Exploded,
    Deep,
    Json,
}

/// The body of a request.
#[derive(Debug)]
pub struct ApiBody {
    pub kind: ApiBodyKind,
    pub media_type: &'static str,
    pub is_required: bool,
    /// The styles of members of a form. Others are `Exploded`.
    pub styles: &'static [(&'static str, ApiStyle)],
    pub arguments: ApiBodyArguments,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ApiBodyKind {
    Json,
    Form,
    Text,
}

/// The arguments from which a body is made.
#[derive(Debug)]
pub enum ApiBodyArguments {
    /// Its members.
    Members(&'static [&'static str]),
    /// The whole body.
    Whole(&'static str),
}

/// Describes the setting with the credential of a scheme.
pub const fn api_setting(name: &'static str, variable: &'static str, description: &'static str) -> SettingDefinition {
    // A secret has no option.
    let setting = SettingDraft::new(name, variable, name, <Option<Secret<String>> as SettingType>::TYPE);
    setting.description(description).definition
}
