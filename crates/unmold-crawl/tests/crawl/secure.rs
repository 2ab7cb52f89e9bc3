//! Servers with certificates, and an authority that vouches for them; both made anew for each test.

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer},
};
use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::Arc,
    thread,
};

/// A certificate and its key.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: KeyPair,
}

/// Who vouches for servers.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its own certificate, to be trusted.
    pub pem: String,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Authority {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    /// A certificate for a name, valid between these years.
    pub fn identity(&self, name: &str, years: (i32, i32)) -> Identity {
        let (params, key) = (params(name, years), KeyPair::generate().unwrap());
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Identity {
            certificate: certificate.into(),
            key,
        }
    }
}

impl Identity {
    /// One that nobody but itself vouches for.
    pub fn self_signed(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params(name, VALID).self_signed(&key).unwrap();
        Identity {
            certificate: certificate.into(),
            key,
        }
    }

    /// What a server needs that speaks this protocol.
    pub fn config(self, protocol: &str) -> Arc<ServerConfig> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap();
        let key = PrivateKeyDer::try_from(self.key.serialize_der()).unwrap();
        let mut config = config
            .with_no_client_auth()
            .with_single_cert(vec![self.certificate], key)
            .unwrap();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        Arc::new(config)
    }
}

/// Years that are not over.
pub const VALID: (i32, i32) = (2020, 2200);

fn params(name: &str, (from, to): (i32, i32)) -> CertificateParams {
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(from, 1, 1);
    params.not_after = date_time_ymd(to, 1, 1);
    params
}

/// A server that has one page and no rules. Gives its port.
pub fn serve(identity: Identity) -> u16 {
    let config = identity.config("http/1.1");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            thread::spawn(move || {
                answer(StreamOwned::new(
                    ServerConnection::new(config).unwrap(),
                    stream,
                ));
            });
        }
    });
    port
}

fn answer(mut stream: impl Read + Write) {
    let mut buffer = [0; 4096];
    while let Ok(1..) = stream.read(&mut buffer) {
        let status = if buffer.starts_with(b"GET /page") {
            200
        } else {
            404
        };
        let reply = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\n<p>page"
        );
        if stream.write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}
