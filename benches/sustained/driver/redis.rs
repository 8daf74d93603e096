//! A Redis server that only this benchmark uses.

use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::Result;

/// The functions and commands that Redis has run. The time of a function includes that of its commands.
#[derive(Default)]
pub(crate) struct Commands {
    pub(crate) functions: f64,
    pub(crate) commands: f64,
    pub(crate) micros: f64,
}

pub(crate) struct Redis {
    server: Child,
    directory: PathBuf,
}

impl Redis {
    /// Starts a Redis server. It listens on a socket in this directory and writes nothing to the disk.
    pub(crate) fn start(directory: PathBuf) -> Result<Self> {
        let mut command = Command::new("redis-server");
        command
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(directory.join("socket"))
            .arg("--dir")
            .arg(&directory);
        let server = command.stdout(Stdio::null()).spawn().map_err(|error| format!("redis-server: {error}"))?;
        let redis = Self { server, directory };
        let started = Instant::now();
        while UnixStream::connect(redis.directory.join("socket")).is_err() {
            if Duration::from_secs(10) < started.elapsed() {
                return Err("redis-server does not listen within 10 s".into());
            }
            sleep(Duration::from_millis(10));
        }
        Ok(redis)
    }

    pub(crate) fn url(&self) -> String {
        format!("unix://{}", self.directory.join("socket").display())
    }

    /// Returns what Redis has run since the last `CONFIG RESETSTAT`.
    pub(crate) fn commands(&self) -> Result<Commands> {
        let mut all = Commands::default();
        for line in self.command("INFO commandstats")?.lines() {
            let Some((name, values)) = line.strip_prefix("cmdstat_").and_then(|line| line.split_once(':')) else {
                continue;
            };
            let value = |name: &str| -> Result<f64> {
                let value = values.split(',').find_map(|value| value.strip_prefix(name));
                Ok(value.ok_or("Redis does not count its commands")?.parse()?)
            };
            all.commands += value("calls=")?;
            if name == "fcall" {
                all.functions += value("calls=")?;
                all.micros += value("usec=")?;
            }
        }
        Ok(all)
    }

    /// Sends a command whose words contain no spaces, and returns the reply.
    pub(crate) fn command(&self, command: &str) -> Result<String> {
        let mut connection = UnixStream::connect(self.directory.join("socket"))?;
        // Redis closes the connection after `QUIT`.
        connection.write_all(format!("{command}\r\nQUIT\r\n").as_bytes())?;
        let mut reply = String::new();
        connection.read_to_string(&mut reply)?;
        Ok(reply)
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
        drop(fs::remove_dir_all(&self.directory));
    }
}
