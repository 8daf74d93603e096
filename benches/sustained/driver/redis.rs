//! A Redis server that only this benchmark uses.

use std::{
    fs,
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::Result;

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
