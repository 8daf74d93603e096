//! Moments, addresses and identifiers: text of a format.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use mcp_runtime::prelude::*;
use url::Url;
use uuid::Uuid;

/// Takes text of a format.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn formats(
    /// A day.
    _day: NaiveDate,
    _time: NaiveTime,
    _local: NaiveDateTime,
    /// A moment.
    _moment: DateTime<Utc>,
    _zoned: DateTime<FixedOffset>,
    _id: Uuid,
    /// A page.
    _page: Url,
    _address: IpAddr,
    _address_4: Ipv4Addr,
    _address_6: Ipv6Addr,
    _pause: Duration,
) {
}

/// Takes text of a format, and each may be left out.
#[mcp_tool(read_only)]
#[allow(clippy::too_many_arguments)]
pub(crate) async fn optional_formats(
    /// A day.
    _day: Option<NaiveDate>,
    _time: Option<NaiveTime>,
    _local: Option<NaiveDateTime>,
    _moment: Option<DateTime<Utc>>,
    _id: Option<Uuid>,
    /// A page.
    _page: Option<Url>,
    _address: Option<IpAddr>,
    _days: Option<Vec<NaiveDate>>,
    _pause: Option<Duration>,
) {
}
