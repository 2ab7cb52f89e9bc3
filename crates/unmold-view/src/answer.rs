//! What is said to the browser, and what goes wrong.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use unmold::read::PageError;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// There is no page, group, field or list of that number.
    #[error("there is no such thing")]
    Unknown,
    /// The mold has changed since it was looked at, perhaps in another window.
    #[error("the mold was changed in another window: what is shown is up to date now")]
    Stale,
    /// A file is in the way.
    #[error("{0}")]
    Exists(String),
    /// It cannot be done.
    #[error("{0}")]
    Refused(String),
}

impl From<PageError> for Problem {
    fn from(error: PageError) -> Self {
        Problem::Refused(error.reason())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = match self {
            Problem::Unknown => StatusCode::NOT_FOUND,
            Problem::Stale | Problem::Exists(_) => StatusCode::CONFLICT,
            Problem::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let exists = matches!(self, Problem::Exists(_));
        (
            status,
            Json(serde_json::json!({"problem": self.to_string(), "exists": exists})),
        )
            .into_response()
    }
}

/// What a request comes to.
pub type Answer<T> = Result<T, Problem>;

/// An answer as JSON.
pub fn json<T: Serialize>(answer: Answer<T>) -> Response {
    match answer {
        Ok(answer) => Json(answer).into_response(),
        Err(problem) => problem.into_response(),
    }
}

/// One of some things by its number.
pub fn nth<T>(things: &[T], number: usize) -> Answer<&T> {
    things.get(number).ok_or(Problem::Unknown)
}
