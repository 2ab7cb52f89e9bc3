//! A certificate that nobody vouches for is not believed, unless that is asked for; then the archive says so.

use crate::{run, settings};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::Arc,
    thread,
};

/// Made for this test, for `a.example`, and signed by nobody but itself.
const SELF_SIGNED: &[u8] = include_bytes!("self-signed.pem");

/// A server with that certificate, which has one page and no rules.
fn server() -> u16 {
    let certificate = CertificateDer::from_pem_slice(SELF_SIGNED).unwrap();
    let key = PrivateKeyDer::from_pem_slice(SELF_SIGNED).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            thread::spawn(move || {
                let mut stream = StreamOwned::new(ServerConnection::new(config).unwrap(), stream);
                let mut buffer = [0; 4096];
                while let Ok(1..) = stream.read(&mut buffer) {
                    let is_page = buffer.starts_with(b"GET /page");
                    let status = if is_page { 200 } else { 404 };
                    let reply =
                        format!("HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: 7\r\n\r\n<p>page");
                    if stream.write_all(reply.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    port
}

#[test]
fn a_certificate_is_checked_unless_that_is_given_up() {
    let url = format!("https://a.example:{}/page", server());
    let checked = run(&settings(&["a.example"]), std::slice::from_ref(&url));
    assert_eq!(checked.report.pages, 0);
    assert!(checked.reason("/page").contains("certificate"), "{:?}", checked.report.failed);
    assert_eq!(checked.report.requests, 1, "it is not tried again");
    assert!(checked.text().contains("certificates: checked"));

    let believed = run(&settings(&["a.example"]).insecure(true), std::slice::from_ref(&url));
    assert_eq!(believed.pages(), [url]);
    assert!(believed.text().contains("certificates: not checked (--insecure)"));
}
