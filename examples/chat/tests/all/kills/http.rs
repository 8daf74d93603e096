//! The least of an HTTP client: the server ends each connection of HTTP/1.0.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

/// A user of the page.
#[derive(Clone)]
pub(crate) struct User {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: String,
}

impl User {
    /// Opens the page, which sets the cookie.
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let mut user = Self { address, cookie: String::new() };
        let mut reader = user.send("GET", "/", "")?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head)? == 0 {
                return Err(io::Error::other(format!("the page has no head: {head}")));
            }
        }
        let cookie = head.split_once("set-cookie: session=").and_then(|(_, cookie)| cookie.split_once(';'));
        user.cookie = cookie.ok_or_else(|| io::Error::other(format!("no cookie: {head}")))?.0.to_owned();
        Ok(user)
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> io::Result<(u16, String)> {
        let mut reader = self.send("POST", path, body)?;
        let status = read_head(&mut reader)?;
        let mut text = String::new();
        reader.read_to_string(&mut text)?;
        Ok((status, text))
    }

    /// Returns the data of server-sent events, as they come. Ends with the connection.
    pub(crate) fn events(&self, path: &str) -> io::Result<impl Iterator<Item = String> + use<>> {
        let mut reader = self.send("GET", path, "")?;
        let status = read_head(&mut reader)?;
        if status != 200 {
            return Err(io::Error::other(format!("{path} has the status {status}")));
        }
        Ok(reader.lines().map_while(Result::ok).filter_map(|line| line.strip_prefix("data: ").map(str::to_owned)))
    }

    fn send(&self, method: &str, path: &str, body: &str) -> io::Result<BufReader<TcpStream>> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let (address, cookie, length) = (self.address, &self.cookie, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncookie: session={cookie}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )?;
        Ok(BufReader::new(stream))
    }
}

/// Reads the status and the headers.
fn read_head(reader: &mut BufReader<TcpStream>) -> io::Result<u16> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(format!("no status: {line:?}")))?;
    while line.trim_end() != "" {
        line.clear();
        reader.read_line(&mut line)?;
    }
    Ok(status)
}
