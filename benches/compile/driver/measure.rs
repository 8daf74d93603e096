//! Processor time and sizes, by profile and number of tools.

use std::{fs, ops::Sub};

use crate::{
    Result,
    contestant::Contestant,
    report::{Row, Unit},
    workspace::Workspace,
};

/// How often each program is built. The report shows the shortest time, because other work on the machine only makes a
/// build slower.
const ROUNDS: usize = 2;

#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Dev,
    Release,
}

/// Processor time in seconds, as the sum of user and system time.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Seconds(pub(crate) f64);

/// The figures of one build.
#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) seconds: Seconds,
    /// The size of the stripped program in bytes.
    pub(crate) size: f64,
}

/// The limits of `mcp-runtime`, each as a multiple of the figure of the least possible program.
struct Limits {
    of_100: f64,
    of_300: f64,
    size: f64,
}

impl Profile {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Release => "release",
        }
    }

    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Dev => &[],
            Self::Release => &["--release"],
        }
    }

    /// Returns the directory in which Cargo puts the built program.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }

    fn limits(self) -> Limits {
        match self {
            Self::Dev => Limits { of_100: 0.68, of_300: 0.66, size: 0.49 },
            Self::Release => Limits { of_100: 0.6, of_300: 0.6, size: 0.52 },
        }
    }
}

impl Seconds {
    /// Returns the processor time of all child processes that have ended, including the children of these processes.
    pub(crate) fn of_children() -> Result<Self> {
        let stat = fs::read_to_string("/proc/self/stat")?;
        // Behind the name of the program, which may have spaces: `cutime` and `cstime` are the 16th and 17th field.
        let fields = stat.rsplit_once(") ").ok_or("`/proc/self/stat` has no name")?.1;
        let ticks: Vec<f64> =
            fields.split(' ').skip(13).take(2).map(str::parse).collect::<std::result::Result<_, _>>()?;
        // Linux tells hundredths of a second, whatever its own clock has.
        Ok(Self(ticks.iter().sum::<f64>() / 100.0))
    }
}

impl Sub for Seconds {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self(self.0 - earlier.0)
    }
}

/// Builds the programs of all contestants with 1, 100 and 300 tools.
pub(crate) fn profile(workspace: &Workspace, contestants: &[Contestant], profile: Profile) -> Result<Vec<Row>> {
    // Whatever they depend on is built before anything is measured.
    for contestant in contestants {
        workspace.build(contestant, 1, profile)?;
    }
    let measure = |tools| least(workspace, contestants, tools, profile);
    let (one, hundred, three_hundred) = (measure(1)?, measure(100)?, measure(300)?);
    let sizes = one.iter().zip(&three_hundred).map(|(one, many)| (many.size - one.size) / 299.0).collect();
    let seconds = |figures: &[Figures]| figures.iter().map(|figures| figures.seconds.0).collect();
    let limits = profile.limits();
    Ok(vec![
        Row::new("CPU time, 1 tool", Unit::Seconds, seconds(&one)),
        Row::new("CPU time, 100 tools", Unit::Seconds, seconds(&hundred)).at_most(limits.of_100),
        Row::new("CPU time, 300 tools", Unit::Seconds, seconds(&three_hundred)).at_most(limits.of_300),
        Row::new("a tool in the stripped program", Unit::Kilobytes, sizes).at_most(limits.size),
    ])
}

/// Builds the programs of the contestants in turn, several times. Returns the smallest figures of each contestant.
fn least(workspace: &Workspace, contestants: &[Contestant], tools: usize, profile: Profile) -> Result<Vec<Figures>> {
    let mut least = vec![Figures { seconds: Seconds(f64::INFINITY), size: f64::INFINITY }; contestants.len()];
    for _ in 0..ROUNDS {
        for (contestant, least) in contestants.iter().zip(&mut least) {
            let figures = workspace.build(contestant, tools, profile)?;
            if figures.seconds < least.seconds {
                *least = figures;
            }
        }
    }
    Ok(least)
}
