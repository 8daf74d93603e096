//! A shop. Its operator chooses the price list, the currency and a secret code.

use std::{collections::BTreeMap, fs, io, path::PathBuf, process::ExitCode};

use mcp_runtime::{Result, prelude::*, settings::Secret};

#[derive(Settings)]
#[setting(prefix = "SHOP")]
struct ShopSettings {
    /// The price list: a line with an article and its price in cents for each article.
    #[setting(default = "prices.csv", kind = "file")]
    prices: PathBuf,
    /// The currency of the prices.
    #[setting(default = "eur")]
    currency: Currency,
    /// The code that takes a tenth off each price.
    code: Secret<String>,
}

#[derive(Choice)]
enum Currency {
    #[choice(title = "Euro")]
    Eur,
    #[choice(title = "US dollar")]
    Usd,
}

/// The prices in cents. They are read once, when the server is built.
struct PriceList(BTreeMap<String, u64>);

impl PriceList {
    fn read(settings: &ShopSettings) -> io::Result<Self> {
        let text = fs::read_to_string(&settings.prices)
            .map_err(|error| io::Error::other(format!("{}: {error}", settings.prices.display())))?;
        let lines = text.lines().filter_map(|line| line.split_once(','));
        Ok(Self(lines.filter_map(|(article, price)| Some((article.to_owned(), price.trim().parse().ok()?))).collect()))
    }
}

/// Say what an article costs.
#[mcp_tool(read_only)]
async fn price(
    settings: &ShopSettings,
    list: &PriceList,
    /// The article, such as `tea`.
    article: String,
    /// A code for a lower price.
    code: Option<String>,
) -> Result<String> {
    let Some(cents) = list.0.get(&article) else {
        return Err(format!("there is no `{article}`; there are {:?}", list.0.keys()).into());
    };
    let cents = match code {
        Some(code) if code != *settings.code.expose_secret() => return Err("this code is not valid".into()),
        Some(_) => cents * 9 / 10,
        None => *cents,
    };
    let sign = match settings.currency {
        Currency::Eur => '€',
        Currency::Usd => '$',
    };
    Ok(format!("{sign}{}.{:02}", cents / 100, cents % 100))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("shop", env!("CARGO_PKG_VERSION"))
        .settings::<ShopSettings>()
        .state_from(PriceList::read)
        .tools(tools![price])
        .run()
        .await
}
