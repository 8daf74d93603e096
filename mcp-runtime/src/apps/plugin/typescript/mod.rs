//! The types of the tools for a page in TypeScript, a client for the routes, and what shows and writes views.

mod types;
mod views;

use std::{fmt::Write as _, fs, io, path::Path};

use serde_json::json;

use self::{
    types::{comment, property, type_of},
    views::{has_views, view_types},
};
use super::host::PluginHost;
use crate::{engine::tool::registered::RegisteredTool, serve::resource::VIEW_CLIENT};

/// The files for a page in TypeScript, and for views. See [`PluginHost::typescript`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeScript {
    /// The content of `plugin-types.d.ts`: the arguments, the result and the forms of each tool.
    pub types: String,
    /// The content of `plugin-client.ts`: a client for the routes of [`PluginHost::router`]. It needs no package.
    pub client: &'static str,
    /// The content of `view-host.ts`, which shows views on the page. `None` if no tool has a view.
    pub view_host: Option<&'static str>,
    /// The content of `mcp-view.d.ts`, for authors of views: the input and the result of the tools that each view shows,
    /// the tools that views can call, and the types of the client.
    pub view_types: String,
    /// The content of `mcp-view.js`: the client of a view. A view names it in `<script src="mcp-view.js"></script>`, and
    /// the server puts it there. With the file beside the view, an editor knows its functions.
    pub view_client: &'static str,
}

impl PluginHost {
    /// Returns the files for a page in TypeScript: the types of the tools, a client for the [router](Self::router), and
    /// a host of views if a tool has one. Also returns the types for authors of views.
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
        TypeScript {
            types,
            client: include_str!("plugin-client.ts"),
            view_host: has_views(&registry).then_some(include_str!("view-host.ts")),
            view_types: view_types(&registry),
            view_client: VIEW_CLIENT,
        }
    }
}

impl TypeScript {
    /// Writes the files for a page into a folder. A file that already has the right content is not written again.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write_to(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        write(folder.as_ref(), &self.files())
    }

    /// Returns the names of the files that a folder lacks, or whose content differs from what
    /// [`write_to`](Self::write_to) would write. So a test can check that the files in a repository match the tools.
    pub fn outdated_in(&self, folder: impl AsRef<Path>) -> Vec<&'static str> {
        outdated(folder.as_ref(), &self.files())
    }

    /// Writes `mcp-view.js` and `mcp-view.d.ts` into the folder of the views.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write_views_to(&self, folder: impl AsRef<Path>) -> io::Result<()> {
        write(folder.as_ref(), &self.view_files())
    }

    /// Returns the names of the files for views that a folder lacks, or whose content differs. See
    /// [`outdated_in`](Self::outdated_in).
    pub fn views_outdated_in(&self, folder: impl AsRef<Path>) -> Vec<&'static str> {
        outdated(folder.as_ref(), &self.view_files())
    }

    fn files(&self) -> Vec<(&'static str, &str)> {
        let host = self.view_host.map(|host| ("view-host.ts", host));
        [("plugin-types.d.ts", &*self.types), ("plugin-client.ts", self.client)].into_iter().chain(host).collect()
    }

    fn view_files(&self) -> [(&'static str, &str); 2] {
        [("mcp-view.d.ts", &self.view_types), ("mcp-view.js", self.view_client)]
    }
}

fn write(folder: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, content) in files {
        let path = folder.join(name);
        // A build tool that watches the folder must not start if nothing has changed.
        if fs::read_to_string(&path).ok().as_deref() != Some(*content) {
            fs::write(path, content)?;
        }
    }
    Ok(())
}

fn outdated(folder: &Path, files: &[(&'static str, &str)]) -> Vec<&'static str> {
    let differs =
        |(name, content): &&(&str, &str)| fs::read_to_string(folder.join(name)).ok().as_deref() != Some(*content);
    files.iter().filter(differs).map(|(name, _)| *name).collect()
}

const HEAD: &str = "// Generated from the tools of the application. Do not edit.\n\n\
    /** The tools of the application: their arguments, their structured results and their forms. */\n\
    export interface Tools {\n";

fn write_tool(out: &mut String, tool: &RegisteredTool) {
    let definition = &tool.definition;
    let (arguments, result) = tool_types(tool);
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

/// Returns the types of the arguments and of the structured result.
fn tool_types(tool: &RegisteredTool) -> (String, String) {
    let arguments = type_of(&tool.schema.to_value(), 2);
    let result = tool.output.as_ref().map(|output| type_of(&json!(output.published), 2));
    (arguments, result.unwrap_or_else(|| "undefined".to_owned()))
}
