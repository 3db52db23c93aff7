//! News for the pages, as server-sent events: the state of the file and of long work.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde_json::json;
use tokio::sync::watch;

use crate::shared::Studio;

/// The least time between two pieces of news.
const PAUSE: Duration = Duration::from_millis(100);

/// What a page listens to.
struct Listener {
    studio: Arc<Studio>,
    news: watch::Receiver<u64>,
    is_first: bool,
}

impl Listener {
    /// Wait for the next piece of news; the first one comes at once.
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        if !self.is_first {
            self.news.changed().await.ok()?;
            tokio::time::sleep(PAUSE).await;
        }
        self.is_first = false;
        self.news.mark_unchanged();
        let file = self.studio.disk.as_ref().map(crate::disk::Disk::state);
        let news = json!({ "file": file, "jobs": self.studio.jobs.states() });
        Some((Ok(Event::default().data(news.to_string())), self))
    }
}

/// Tell a page what changes.
pub(super) async fn events(
    State(studio): State<Arc<Studio>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let listener = Listener {
        news: studio.news(),
        studio,
        is_first: true,
    };
    Sse::new(unfold(listener, Listener::next)).keep_alive(KeepAlive::default())
}
