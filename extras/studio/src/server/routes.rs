//! Which address asks what.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router, middleware};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::guard::{Guard, check};
use super::{assets, events};
use crate::answers::{self, Answered, Question, board, compose, machine, redundant};
use crate::answers::{rules, solution, text, tree};
use crate::disk::FileState;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The most bytes of a request.
const MOST_BYTES: usize = 8 << 20;

type Shared = State<Arc<Studio>>;

pub(super) fn router(studio: &Arc<Studio>, guard: Guard) -> Router {
    let root = guard.root();
    let api = Router::new()
        .route("/text", post(read))
        .route("/file", get(file))
        .route("/save", post(save))
        .route("/events", get(events::events))
        .route("/findings", ask::<text::Findings>())
        .route("/hover", ask::<text::At>())
        .route("/rules", ask::<rules::Rules>())
        .route("/compose", ask::<compose::Compose>())
        .route("/explain", ask::<compose::Explain>())
        .route("/analyze", ask::<redundant::Analyze>())
        .route("/words", ask::<redundant::Words>())
        .route("/machine", ask::<machine::Around>())
        .route("/heuristics", ask::<tree::Heuristics>())
        .route("/children", ask::<tree::Children>())
        .route("/moves", ask::<board::Moves>())
        .route("/scramble", ask::<board::Scramble>())
        .route("/solve", ask::<solution::Solve>())
        .route("/jobs/{id}", get(result).delete(cancel));
    Router::new()
        .merge(assets::routes(&root))
        .nest(&format!("{root}/api"), api)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(guard, check))
        .with_state(Arc::clone(studio))
}

/// Answer a kind of question about a text.
fn ask<Q: Question>() -> MethodRouter<Arc<Studio>>
where
    Q::Answer: Send + 'static,
{
    post(
        |State(studio): Shared, Json(question): Json<Q>| async move {
            let answer = move || answers::answer(question, &studio);
            blocking(answer).await?.map(Json::<Answered<Q::Answer>>)
        },
    )
}

/// Do what computes on a thread that no other answer waits for.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Refusal::broken())
}

async fn read(
    State(studio): Shared,
    Json(new): Json<text::NewText>,
) -> Result<Json<text::Read>, Refusal> {
    blocking(move || new.read(&studio)).await.map(Json)
}

/// The text to begin with, and the file that it is saved to.
#[derive(Debug, Serialize)]
struct Begin {
    name: String,
    text: String,
    /// The state of the file; `None` where there is none to save to.
    file: Option<FileState>,
    version: &'static str,
}

async fn file(State(studio): Shared) -> Json<Begin> {
    let disk = studio.disk.as_ref();
    Json(Begin {
        name: studio.name.clone(),
        text: match disk {
            Some(disk) => disk.text().unwrap_or_default(),
            None => studio.text.clone(),
        },
        file: disk.map(crate::disk::Disk::state),
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Save a text.
#[derive(Debug, Deserialize)]
struct Save {
    text: String,
    /// The version of the file that the page has read; `None` where it knows that there is none.
    base: Option<String>,
}

async fn save(State(studio): Shared, Json(wanted): Json<Save>) -> Result<Json<FileState>, Refusal> {
    let write = move || {
        let disk = studio.disk.as_ref();
        let disk = disk.ok_or_else(|| Refusal::wrong("there is no file to save to"))?;
        let saved = disk.save(&wanted.text, wanted.base.as_deref());
        studio.tell();
        saved
    };
    blocking(write).await?.map(Json)
}

async fn result(State(studio): Shared, Path(id): Path<u64>) -> Result<Json<Value>, Refusal> {
    studio
        .jobs
        .result(id)
        .map(|value| Json(Value::clone(&value)))
}

async fn cancel(State(studio): Shared, Path(id): Path<u64>) -> Json<Value> {
    studio.jobs.cancel(id);
    studio.tell();
    Json(Value::Null)
}
