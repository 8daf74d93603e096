//! A mock of the service that the example `petstore` calls. It has one pet, and wants the key `s3cr3t-key`.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

use serde_json::{Value, json};

pub(crate) const KEY: &str = "s3cr3t-key";

/// Starts the service, which answers until the tests end. Returns its URL.
pub(crate) fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().try_for_each(|stream| answer(&stream?)));
    url
}

/// Answers one request, and closes the connection.
fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).map(|_| line.trim_end().to_owned())
    };
    let request = line()?;
    let (mut length, mut has_key) = (0, false);
    loop {
        let header = line()?.to_ascii_lowercase();
        match header.split_once(": ") {
            Some(("content-length", value)) => length = value.parse().unwrap_or_default(),
            Some(("x-api-key", value)) => has_key = value == KEY,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let pet = || json!({ "id": 7, "name": "Ida", "status": "available", "born": null });
    let path = request.split_once('?').map_or(&*request, |(path, _)| path).trim_end_matches(" HTTP/1.1");
    let (status, json) = match path {
        _ if !has_key => ("401 Unauthorized", json!({ "message": "the key is not valid" })),
        "GET /v1/pets" => ("200 OK", json!({ "pets": [pet()] })),
        "GET /v1/pets/7" => ("200 OK", pet()),
        "DELETE /v1/pets/7" => ("204 No Content", Value::Null),
        "POST /v1/pets" => {
            let mut added: Value = serde_json::from_slice(&body)?;
            added["id"] = 8.into();
            ("201 Created", added)
        }
        _ => ("404 Not Found", json!({ "title": "there is no such pet" })),
    };
    let body = if json.is_null() { String::new() } else { json.to_string() };
    let length = if json.is_null() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{length}connection: close\r\n\r\n");
    stream.write_all((head + &body).as_bytes())
}
