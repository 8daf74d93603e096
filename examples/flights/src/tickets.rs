//! The sold tickets: in memory, or in a file that several servers share.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read, Seek, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The sold tickets, one line each: the id of the flight, a space, and the key of the call that bought the ticket. If
/// the outcome of a call is unknown, the key shows whether the call bought a ticket.
#[derive(Debug)]
pub(crate) struct Tickets(Mutex<Store>);

#[derive(Debug)]
enum Store {
    Memory(String),
    File(File),
}

impl Tickets {
    pub(crate) fn in_memory() -> Self {
        Self(Mutex::new(Store::Memory(String::new())))
    }

    /// Opens the tickets in a file, and creates the file if it does not exist.
    pub(crate) fn in_file(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).append(true).create(true).open(path)?;
        Ok(Self(Mutex::new(Store::File(file))))
    }

    /// Returns how many tickets were sold for each flight.
    pub(crate) fn sold(&self) -> io::Result<HashMap<String, u32>> {
        self.store().sold()
    }

    /// Sells a ticket for a flight with `seats` seats. Returns how many seats were free before the sale, or `None` if
    /// no seat was free.
    pub(crate) fn sell(&self, flight: &str, seats: u32, key: &str) -> io::Result<Option<u32>> {
        self.store().locked(|store| {
            let left = seats.saturating_sub(store.sold()?.get(flight).copied().unwrap_or_default());
            if left == 0 {
                return Ok(None);
            }
            store.append(&format!("{flight} {key}\n"))?;
            Ok(Some(left))
        })
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        // A panic cannot leave an incomplete line, so the poison is ignored.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Runs `work` while the file is locked for other servers. If this process dies, the system releases the lock.
    fn locked<T>(&mut self, work: impl FnOnce(&mut Self) -> io::Result<T>) -> io::Result<T> {
        if let Self::File(file) = self {
            file.lock()?;
        }
        let done = work(self);
        if let Self::File(file) = self {
            file.unlock()?;
        }
        done
    }

    fn sold(&mut self) -> io::Result<HashMap<String, u32>> {
        let mut read = String::new();
        let text = match self {
            Self::Memory(text) => text,
            Self::File(file) => {
                file.rewind()?;
                file.read_to_string(&mut read)?;
                &read
            }
        };
        let mut sold = HashMap::new();
        for (flight, _) in text.lines().filter_map(|line| line.split_once(' ')) {
            *sold.entry(flight.to_owned()).or_default() += 1;
        }
        Ok(sold)
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        match self {
            Self::Memory(text) => text.push_str(line),
            Self::File(file) => file.write_all(line.as_bytes())?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn servers_that_share_a_file_sell_no_seat_twice() {
        let path = env::temp_dir().join(format!("flights-tickets-{}", process::id()));
        let servers = [Tickets::in_file(&path).unwrap(), Tickets::in_file(&path).unwrap()];
        assert_eq!(servers[0].sell("AL143-04", 2, "a").unwrap(), Some(2));
        assert_eq!(servers[1].sell("AL143-04", 2, "b").unwrap(), Some(1));
        assert_eq!(servers[0].sell("AL143-04", 2, "c").unwrap(), None);
        assert_eq!(servers[1].sell("AL136-04", 48, "d").unwrap(), Some(48));
        assert_eq!(servers[0].sold().unwrap()["AL143-04"], 2);
        assert_eq!(fs::read_to_string(&path).unwrap(), "AL143-04 a\nAL143-04 b\nAL136-04 d\n");
        fs::remove_file(&path).unwrap();
    }
}
