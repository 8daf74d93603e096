/// Reviews code.
#[mcp_prompt(title = "Review", scopes("code:read"))]
pub async fn review(
    ctx: &Ctx,
    db: &Db,
    /// The code to review.
    code: String,
    #[complete(languages)] language: Option<Language>,
) -> Result<String> {
    db.review(ctx, &code, language).await
}
