//! How far long work is, on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// When standard error is a terminal.
    #[default]
    Auto,
    /// Also in a pipe or file, then as one line a second.
    Always,
    /// Not at all.
    Never,
}

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// The time between two lines where no bar can be drawn.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Shows the progress of one piece of work. Disappears when dropped.
pub(crate) struct Progress {
    form: Form,
    started: Instant,
}

enum Form {
    Hidden,
    Bar(Option<ProgressBar>),
    Lines { last: Option<Instant> },
}

impl Progress {
    pub(crate) fn new(mode: ProgressMode) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let form = match (mode, is_terminal) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Form::Hidden,
            (_, true) => Form::Bar(None),
            (ProgressMode::Always, false) => Form::Lines { last: None },
        };
        Self {
            form,
            started: Instant::now(),
        }
    }

    /// Shows that `done` of `total` are done, if the total is known.
    pub(crate) fn show(&mut self, message: impl FnOnce() -> String, parts: Option<(usize, usize)>) {
        match &mut self.form {
            Form::Hidden => {}
            Form::Bar(bar) => {
                if self.started.elapsed() < PATIENCE {
                    return;
                }
                let bar = bar.get_or_insert_with(new_bar);
                let template = match parts {
                    Some(_) => "{spinner} {msg} [{bar:30}] {percent}%",
                    None => "{spinner} {msg}",
                };
                bar.set_style(style(template));
                bar.set_message(message());
                match parts {
                    Some((done, total)) => {
                        bar.set_length(total as u64);
                        bar.set_position(done as u64);
                    }
                    None => bar.tick(),
                }
            }
            Form::Lines { last } => {
                let now = Instant::now();
                if last.is_none_or(|last| now - last >= LINE_INTERVAL) {
                    *last = Some(now);
                    let percent = parts
                        .filter(|(_, total)| *total > 0)
                        .map(|(done, total)| format!(", {}%", done * 100 / total))
                        .unwrap_or_default();
                    let _ = writeln!(std::io::stderr().lock(), "{}{percent}", message());
                }
            }
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Form::Bar(Some(bar)) = &self.form {
            bar.finish_and_clear();
        }
    }
}

/// Reports a step of long work in a line that stays, where progress is shown.
pub(crate) fn step(mode: ProgressMode, message: impl FnOnce() -> String) {
    if !matches!(Progress::new(mode).form, Form::Hidden) {
        let _ = writeln!(std::io::stderr().lock(), "{}", message());
    }
}

fn new_bar() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
