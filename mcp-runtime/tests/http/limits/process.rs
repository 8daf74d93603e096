//! A server in a process of its own: file descriptors and memory.

use std::{
    io::{BufRead, BufReader, Lines, Read},
    net::SocketAddr,
    process::{Child, ChildStderr, Command, Stdio},
    time::Duration,
};

use mcp_runtime::http::HttpLimits;
use serde_json::json;
use tokio::{net::TcpStream, time::sleep};

use super::{
    call, request, server,
    socket::{Client, Served},
};

struct Process {
    child: Child,
    said: Lines<BufReader<ChildStderr>>,
    address: SocketAddr,
}

impl Process {
    /// Starts the process after these shell commands.
    fn begin(commands: &str) -> Self {
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(format!("{commands} exec \"$0\" --exact http::limits::process::serves --ignored --nocapture"))
            .arg(std::env::current_exe().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = said.find_map(|line| line.unwrap().strip_prefix("serving at ")?.parse().ok()).unwrap();
        Self { child, said, address }
    }

    async fn works(&self) {
        let mut client = Client::at(self.address).await;
        client.send(request("nap", &json!({ "milliseconds": 0 }))).await;
        assert_eq!(client.answer().await.status, 200);
    }

    /// Returns the processor time in hundredths of a second.
    fn processor_time(&self) -> u64 {
        let stat = self.proc("stat");
        let behind_name = stat.rsplit(')').next().unwrap();
        behind_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }

    /// Returns the memory of the process in kilobytes.
    fn memory(&self) -> u64 {
        let status = self.proc("status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        resident.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap()
    }

    /// Returns the remaining lines after the process has ended.
    fn end(mut self) -> Vec<String> {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
        self.said.map(Result::unwrap).collect()
    }
}

/// A process that serves until its input ends.
#[tokio::test]
#[ignore = "started by other tests, as a process"]
async fn serves() {
    let served = Served::of(server(HttpLimits::default())).await;
    eprintln!("serving at {}", served.address);
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await.unwrap().unwrap();
}

#[tokio::test]
async fn retries_accept_without_file_descriptors() {
    let mut process = Process::begin("ulimit -n 40 &&");
    let mut clients = Vec::new();
    for _ in 0..60 {
        clients.push(TcpStream::connect(process.address).await.unwrap());
    }
    let told = process.said.next().unwrap().unwrap();
    assert!(told.contains("cannot accept connections for now"), "{told}");
    let before = process.processor_time();
    sleep(Duration::from_millis(500)).await;
    let busy = process.processor_time() - before;
    assert!(busy < 10, "{busy} hundredths of a second of work at waiting");

    clients.truncate(10);
    process.works().await;
    let told = process.end();
    assert!(!told.iter().any(|line| line.contains("cannot accept")), "it is told once: {told:?}");
}

#[tokio::test]
async fn frees_memory_after_a_load() {
    // Freed memory is returned to the system, as far as glibc allows, so the rest is in use.
    let process = Process::begin(
        "MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_TOP_PAD_=0",
    );
    let (headers, _) = call("nap", &json!({ "milliseconds": 0 }));
    let beginnings = [
        "POST /mcp HT".to_owned(),
        format!("POST /mcp HTTP/1.1\r\nx: {}", "a".repeat(12_000)),
        format!("POST /mcp HTTP/1.1\r\n{headers}content-length: 900000\r\n\r\n{}", " ".repeat(200_000)),
        format!("POST /mcp HTTP/1.1\r\n{headers}content-length: 900000\r\n\r\n{}", " ".repeat(900_000)),
        request("nap", &json!({ "milliseconds": 600_000 })),
        request("recite", &json!({ "bytes": 300_000 })),
    ];
    let rush = async || {
        for _ in 0..20 {
            let mut clients = Vec::new();
            for beginning in beginnings.iter().cycle().take(30) {
                let mut client = Client::at(process.address).await;
                let _ = client.try_send(beginning).await;
                clients.push(client);
            }
        }
        process.works().await;
        sleep(Duration::from_millis(300)).await;
    };
    // The second time fills what the process keeps for good.
    rush().await;
    rush().await;
    let before = process.memory();
    rush().await;
    let allowed = before + before / 10 + 4 * 1024;
    let mut after = u64::MAX;
    // On a busy machine some calls of the last rush still hold memory. More rushes would only add to a leak.
    for _ in 0..12 {
        rush().await;
        after = after.min(process.memory());
        if after < allowed {
            break;
        }
    }
    assert!(after < allowed, "from {before} kB to {after} kB");
    process.end();
}
