//! May this address be asked at all?
//!
//! Links, redirects, sitemaps and names are written by strangers, and a crawler runs where
//! strangers are not: behind a firewall, beside a metadata service. So only `http` and `https`, no
//! passwords, no ports of other services, and only addresses of the public Internet:
//!
//! ```
//! use unmold_crawl::address::{Guard, Refusal};
//! use url::Url;
//!
//! let guard = Guard::default();
//! assert!(guard.check(&Url::parse("https://example.org/")?).is_ok());
//! // 0x7f.1 is 127.0.0.1, which `Url` says in plain form.
//! assert!(matches!(guard.check(&Url::parse("http://0x7f.1/")?), Err(Refusal::Private { .. })));
//! assert!(matches!(guard.check(&Url::parse("ftp://example.org/")?), Err(Refusal::Scheme { .. })));
//!
//! let guard = Guard::default().allow("127.0.0.1/32".parse()?);
//! assert!(guard.check(&Url::parse("http://127.0.0.1/")?).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a *name* leads to is checked when it is looked up ([`Guard::check_address`], by the
//! resolver that the connection is made with), and the connection goes to exactly the address that
//! was checked: a name cannot mean one thing when checked and another when used. Proxies of the
//! environment are not used, since they would look names up themselves.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};
use url::{Host, Url};

/// Why an address is not asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Only the web is crawled.
    #[error("{scheme}: is not fetched, only http: and https: are")]
    Scheme {
        /// What it has instead.
        scheme: String,
    },
    /// A user name or a password stands in it.
    #[error("it has a user name or password in it, which would be sent to whoever answers")]
    Credentials,
    /// The port belongs to another service.
    #[error("port {port} belongs to another service than the web")]
    Port {
        /// The port.
        port: u16,
    },
    /// No given address has this port, and it is not one of the web's.
    #[error("port {port} is neither 80 nor 443 nor that of a given address")]
    OtherPort {
        /// The port.
        port: u16,
    },
    /// It is no public address.
    #[error("{address} is no public address (--allow-private {address} allows it)")]
    Private {
        /// The address.
        address: IpAddr,
    },
    /// It is too long.
    #[error("it is longer than {LONGEST} bytes")]
    TooLong,
    /// It cannot be read.
    #[error("it is not an address: {why}")]
    Malformed {
        /// What is wrong with it.
        why: String,
    },
}

/// Longer addresses are made by broken programs.
pub const LONGEST: usize = 4096;

/// Which addresses may be asked, and where names lead that are not looked up.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    allowed: Vec<Network>,
    pinned: HashMap<String, IpAddr>,
}

impl Guard {
    /// Allows addresses that are not public.
    #[must_use]
    pub fn allow(mut self, network: Network) -> Self {
        self.allowed.push(network);
        self
    }

    /// Says where a name leads, instead of looking it up. The address is checked like any other.
    #[must_use]
    pub fn pin(mut self, name: &str, address: IpAddr) -> Self {
        self.pinned.insert(name.to_ascii_lowercase(), address);
        self
    }

    /// The address that a name was pinned to.
    pub(crate) fn pinned(&self, name: &str) -> Option<IpAddr> {
        self.pinned.get(name).copied()
    }

    /// Checks all that an address says before any name is looked up.
    pub fn check(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme {
                scheme: url.scheme().to_owned(),
            });
        }
        if url.as_str().len() > LONGEST {
            return Err(Refusal::TooLong);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Credentials);
        }
        if let Some(port) = url.port().filter(|port| OTHER_SERVICES.contains(port)) {
            return Err(Refusal::Port { port });
        }
        match url.host() {
            Some(Host::Ipv4(address)) => self.check_address(address.into()),
            Some(Host::Ipv6(address)) => self.check_address(address.into()),
            Some(Host::Domain(_)) => Ok(()),
            None => Err(Refusal::Malformed {
                why: "it has no host".into(),
            }),
        }
    }

    /// Checks where a connection would go.
    pub fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        let is_allowed =
            is_public(address) || self.allowed.iter().any(|network| network.holds(address));
        if is_allowed {
            Ok(())
        } else {
            Err(Refusal::Private { address })
        }
    }
}

/// A range of addresses: `127.0.0.1/32`, `fd00::/8`, or one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

/// Why a range of addresses cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no range of addresses: try 127.0.0.1/32 or fd00::/8")]
pub struct BadNetwork(String);

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let bad = || BadNetwork(text.to_owned());
        let (address, bits) = text
            .split_once('/')
            .map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| bad())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| bad()))?;
        if bits <= most {
            Ok(Network { address, bits })
        } else {
            Err(bad())
        }
    }
}

impl Network {
    /// Whether an address is of this range. An IPv4 address in the clothes of IPv6 is not the IPv4
    /// address.
    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                starts_alike(own.to_bits().into(), other.to_bits().into(), self.bits, 32)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                starts_alike(own.to_bits(), other.to_bits(), self.bits, 128)
            }
            _ => false,
        }
    }
}

fn starts_alike(one: u128, other: u128, bits: u32, of: u32) -> bool {
    bits == 0 || (one ^ other) >> (of - bits) == 0
}

/// Whether an address is one of the public Internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// All but what the registry of special-purpose addresses sets aside.
fn is_public_v4(address: Ipv4Addr) -> bool {
    const SPECIAL: [([u8; 4], u32); 15] = [
        ([0, 0, 0, 0], 8),       // this network
        ([10, 0, 0, 0], 8),      // private
        ([100, 64, 0, 0], 10),   // carriers' own
        ([127, 0, 0, 0], 8),     // loopback
        ([169, 254, 0, 0], 16),  // link-local, metadata services
        ([172, 16, 0, 0], 12),   // private
        ([192, 0, 0, 0], 24),    // protocol assignments
        ([192, 0, 2, 0], 24),    // documentation
        ([192, 88, 99, 0], 24),  // 6to4 relays
        ([192, 168, 0, 0], 16),  // private
        ([198, 18, 0, 0], 15),   // benchmarks
        ([198, 51, 100, 0], 24), // documentation
        ([203, 0, 113, 0], 24),  // documentation
        ([224, 0, 0, 0], 4),     // multicast
        ([240, 0, 0, 0], 4),     // reserved, broadcast
    ];
    let number = u128::from(address.to_bits());
    !SPECIAL
        .iter()
        .any(|(start, bits)| starts_alike(u32::from_be_bytes(*start).into(), number, *bits, 32))
}

/// Only `2000::/3` is given out. That leaves out loopback, `::`, unique local, link-local,
/// multicast, IPv4-mapped and -compatible addresses and NAT64; of the rest, what hides an IPv4
/// address or is set aside is refused.
fn is_public_v6(address: Ipv6Addr) -> bool {
    const SPECIAL: [(u128, u32); 4] = [
        (0x2001_0000 << 96, 23), // protocol assignments, Teredo
        (0x2001_0db8 << 96, 32), // documentation
        (0x2002_0000 << 96, 16), // 6to4
        (0x3fff_0000 << 96, 20), // documentation
    ];
    let number = address.to_bits();
    starts_alike(number, 0x2000_0000 << 96, 3, 128)
        && !SPECIAL
            .iter()
            .any(|(start, bits)| starts_alike(*start, number, *bits, 128))
}

/// The ports that browsers refuse too (Fetch Standard, 2.9): a request sent there could be read as
/// another protocol.
const OTHER_SERVICES: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str) -> Result<(), Refusal> {
        Guard::default().check(&Url::parse(url).unwrap())
    }

    #[test]
    fn every_spelling_of_a_private_address_is_refused() {
        for url in [
            "http://127.0.0.1/",
            "http://0/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://10.1.2.3/",
            "http://100.64.0.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://172.31.255.255/",
            "http://192.168.0.1/",
            "http://198.19.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://[::1]/",
            "http://[::]/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::a9fe:a9fe]/",
            "http://[2002:7f00:1::]/",
            "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
            "http://[2001:db8::1]/",
            "http://[fc00::1]/",
            "http://[fe80::1]/",
            "http://[ff02::1]/",
        ] {
            assert!(matches!(check(url), Err(Refusal::Private { .. })), "{url}");
        }
    }

    #[test]
    fn public_addresses_are_not() {
        for url in [
            "http://1.1.1.1/",
            "http://172.32.0.1/",
            "http://100.128.0.1/",
            "http://[2606:4700::1111]/",
        ] {
            assert_eq!(check(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn other_schemes_passwords_and_ports_of_other_services_are_refused() {
        for scheme in [
            "file:///etc/passwd",
            "ftp://a.example/",
            "data:text/html,x",
            "javascript:x",
            "gopher://a.example/",
        ] {
            assert!(
                matches!(check(scheme), Err(Refusal::Scheme { .. })),
                "{scheme}"
            );
        }
        assert_eq!(
            check("http://user:secret@a.example/"),
            Err(Refusal::Credentials)
        );
        assert_eq!(check("http://user@a.example/"), Err(Refusal::Credentials));
        assert_eq!(
            check("http://a.example:22/"),
            Err(Refusal::Port { port: 22 })
        );
        assert_eq!(
            check("http://a.example:25/"),
            Err(Refusal::Port { port: 25 })
        );
        assert_eq!(check("http://a.example:8080/"), Ok(()));
        assert_eq!(
            check(&format!("http://a.example/{}", "x".repeat(100_000))),
            Err(Refusal::TooLong)
        );
    }

    #[test]
    fn what_is_allowed_is_that_range_and_no_other() {
        let guard = Guard::default().allow("127.0.0.1/32".parse().unwrap());
        assert!(guard.check_address("127.0.0.1".parse().unwrap()).is_ok());
        assert!(guard.check_address("127.0.0.2".parse().unwrap()).is_err());
        assert!(
            guard
                .check_address("::ffff:127.0.0.1".parse().unwrap())
                .is_err()
        );
        let guard = Guard::default().allow("fd00::/8".parse().unwrap());
        assert!(guard.check_address("fd12::1".parse().unwrap()).is_ok());
        assert!("10.0.0.0/33".parse::<Network>().is_err());
        assert!("ten".parse::<Network>().is_err());
    }
}
