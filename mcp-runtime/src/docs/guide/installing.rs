//! The configuration of hosts: the command `install` adds a server to it, and removes it again.
//!
//! A host, such as Claude Code or VS Code, starts the servers that its configuration file names. With the feature `cli`,
//! the program of a server writes its own entry:
//!
//! ```text
//! $ flights install cursor
//! Cursor: added `flights` to `/home/ada/.cursor/mcp.json`
//!   the file as it was: `/home/ada/.cursor/mcp.json.before-flights`
//!   next: enable the server in the settings of Cursor, under MCP
//! ```
//!
//! | command | what it does |
//! | --- | --- |
//! | `install` | finds the hosts that are there and asks which of them get the entry |
//! | `install cursor codex` | adds the entry to the files of these hosts |
//! | `install cursor --project` | the same in the file of the project in the current folder, not in that of the user |
//! | `install cursor --name booking` | gives the entry another name than that of the server |
//! | `install cursor --env LOG=debug` | sets a variable of the program, and so a setting; the file contains its value in plain text |
//! | `install cursor --secret TOKEN` | names a variable with a secret; the file does not contain its value |
//! | `install cursor -- --folder /notes` | the host starts the program with these arguments |
//! | `install cursor --url https://example.com/mcp` | the host connects to a URL and starts no program |
//! | `install --remove cursor` | removes the entry |
//! | `install cursor --dry-run` | prints the lines that would change |
//! | `install cursor --print` | prints the entry alone |
//! | `install --links` | prints links for a page, which add the server to a host with one click |
//!
//! The entry contains the absolute path of the program, the options of its [settings](crate::settings), and its own flags,
//! if it has some: `flights --folder /notes install cursor` adds a server that starts with `--folder=/notes`. A program below `target/debug` is rejected
//! without `--allow-debug`.
//!
//! # Settings
//!
//! The entry must set each required [setting](crate::settings) of the server: with an option before `install`, with
//! `--env`, with an argument behind `--`, or with the file of `--config`. `install` checks these values as the server does.
//!
//! At a terminal, the command asks for the settings that have no value and no default. The answers become variables of the
//! entry. What the variable has in the terminal is the suggested answer, because a host need not have the variables of the
//! terminal. Without a terminal, one error lists what is missing, and how to give it. Optional settings are not asked for.
//!
//! A required secret that has no value becomes a secret of the entry, as with `--secret`, and needs no question: the host
//! has its value, or asks for it. The command says where to set it. The column `--secret TOKEN` below shows how. Where it
//! says *no*, the value can only be in the file, in plain text. At a terminal, the command says so and asks for the value,
//! which is hidden while it is typed, or whether the value of the terminal's variable may be written. Without a terminal,
//! the value must be given with `--env`. `--env APP_TOKEN_FILE=/run/secrets/token` is another way, for any host.
//!
//! The value of a secret that is declared as a setting is in no output: `--dry-run` and `--print` show `***`, and
//! `--links` has no value. Some hosts leave `${TOKEN}` as it is where the variable is missing. The server treats that as a
//! missing value, so its error says what to set.
//!
//! # Hosts
//!
//! | host | file of the user | of a project | `--url` | `--secret TOKEN` |
//! | --- | --- | --- | --- | --- |
//! | `claude-desktop` | `Claude/claude_desktop_config.json` ¹ | | no | no |
//! | `claude-code` | `~/.claude.json`, or in `CLAUDE_CONFIG_DIR` | `.mcp.json` | yes | `${TOKEN}` |
//! | `cursor` | `~/.cursor/mcp.json` | `.cursor/mcp.json` | yes | `${env:TOKEN}` |
//! | `vscode` | `Code/User/mcp.json` ¹ | `.vscode/mcp.json` | yes | asks: `${input:…}` |
//! | `codex` | `~/.codex/config.toml`, or in `CODEX_HOME` | `.codex/config.toml` | yes | `env_vars` |
//! | `gemini` | `~/.gemini/settings.json` | `.gemini/settings.json` | yes | `${TOKEN}` |
//! | `goose` | `~/.config/goose/config.yaml` ² | | yes | `env_keys` ⁴ |
//! | `zed` | `~/.config/zed/settings.json` ² | | yes | no |
//! | `opencode` ³ | `~/.config/opencode/opencode.json` ⁵ | `opencode.json` ⁵ | yes | `{env:TOKEN}` |
//! | `inspector` | `~/.mcp-inspector/mcp.json` | | yes | no |
//! | `copilot` | `~/.copilot/mcp-config.json`, or in `COPILOT_HOME` | ⁶ | yes | `${TOKEN}` |
//!
//! ¹ in `~/.config` or `XDG_CONFIG_HOME` on Linux, `~/Library/Application Support` on macOS, and `%APPDATA%` on Windows.
//! ² on Linux, `XDG_CONFIG_HOME` replaces `~/.config`; on Windows, the file is in `%APPDATA%`.
//! ³ the entry of OpenCode 2, unless the file has entries of OpenCode 1.
//! ⁴ goose passes on the variable of its environment, or the secret that `goose configure` has stored.
//! ⁵ or `opencode.jsonc`, if only that exists.
//! ⁶ it reads `.mcp.json`, so `install claude-code --project` adds the server to Copilot CLI, too.
//!
//! # What happens to a file
//!
//! - Only the entry changes. Comments, order, indentation, line ends, a byte order mark, permissions and symbolic links
//!   stay. The edited text is parsed again and compared with the old one before it is written.
//! - The file as it was is kept beside it, as `mcp.json.before-NAME`. `install --remove` restores it if nothing else has
//!   changed since, and deletes the backup. Otherwise it removes only the entry. A file that the command has created is
//!   deleted.
//! - The new text is written to a second file, which then replaces the first. If another program has changed the file in
//!   the meantime, the command changes nothing and says so.
//! - A file that cannot be parsed, in which a key is there twice, or that is read-only stays as it is.
//! - An entry of the same name that starts another program stays as it is without `--force`.
//!
//! The exit code is 0 on success, 1 if the file of a host could not be changed, and 2 if an argument is invalid. If the
//! command fails for one host, it continues with the others.
