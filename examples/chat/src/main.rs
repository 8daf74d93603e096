//! A chat page with tools. Start it, and open the address that it prints.

use std::{env, error::Error, net::SocketAddr, path::PathBuf, process::ExitCode};

use chat::{Chat, Settings};
use mcp_runtime::http::AllowedHosts;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let address = env::var("CHAT_ADDR").unwrap_or_else(|_| "127.0.0.1:8765".into());
    let address: SocketAddr =
        address.parse().map_err(|_| format!("`CHAT_ADDR` is `{address}`: write an address such as 127.0.0.1:8765"))?;
    let data = env::var_os("CHAT_DATA").map_or_else(|| env::temp_dir().join("mcp-chat"), PathBuf::from);
    let address_header = env::var("CHAT_ADDRESS_HEADER").ok().map(|name| name.parse()).transpose()?;
    let hosts = env::var("CHAT_HOSTS").map(|hosts| AllowedHosts::new(hosts.split(','))).unwrap_or_default();
    let chat = Chat::start(Settings { address_header, hosts, ..Settings::new(data) }).await?;
    let listener = TcpListener::bind(address).await.map_err(|error| format!("{address} cannot be opened: {error}"))?;
    println!("http://{}", listener.local_addr()?);
    chat.serve(listener).await;
    Ok(())
}
