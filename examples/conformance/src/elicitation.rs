//! Tools that ask the user with a form, one for each kind of field.

use mcp_runtime::{Result, prelude::*};
use serde::Serialize;

/// The forms of these tools.
#[elicits]
#[derive(Debug, Serialize)]
pub(crate) enum Forms {
    /// The data of a person.
    Person {
        /// User's response
        username: String,
        /// User's email address
        email: String,
    },
    /// A default for every kind of field.
    Defaults {
        /// User name
        #[elicit(default = "John Doe")]
        name: String,
        /// User age
        #[elicit(default = 30)]
        age: u8,
        /// User score
        #[elicit(default = 95.5)]
        score: f64,
        /// User status
        #[elicit(default = "active")]
        status: Status,
        /// Verification status
        #[elicit(default = true)]
        verified: bool,
    },
    /// Choices, written in every way there is.
    Choices(Choices),
}

/// Choices, written in every way there is.
#[derive(Debug, Form, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Choices {
    /// One of some names
    #[elicit(rename = "untitledSingle")]
    pub(crate) untitled_single: Untitled,
    /// One of some titles
    #[elicit(rename = "titledSingle")]
    pub(crate) titled_single: Titled,
    /// One of some titles, as clients before 2025-11-25 know them
    #[elicit(rename = "legacyEnum", enum_names)]
    pub(crate) legacy_enum: Legacy,
    /// Several of some names
    #[elicit(rename = "untitledMulti")]
    pub(crate) untitled_multi: MultiSelect<Untitled>,
    /// Several of some titles
    #[elicit(rename = "titledMulti")]
    pub(crate) titled_multi: MultiSelect<TitledChoice>,
}

#[derive(Choice, Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Choice, Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Untitled {
    Option1,
    Option2,
    Option3,
}

#[derive(Choice, Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Titled {
    #[choice(title = "First Option")]
    Value1,
    #[choice(title = "Second Option")]
    Value2,
    #[choice(title = "Third Option")]
    Value3,
}

#[derive(Choice, Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Legacy {
    #[choice(title = "Option One")]
    Opt1,
    #[choice(title = "Option Two")]
    Opt2,
    #[choice(title = "Option Three")]
    Opt3,
}

#[derive(Choice, Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TitledChoice {
    #[choice(title = "First Choice")]
    Value1,
    #[choice(title = "Second Choice")]
    Value2,
    #[choice(title = "Third Choice")]
    Value3,
}

/// Asks who the user is, and repeats the answer.
#[mcp_tool(read_only)]
pub(crate) async fn test_elicitation(
    ctx: &Ctx<Forms>,
    /// What the user reads above the form.
    message: String,
) -> Result<String> {
    let (action, content) = answer(ctx.elicit::<Person>(message).await?)?;
    Ok(format!("User response: <action: {action}, content: {content}>"))
}

/// Asks with a default for every kind of field, and repeats the answer.
#[mcp_tool(read_only)]
pub(crate) async fn test_elicitation_sep1034_defaults(ctx: &Ctx<Forms>) -> Result<String> {
    completed(ctx.elicit::<Defaults>("Please review and update the form fields with defaults").await?)
}

/// Asks for choices, written in every way there is, and repeats the answer.
#[mcp_tool(read_only)]
pub(crate) async fn test_elicitation_sep1330_enums(ctx: &Ctx<Forms>) -> Result<String> {
    completed(ctx.elicit::<Choices>("Please select options from the enum fields").await?)
}

/// Asks on the stream of the call itself, and since 2026-07-28 with no request there.
#[mcp_tool(read_only)]
pub(crate) async fn test_streaming_elicitation(ctx: &Ctx<Forms>) -> Result<String> {
    completed(ctx.elicit::<Person>("Please provide your information").await?)
}

fn completed(elicited: Elicited<impl Serialize>) -> Result<String> {
    let (action, content) = answer(elicited)?;
    Ok(format!("Elicitation completed: action={action}, content={content}"))
}

/// Returns the user's action, and the answer as JSON. If there is no answer, the JSON is `{}`.
fn answer(elicited: Elicited<impl Serialize>) -> Result<(&'static str, String)> {
    Ok(match elicited {
        Elicited::Accept(form) => ("accept", serde_json::to_string(&form)?),
        Elicited::Decline => ("decline", "{}".to_owned()),
        Elicited::Cancel => ("cancel", "{}".to_owned()),
    })
}
