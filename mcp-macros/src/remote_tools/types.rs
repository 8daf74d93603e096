//! The Rust types of the tools: what is left to do is to write them down.

use proc_macro2::Ident;

use super::{
    check::RemoteTool,
    names::{Names, type_name},
    schema::{Reader, resolved},
    text::documentation,
};

/// What the macro generates.
pub(super) struct Module {
    pub(super) tools: Vec<ToolType>,
    /// The arguments of each tool, its output, and the types inside of them.
    pub(super) definitions: Vec<Definition>,
}

/// A tool as a type.
pub(super) struct ToolType {
    /// The name that the other server knows.
    pub(super) name: String,
    /// The type of the arguments.
    pub(super) ident: Ident,
    /// The type of the structured content, if it is an object.
    pub(super) output: Option<Type>,
}

pub(super) struct Definition {
    pub(super) ident: Ident,
    pub(super) docs: String,
    pub(super) usage: Usage,
    pub(super) kind: Kind,
}

/// Which way the values of a type go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    Arguments,
    Output,
}

pub(super) enum Kind {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

pub(super) struct Field {
    pub(super) ident: Ident,
    /// The name that the other server knows.
    pub(super) name: String,
    pub(super) docs: String,
    /// The type, without the `Option` of a field that can be left out.
    pub(super) ty: Type,
    pub(super) required: bool,
}

pub(super) struct Variant {
    pub(super) ident: Ident,
    /// The text that the other server knows.
    pub(super) text: String,
    pub(super) docs: String,
}

#[derive(Clone)]
pub(super) enum Type {
    Text,
    Integer,
    Natural,
    Number,
    Boolean,
    /// Any JSON.
    Any,
    List(Box<Type>),
    Map(Box<Type>),
    Optional(Box<Type>),
    Defined(Ident),
    /// A type that contains itself here.
    Boxed(Ident),
}

/// Returns the types of these tools.
pub(super) fn module(tools: &[RemoteTool]) -> Module {
    let mut names = Names::default();
    // First of all the tools, so that no type inside of one of them takes the name of another one.
    let idents: Vec<_> = tools.iter().map(|tool| names.distinct(&type_name(&tool.name, "Tool"))).collect();
    let mut module = Module { tools: Vec::with_capacity(tools.len()), definitions: Vec::new() };
    for (tool, ident) in tools.iter().zip(idents) {
        let RemoteTool { name, description, input, output } = tool;
        let docs = description.as_deref().and_then(documentation);
        let docs = docs.unwrap_or_else(|| format!(" The arguments of the tool `{}`.", name.replace('`', "'")));
        Reader::new(input, Usage::Arguments, &mut names, &mut module.definitions).arguments(&ident, docs);
        let root = resolved(output, output);
        let is_object = root["type"] == "object" || root["properties"].is_object();
        let output = is_object.then(|| {
            let label = format!("The structured content of the tool `{}`.", name.replace('`', "'"));
            Reader::new(output, Usage::Output, &mut names, &mut module.definitions)
                .read(root, &super::schema::Named { wanted: format!("{ident}Output"), docs: label })
        });
        module.tools.push(ToolType { name: name.clone(), ident, output });
    }
    module
}
