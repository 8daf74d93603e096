//! The hosts: where the file of each is, and the form of an entry in it. This is data.

use super::{
    entry::ServerEntry,
    form::{EntryForm, Fixed, ProgramForm, SecretForm, UrlForm},
    format::FileFormat,
    own_command,
    place::PlacePath,
};

/// Whose file an entry is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    User,
    Project,
}

/// Returns the words of a command that adds an entry. Returns `None` if there is none for this entry or scope.
pub(crate) type OwnCommand = fn(&ServerEntry, Scope) -> Option<Vec<String>>;

pub(crate) struct KnownHost {
    /// What a user types.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) format: FileFormat,
    pub(crate) form: EntryForm,
    /// The file or folder that exists if the user has this host.
    pub(crate) presence: PlacePath,
    user_file: PlacePath,
    project_file: Option<PlacePath>,
    /// What the user does after the entry was written.
    pub(crate) next_step: &'static str,
    /// The host's own command that adds the same entry, if it has one.
    pub(crate) own_command: Option<OwnCommand>,
}

impl KnownHost {
    /// # Errors
    /// If the host has no file for projects.
    pub(crate) fn file(&self, scope: Scope) -> Result<&PlacePath, String> {
        match scope {
            Scope::User => Ok(&self.user_file),
            Scope::Project => self
                .project_file
                .as_ref()
                .ok_or_else(|| format!("{} has no file for a project; leave out `--project`", self.title)),
        }
    }

    pub(crate) fn has(&self, scope: Scope) -> bool {
        self.file(scope).is_ok()
    }
}

const PROGRAM: ProgramForm = ProgramForm::Separate { program: "command", arguments: "args" };
const TYPE_STDIO: &[(&str, Fixed)] = &[("type", Fixed::Text("stdio"))];
const TYPE_HTTP: &[(&str, Fixed)] = &[("type", Fixed::Text("http"))];
/// `${VAR}`, which the host replaces.
const SHELL_REFERENCE: SecretForm = SecretForm::Reference { before: "${", behind: "}" };

/// The form that most hosts have.
const COMMON: EntryForm = EntryForm {
    tables: &["mcpServers"],
    older_tables: &[],
    fixed: &[],
    program: PROGRAM,
    variables: "env",
    url: UrlForm::Member { fixed: &[], url: "url" },
    secrets: SecretForm::None,
};

pub(crate) static HOSTS: [KnownHost; 11] = [
    KnownHost {
        name: "claude-desktop",
        title: "Claude Desktop",
        format: FileFormat::Json,
        form: EntryForm {
            url: UrlForm::None(
                "Claude Desktop takes HTTP servers in its settings only: add the URL there, under Connectors",
            ),
            ..COMMON
        },
        presence: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/Claude",
            "~/Library/Application Support/Claude",
            "{APPDATA:~/AppData/Roaming}/Claude",
        ),
        user_file: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/Claude/claude_desktop_config.json",
            "~/Library/Application Support/Claude/claude_desktop_config.json",
            "{APPDATA:~/AppData/Roaming}/Claude/claude_desktop_config.json",
        ),
        project_file: None,
        next_step: "restart Claude Desktop",
        own_command: None,
    },
    KnownHost {
        name: "claude-code",
        title: "Claude Code",
        format: FileFormat::Json,
        form: EntryForm {
            fixed: TYPE_STDIO,
            url: UrlForm::Member { fixed: TYPE_HTTP, url: "url" },
            secrets: SHELL_REFERENCE,
            ..COMMON
        },
        presence: PlacePath::everywhere("{CLAUDE_CONFIG_DIR:~/}/.claude.json"),
        user_file: PlacePath::everywhere("{CLAUDE_CONFIG_DIR:~/}/.claude.json"),
        project_file: Some(PlacePath::everywhere(".mcp.json")),
        next_step: "start a new session; each user approves the servers of a project once",
        own_command: Some(own_command::claude),
    },
    KnownHost {
        name: "cursor",
        title: "Cursor",
        format: FileFormat::Json,
        form: EntryForm { secrets: SecretForm::Reference { before: "${env:", behind: "}" }, ..COMMON },
        presence: PlacePath::everywhere("~/.cursor"),
        user_file: PlacePath::everywhere("~/.cursor/mcp.json"),
        project_file: Some(PlacePath::everywhere(".cursor/mcp.json")),
        next_step: "enable the server in the settings of Cursor, under MCP",
        own_command: None,
    },
    KnownHost {
        name: "vscode",
        title: "VS Code",
        format: FileFormat::Json,
        form: EntryForm {
            tables: &["servers"],
            fixed: TYPE_STDIO,
            url: UrlForm::Member { fixed: TYPE_HTTP, url: "url" },
            secrets: SecretForm::Inputs { list: "inputs" },
            ..COMMON
        },
        presence: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/Code/User",
            "~/Library/Application Support/Code/User",
            "{APPDATA:~/AppData/Roaming}/Code/User",
        ),
        user_file: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/Code/User/mcp.json",
            "~/Library/Application Support/Code/User/mcp.json",
            "{APPDATA:~/AppData/Roaming}/Code/User/mcp.json",
        ),
        project_file: Some(PlacePath::everywhere(".vscode/mcp.json")),
        next_step: "start the server with `MCP: List Servers` in VS Code",
        own_command: Some(own_command::vscode),
    },
    KnownHost {
        name: "codex",
        title: "Codex",
        format: FileFormat::Toml,
        form: EntryForm { tables: &["mcp_servers"], secrets: SecretForm::Names("env_vars"), ..COMMON },
        presence: PlacePath::everywhere("{CODEX_HOME:~/.codex}/"),
        user_file: PlacePath::everywhere("{CODEX_HOME:~/.codex}/config.toml"),
        project_file: Some(PlacePath::everywhere(".codex/config.toml")),
        next_step: "start a new session; the file of a project counts once Codex trusts the project",
        own_command: Some(own_command::codex),
    },
    KnownHost {
        name: "gemini",
        title: "Gemini CLI",
        format: FileFormat::Json,
        form: EntryForm {
            // `url` is the transport of 2024-11-05.
            url: UrlForm::Member { fixed: &[], url: "httpUrl" },
            secrets: SHELL_REFERENCE,
            ..COMMON
        },
        presence: PlacePath::everywhere("~/.gemini"),
        user_file: PlacePath::everywhere("~/.gemini/settings.json"),
        project_file: Some(PlacePath::everywhere(".gemini/settings.json")),
        next_step: "start a new session",
        own_command: Some(own_command::gemini),
    },
    KnownHost {
        name: "goose",
        title: "goose",
        format: FileFormat::Yaml,
        form: EntryForm {
            tables: &["extensions"],
            older_tables: &[],
            fixed: &[
                ("name", Fixed::Name),
                ("enabled", Fixed::Yes),
                ("timeout", Fixed::Number(300)),
                ("type", Fixed::Text("stdio")),
            ],
            program: ProgramForm::Separate { program: "cmd", arguments: "args" },
            variables: "envs",
            url: UrlForm::Member {
                fixed: &[
                    ("name", Fixed::Name),
                    ("enabled", Fixed::Yes),
                    ("timeout", Fixed::Number(300)),
                    ("type", Fixed::Text("streamable_http")),
                ],
                url: "uri",
            },
            secrets: SecretForm::Names("env_keys"),
        },
        presence: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/goose",
            "~/.config/goose",
            "{APPDATA:~/AppData/Roaming}/Block/goose",
        ),
        user_file: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/goose/config.yaml",
            "~/.config/goose/config.yaml",
            "{APPDATA:~/AppData/Roaming}/Block/goose/config/config.yaml",
        ),
        project_file: None,
        next_step: "start a new session",
        own_command: None,
    },
    KnownHost {
        name: "zed",
        title: "Zed",
        format: FileFormat::Json,
        form: EntryForm {
            tables: &["context_servers"],
            // Older versions need it.
            fixed: &[("source", Fixed::Text("custom"))],
            ..COMMON
        },
        presence: PlacePath::of("{XDG_CONFIG_HOME:~/.config}/zed", "~/.config/zed", "{APPDATA:~/AppData/Roaming}/Zed"),
        user_file: PlacePath::of(
            "{XDG_CONFIG_HOME:~/.config}/zed/settings.json",
            "~/.config/zed/settings.json",
            "{APPDATA:~/AppData/Roaming}/Zed/settings.json",
        ),
        project_file: None,
        next_step: "Zed starts the server at once; its agent panel shows whether it runs",
        own_command: None,
    },
    KnownHost {
        name: "opencode",
        title: "OpenCode",
        format: FileFormat::Json,
        form: EntryForm {
            tables: &["mcp", "servers"],
            older_tables: &["mcp"],
            fixed: &[("type", Fixed::Text("local"))],
            program: ProgramForm::List("command"),
            variables: "environment",
            url: UrlForm::Member { fixed: &[("type", Fixed::Text("remote"))], url: "url" },
            secrets: SecretForm::Reference { before: "{env:", behind: "}" },
        },
        presence: PlacePath::everywhere("{XDG_CONFIG_HOME:~/.config}/opencode"),
        user_file: PlacePath::everywhere("{XDG_CONFIG_HOME:~/.config}/opencode/opencode.json"),
        project_file: Some(PlacePath::everywhere("opencode.json")),
        next_step: "start a new session; in a file of OpenCode 1 without servers, move the entry from `mcp.servers` to `mcp`",
        own_command: None,
    },
    KnownHost {
        name: "inspector",
        title: "MCP Inspector",
        format: FileFormat::Json,
        form: EntryForm { fixed: TYPE_STDIO, url: UrlForm::Member { fixed: TYPE_HTTP, url: "url" }, ..COMMON },
        presence: PlacePath::everywhere("~/.mcp-inspector"),
        user_file: PlacePath::everywhere("~/.mcp-inspector/mcp.json"),
        project_file: None,
        next_step: "start the Inspector again",
        own_command: None,
    },
    KnownHost {
        name: "copilot",
        title: "Copilot CLI",
        format: FileFormat::Json,
        form: EntryForm {
            fixed: &[("type", Fixed::Text("local")), ("tools", Fixed::Everything)],
            url: UrlForm::Member { fixed: &[("type", Fixed::Text("http")), ("tools", Fixed::Everything)], url: "url" },
            secrets: SHELL_REFERENCE,
            ..COMMON
        },
        presence: PlacePath::everywhere("{COPILOT_HOME:~/.copilot}/"),
        user_file: PlacePath::everywhere("{COPILOT_HOME:~/.copilot}/mcp-config.json"),
        project_file: None,
        next_step: "start a new session",
        own_command: Some(own_command::copilot),
    },
];

/// Returns the host with this name.
pub(crate) fn host(name: &str) -> Option<&'static KnownHost> {
    HOSTS.iter().find(|host| host.name == name)
}
