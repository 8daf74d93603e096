//! Checks: what hosts would stumble over, and whether the server works as hosts use it.
//!
//! With the feature `cli`, the program of a server has two commands. `check` reads what the server publishes, and
//! reports what some hosts refuse or show incompletely. `doctor` starts the program as hosts do, and talks to it.
//!
//! # `check`
//!
//! ```text
//! $ flights check
//! warning[undescribed-parameter]: tool `book_flight`: the parameter `seat` has no description
//!   --> src/booking.rs:42
//!   why: a model has to guess from the name what to send
//!   fix: write a doc comment above the parameter or the field, or a `description` in a schema of your own
//!
//! 1 warning
//! ```
//!
//! | option | what it does |
//! | --- | --- |
//! | `--format text` | writes the findings for people |
//! | `--format json` | writes an object with `errors` and `warnings`, which are numbers, and `findings` |
//! | `--format sarif` | writes SARIF 2.1.0, which code hosts and editors show beside the code |
//! | `--allow many-tools` | does not report findings of this rule; several: repeat, or `A,B` |
//! | `--deny-warnings` | a warning fails the command, as an error does |
//!
//! The exit code is 0 if nothing was found, or only warnings. It is 1 if an error was found, or a warning with
//! `--deny-warnings`. It is 2 if the server cannot be built, because then its own error lists what is wrong, and if an
//! option is invalid.
//!
//! The command needs no values of settings, so it runs where there are no secrets: put `check --allow debug-build
//! --deny-warnings` into the tests of a program. The address that `unauthorized-address` is about is that of
//! `MCP_HTTP_ADDR`, or of the settings file.
//!
//! # Rules
//!
//! An error is what some hosts refuse: an item, or the whole server. After a warning, all hosts work, but users or models
//! get less than the server offers. What [`Server::build`](crate::Server::build) rejects, such as a tool without a
//! description, is not listed here.
//!
//! | rule | severity | what it finds | why |
//! | --- | --- | --- | --- |
//! | `unportable-name` | error | the name of a tool has more than 64 characters, or others than `A-Z`, `a-z`, `0-9`, `_` and `-` | the APIs of OpenAI and Anthropic reject such a name, so hosts drop or rename the tool |
//! | `rejected-schema` | error | the root of a schema that is published unchanged has `anyOf`, `oneOf`, `allOf` or definitions | several model APIs reject the whole request if one tool has such a schema |
//! | `reduced-schema` | warning | a schema has what not every model API knows: a map, any value, a union, recursion or a special rule | some hosts show their model less than the tool accepts; the guide `schemas` says what each host does |
//! | `repeated-description` | warning | a description says no more than the name, such as `Searches files.` of `search_files` | a model chooses a tool by its description, and this one does not say when to use it |
//! | `long-description` | error | a description has more than 1,024 characters | models of OpenAI reject the whole request if a description is longer than 1,024 characters, and Claude Code cuts it at 2,048 |
//! | `undescribed-parameter` | warning | a parameter of a tool, a field of a parameter, or an argument of a prompt has no description | a model has to guess from the name what to send |
//! | `unknown-tool` | warning | the text of a skill names a tool that the server does not have, such as ``the tool `find_order` `` | a model that follows the skill calls a tool that does not exist |
//! | `unknown-parameter` | warning | the text of a skill names a parameter that the tool does not have, such as `` `find_order(number: 7)` `` | a model that follows the skill sends an argument that the tool rejects |
//! | `long-skill` | warning | a `SKILL.md` needs more than about 5,000 tokens | a model that loads the skill reads all of it, also what the task does not need |
//! | `outdated-skill` | warning | the files of an embedded skill differ from those in its folder | cargo does not notice that a file was added, so the program does not have it |
//! | `many-tools` | warning | the server has more than 40 tools | Cursor takes 80 tools from all servers together and Windsurf 100, and models choose worse among many tools |
//! | `too-many-tools` | error | the server has more than 128 tools | VS Code and the API of OpenAI accept at most 128 tools in a request, and reject it or drop the others |
//! | `large-tool-list` | warning | names, descriptions and schemas of all tools need more than about 10,000 tokens | most hosts send them with every request; Claude Code warns at 25,000 for all servers together |
//! | `undescribed-setting` | warning | the description of a setting is missing, or says no more than its name | help, installers and packages ask users for the value, and show this description |
//! | `debug-build` | warning | the program is a debug build | it is many times slower and larger than a release build, and hosts start it for every session |
//! | `unauthorized-address` | error | other machines can reach the address of `http`, but the server requires no tokens | everybody who reaches the address can call every tool |
//!
//! `#[mcp_tool(allow(undescribed_parameter))]` allows an item to break rules; so do the other attributes of tools, prompts
//! and resources, and [`ToolDefinition::allow`]. There, the name of a rule has `_` in place of
//! `-`. Rules about skills and about the whole server are allowed with `--allow`. The guide `skills` says how the text of a
//! skill is read.
//!
//! The place of a finding is the name of the function, or the constructor of a definition that was made by hand. The size
//! of the tools is an estimate: the bytes of names, descriptions and published schemas, divided by 4.
//!
//! # At compile time
//!
//! The compiler warns of `unportable-name`, `repeated-description` (of tools) and `long-description`, at the name or the
//! text, if the attribute macro can see it. A macro can warn only in one way: the compiler calls it the use of a deprecated
//! function with the name of the rule. `allow(…)` silences these warnings too.
//!
//! # `doctor`
//!
//! ```text
//! $ flights doctor
//! Program
//!   ✓ flights 1.2.0, with mcp-runtime 0.1.0
//!   ✓ `/usr/local/bin/flights` on linux x86_64
//!   ✓ a release build
//!   ✓ the clock shows 2026-11-28T06:30:00Z
//!
//! Settings
//!   ✓ `database` is read from `FLIGHTS_DATABASE`
//!
//! Standard input and output
//!   ✓ 2026-07-28: the server answers (14 ms)
//!   ✓ 2026-07-28: it lists 4 tools, 1 prompt (1 ms)
//!   ✓ 2026-07-28: `list_airports` was called (3 ms)
//!   …
//! ```
//!
//! The command starts the program as a child process with the same settings, over standard input and output and, with the
//! feature `http`, over HTTP at a free port of this machine. It begins as clients of 2026-07-28 do, as clients of earlier
//! revisions do, and as hosts that ask with `server/discover` and then begin a session on the same connection. Each time
//! it lists everything. It calls only tools that are `read_only` and need no arguments, and answers no questions.
//!
//! It also reports the version, the build, where each setting is read from, the port of the command `http`, and whether the
//! store can be reached and agrees with the clock (with the feature `http`). It shows no value of a setting, and
//! of what the program writes to standard error only its last error.
//!
//! A step is a warning if it is slow: 5 seconds until the first reply, 2 seconds for all lists, 10 seconds for a call. The
//! exit code is 1 if something is wrong. `--json` prints the report as JSON: `mark` and `sections`, each with its `steps`. A
//! `mark` is `ok`, `warning` or `wrong`.
//!
//! [`ToolDefinition::allow`]: crate::tool::ToolDefinition::allow
