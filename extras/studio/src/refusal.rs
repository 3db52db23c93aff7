//! Why a question gets no answer.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use psvn::{Error, ErrorKind};
use serde::Serialize;

/// Why a question gets no answer, for the page.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    body: Body,
}

#[derive(Clone, Debug, Serialize)]
struct Body {
    /// A word that the page acts on.
    code: &'static str,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Self {
        let error = error.into();
        let hint = None;
        Self {
            status,
            body: Body { code, error, hint },
        }
    }

    /// The question can't be answered as it was put.
    pub(crate) fn wrong(error: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "wrong", error)
    }

    /// The server doesn't know the text any more, or never did: the page hands it over again.
    pub(crate) fn unknown_game() -> Self {
        let error = "the server doesn't have this text any more";
        Self::new(StatusCode::GONE, "unknown-game", error)
    }

    /// The text has errors, so there is no game.
    pub(crate) fn no_game() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "no-game",
            "the text has errors, so there is no game",
        )
    }

    /// The answer needs work that isn't done.
    pub(crate) fn not_ready(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "not-ready", error)
    }

    /// The file isn't as the page has read it.
    pub(crate) fn conflict(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", error)
    }

    /// What is wrong and what to do about it, in one text.
    pub(crate) fn into_text(self) -> String {
        match self.body.hint {
            Some(hint) => format!("{}; {hint}", self.body.error),
            None => self.body.error,
        }
    }

    /// The error of a thread that ended without a result.
    pub(crate) fn broken() -> Self {
        let error = "the answer broke off; this is a mistake in psvn";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", error)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Limit => "limit",
            ErrorKind::Interrupted => "interrupted",
            _ => "wrong",
        };
        let mut refusal = Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, error.to_string());
        refusal.body.hint = error.hint().map(ToString::to_string);
        refusal
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
