//! What the tools of an API share: its servers and its credentials.

use std::{collections::BTreeMap, sync::OnceLock};

use reqwest::Url;

use super::{
    Api, base_url,
    credentials::Credentials,
    exchange::{ApiLimits, Exchanger, client},
    table::{ApiDocument, ApiOperation},
};
use crate::serve::settings::{Secret, SettingDefinition, SettingSources, ToolSettings, read_secrets};

pub(super) struct SharedApi {
    document: &'static ApiDocument,
    /// The server of the document, followed by those that only some operations have. Empty if one of them has a problem.
    servers: Vec<Exchanger>,
    /// The credentials that the author has set. The settings have the others.
    given: BTreeMap<String, Secret<String>>,
    settings: Vec<SettingDefinition>,
    credentials: OnceLock<Credentials>,
    /// What the author must correct.
    problems: Vec<String>,
    /// The same for the URLs. A command that only shows the tools needs none.
    problems_of_urls: Vec<String>,
}

impl SharedApi {
    pub(super) fn new(api: Api) -> Self {
        let Api { document, base_url, own_servers, credentials: given, limits } = api;
        let mut problems = Vec::new();
        let schemes = || document.schemes.iter().zip(document.settings);
        for name in given.keys().filter(|name| !schemes().any(|(scheme, _)| scheme.name == **name)) {
            let known: Vec<_> = schemes().map(|(scheme, _)| scheme.name).collect();
            problems.push(unknown(document, "use", "security scheme", name, &known));
        }
        for url in own_servers.keys().filter(|url| !document.own_servers.contains(&url.as_str())) {
            problems.push(unknown(document, "have", "server of their own", url, document.own_servers));
        }
        let settings = schemes().filter(|(scheme, _)| !given.contains_key(scheme.name)).map(|(_, setting)| *setting);
        let settings = settings.collect();
        let mut problems_of_urls = Vec::new();
        let servers = servers(document, base_url.as_deref(), &own_servers, limits, &mut problems_of_urls);
        Self { document, servers, given, settings, credentials: OnceLock::new(), problems, problems_of_urls }
    }

    /// Returns the server of an operation, unless a URL has a problem.
    pub(super) fn server(&self, operation: &ApiOperation) -> Option<&Exchanger> {
        self.servers.get(operation.own_server.map_or(0, |own| own + 1))
    }

    /// Returns the credentials. If no server has read them, because the tool was added to one that runs, they are read from
    /// the environment of the process, and from the file that `MCP_CONFIG` names.
    pub(super) fn credentials(&self) -> &Credentials {
        self.credentials.get_or_init(|| self.credentials_of_process(&mut Vec::new()))
    }

    fn credentials_of_process(&self, problems: &mut Vec<String>) -> Credentials {
        let mut sources = SettingSources::default();
        problems.extend(sources.open_file(None).err());
        self.read_credentials(Some(&sources), problems)
    }

    fn read_credentials(&self, sources: Option<&SettingSources>, problems: &mut Vec<String>) -> Credentials {
        let found = sources.map(|sources| read_secrets(&self.settings, sources, problems)).unwrap_or_default();
        let mut found = found.into_iter();
        let secrets = self.document.schemes.iter().map(|scheme| match self.given.get(scheme.name) {
            Some(given) => Some(given.clone()),
            None => found.next().flatten(),
        });
        Credentials::new(self.document, secrets.collect(), problems)
    }
}

impl ToolSettings for SharedApi {
    fn definitions(&self) -> &[SettingDefinition] {
        &self.settings
    }

    fn service(&self) -> Option<String> {
        Some(self.servers.first()?.base.origin().ascii_serialization())
    }

    fn read(&self, sources: Option<&SettingSources>, problems: &mut Vec<String>) {
        problems.extend_from_slice(&self.problems);
        if sources.is_some() {
            problems.extend_from_slice(&self.problems_of_urls);
        }
        self.credentials.get_or_init(|| self.read_credentials(sources, problems));
    }

    fn unread_problems(&self) -> Vec<String> {
        if self.credentials.get().is_some() {
            return Vec::new();
        }
        let mut problems = [&*self.problems, &*self.problems_of_urls].concat();
        self.credentials_of_process(&mut problems);
        problems
    }
}

/// Returns the problem of a name that the author has written, and the document does not have.
fn unknown(document: &ApiDocument, verb: &str, noun: &str, name: &str, known: &[&str]) -> String {
    let operations = format!("the chosen operations of `{}` {verb} no {noun}", document.title);
    let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    match known.is_empty() {
        true => format!("{operations}, so also not `{name}`"),
        false => format!("{operations} `{name}`, only {}", known.join(", ")),
    }
}

/// Returns the servers. If something is wrong, adds it to `problems`, and returns none.
fn servers(
    document: &ApiDocument,
    base: Option<&str>,
    named: &BTreeMap<String, String>,
    limits: ApiLimits,
    problems: &mut Vec<String>,
) -> Vec<Exchanger> {
    let base = match base_url::read(base.or(document.server), document.title) {
        Ok(base) => base,
        Err(problem) => {
            problems.push(problem);
            return Vec::new();
        }
    };
    let first = document.server.and_then(|url| Url::parse(url).ok());
    let mut urls = vec![(base.clone(), true)];
    for (index, own) in document.own_servers.iter().enumerate() {
        let written = named.get(*own);
        let url = match base_url::read(Some(written.map_or(*own, String::as_str)), document.title) {
            Ok(url) => url,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        if written.is_some() {
            urls.push((url, true));
        } else if first.as_ref().is_some_and(|first| first.origin() == url.origin()) {
            let mut moved = base.clone();
            moved.set_path(url.path());
            urls.push((moved, true));
        } else {
            let needs_credential =
                |operation: &&ApiOperation| operation.own_server == Some(index) && operation.needs_credential();
            if let Some(ApiOperation { method, path, .. }) = document.operations.iter().find(needs_credential) {
                problems.push(format!(
                    "`{method} {path}` of `{}` has a server of its own, `{own}`, and needs a credential; if this server \
                     may get it, name it with `.own_server(\"{own}\", \"{own}\")`, otherwise leave out its operations with \
                     `except(…)`",
                    document.title
                ));
            }
            urls.push((url, false));
        }
    }
    let servers = urls
        .into_iter()
        .map(|(base, is_trusted)| client(&base).map(|client| Exchanger { client, base, is_trusted, limits }));
    match servers.collect::<Result<Vec<_>, _>>() {
        Ok(servers) if problems.is_empty() => servers,
        Ok(_) => Vec::new(),
        Err(problem) => {
            problems.push(problem);
            Vec::new()
        }
    }
}
