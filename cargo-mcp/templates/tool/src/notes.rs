//! The tool, its settings and its form. Replace them with your own.

use std::{fs, path::PathBuf};

use mcp_runtime::{Result, prelude::*};

/// What the operator of the server can set: with options, environment variables or a file.
#[derive(Settings)]
#[setting(prefix = "NOTES")]
pub struct NoteSettings {
    /// The folder of the notes.
    #[setting(default = "notes", kind = "directory")]
    folder: PathBuf,
}

/// The forms of the tool. The protocol allows flat forms only, and a nested one does not compile.
#[elicits]
pub enum Saving {
    /// Replace the note?
    Replace {
        /// The old text is lost.
        replace: bool,
    },
}

/// Save a note as a file. If there is a note with this title already, the user is asked whether to replace it.
#[mcp_tool(destructive, idempotent)]
pub async fn save_note(
    ctx: &Ctx<Saving>,
    settings: &NoteSettings,
    /// The title of the note: letters, digits, spaces, `-` and `_`.
    title: String,
    /// The text of the note, in Markdown.
    text: String,
) -> Result<String> {
    let is_allowed = |char: char| char.is_alphanumeric() || " -_".contains(char);
    if title.trim().is_empty() || !title.chars().all(is_allowed) {
        // The model reads this error: it says what is wrong, and what is allowed.
        return Err(
            format!("the title is `{title}`; use letters, digits, spaces, `-` and `_`").into(),
        );
    }
    let file = settings.folder.join(format!("{title}.md"));
    if file.exists() {
        let answer = ctx
            .elicit::<Replace>(format!("There is a note `{title}` already. Replace it?"))
            .strict()
            .await?;
        if !answer.replace {
            return Ok(format!(
                "The user keeps the old note `{title}`; nothing was saved."
            ));
        }
    }
    fs::create_dir_all(&settings.folder)?;
    fs::write(&file, text)?;
    Ok(format!("Saved {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use mcp_runtime::{in_every_mode, testing::Client};
    use serde_json::json;
    use tempfile::tempdir;

    use super::*;

    fn server(folder: &Path) -> Server {
        Server::new("notes", "1")
            .state(NoteSettings {
                folder: folder.to_owned(),
            })
            .tools(tools![save_note])
    }

    /// Every revision of the protocol asks in its own way; the tool behaves the same in each.
    #[tokio::test]
    async fn it_asks_before_it_replaces_a_note() {
        in_every_mode!(|mode| {
            let folder = tempdir().unwrap();
            let note = || fs::read_to_string(folder.path().join("tea.md")).unwrap();
            let mut client = mode.client(|| server(folder.path()));
            client
                .call("save_note", json!({ "title": "tea", "text": "green" }))
                .varies()
                .await;
            assert_eq!(note(), "green");

            let black = json!({ "title": "tea", "text": "black" });
            let kept = client
                .call("save_note", &black)
                .accept(Replace { replace: false })
                .await;
            assert_eq!(
                kept.text(),
                "The user keeps the old note `tea`; nothing was saved."
            );
            client
                .call("save_note", &black)
                .accept(Replace { replace: true })
                .varies()
                .await;
            assert_eq!(note(), "black");
        });
    }

    #[tokio::test]
    async fn a_title_cannot_name_another_folder() {
        let folder = tempdir().unwrap();
        let mut client = Client::modern(&server(folder.path()).build().unwrap());
        let refused = client
            .call("save_note", json!({ "title": "../tea", "text": "" }))
            .await;
        assert!(refused.is_error());
        assert_eq!(
            refused.text(),
            "the title is `../tea`; use letters, digits, spaces, `-` and `_`"
        );
    }
}
