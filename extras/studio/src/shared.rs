//! What all requests share: the text's origin, the games, long work, and news for the pages.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use psvn::text::built_in_games;
use psvn::{Environment, Error, Event, Limits, Lints, Source, Watch};
use serde_json::Value;
use tokio::sync::watch;

use crate::disk::Disk;
use crate::jobs::{JobState, Jobs, Kind, Owner, Task};
use crate::opened::Opened;
use crate::refusal::Refusal;

/// The most texts whose games are kept.
const MOST_GAMES: usize = 4;

/// The longest time of an answer that isn't long work.
const TIME: Duration = Duration::from_secs(5);

/// The most bytes that an answer or a piece of long work may take.
const MEMORY: usize = 1 << 30;

/// The game to begin with where none is named.
const EXAMPLE: &str = "sliding-tiles:3:3";

/// A text to look into: a file, a built-in game, or an example. [`listen`](Studio::listen) serves
/// it.
pub struct Studio {
    pub(crate) name: String,
    /// The text in the beginning.
    pub(crate) text: String,
    /// The file that the text is saved to, if there is one.
    pub(crate) disk: Option<Disk>,
    pub(crate) env: Environment,
    pub(crate) jobs: Jobs,
    /// The last ones first.
    games: Mutex<Vec<Arc<Opened>>>,
    /// Counts what pages are told of.
    news: watch::Sender<u64>,
}

impl Studio {
    /// Open a file, a built-in game such as `gen:topspin:14:3`, or an example. A file in another
    /// format is translated, and can't be saved.
    ///
    /// # Errors
    /// When the file can't be read, or there is no such game. A text with errors is no error.
    pub fn open(game: Option<&Path>, env: &Environment) -> Result<Self, Error> {
        let (source, disk) = match game {
            None => (example()?, None),
            Some(path) => {
                let source = Source::read_within(path, env)?;
                let has_file = source.has_file(path) && source.format().is_none();
                let disk = has_file.then(|| Disk::new(path));
                let source = match source.format() {
                    Some(_) => source.translated(env)?,
                    None => source,
                };
                (source, disk)
            }
        };
        Ok(Self {
            name: source.name,
            text: source.text,
            disk,
            env: env.clone().with_lints(Lints::None),
            jobs: Jobs::default(),
            games: Mutex::default(),
            news: watch::Sender::new(0),
        })
    }

    /// The environment of one answer: its time begins now.
    pub(crate) fn env(&self) -> Environment {
        self.env_until(Arc::default(), TIME)
    }

    /// The environment of work with a flag that stops it, and a time.
    pub(crate) fn env_until(&self, cancel: Arc<AtomicBool>, time: Duration) -> Environment {
        let budget = Watch::new(Limits {
            time: Some(time),
            memory: Some(MEMORY),
            ..Limits::default()
        });
        self.env
            .clone()
            .with_listener(|_| {})
            .with_cancellation(cancel)
            .with_budget(&budget)
    }

    /// Read a text, unless it was read before.
    pub(crate) fn read(&self, text: String) -> Arc<Opened> {
        let id = crate::opened::hash_of(&text);
        if let Ok(known) = self.opened(&id) {
            return known;
        }
        let opened = Arc::new(Opened::new(&self.name, text, &self.env()));
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.truncate(MOST_GAMES - 1);
        games.insert(0, Arc::clone(&opened));
        opened
    }

    /// The text of a hash, which becomes the last one used.
    pub(crate) fn opened(&self, id: &str) -> Result<Arc<Opened>, Refusal> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let place = games.iter().position(|game| game.id == id);
        let place = place.ok_or_else(Refusal::unknown_game)?;
        let game = games.remove(place);
        games.insert(0, Arc::clone(&game));
        Ok(game)
    }

    /// Do long work on a thread of its own, within a time.
    pub(crate) fn begin(
        self: &Arc<Self>,
        kind: Kind,
        owner: Owner,
        time: Duration,
        work: impl FnOnce(&Environment) -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<JobState, Refusal> {
        let (task, state) = self.jobs.begin(kind, owner);
        let studio = Arc::clone(self);
        let thread = std::thread::Builder::new().name("studio work".to_owned());
        let spawned = thread.spawn(move || {
            let env = studio.env_of(&task, time);
            let result = work(&env);
            studio.jobs.end(&task, result.map_err(Refusal::into_text));
            studio.tell();
        });
        self.tell();
        match spawned {
            Ok(_) => Ok(state),
            Err(error) => {
                self.jobs.cancel(state.id);
                Err(Refusal::wrong(format!(
                    "there is no thread for it: {error}"
                )))
            }
        }
    }

    /// The environment of long work, whose progress pages are told of.
    fn env_of(self: &Arc<Self>, task: &Task, time: Duration) -> Environment {
        let studio = Arc::clone(self);
        let env = self.env_until(Arc::clone(&task.cancel), time);
        let task = task.clone();
        env.with_listener(move |event| {
            let line = match event {
                Event::Progress(progress) => progress.message(),
                Event::Step(text) => text(),
                Event::Note(text) | Event::Warning(text) => (*text).to_owned(),
                _ => return,
            };
            studio.jobs.progress(&task, line);
            studio.tell();
        })
    }

    /// Tell the pages that something has changed.
    pub(crate) fn tell(&self) {
        self.news.send_modify(|n| *n += 1);
    }

    /// What tells that something has changed.
    pub(crate) fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }
}

/// The text to begin with where no game is named.
fn example() -> Result<Source, Error> {
    if built_in_games().is_empty() {
        let text =
            "# Two lamps\n2 2 2\n0 - => 1 - LABEL first\n- 0 => - 1 LABEL second\nGOAL 1 1\n";
        return Ok(Source::new("example.psvn", text));
    }
    Source::built_in(EXAMPLE)
}
