//! What every command gets: where to print, how much to say.

use crate::args::Cli;
use crate::cache::Cache;
use crate::failure::Failure;
use crate::loading::Loading;
use crate::log::{Log, wants_color};
use crate::output::{Format, FormatChoice, Output};
use crate::progress::ProgressMode;

/// The surroundings of a command.
pub(crate) struct Context {
    /// Standard output.
    pub(crate) out: Output,
    /// Standard error.
    pub(crate) log: Log,
    /// In which form data is printed.
    pub(crate) format: Format,
    /// Whether the data are wanted as HTML, which only reports have; `format` is text then.
    pub(crate) wants_html: bool,
    /// When progress is shown.
    pub(crate) progress: ProgressMode,
    /// The seed of random choices.
    pub(crate) seed: u64,
    /// The most threads to use, if the user says so.
    threads: Option<u32>,
    /// Results of earlier analyses.
    pub(crate) cache: Cache,
    /// What reading a game may use.
    pub(crate) loading: Loading,
}

impl Context {
    pub(crate) fn new(cli: &Cli) -> Self {
        let loading = Loading::of(&cli.command);
        let common = &cli.common;
        let level = match (common.quiet, common.verbose) {
            (true, _) => tracing::Level::ERROR,
            (false, 0 | 1) => tracing::Level::WARN,
            (false, 2) => tracing::Level::DEBUG,
            (false, _) => tracing::Level::TRACE,
        };
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(std::io::stderr)
            .with_ansi(wants_color())
            .without_time()
            .init();
        if let Some(threads) = common.threads
            && let Err(error) = rayon::ThreadPoolBuilder::new()
                .num_threads(threads as usize)
                .build_global()
        {
            tracing::warn!(%error, "the number of threads can't be set");
        }
        let threads = common.threads;
        let progress = if common.quiet {
            ProgressMode::Never
        } else {
            common.progress
        };
        let log = Log::new(common.quiet, common.verbose);
        let (cache, problems) = Cache::from_environment();
        for problem in &problems {
            log.warning(problem);
        }
        Self {
            out: Output::new(),
            log,
            format: common.format.format(),
            wants_html: common.format == FormatChoice::Html,
            progress,
            seed: common.seed,
            threads,
            cache: cache.enabled(!common.no_cache),
            loading,
        }
    }

    /// How many threads a search uses: one unless the user says so.
    pub(crate) fn search_threads(&self) -> usize {
        self.threads.map_or(1, |threads| threads as usize)
    }

    /// Refuses CSV where a result is no table.
    pub(crate) fn refuse_csv(&self, command: &str) -> Result<(), Failure> {
        if self.format == Format::Csv {
            return Err(Failure::usage(format!(
                "`psvn {command}` has no CSV output, since its result is no table"
            ))
            .hint("use `--format text` or `--format json`"));
        }
        Ok(())
    }
}
