//! The types of the tools for a page in TypeScript, and a client for the routes.

mod types;

use std::{fmt::Write as _, fs, io, path::Path};

use serde_json::json;

use self::types::{comment, property, type_of};
use super::host::PluginHost;
use crate::engine::tool::registered::RegisteredTool;

/// Two files for a page in TypeScript. See [`PluginHost::typescript`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeScript {
    /// The content of `plugin-types.d.ts`: the arguments, the result and the forms of each tool.
    pub types: String,
    /// The content of `plugin-client.ts`: a client for the routes of [`PluginHost::router`]. It needs no package.
    pub client: &'static str,
}

impl PluginHost {
    /// Returns two files for a page in TypeScript: the types of the tools, and a client for the [router](Self::router).
    ///
    /// The type `Handlers` of the client has one function for each form of each tool. So a page compiles only if it
    /// answers every form of every tool.
    ///
    /// ```
    /// use mcp_runtime::{Result, Server, plugin::PluginHost, prelude::*};
    ///
    /// #[elicits]
    /// enum Asks {
    ///     /// Sure?
    ///     Sure { yes: bool },
    /// }
    ///
    /// /// Deletes a file.
    /// #[mcp_tool]
    /// async fn delete(ctx: &Ctx<Asks>, path: String) -> Result<String> {
    ///     let sure = ctx.elicit::<Sure>(format!("Delete {path}?")).strict().await?;
    ///     Ok(if sure.yes { "deleted" } else { "kept" }.to_owned())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let host = PluginHost::builder(Server::new("files", "1.0.0").tools(tools![delete])).start().await?;
    /// let typescript = host.typescript();
    /// assert!(typescript.types.contains("sure: { yes: boolean }"), "{}", typescript.types);
    /// # Ok(())
    /// # }
    /// ```
    pub fn typescript(&self) -> TypeScript {
        let registry = self.server().0.registry.read();
        let mut types = String::from(HEAD);
        registry.iter().for_each(|tool| write_tool(&mut types, tool));
        types.push_str("}\n");
        TypeScript { types, client: include_str!("plugin-client.ts") }
    }
}

impl TypeScript {
    /// Writes both files into a folder. A file that already has the right content is not written again.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write_to(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        let folder = folder.as_ref();
        fs::create_dir_all(folder)?;
        for (name, content) in self.files() {
            let path = folder.join(name);
            // A build tool that watches the folder must not start if nothing has changed.
            if fs::read_to_string(&path).ok().as_deref() != Some(content) {
                fs::write(path, content)?;
            }
        }
        Ok(())
    }

    /// Returns the names of the files that a folder lacks, or whose content differs from what
    /// [`write_to`](Self::write_to) would write. So a test can check that the files in a repository match the tools.
    pub fn outdated_in(&self, folder: impl AsRef<Path>) -> Vec<&'static str> {
        let differs = |(name, content): &(&str, &str)| {
            fs::read_to_string(folder.as_ref().join(name)).ok().as_deref() != Some(*content)
        };
        self.files().into_iter().filter(differs).map(|(name, _)| name).collect()
    }

    fn files(&self) -> [(&'static str, &str); 2] {
        [("plugin-types.d.ts", &self.types), ("plugin-client.ts", self.client)]
    }
}

const HEAD: &str = "// Generated from the tools of the application. Do not edit.\n\n\
    /** The tools of the application: their arguments, their structured results and their forms. */\n\
    export interface Tools {\n";

fn write_tool(out: &mut String, tool: &RegisteredTool) {
    let definition = &tool.definition;
    let arguments = type_of(&tool.schema.to_value(), 2);
    let result = tool.output.as_ref().map(|output| type_of(&json!(output.published), 2));
    let result = result.as_deref().unwrap_or("undefined");
    let mut forms = String::new();
    for form in &definition.forms {
        comment(&mut forms, 3, form.description);
        // Writing to a string cannot fail.
        let _ = writeln!(forms, "      {}: {};", property(form.key), type_of(&json!((form.published)()), 3));
    }
    let forms = if forms.is_empty() { "Record<never, never>".to_owned() } else { format!("{{\n{forms}    }}") };
    comment(out, 1, &definition.description);
    let _ = writeln!(out, "  {}: {{", property(&definition.name));
    let _ = writeln!(out, "    arguments: {arguments};\n    result: {result};\n    forms: {forms};\n  }};");
}
