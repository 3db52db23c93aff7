//! The progress of long work, on standard error.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use psvn::text::units::format_seconds;
use psvn::{PhaseId, has_room_for_threads};

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

/// The time between two turns of the spinner, which turns even while the work reports nothing.
const TURN: Duration = Duration::from_millis(100);

/// The widest line where no bar is drawn.
const WIDTH: usize = 80;

/// All work that is shown, and the lines between that stay.
pub(crate) struct Screen {
    form: Form,
    /// When the command began: the time that is shown.
    started: Instant,
    bars: MultiProgress,
    works: Mutex<BTreeMap<PhaseId, Work>>,
    turning: Once,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Hidden,
    Bars,
    Lines,
}

/// A piece of work.
struct Work {
    started: Instant,
    message: String,
    parts: Option<(usize, usize)>,
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

impl Screen {
    pub(crate) fn new(mode: ProgressMode) -> Arc<Self> {
        let form = match (mode, std::io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Form::Hidden,
            (_, true) => Form::Bars,
            (ProgressMode::Always, false) => Form::Lines,
        };
        Arc::new(Self {
            form,
            started: Instant::now(),
            bars: MultiProgress::new(),
            works: Mutex::default(),
            turning: Once::new(),
        })
    }

    /// Begin a piece of work.
    pub(crate) fn begin(self: &Arc<Self>, phase: PhaseId) {
        if self.form == Form::Hidden {
            return;
        }
        let work = Work {
            started: Instant::now(),
            message: String::new(),
            parts: None,
            bar: None,
            last_line: None,
        };
        self.works().insert(phase, work);
        if self.form == Form::Bars {
            self.turning.call_once(|| {
                let screen = Arc::downgrade(self);
                // Without a thread, the bars are drawn where there is something new.
                if has_room_for_threads(1) {
                    let _ = std::thread::Builder::new().spawn(move || turn(&screen));
                }
            });
        }
    }

    /// Show the progress of a piece of work: in words, and the number of finished parts and of all
    /// parts.
    pub(crate) fn show(
        &self,
        phase: PhaseId,
        message: impl FnOnce() -> String,
        parts: Option<(usize, usize)>,
    ) {
        if self.form == Form::Hidden {
            return;
        }
        let mut works = self.works();
        let Some(work) = works.get_mut(&phase) else {
            return;
        };
        work.parts = parts;
        if self.form == Form::Bars {
            work.message = message();
            return;
        }
        let now = Instant::now();
        if work
            .last_line
            .is_none_or(|last| now - last >= LINE_INTERVAL)
        {
            work.last_line = Some(now);
            let percent = parts
                .filter(|(_, total)| *total > 0)
                .map(|(done, total)| format!(", {}%", done * 100 / total))
                .unwrap_or_default();
            let end = format!("{percent}, {}", format_seconds(self.started.elapsed()));
            let room = WIDTH.saturating_sub(end.chars().count());
            let line = shortened(&message(), room);
            let _ = writeln!(std::io::stderr().lock(), "{line}{end}");
        }
    }

    /// End a piece of work, and remove it from the screen.
    pub(crate) fn end(&self, phase: PhaseId) {
        let ended = self.works().remove(&phase);
        if let Some(bar) = ended.and_then(|work| work.bar) {
            bar.finish_and_clear();
            self.bars.remove(&bar);
        }
    }

    /// Report a step of long work in a line that stays, where progress is shown.
    pub(crate) fn step(&self, message: impl FnOnce() -> String) {
        if self.form != Form::Hidden {
            self.beside(|| {
                let _ = writeln!(std::io::stderr().lock(), "{}", message());
            });
        }
    }

    /// Print something on standard error while bars may be shown.
    pub(crate) fn beside(&self, print: impl FnOnce()) {
        match self.form {
            Form::Bars => self.bars.suspend(print),
            Form::Hidden | Form::Lines => print(),
        }
    }

    fn works(&self) -> MutexGuard<'_, BTreeMap<PhaseId, Work>> {
        // A panic elsewhere leaves the data usable.
        self.works.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draw all work that takes long.
    fn draw(&self) {
        for work in self.works().values_mut() {
            let is_short = work.bar.is_none() && work.started.elapsed() < PATIENCE;
            if work.message.is_empty() || is_short {
                continue;
            }
            let bar = work.bar.get_or_insert_with(|| {
                let bar = ProgressBar::no_length().with_elapsed(self.started.elapsed());
                self.bars.add(bar)
            });
            let template = match work.parts {
                Some(_) => "{spinner} {elapsed:>3} {wide_msg} [{bar:20}] {percent:>3}%",
                None => "{spinner} {elapsed:>3} {wide_msg}",
            };
            bar.set_style(style(template));
            bar.set_message(work.message.clone());
            if let Some((done, total)) = work.parts {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
            }
            bar.tick();
        }
    }
}

/// Turn the spinners for as long as there is a screen.
fn turn(screen: &Weak<Screen>) {
    while let Some(screen) = screen.upgrade() {
        screen.draw();
        drop(screen);
        std::thread::sleep(TURN);
    }
}

/// A text cut to fit, with a sign at the cut.
fn shortened(text: &str, room: usize) -> String {
    match text.char_indices().nth(room) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(room.saturating_sub(2)).collect();
            format!("{kept}..")
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
