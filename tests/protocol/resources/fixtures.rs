//! The resources of the tests.

use std::time::Duration;

use mcp_runtime::{
    Call, Result, Service,
    complete::CompletionRequest,
    prelude::*,
    resource::{
        ListRequest, ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceDefinition, ResourceEntry,
        ResourceNotFound,
    },
    tool::ArgumentsError,
};

pub(super) struct Manual(pub(super) Vec<(&'static str, &'static str)>);

#[derive(Choice)]
pub(super) enum Language {
    German,
    English,
}

#[derive(Form)]
pub(super) struct Topic {
    topic: String,
}

#[elicits]
pub(super) enum Letter {
    Topic(Topic),
}

/// Returns its text.
#[mcp_tool]
pub(super) async fn echo(text: String) -> String {
    text
}

/// The logo of the product.
#[mcp_resource(
    "docs://logo",
    mime_type = "image/png",
    size = 4,
    ttl = "1h",
    cache_scope = "public",
    audience(user),
    priority = 0.5
)]
pub(super) async fn logo() -> &'static [u8] {
    b"\x89PNG"
}

/// A page of the manual.
#[mcp_resource("docs://pages/{name}", title = "Page", mime_type = "text/markdown", list = pages)]
pub(super) async fn page(ctx: &Ctx, manual: &Manual, name: String) -> Option<String> {
    ctx.log(Level::Info, "reading");
    manual.0.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
}

async fn pages(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    let Manual(pages) = request.state()?;
    Ok(pages.iter().map(|(name, _)| ResourceEntry::new(request.uri([("name", *name)]), *name)).collect())
}

/// A file of the product.
#[mcp_resource("docs://{+path}")]
pub(super) async fn file(path: String) -> String {
    format!("file {path}")
}

/// A word.
#[mcp_resource("docs://{language}/words/{word}")]
pub(super) async fn word(language: Language, #[complete(words)] word: String) -> String {
    format!("{word} in {}", if matches!(language, Language::German) { "German" } else { "English" })
}

async fn words(_: CompletionRequest) -> Vec<&'static str> {
    vec!["cat", "dog", "car"]
}

/// A part of the license.
#[mcp_resource("docs://license{#section}")]
pub(super) async fn license(section: Option<u8>) -> [ResourceContents; 2] {
    let text = section.map_or_else(|| "all".to_owned(), |section| format!("section {section}"));
    [ResourceContents::text(text), ResourceContents::blob(b"\0").uri("docs://seal").mime_type("image/gif")]
}

/// A search in the manual.
#[mcp_resource("docs://search/{topic}{?limit,language}", icons("https://example.com/search.png"))]
pub(super) async fn search(
    topic: String,
    #[complete(limits)] limit: Option<u8>,
    #[arg(name = "language")] lang: Option<Language>,
) -> String {
    let language = lang.map_or("any", |lang| if matches!(lang, Language::German) { "German" } else { "English" });
    format!("{topic} in {language}: {limit:?}")
}

async fn limits(_: CompletionRequest) -> Vec<&'static str> {
    vec!["10", "20"]
}

/// Numbers.
#[mcp_resource("docs://numbers")]
pub(super) async fn numbers() -> Json<Vec<u8>> {
    Json(vec![1, 2])
}

/// A letter about a topic that the user names.
#[mcp_resource("letters://{to}", replayable)]
pub(super) async fn letter(ctx: &Ctx<Letter>, to: String) -> Result<String> {
    match ctx.elicit::<Topic>("About what?").await? {
        Elicited::Accept(Topic { topic }) => Ok(format!("Dear {to}, {topic}.")),
        _ => Err("no letter without a topic".into()),
    }
}

/// A resource that fails in one of several ways.
#[mcp_resource("fails://{how}", timeout = "50ms")]
pub(super) async fn fails(how: String) -> Result<String> {
    match &*how {
        "error" => Err("the disk is gone".into()),
        "missing" => Err(ResourceNotFound.into()),
        "panic" => panic!("on purpose"),
        _ => {
            tokio::time::sleep(Duration::from_secs(600)).await;
            Ok(String::new())
        }
    }
}

/// A resource that takes long.
#[mcp_resource("slow://")]
pub(super) async fn slow(ctx: &Ctx) -> String {
    ctx.progress(1.0);
    tokio::time::sleep(Duration::from_secs(600)).await;
    String::new()
}

/// One of many resources with fixed URIs.
pub(super) struct Numbered(pub(super) usize);

impl Resource for Numbered {
    fn definition(&self) -> ResourceDefinition {
        let Self(number) = self;
        ResourceDefinition::new(format!("test://numbers/{number}"), format!("n{number}"), "One of many.")
    }

    fn read(&self, _: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        let text = request.uri().to_owned();
        Ok(Box::pin(async move { Ok(ReadResourceResult::new([ResourceContents::text(text)])) }))
    }
}

pub(super) fn service() -> Service {
    let manual = Manual(vec![("start", "# Start"), ("a/b c", "# Slash")]);
    let server = Server::new("docs", "1.0.0").state(manual).tools(tools![echo]);
    server.resources(resources![logo, page, file, word, license, search, numbers, letter, fails, slow]).build().unwrap()
}
