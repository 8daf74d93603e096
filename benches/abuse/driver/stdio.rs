//! Abuse on standard input and output.

use std::{
    io::{BufRead as _, BufReader, Read, Write as _},
    path::Path,
    process::{ChildStdin, ChildStdout},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    Claimed, Gains, Others, Result,
    payload::{self, WITH_BATCHES},
    server::Server,
};

/// If the server reads nothing for this long, it waits for the client to read.
const STUCK: Duration = Duration::from_secs(2);

/// A client in a session.
struct Client {
    server: Server,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// A call writes log messages as fast as it can, and the client reads nothing.
pub(crate) fn unread_logs(program: &Path) -> Result<Claimed> {
    let mut client = Client::open(program, "2025-11-25")?;
    client.send(&payload::write_log(1, 500_000))?;
    let mut told = String::new();
    BufReader::new(client.server.0.stderr.take().ok_or("no standard error")?).read_line(&mut told)?;
    Ok(Claimed { peak: client.server.peak()?, ..Claimed::default() })
}

/// A client requests lists and reads no reply. Before that, a call that writes log messages fills the output.
pub(crate) fn unread_lists(program: &Path) -> Result<Claimed> {
    let Client { server, mut input, output } = Client::open(program, "2025-11-25")?;
    writeln!(input, "{}", payload::write_log(1, 1000))?;
    thread::sleep(Duration::from_millis(200));
    let sent = Arc::new(AtomicUsize::new(0));
    let sender = {
        let sent = Arc::clone(&sent);
        thread::spawn(move || {
            let mut lines = Vec::new();
            for thousand in 1..=1000 {
                lines.clear();
                for id in thousand * 1000..(thousand + 1) * 1000 {
                    lines.extend_from_slice(payload::list(id).as_bytes());
                    lines.push(b'\n');
                }
                // The server is killed while this waits.
                if input.write_all(&lines).is_err() {
                    return;
                }
                sent.store(thousand, Ordering::Relaxed);
            }
        })
    };
    let (mut last, mut since) = (0, Instant::now());
    while !sender.is_finished() && since.elapsed() < STUCK {
        thread::sleep(Duration::from_millis(50));
        let now = sent.load(Ordering::Relaxed);
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    let peak = server.peak()?;
    drop(server);
    drop(output);
    sender.join().map_err(|_| "the thread that sends panicked")?;
    Ok(Claimed { peak, ..Claimed::default() })
}

pub(crate) fn batch_of_nonsense(program: &Path) -> Result<Claimed> {
    batch(program, &payload::batch_of_nonsense())
}

pub(crate) fn batch_of_lists(program: &Path) -> Result<Claimed> {
    batch(program, &payload::batch_of_lists())
}

/// Sends a batch and then a `ping`, and reads until both are answered.
fn batch(program: &Path, batch: &str) -> Result<Claimed> {
    let mut client = Client::open(program, WITH_BATCHES)?;
    let begin = Instant::now();
    client.send(batch)?;
    client.send(&payload::ping(1_000_000))?;
    let reply = client.receive()?;
    client.receive()?;
    Ok(Claimed { peak: client.server.peak()?, others: Others::Waited(begin.elapsed()), gains: Gains::Reply(reply) })
}

impl Client {
    fn open(program: &Path, revision: &str) -> Result<Self> {
        let mut server = Server::on_stdio(program)?;
        let (Some(input), Some(output)) = (server.0.stdin.take(), server.0.stdout.take()) else {
            return Err("the server has no pipes".into());
        };
        let mut client = Self { server, input, output: BufReader::new(output) };
        client.send(&payload::initialize(revision))?;
        client.receive()?;
        client.send(payload::INITIALIZED)?;
        Ok(client)
    }

    fn send(&mut self, message: &str) -> Result<()> {
        Ok(writeln!(self.input, "{message}")?)
    }

    /// Reads a message and returns its length.
    fn receive(&mut self) -> Result<usize> {
        let mut line = Vec::new();
        match self.output.by_ref().read_until(b'\n', &mut line)? {
            0 => Err("the server ended".into()),
            length => Ok(length),
        }
    }
}
