//! Where does a name lead, and may the connection go there?
//!
//! The names of servers are looked up once for each connection, by the system or by whoever
//! [`Names`] is, and every address is checked before it is handed to the connection, which can go
//! nowhere else.

use crate::address::{Guard, Refusal};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::{
    fmt::Debug,
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};

/// Knows where names lead.
pub trait Names: Debug + Send + Sync {
    /// The addresses of a name. May take its time: it is called beside everything else, and not
    /// waited for without end.
    fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's own way of looking up names.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemNames;

impl Names for SystemNames {
    fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok((name, 0)
            .to_socket_addrs()?
            .map(|address| address.ip())
            .collect())
    }
}

/// Looks names up, and gives only addresses that may be asked.
pub(crate) struct CheckedResolver {
    guard: Arc<Guard>,
    names: Arc<dyn Names>,
    patience: Duration,
}

/// More addresses than this are not looked at.
const MOST_ADDRESSES: usize = 16;

/// Why a name leads nowhere.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LookupError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the name was not found: {0}")]
    NotFound(String),
    #[error("the name was not looked up in {0:?}")]
    Slow(Duration),
}

impl CheckedResolver {
    pub(crate) fn new(guard: Arc<Guard>, names: Arc<dyn Names>, patience: Duration) -> Self {
        CheckedResolver {
            guard,
            names,
            patience,
        }
    }
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, names, patience) = (
            Arc::clone(&self.guard),
            Arc::clone(&self.names),
            self.patience,
        );
        Box::pin(async move {
            let found = look_up(&guard, names, name.as_str(), patience).await?;
            let checked = checked(&guard, found)?;
            Ok(Box::new(checked.into_iter()) as Addrs)
        })
    }
}

async fn look_up(
    guard: &Guard,
    names: Arc<dyn Names>,
    name: &str,
    patience: Duration,
) -> Result<Vec<SocketAddr>, LookupError> {
    if let Some(pinned) = guard.pinned(name) {
        return Ok(vec![SocketAddr::new(pinned, 0)]);
    }
    let asked = name.to_owned();
    let looked_up = tokio::task::spawn_blocking(move || names.look_up(&asked));
    match tokio::time::timeout(patience, looked_up).await {
        Ok(Ok(Ok(found))) => Ok(found
            .into_iter()
            .take(MOST_ADDRESSES)
            .map(|address| SocketAddr::new(address, 0))
            .collect()),
        Ok(Ok(Err(error))) => Err(LookupError::NotFound(error.to_string())),
        Ok(Err(error)) => Err(LookupError::NotFound(error.to_string())),
        Err(_) => Err(LookupError::Slow(patience)),
    }
}

/// The addresses that may be asked; if there is none, why.
fn checked(guard: &Guard, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, LookupError> {
    let mut refused = None;
    let mut is_allowed = |address: &SocketAddr| match guard.check_address(address.ip()) {
        Ok(()) => true,
        Err(refusal) => {
            refused = Some(refusal);
            false
        }
    };
    let allowed: Vec<SocketAddr> = found
        .into_iter()
        .filter(|address| is_allowed(address))
        .collect();
    match refused {
        Some(refusal) if allowed.is_empty() => Err(refusal.into()),
        None if allowed.is_empty() => Err(LookupError::NotFound("it has no address".into())),
        _ => Ok(allowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts
            .iter()
            .map(|text| SocketAddr::new(text.parse().unwrap(), 0))
            .collect()
    }

    #[test]
    fn of_several_addresses_only_public_ones_are_left() {
        let guard = Guard::default();
        let left = checked(&guard, addresses(&["10.0.0.1", "1.1.1.1", "::1"])).unwrap();
        assert_eq!(left, addresses(&["1.1.1.1"]));
        let none = checked(&guard, addresses(&["10.0.0.1", "::1"]));
        assert!(matches!(
            none,
            Err(LookupError::Refused(Refusal::Private { .. }))
        ));
    }

    #[test]
    fn a_name_of_this_machine_is_refused() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        for name in ["localhost", "localhost."] {
            let found = runtime.block_on(look_up(
                &Guard::default(),
                Arc::new(SystemNames),
                name,
                Duration::from_secs(10),
            ));
            // A machine that does not know the name is as good.
            let refused = found.and_then(|found| checked(&Guard::default(), found));
            assert!(refused.is_err(), "{name}");
        }
    }
}
