//! A page on this machine where one person chooses a password.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

/// A password. `{:?}` does not show it.
#[derive(Clone)]
pub(crate) struct Password(#[cfg_attr(not(test), expect(dead_code, reason = "this example has no login"))] String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The page. It exists until the user has chosen a password, or the value is dropped.
pub(crate) struct PasswordPage {
    listener: TcpListener,
    address: SocketAddr,
    /// The secret path, which only the asked user gets.
    path: Arc<str>,
}

impl PasswordPage {
    pub(crate) async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let keys = RandomState::new();
        let path = format!("/password/{:016x}{:016x}", keys.hash_one(0), keys.hash_one(1)).into();
        Ok(Self { address: listener.local_addr()?, listener, path })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}{}", self.address, self.path)
    }

    /// Serves the page until a password is chosen there.
    pub(crate) async fn chosen(self) -> io::Result<Password> {
        // Browsers open connections that they never use, so connections are served concurrently.
        let mut visitors = JoinSet::new();
        loop {
            tokio::select! {
                stream = self.listener.accept() => {
                    visitors.spawn(timeout(PATIENCE, serve(stream?.0, Arc::clone(&self.path))));
                }
                Some(visited) = visitors.join_next() => {
                    if let Ok(Ok(Ok(Some(password)))) = visited {
                        return Ok(password);
                    }
                }
            }
        }
    }
}

/// How long a browser can take for one request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum size of a request in bytes.
const LARGEST: u64 = 16 * 1024;

/// The minimum number of characters of a password.
const SHORTEST: usize = 12;

/// Answers one request. Returns the password, if the request contains a valid one.
async fn serve(mut stream: TcpStream, path: Arc<str>) -> io::Result<Option<Password>> {
    let (head, body) = read(&mut stream).await?;
    let mut line = head.split(' ');
    let (status, text, password) = match (line.next(), line.next()) {
        (Some("GET"), Some(asked)) if asked == &*path => ("200 OK", form(), None),
        (Some("POST"), Some(asked)) if asked == &*path => match read_password(&body) {
            Some(password) => ("200 OK", page("<p>Thank you. You can close this page."), Some(password)),
            None => ("422 Unprocessable Content", form(), None),
        },
        _ => ("404 Not Found", page("<p>There is no such page."), None),
    };
    let length = text.len();
    let response = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n{text}"
    );
    stream.write_all(response.as_bytes()).await?;
    stream.shutdown().await?;
    Ok(password)
}

/// Reads a request: its head, and its body up to the length in the head.
async fn read(stream: &mut TcpStream) -> io::Result<(String, String)> {
    const BLANK: &[u8] = b"\r\n\r\n";

    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut stream = stream.take(LARGEST);
    let mut bytes = Vec::new();
    loop {
        let ended = stream.read_buf(&mut bytes).await? == 0;
        if let Some(end) = bytes.windows(BLANK.len()).position(|window| window == BLANK) {
            let (head, body) = (text(&bytes[..end]), &bytes[end + BLANK.len()..]);
            if ended || body.len() >= content_length(&head) {
                return Ok((head, text(body)));
            }
        } else if ended {
            return Ok((text(&bytes), String::new()));
        }
    }
}

fn content_length(head: &str) -> usize {
    let mut headers = head.lines().filter_map(|line| line.split_once(':'));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    length.and_then(|(_, length)| length.trim().parse().ok()).unwrap_or(0)
}

/// Reads the password from a request. The form sends its fields as plain text: one line each, without escapes.
fn read_password(body: &str) -> Option<Password> {
    let password = body.strip_prefix("password=")?.trim_end_matches(['\r', '\n']);
    (password.chars().count() >= SHORTEST).then(|| Password(password.to_owned()))
}

fn form() -> String {
    page(&format!(
        r#"<form method=post enctype="text/plain">
<label>Password <input type=password name=password minlength={SHORTEST} autocomplete=new-password required autofocus></label>
<button>Choose</button>
</form>"#
    ))
}

fn page(body: &str) -> String {
    format!("<!doctype html>\n<html lang=en>\n<title>Conference</title>\n<h1>Your account</h1>\n{body}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ask(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response.lines().next().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn a_password_is_chosen_at_the_page_that_was_asked_for_and_nowhere_else() {
        let page = PasswordPage::open().await.unwrap();
        let (address, path) = (page.address, Arc::clone(&page.path));
        let chosen = tokio::spawn(page.chosen());
        // A connection that is never used does not block the others.
        let _idle = TcpStream::connect(address).await.unwrap();

        let post = |path: &str, password: &str| {
            let body = format!("password={password}\r\n");
            format!("POST {path} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        };
        assert_eq!(ask(address, &format!("GET {path} HTTP/1.1\r\n\r\n")).await, "HTTP/1.1 200 OK");
        assert_eq!(ask(address, "GET /password/ HTTP/1.1\r\n\r\n").await, "HTTP/1.1 404 Not Found");
        assert_eq!(ask(address, &post("/password/1", "long enough it is")).await, "HTTP/1.1 404 Not Found");
        assert_eq!(ask(address, &post(&path, "short")).await, "HTTP/1.1 422 Unprocessable Content");
        assert!(!chosen.is_finished());
        assert_eq!(ask(address, &post(&path, "long enough it is")).await, "HTTP/1.1 200 OK");
        assert_eq!(chosen.await.unwrap().unwrap().0, "long enough it is");
    }
}
