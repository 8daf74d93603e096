//! What the author writes: the file, the operations to include or leave out, and new names and descriptions.

use syn::{Ident, LitStr, Path, Token, ext::IdentExt as _, parse::ParseStream};

use super::operation::Found;

pub(super) struct Call {
    /// The path of the runtime.
    pub(super) krate: Path,
    /// The path of the document, relative to the file in which it is written.
    pub(super) file: LitStr,
    pub(super) include: Vec<Chosen>,
    pub(super) except: Vec<Chosen>,
    pub(super) rename: Vec<Changed>,
    pub(super) description: Vec<Changed>,
    pub(super) actions: Vec<ActionList>,
}

/// Operations that are the actions of one tool.
pub(super) struct ActionList {
    pub(super) name: Ident,
    pub(super) operations: Vec<Chosen>,
}

/// A choice of operations.
pub(super) enum Chosen {
    /// An `operationId`, or a method and a path: `GET /pets/{id}`.
    Operation(LitStr),
    Tag(LitStr),
}

impl Chosen {
    pub(super) fn chooses(&self, found: &Found<'_>) -> bool {
        match self {
            Self::Operation(name) => found.is_named(&name.value()),
            Self::Tag(tag) => found.has_tag(&tag.value()),
        }
    }

    /// Returns what the author has written in quotes.
    pub(super) fn written(&self) -> &LitStr {
        match self {
            Self::Operation(text) | Self::Tag(text) => text,
        }
    }
}

/// A new text for an operation.
pub(super) struct Changed {
    pub(super) operation: LitStr,
    pub(super) text: LitStr,
}

/// Reads the path of the runtime in parentheses, the path of the file, and the lists.
pub(super) fn call(input: ParseStream<'_>) -> syn::Result<Call> {
    let krate;
    syn::parenthesized!(krate in input);
    let krate = krate.parse()?;
    let file = input.parse::<LitStr>().map_err(|error| {
        let message = "`openapi!` begins with the path of a document in quotes; write `openapi!(\"petstore.json\")`";
        syn::Error::new(error.span(), message)
    })?;
    let mut call = Call {
        krate,
        file,
        include: Vec::new(),
        except: Vec::new(),
        rename: Vec::new(),
        description: Vec::new(),
        actions: Vec::new(),
    };
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        list(input, &mut call)?;
    }
    Ok(call)
}

fn list(input: ParseStream<'_>, call: &mut Call) -> syn::Result<()> {
    const LISTS: &str =
        "this list is not known; write `include(…)`, `except(…)`, `rename(…)`, `description(…)` or `actions(…)`";
    let key: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), LISTS))?;
    let inside;
    syn::parenthesized!(inside in input);
    match key.to_string().as_str() {
        "include" => entries(&inside, chosen, &mut call.include),
        "except" => entries(&inside, chosen, &mut call.except),
        "rename" => entries(&inside, changed, &mut call.rename),
        "description" => entries(&inside, changed, &mut call.description),
        "actions" => entries(&inside, group, &mut call.actions),
        _ => Err(syn::Error::new(key.span(), LISTS)),
    }
}

fn entries<T>(
    input: ParseStream<'_>,
    read: fn(ParseStream<'_>) -> syn::Result<T>,
    into: &mut Vec<T>,
) -> syn::Result<()> {
    into.extend(input.parse_terminated(read, Token![,])?);
    Ok(())
}

fn chosen(input: ParseStream<'_>) -> syn::Result<Chosen> {
    const MESSAGE: &str = "write the `operationId` or the method and path of an operation in quotes, such as `\"getPet\"` \
                           or `\"GET /pets/{id}\"`, or `tag = \"pets\"` for all operations with a tag";
    if input.peek(Ident) {
        let key: Ident = input.parse()?;
        if key != "tag" {
            return Err(syn::Error::new(key.span(), MESSAGE));
        }
        input.parse::<Token![=]>()?;
        return Ok(Chosen::Tag(input.parse()?));
    }
    input.parse().map(Chosen::Operation).map_err(|error| syn::Error::new(error.span(), MESSAGE))
}

fn changed(input: ParseStream<'_>) -> syn::Result<Changed> {
    let message =
        "write the `operationId` or the method and path of an operation, and its new text: `\"getPet\" = \"…\"`";
    let named = |span| syn::Error::new(span, message);
    let operation: LitStr = input.parse().map_err(|error| named(error.span()))?;
    input.parse::<Token![=]>().map_err(|_| named(operation.span()))?;
    let text = input.parse::<LitStr>().map_err(|error| named(error.span()))?;
    Ok(Changed { operation, text })
}

fn group(input: ParseStream<'_>) -> syn::Result<ActionList> {
    let named = |span| {
        let message = "write the name of the tool, and in brackets the operations that are its actions: `pets = \
                       [\"getPet\", tag = \"pets\"]`";
        syn::Error::new(span, message)
    };
    let name = Ident::parse_any(input).map_err(|error| named(error.span()))?.unraw();
    input.parse::<Token![=]>().map_err(|_| named(name.span()))?;
    if !input.peek(syn::token::Bracket) {
        return Err(named(if input.is_empty() { name.span() } else { input.span() }));
    }
    let inside;
    syn::bracketed!(inside in input);
    let operations = inside.parse_terminated(chosen, Token![,])?.into_iter().collect();
    Ok(ActionList { name, operations })
}
