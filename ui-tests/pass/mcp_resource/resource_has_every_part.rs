//! A resource with every kind of parameter and every key compiles.

use mcp_runtime::{
    Result,
    complete::CompletionRequest,
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};

struct Manual(Vec<String>);

#[derive(Choice)]
enum Language {
    German,
    English,
}

#[derive(Choice)]
enum Format {
    Html,
    Text,
}

#[derive(Form)]
struct Password {
    hint: String,
}

#[elicits]
enum Questions {
    Password(Password),
}

async fn names(request: CompletionRequest) -> Result<Vec<String>> {
    let Manual(names) = request.state()?;
    Ok(names.clone())
}

async fn pages(Manual(names): &Manual, request: ListRequest) -> Result<Vec<ResourceEntry>> {
    let uri = |name: &str| request.uri([("language", "german"), ("pageName", name)]);
    Ok(names.iter().map(|name| ResourceEntry::new(uri(name), name)).collect())
}

/// A page of the manual.
#[mcp_resource(
    "docs://{language}/pages/{pageName}{?format,page}{#section}",
    name = "manual page",
    title = "Page",
    icons("https://example.com/icon.png"),
    mime_type = "text/markdown",
    list = pages,
    ttl = "1h",
    cache_scope = "public",
    audience(user, assistant),
    priority = 0.5,
    optional(elicitation),
    scopes("docs:read"),
    timeout = "30s",
    answer_within = "5m",
    replayable,
    register = ManualPage,
    meta("example.com/key" = 1)
)]
async fn page(
    ctx: &Ctx<Questions>,
    manual: &Manual,
    /// Of the text.
    language: Language,
    #[arg(name = "pageName")]
    #[complete(names)]
    page_name: String,
    _page: Option<u32>,
    _format: Option<Format>,
    _section: Option<u8>,
) -> Result<Option<Vec<ResourceContents>>> {
    if let Elicited::Accept(Password { hint }) = ctx.elicit::<Password>("Which password?").await? {
        return Err(hint.into());
    }
    let language = if matches!(language, Language::German) { "German" } else { "English" };
    let text = manual.0.contains(&page_name).then(|| format!("{page_name} in {language}"));
    Ok(text.map(|text| vec![ResourceContents::text(text), ResourceContents::blob(b"\0").uri("docs://seal")]))
}

/// The logo.
#[mcp_resource("docs://logo", size = 4)]
async fn request() -> &'static [u8; 4] {
    b"\x89PNG"
}

/// Any file.
#[mcp_resource("file:///{+path}")]
async fn call(path: String) -> Vec<u8> {
    path.into_bytes()
}

fn main() {
    let server = Server::new("s", "1.0.0").state(Manual(Vec::new()));
    let server = server.resources(resources![ManualPage, request, call]);
    let manifest = server.build().expect("the server is complete").manifest();
    assert_eq!(manifest["resources"][0]["uri"], "docs://logo");
    assert_eq!(manifest["resourceTemplates"][0]["name"], "manual page");
    assert_eq!(manifest["resourceTemplates"][1]["uriTemplate"], "file:///{+path}");
}
