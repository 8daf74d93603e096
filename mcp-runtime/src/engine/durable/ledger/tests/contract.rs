//! Tests that the contract test detects faulty ledgers.

use std::{sync::Arc, time::Duration};

use tokio::task::{LocalSet, yield_now};

use super::super::{
    Ledger, LedgerEntry, LedgerFuture, LedgerId, LedgerKey, LedgerVersion, MemoryLedger, Swapped,
    contract::ledger_contract,
};
use crate::engine::call::{lease::LedgerError, ledger_time::LedgerTime};

/// A ledger with a fault.
#[derive(Clone)]
struct Broken(MemoryLedger, Fault);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    ReturnsAnotherIdEachTime,
    AcceptsAnyId,
    ReadsThenWrites,
    OverwritesExistingEntries,
    ReusesVersions,
    HidesTheConflict,
    TruncatesLongValues,
    IgnoresCase,
    ExpiresEarly,
    NeverExpires,
    IgnoresLongerKeepTimes,
    ClockStandsStill,
    IgnoresDeadlines,
    ExpiresBeforeTheDeadline,
    DropsFinishedEntries,
    FinishIgnoresTheVersion,
}

#[tokio::test(start_paused = true)]
async fn contract_test_detects_each_fault() {
    use Fault::*;
    for fault in [
        None,
        ReturnsAnotherIdEachTime,
        AcceptsAnyId,
        ReadsThenWrites,
        OverwritesExistingEntries,
        ReusesVersions,
        HidesTheConflict,
        TruncatesLongValues,
        IgnoresCase,
        ExpiresEarly,
        NeverExpires,
        IgnoresLongerKeepTimes,
        ClockStandsStill,
        IgnoresDeadlines,
        ExpiresBeforeTheDeadline,
        DropsFinishedEntries,
        FinishIgnoresTheVersion,
    ] {
        let ledger = Broken(MemoryLedger::new(), fault);
        let here = LocalSet::new();
        let held = here.spawn_local(async move { ledger_contract(async || ledger.clone()).await });
        let held = here.run_until(held).await;
        assert_eq!(held.is_err(), fault != None, "{fault:?}");
    }
}

impl Ledger for Broken {
    fn id(&self) -> LedgerFuture<'_, LedgerId> {
        match self.1 {
            Fault::ReturnsAnotherIdEachTime => Box::pin(async { Ok(LedgerId::random()) }),
            _ => self.0.id(),
        }
    }

    fn now(&self) -> LedgerTime {
        if self.1 == Fault::ClockStandsStill { LedgerTime(1_800_000_000_000) } else { self.0.now() }
    }

    fn load<'a>(&'a self, key: LedgerKey<'a>) -> LedgerFuture<'a, Option<LedgerEntry>> {
        Box::pin(async move {
            let name = self.name(key);
            let mut entry = self.0.load(self.own(key, &name).await).await?;
            if let (Fault::ReusesVersions, Some(entry)) = (self.1, &mut entry) {
                let [version, value @ ..] = &*entry.value else { panic!("it was written below") };
                *entry = LedgerEntry { version: LedgerVersion((*version).into()), value: value.into() };
            }
            Ok(entry)
        })
    }

    fn swap<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> LedgerFuture<'a, Swapped> {
        Box::pin(async move {
            let name = self.name(key);
            let key = self.own(key, &name).await;
            match self.1 {
                Fault::ReadsThenWrites => {
                    let there = self.0.load(key).await?;
                    if there.as_ref().map(|entry| entry.version) != seen {
                        return Ok(Swapped::Conflict(there));
                    }
                    yield_now().await;
                    self.overwrite(key, value, keep, before).await
                }
                Fault::OverwritesExistingEntries if seen.is_none() => self.overwrite(key, value, keep, before).await,
                Fault::ReusesVersions => {
                    let there = self.load(key).await?;
                    let version = there.as_ref().map(|entry| entry.version);
                    if version != seen {
                        return Ok(Swapped::Conflict(there));
                    }
                    let version = version.map_or(1, |LedgerVersion(version)| version.wrapping_add(1));
                    let numbered = [&[version as u8], &*value].concat();
                    self.overwrite(key, numbered.into(), keep, before).await?;
                    Ok(Swapped::Done(LedgerVersion(version)))
                }
                Fault::HidesTheConflict => match self.0.swap(key, seen, value, keep, before).await? {
                    Swapped::Conflict(_) => Ok(Swapped::Conflict(None)),
                    done => Ok(done),
                },
                Fault::TruncatesLongValues => {
                    self.0.swap(key, seen, value[..value.len().min(65_536)].into(), keep, before).await
                }
                Fault::IgnoresDeadlines => {
                    self.0.swap(key, seen, value, keep, before.map(|_| self.now().after(keep))).await
                }
                Fault::ExpiresBeforeTheDeadline => match before {
                    Some(before) if before <= self.now() => Ok(Swapped::TooLate),
                    _ => self.0.swap(key, seen, value, keep, None).await,
                },
                Fault::ExpiresEarly => self.0.swap(key, seen, value, keep / 3, before).await,
                Fault::NeverExpires => self.0.swap(key, seen, value, keep * 1000, before).await,
                Fault::IgnoresLongerKeepTimes if seen.is_some() => {
                    self.0.swap(key, seen, value, Duration::from_secs(1), before).await
                }
                _ => self.0.swap(key, seen, value, keep, before).await,
            }
        })
    }

    fn finish<'a>(
        &'a self,
        key: LedgerKey<'a>,
        seen: Option<LedgerVersion>,
        value: Arc<[u8]>,
        keep: Duration,
    ) -> LedgerFuture<'a, Swapped> {
        match self.1 {
            Fault::DropsFinishedEntries => self.swap(key, seen, value, Duration::ZERO, None),
            Fault::FinishIgnoresTheVersion => Box::pin(self.overwrite(key, value, keep, None)),
            _ => self.swap(key, seen, value, keep, None),
        }
    }
}

impl Broken {
    fn name(&self, key: LedgerKey<'_>) -> String {
        if self.1 == Fault::IgnoresCase { key.name().to_lowercase() } else { key.name().to_owned() }
    }

    async fn own<'a>(&self, key: LedgerKey<'_>, name: &'a str) -> LedgerKey<'a> {
        let any = self.1 == Fault::AcceptsAnyId;
        LedgerKey::new(if any { self.0.id().await.unwrap() } else { key.ledger() }, name)
    }

    async fn overwrite(
        &self,
        key: LedgerKey<'_>,
        value: Arc<[u8]>,
        keep: Duration,
        before: Option<LedgerTime>,
    ) -> Result<Swapped, LedgerError> {
        let seen = self.0.load(key).await?.map(|entry| entry.version);
        self.0.swap(key, seen, value, keep, before).await
    }
}
