//! The server: only programs on this machine reach it, and only those that know its address.

mod assets;
mod events;
mod guard;
mod routes;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::server::guard::Guard;
use crate::shared::Studio;

/// How often the file and the flag that ends the server are looked at.
const BEAT: Duration = Duration::from_millis(200);

/// How long answers that are under way may take once the server ends.
const GRACE: Duration = Duration::from_millis(500);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// The system gives no random bytes for the address.
    #[error("the system gives no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    /// The port can't be used, or the system gives no more of something.
    #[error("port {port} can't be used: {error}")]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        error: io::Error,
    },
}

/// A server that listens, and answers once it runs.
pub struct Server {
    studio: Arc<Studio>,
    runtime: Runtime,
    listener: TcpListener,
    guard: Guard,
}

impl Studio {
    /// Listen on a port of this machine that other machines don't reach; 0 takes a free one.
    ///
    /// # Errors
    /// When the port can't be used, or the system gives no random bytes.
    pub fn listen(self, port: u16) -> Result<Server, ListenError> {
        let wrong = |error| ListenError::Port { port, error };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(wrong)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = runtime
            .block_on(TcpListener::bind(address))
            .map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        Ok(Server {
            guard: Guard::new(port)?,
            studio: Arc::new(self),
            runtime,
            listener,
        })
    }
}

impl Server {
    /// Return the address of the page. Who knows it can read and change the file, so it is a
    /// secret.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Answer until the cancellation of the environment is set.
    ///
    /// # Errors
    /// When the system refuses connections.
    pub fn run(self) -> io::Result<()> {
        let Self {
            studio,
            runtime,
            listener,
            guard,
        } = self;
        let router = routes::router(&studio, guard);
        let serving = runtime.spawn(async move { axum::serve(listener, router).await });
        let ended = runtime.block_on(async {
            let cancelled = studio.env.cancellation();
            while !cancelled.load(Ordering::Relaxed) && !serving.is_finished() {
                tokio::time::sleep(BEAT).await;
                look_at_file(&studio).await;
            }
            if serving.is_finished() {
                serving
                    .await
                    .unwrap_or_else(|error| Err(io::Error::other(error)))
            } else {
                Ok(())
            }
        });
        studio.jobs.cancel_all();
        runtime.shutdown_timeout(GRACE);
        ended
    }
}

/// Tell the pages if the file has changed.
async fn look_at_file(studio: &Arc<Studio>) {
    let shared = Arc::clone(studio);
    let look = move || shared.disk.as_ref().is_some_and(crate::disk::Disk::look);
    // A slow disk keeps no answer waiting.
    if tokio::task::spawn_blocking(look).await.unwrap_or(false) {
        studio.tell();
    }
}
