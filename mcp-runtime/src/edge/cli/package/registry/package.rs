//! Where users get the server: the values of the options, and what the registry refuses.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    base::hex::hex,
    edge::cli::{
        install::http_url,
        package::setting_texts::{default_text, description},
    },
    serve::settings::{SettingDefinition, SettingKind},
    wire::protocol::json::object_of_some,
};

/// The registries of container images that the MCP registry reads.
const IMAGE_REGISTRIES: [&str; 3] = ["docker.io", "ghcr.io", "mcr.microsoft.com"];

/// Reads the URL of a bundle in a release.
pub(super) fn bundle_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").unwrap_or_default().trim_start_matches("www.");
    let is_release = match rest.split_once('/') {
        Some(("github.com", path)) => {
            matches!(path.split('/').collect::<Vec<_>>()[..], [_, _, "releases", "download", _, file] if !file.is_empty())
        }
        Some(("gitlab.com", path)) => path.contains("/-/releases/") || path.contains("/-/package_files/"),
        _ => false,
    };
    if !is_release || text.contains(char::is_whitespace) {
        return Err("not a file of a release; write it like \
                    `https://github.com/ann/flights/releases/download/v1.0.0/flights.mcpb`"
            .to_owned());
    }
    if !text.to_ascii_lowercase().contains("mcp") {
        return Err("the registry wants `mcp` in the URL; end the name of the file with `.mcpb`".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads a hash.
pub(super) fn sha256(text: &str) -> Result<String, String> {
    let text = text.to_ascii_lowercase();
    match text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(text),
        false => Err("a SHA-256 hash has 64 hexadecimal digits".to_owned()),
    }
}

/// Reads the reference of an image.
pub(super) fn image(text: &str) -> Result<String, String> {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "._-/:@".contains(char);
    if text.is_empty() || !text.chars().all(is_allowed) {
        return Err("not an image; write it like `ghcr.io/ann/flights:1.0.0`".to_owned());
    }
    let (name, has_digest) = text.split_once('@').map_or((text, false), |(name, _)| (name, true));
    let tag = name.rsplit('/').next().and_then(|last| last.split_once(':')).map(|(_, tag)| tag);
    if tag.is_none_or(|tag| tag.is_empty() || tag == "latest") && !has_digest {
        return Err("the image needs the tag of one version, such as `ghcr.io/ann/flights:1.0.0`".to_owned());
    }
    let host = name.split_once('/').map(|(host, _)| host).filter(|host| host.contains(['.', ':']));
    let is_known = host.is_none_or(|host| {
        IMAGE_REGISTRIES.contains(&host) || host.ends_with(".pkg.dev") || host.ends_with(".azurecr.io")
    });
    match is_known {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "the registry takes images of {}, `*.pkg.dev` and `*.azurecr.io` only",
            IMAGE_REGISTRIES.map(|host| format!("`{host}`")).join(", ")
        )),
    }
}

/// Reads the URL of a server that everybody can reach.
pub(super) fn remote_url(text: &str) -> Result<String, String> {
    match text.starts_with("https://") {
        true => http_url(text),
        false => Err("the registry takes URLs with `https://` only, such as `https://example.com/mcp`".to_owned()),
    }
}

/// Returns the hash of a bundle.
///
/// # Errors
/// If the file cannot be read, or is not an archive.
pub(super) fn hash_of(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let bytes = fs::read(path).map_err(|error| format!("the bundle `{shown}` cannot be read: {error}"))?;
    if !bytes.starts_with(b"PK") {
        return Err(format!("`{shown}` is not a bundle; `manifest mcpb --pack {shown}` writes one"));
    }
    Ok(hex(&hmac_sha256::Hash::hash(&bytes)))
}

/// Returns a package, whose program is started with the settings as environment variables.
pub(super) fn package(
    registry_type: &str,
    identifier: &str,
    version: Option<&str>,
    sha256: Option<String>,
    settings: &[SettingDefinition],
) -> Value {
    let variables: Vec<_> = settings.iter().map(variable).collect();
    object_of_some([
        ("registryType", Some(registry_type.into())),
        ("identifier", Some(identifier.into())),
        ("version", version.map(Value::from)),
        ("fileSha256", sha256.map(Value::from)),
        ("transport", Some(json!({ "type": "stdio" }))),
        ("environmentVariables", (!variables.is_empty()).then_some(variables.into())),
    ])
}

fn variable(setting: &SettingDefinition) -> Value {
    let lists_choices = setting.kind() == SettingKind::Choice && !setting.is_list();
    let choices = || setting.choices().iter().map(|choice| choice.name()).collect();
    let yes = |is: bool| is.then_some(Value::Bool(true));
    let format = match setting.kind() {
        _ if setting.is_list() => None,
        SettingKind::Number => Some("number"),
        SettingKind::Boolean => Some("boolean"),
        SettingKind::File | SettingKind::Directory => Some("filepath"),
        SettingKind::Text | SettingKind::Choice => None,
    };
    object_of_some([
        ("name", Some(setting.env().into())),
        ("description", Some(description(setting, !lists_choices).into())),
        ("isRequired", yes(setting.is_required())),
        ("isSecret", yes(setting.is_secret())),
        ("format", format.map(Value::from)),
        ("default", default_text(setting).map(Value::from)),
        ("choices", lists_choices.then(choices)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_is_a_file_of_a_release() {
        for url in [
            "https://github.com/ann/flights/releases/download/v1.0.0/flights.mcpb",
            "https://gitlab.com/group/sub/mcp-flights/-/releases/v1/downloads/x.zip",
        ] {
            assert_eq!(bundle_url(url).as_deref(), Ok(url));
        }
        for url in [
            "",
            "http://github.com/ann/flights/releases/download/v1.0.0/flights.mcpb",
            "https://example.com/flights.mcpb",
            "https://github.com/ann/flights/blob/main/flights.mcpb",
            "https://github.com/ann/flights/releases/download/v1.0.0/",
        ] {
            assert!(bundle_url(url).unwrap_err().starts_with("not a file of a release"), "{url}");
        }
        let error = bundle_url("https://github.com/ann/flights/releases/download/v1.0.0/flights.zip").unwrap_err();
        assert!(error.starts_with("the registry wants `mcp` in the URL"), "{error}");
    }

    #[test]
    fn an_image_has_one_version_and_a_known_registry() {
        let digest = format!("ghcr.io/ann/flights@sha256:{}", "a".repeat(64));
        for text in
            ["ghcr.io/ann/flights:1.0.0", "ann/flights:1.0", "docker.io/ann/flights:v1", "eu.pkg.dev/a/b:1", &digest]
        {
            assert_eq!(image(text).as_deref(), Ok(text));
        }
        for text in ["ghcr.io/ann/flights", "ghcr.io/ann/flights:latest", "localhost:5000/flights"] {
            assert!(image(text).unwrap_err().starts_with("the image needs the tag"), "{text}");
        }
        for text in ["quay.io/ann/flights:1", "localhost:5000/flights:1"] {
            assert!(image(text).unwrap_err().starts_with("the registry takes images of"), "{text}");
        }
        assert!(image("ann/flights:1 2").is_err());
    }
}
