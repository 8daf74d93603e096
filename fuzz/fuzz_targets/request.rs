//! Requests to the endpoint over HTTP. The first byte selects the kind: `c` is the bytes of a connection, the others are
//! those of `rules`.

#![no_main]

use std::{sync::LazyLock, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, duplex},
    runtime::{Builder, Runtime},
    time::timeout,
};

#[path = "../../mcp-runtime/tests/http/rules.rs"]
mod rules;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("there is a clock"));

libfuzzer_sys::fuzz_target!(|data: &[u8]| RUNTIME.block_on(async {
    match data.split_first() {
        Some((b'c', bytes)) => connection(bytes).await,
        _ => {
            let app = rules::app();
            if let Some(request) = rules::request(&app, data).await {
                rules::holds(&app, request).await;
            }
        }
    }
}));

/// Any connection ends, and all output is HTTP. The first byte is the size of the pieces in which the input is sent.
async fn connection(bytes: &[u8]) {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    let (server, client) = duplex(1 << 20);
    let (mut read, mut write) = tokio::io::split(client);
    let client = async {
        for piece in bytes.chunks(usize::from(*piece).max(1) * 8) {
            // The server need not read a rejected request to its end.
            if write.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(write.shutdown().await);
        let mut said = Vec::new();
        read.read_to_end(&mut said).await.expect("it is memory");
        said
    };
    let both = async { tokio::join!(mcp_runtime::fuzz_connection(&rules::SERVICE, server), client) };
    let ((), said) = timeout(Duration::from_secs(4), both).await.expect("a connection ends");
    let mut rest = &said[..];
    while !rest.is_empty() {
        rest = after_response(rest);
    }
}

/// Returns the bytes after a response.
fn after_response(said: &[u8]) -> &[u8] {
    let end = said.windows(4).position(|window| window == b"\r\n\r\n").expect("the head of a response ends");
    let head = str::from_utf8(&said[..end]).expect("it is text").to_ascii_lowercase();
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.strip_prefix("http/1.")?.get(2..5)).expect("it has a status");
    let known =
        ["100", "200", "202", "204", "400", "403", "404", "405", "406", "408", "413", "415", "429", "431", "503"];
    assert!(known.contains(&status), "{head}");
    let mut body = &said[end + 4..];
    if head.contains("transfer-encoding: chunked") {
        // A stream of events ends with its connection.
        assert_eq!(status, "200");
        while !body.is_empty() {
            let line = body.windows(2).position(|window| window == b"\r\n").expect("the length of a chunk ends");
            let length = usize::from_str_radix(str::from_utf8(&body[..line]).expect("it is text"), 16);
            let length = length.expect("it is a length");
            body = &body[line + 2..][length + 2..];
            if length == 0 {
                break;
            }
        }
        return body;
    }
    let length = lines.find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    // The answer to HEAD has a length but no body.
    body.get(length.unwrap_or(0)..).filter(|rest| rest.is_empty() || rest.starts_with(b"HTTP/1.")).unwrap_or(body)
}
