//! The feature of the author's package that turns on the feature `dev` of the runtime.

use super::metadata::{Dependency, Package};

/// The package that has this code.
const RUNTIME: &str = env!("CARGO_PKG_NAME");

/// Returns the feature to build the program with, so that it has the command `dev` again. Returns `None` if the
/// dependency itself names `dev`, or if no feature does.
///
/// The program has the feature `dev`, or this code would not run, but it cannot know who has turned it on.
pub(super) fn dev_feature(package: &Package) -> Option<String> {
    let mut runtimes = package.dependencies.iter().filter(|dependency| dependency.name == RUNTIME).peekable();
    if runtimes.clone().any(|runtime| runtime.features.iter().any(|feature| feature == "dev")) {
        return None;
    }
    let names: Vec<&str> = runtimes.by_ref().map(Dependency::name_in_features).collect();
    let turns_on = |enabled: &String| {
        let Some((dependency, feature)) = enabled.split_once('/') else { return false };
        feature == "dev" && names.contains(&dependency.trim_end_matches('?'))
    };
    let mut found = package.features.iter().filter(|(_, enabled)| enabled.iter().any(turns_on)).map(|(name, _)| name);
    let first = found.next()?;
    // A feature with the same name is the one that was meant for this.
    Some(if first == "dev" { first } else { found.find(|name| *name == "dev").unwrap_or(first) }.clone())
}

impl Dependency {
    fn name_in_features(&self) -> &str {
        self.rename.as_deref().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]
    fn feature(dependency: Value, features: Value) -> Option<String> {
        dev_feature(&serde_json::from_value(json!({ "dependencies": [dependency], "features": features })).unwrap())
    }

    #[test]
    fn finds_the_feature_that_turns_on_dev() {
        let runtime = json!({ "name": "mcp-runtime", "features": ["cli"] });
        for enabled in ["mcp-runtime/dev", "mcp-runtime?/dev"] {
            assert_eq!(feature(runtime.clone(), json!({ "page": [enabled], "a": [] })).as_deref(), Some("page"));
        }
        let features = json!({ "all": ["mcp-runtime/dev"], "dev": ["mcp-runtime/dev"] });
        assert_eq!(feature(runtime.clone(), features).as_deref(), Some("dev"));
        assert_eq!(feature(runtime.clone(), json!({ "dev": ["dep:serde", "other/dev", "mcp-runtime/cli"] })), None);
        let renamed = json!({ "name": "mcp-runtime", "rename": "mcp", "features": [] });
        assert_eq!(feature(renamed.clone(), json!({ "dev": ["mcp/dev"] })).as_deref(), Some("dev"));
        assert_eq!(feature(renamed, json!({ "dev": ["mcp-runtime/dev"] })), None);
    }

    #[test]
    fn needs_no_feature_if_the_dependency_names_dev() {
        let runtime = json!({ "name": "mcp-runtime", "features": ["dev"] });
        assert_eq!(feature(runtime, json!({ "dev": ["mcp-runtime/dev"] })), None);
    }
}
