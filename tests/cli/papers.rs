//! The resources of the server.

use mcp_runtime::{
    Result,
    complete::CompletionRequest,
    prelude::*,
    resource::{ListRequest, ResourceContents, ResourceEntry},
};

#[elicits]
enum Access {
    Password { word: String },
}

/// The rules of the house. They are short.
#[mcp_resource("papers://rules", mime_type = "text/plain")]
async fn rules(ctx: &Ctx) -> &'static str {
    ctx.log(Level::Info, "reading");
    "Be kind.\nBe brief."
}

/// The logo of the house.
#[mcp_resource("papers://logo", mime_type = "image/png", size = 8)]
async fn logo() -> Vec<u8> {
    b"\x89PNG\r\n\x1a\n".to_vec()
}

/// What is secret.
#[mcp_resource("papers://secret", replayable)]
async fn secret(ctx: &Ctx<Access>) -> Result<String> {
    let Password { word } = ctx.elicit::<Password>("The password?").strict().await?;
    Ok(format!("{word} is right."))
}

async fn years(_: ListRequest) -> Vec<ResourceEntry> {
    ["2024", "2025"].map(|year| ResourceEntry::new(format!("papers://reports/{year}"), year).size(1_500)).to_vec()
}

async fn known_years(_: CompletionRequest) -> Vec<&'static str> {
    vec!["2024", "2025"]
}

/// The report of a year.
#[mcp_resource("papers://reports/{year}", mime_type = "text/markdown", list = years)]
async fn report(#[complete(known_years)] year: u16) -> Option<ResourceContents> {
    let part = ResourceContents::text(format!("# {year}\n"));
    (year < 2026).then(|| part.meta("nextUri", format!("papers://reports/{}", year + 1)))
}

pub(super) fn resources() -> Vec<Box<dyn mcp_runtime::resource::Resource>> {
    resources![rules, logo, secret, report].into_iter().collect()
}
