//! What a document of a package says about the author and the project. An option has precedence over what the server
//! knows, and the server over the `Cargo.toml` of the program.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::cargo::CargoPackage;
use crate::{edge::cli::install::http_url, serve::server::Identity};

pub(super) struct Details<'a> {
    pub(super) identity: &'a Identity,
    matches: &'a ArgMatches,
    pub(super) cargo: Option<CargoPackage>,
}

/// Returns the options that all packages have.
pub(super) fn options() -> [Arg; 4] {
    [
        option("description", "TEXT").help("What the server does [default: `description` of Cargo.toml]"),
        option("repository", "URL")
            .value_parser(http_url)
            .help("Where the source code is [default: `repository` of Cargo.toml]"),
        option("homepage", "URL")
            .value_parser(http_url)
            .help("The page of the project [default: the website of the server, or `homepage` of Cargo.toml]"),
        option("manifest-path", "FILE")
            .value_parser(value_parser!(PathBuf))
            .help("The Cargo.toml of this program [default: that of the current folder or its workspace]"),
    ]
}

/// Returns an option with a value.
pub(super) fn option(name: &'static str, value: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value)
}

/// Returns an option that can be given several times.
pub(super) fn list(name: &'static str, value: &'static str) -> Arg {
    option(name, value).action(ArgAction::Append)
}

impl<'a> Details<'a> {
    /// # Errors
    /// If the file of `--manifest-path` cannot be read.
    pub(super) fn new(identity: &'a Identity, program: &str, matches: &'a ArgMatches) -> Result<Self, String> {
        let cargo = CargoPackage::find(program, matches.get_one::<PathBuf>("manifest-path").map(PathBuf::as_path))?;
        Ok(Self { identity, matches, cargo })
    }

    /// Returns the value of an option, or else the one of `Cargo.toml`. Blank texts are no values.
    pub(super) fn text(&self, option: &str, of_cargo: impl Fn(&CargoPackage) -> Option<&String>) -> Option<String> {
        let given = self.matches.try_get_one::<String>(option).ok().flatten();
        let text = given.or_else(|| self.cargo.as_ref().and_then(of_cargo))?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
    }

    pub(super) fn description(&self) -> Option<String> {
        self.text("description", |package| package.description.as_ref())
    }

    pub(super) fn repository(&self) -> Option<String> {
        self.text("repository", |package| package.repository.as_ref()).filter(|url| http_url(url).is_ok())
    }

    pub(super) fn homepage(&self) -> Option<String> {
        let given = self.text("homepage", |_| None);
        let found = given.or_else(|| self.identity.website_url.clone());
        found.or_else(|| self.text("homepage", |package| package.homepage.as_ref())).filter(|url| http_url(url).is_ok())
    }

    /// Returns the version of the server, which is that of the package.
    ///
    /// # Errors
    /// If it is not a semantic version, which hosts and registries compare.
    pub(super) fn version(&self) -> Result<&'a str, String> {
        let version = &*self.identity.version;
        match is_semantic_version(version) {
            true => Ok(version),
            false => Err(format!(
                "the version of the server is `{version}`, not a semantic version such as `1.2.0`; write \
                 `Server::new(…, env!(\"CARGO_PKG_VERSION\"))`"
            )),
        }
    }

    /// Returns the problem of a missing value. `key` is that of `Cargo.toml`.
    pub(super) fn lacks(&self, what: &str, option: &str, key: &str) -> String {
        let place = match &self.cargo {
            Some(package) => format!("the `Cargo.toml` of `{}`", package.name),
            None => "`Cargo.toml`, and name that file with `--manifest-path`".to_owned(),
        };
        format!("{what} is missing; give `{option}`, or write `{key} = …` into {place}")
    }
}

/// Returns whether the text is a version as <https://semver.org> defines it.
fn is_semantic_version(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (numbers, pre) = text.split_once('-').map_or((text, None), |(numbers, pre)| (numbers, Some(pre)));
    let is_number = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
    };
    let is_identifier =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let are_identifiers = |texts: Option<&str>| texts.is_none_or(|texts| texts.split('.').all(is_identifier));
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && are_identifiers(pre)
        && are_identifiers(build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semantic_version_has_three_numbers() {
        for text in
            ["0.1.0", "1.2.3", "1.0.0-alpha.1", "1.0.0+20130313144700", "1.0.0-beta+exp.sha.5114f85", "10.20.30"]
        {
            assert!(is_semantic_version(text), "{text}");
        }
        for text in
            ["", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-", "1.2.x", "^1.2.3", "latest", "1.2.3+", "1..3"]
        {
            assert!(!is_semantic_version(text), "{text}");
        }
    }
}
