//! A server that is short of file descriptors.

use std::{
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{Command, Stdio},
    time::Duration,
};

use mcp_runtime::HttpLimits;
use serde_json::json;
use tokio::{net::TcpStream, time::sleep};

use super::{
    request, server,
    socket::{Client, Served},
};

/// A process that serves until its input ends, and may have few descriptors.
#[tokio::test]
#[ignore = "started by another test, as a process"]
async fn serves_with_few() {
    let served = Served::of(server(HttpLimits::default())).await;
    eprintln!("serving at {}", served.address);
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_without_descriptors_waits_for_some() {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 40 && exec \"$0\" --exact limits::descriptors::serves_with_few --ignored --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    let address = said.find_map(|line| line.strip_prefix("serving at ")?.parse::<SocketAddr>().ok()).unwrap();

    let mut clients = Vec::new();
    for _ in 0..60 {
        clients.push(TcpStream::connect(address).await.unwrap());
    }
    let told = said.next().unwrap();
    assert!(told.contains("cannot accept connections for now"), "{told}");
    let before = processor_time(child.id());
    sleep(Duration::from_millis(500)).await;
    let busy = processor_time(child.id()) - before;
    assert!(busy < 10, "{busy} hundredths of a second of work at waiting");

    clients.truncate(10);
    let mut client = Client::at(address).await;
    client.send(request("nap", &json!({ "milliseconds": 0 }))).await;
    assert_eq!(client.answer().await.status, 200);

    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(said.filter(|line| line.contains("cannot accept")).count(), 0, "it is told once");
}

/// In hundredths of a second.
fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let behind_name = stat.rsplit(')').next().unwrap();
    behind_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}
