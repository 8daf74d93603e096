/// A page of the manual.
#[mcp_resource("docs://{section}/{page}", mime_type = "text/markdown", list = pages)]
async fn page(docs: &Docs, section: String, page: u32) -> Result<String> {
    docs.page(&section, page).await
}
