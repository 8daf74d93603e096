//! The documentation in a folder, as resources and prompts, and skills that say how to use them.

mod pages;

use std::{path::PathBuf, process::ExitCode};

use mcp_runtime::{
    Result,
    complete::CompletionRequest,
    content::EmbeddedResource,
    prelude::*,
    prompt::PromptMessage,
    resource::{Directory, ListRequest, ResourceEntry, ResourceNotFound},
};

use crate::pages::Pages;

/// The headings of a page, as a list.
#[mcp_resource("docs://outlines/{+page}", mime_type = "text/markdown", list = outlines)]
async fn outline(pages: &Pages, #[complete(page_names)] page: String) -> Result<String> {
    let text = pages.read(&page).await?.ok_or(ResourceNotFound)?;
    Ok(pages::outline(&text))
}

async fn outlines(request: ListRequest) -> Result<Vec<ResourceEntry>> {
    let names = request.state::<Pages>()?.names().await?;
    let entry = |name: String| ResourceEntry::new(request.uri([("page", &name)]), format!("outline of {name}"));
    Ok(names.into_iter().map(entry).collect())
}

async fn page_names(request: CompletionRequest) -> Result<Vec<String>> {
    Ok(request.state::<Pages>()?.names().await?)
}

/// Answer a question from a page.
#[mcp_prompt(title = "Ask about a page")]
async fn explain(
    pages: &Pages,
    /// The page that has the answer.
    #[complete(page_names)]
    page: String,
    /// The question.
    question: String,
) -> Result<[PromptMessage; 2]> {
    Ok([
        embedded(pages, &page).await?,
        PromptMessage::user(format!("Answer from this page, or say that it has no answer: {question}")),
    ])
}

/// How long a summary is.
#[derive(Choice)]
enum Length {
    Sentence,
    Paragraph,
}

/// Summarize a page.
#[mcp_prompt(title = "Summarize a page")]
async fn summarize(
    pages: &Pages,
    /// The page to summarize.
    #[complete(page_names)]
    page: String,
    /// How long the summary is. Default: a sentence.
    length: Option<Length>,
) -> Result<[PromptMessage; 2]> {
    let length = match length.unwrap_or(Length::Sentence) {
        Length::Sentence => "one sentence",
        Length::Paragraph => "one paragraph",
    };
    Ok([embedded(pages, &page).await?, PromptMessage::user(format!("Summarize this page in {length}."))])
}

/// Returns a message that contains a page.
async fn embedded(pages: &Pages, page: &str) -> Result<PromptMessage> {
    let text = pages.read(page).await?.ok_or_else(|| format!("there is no page `{page}`"))?;
    let uri = format!("docs://files/{page}");
    Ok(PromptMessage::user(EmbeddedResource::text(uri, text).mime_type("text/markdown")))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let root = PathBuf::from(std::env::var_os("DOCS_ROOT").unwrap_or_else(|| "docs".into()));
    let files =
        Directory::new(&root).uri("docs://files").name("files").description("The files of the documentation.").watch();
    Server::new("docs_server", env!("CARGO_PKG_VERSION"))
        .title("Documentation")
        .state(Pages::new(root))
        .resource(files)
        .resources(resources![outline])
        .prompts(prompts![explain, summarize])
        .skills(skills!["../skills/answering", "../skills/summaries"])
        .run()
        .await
}
