//! The ways in which `rmcp` reaches an example: over standard input and output and over HTTP, in each revision.

use std::{ops::Deref, process::Stdio};

use ::rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::ProtocolVersion,
    service::RunningService,
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::{
    protocol::wire::{PATIENCE, PROBE},
    support::example,
};

/// A revision and a transport.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) version: ProtocolVersion,
    over_http: bool,
}

/// A client, and the server that was started for it.
pub(super) struct Connected<H: ClientHandler> {
    client: RunningService<RoleClient, H>,
    /// The server process. `None` if the server ends when its input ends.
    _server: Option<Child>,
}

const VERSIONS: [ProtocolVersion; 5] = [
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// Returns all revisions over both transports. The first revision had a different HTTP transport, but `rmcp` also uses
/// this revision over streamable HTTP.
pub(super) fn every_way() -> impl Iterator<Item = Way> {
    [false, true].into_iter().flat_map(|over_http| VERSIONS.map(|version| Way { version, over_http }))
}

/// Returns the ways in revisions that have forms.
pub(super) fn asking() -> impl Iterator<Item = Way> {
    every_way().filter(|way| way.version >= ProtocolVersion::V_2025_06_18)
}

impl Way {
    /// Whether the revision has a handshake.
    pub(super) fn is_legacy(&self) -> bool {
        self.version < ProtocolVersion::V_2026_07_28
    }

    fn lifecycle(&self) -> ClientLifecycleMode {
        if self.is_legacy() {
            ClientLifecycleMode::Initialize
        } else {
            ClientLifecycleMode::Discover { preferred_versions: vec![self.version.clone()] }
        }
    }
}

/// Starts an example and connects to it, with the handshake or the discovery of the revision.
pub(super) async fn connect_as<H: ClientHandler>(handler: H, program: &str, way: &Way) -> Connected<H> {
    let connected = connect_by(handler, program, way.over_http, way.lifecycle()).await;
    assert_eq!(connected.peer_info().unwrap().protocol_version, way.version);
    connected
}

/// Starts an example and connects to it with this lifecycle mode.
pub(super) async fn connect_by<H: ClientHandler>(
    handler: H,
    program: &str,
    over_http: bool,
    lifecycle: ClientLifecycleMode,
) -> Connected<H> {
    let mut command = Command::new(match program {
        "probe" => PROBE.into(),
        "changing" => env!("CARGO_BIN_EXE_changing").into(),
        _ => example(program),
    });
    command.env("CODE_SEARCH_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/code_search/fixture"));
    command.env("DOCS_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/docs_server/docs"));
    if over_http {
        let (server, url) = serve(&mut command).await;
        let transport = StreamableHttpClientTransport::from_uri(url);
        let client = handler.serve_with_lifecycle(transport, lifecycle).await.unwrap();
        Connected { client, _server: Some(server) }
    } else {
        let transport = TokioChildProcess::new(command).unwrap();
        let client = handler.serve_with_lifecycle(transport, lifecycle).await.unwrap();
        Connected { client, _server: None }
    }
}

/// Starts a server. The server writes its address to standard error.
async fn serve(command: &mut Command) -> (Child, String) {
    command.args(["http", "--addr", "127.0.0.1:0"]).stderr(Stdio::piped()).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let url = loop {
        // Warnings come first.
        let said = timeout(PATIENCE, lines.next_line()).await.expect("the server says where it is").unwrap().unwrap();
        if let Some(url) = said.split_whitespace().find(|word| word.starts_with("http:")) {
            break url.to_owned();
        }
    };
    // Whatever else it says goes where it can be seen.
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            eprintln!("{line}");
        }
    });
    (server, url)
}

impl<H: ClientHandler> Connected<H> {
    /// Ends the connection in order.
    pub(super) async fn close(self) {
        self.client.cancel().await.unwrap();
    }
}

impl<H: ClientHandler> Deref for Connected<H> {
    type Target = RunningService<RoleClient, H>;

    fn deref(&self) -> &Self::Target {
        &self.client
    }
}
