//! A mock of a service over HTTP, which programs call that a test starts.

use std::{
    collections::HashMap,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use serde_json::Value;

pub(crate) struct ServiceRequest {
    /// The method, the path and the query.
    pub(crate) target: String,
    /// The values by names in lower case.
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Starts a service that answers until the tests end: with a status, and with JSON or no body. Returns its address.
pub(crate) fn start(
    answer: impl Fn(&ServiceRequest) -> (&'static str, Option<Value>) + Send + Sync + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                let request = read(&stream)?;
                let (status, json) = answer(&request);
                write(&stream, status, json.as_ref())
            });
        }
    });
    address
}

fn read(stream: &TcpStream) -> io::Result<ServiceRequest> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).map(|_| line.trim_end().to_owned())
    };
    let target = line()?.trim_end_matches(" HTTP/1.1").to_owned();
    let mut headers = HashMap::new();
    while let Some((name, value)) = line()?.split_once(": ") {
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length").and_then(|value| value.parse().ok()).unwrap_or_default();
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(ServiceRequest { target, headers, body })
}

/// Writes the reply, and closes the connection.
fn write(mut stream: &TcpStream, status: &str, json: Option<&Value>) -> io::Result<()> {
    let body = json.map(Value::to_string).unwrap_or_default();
    let length = json.map(|_| format!("content-length: {}\r\n", body.len())).unwrap_or_default();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{length}connection: close\r\n\r\n");
    stream.write_all((head + &body).as_bytes())
}
