//! A certificate that nobody vouches for is not believed, unless that is asked for; then the
//! archive says so.

use crate::{
    Crawled, run,
    secure::{Authority, Identity, VALID, serve},
    settings,
};
use unmold_crawl::{FailureKind, Settings};

fn crawl(settings: &Settings, port: u16) -> Crawled {
    run(settings, &[format!("https://a.example:{port}/page")])
}

fn is_refused(crawled: &Crawled, why: &str) {
    assert_eq!(crawled.report.pages, 0, "{why}");
    let failed = &crawled.report.failed;
    assert!(
        failed.len() == 1 && failed[0].kind == FailureKind::Certificate,
        "{why}: {failed:?}"
    );
    assert!(
        failed[0].reason.to_ascii_lowercase().contains(why),
        "{why}: {failed:?}"
    );
    assert_eq!(crawled.report.requests, 1, "it is not tried again");
    assert!(crawled.text().contains("certificates: checked"));
}

#[test]
fn an_authority_that_is_trusted_vouches_for_its_servers_and_for_nobody_else() {
    let authority = Authority::new();
    let port = serve(authority.identity("a.example", VALID));
    is_refused(&crawl(&settings(&["a.example"]), port), "issuer");
    let trusting = settings(&["a.example"]).trust(vec![authority.pem.clone().into_bytes()]);
    let crawled = crawl(&trusting, port);
    assert_eq!(crawled.report.pages, 1, "{:?}", crawled.report.failed);
    assert!(
        crawled
            .text()
            .contains("certificates: checked, also against authorities that were given (--trust)")
    );

    is_refused(
        &crawl(
            &trusting,
            serve(authority.identity("a.example", (2000, 2001))),
        ),
        "expired",
    );
    is_refused(
        &crawl(
            &trusting,
            serve(authority.identity("a.example", (2190, 2200))),
        ),
        "not valid yet",
    );
    is_refused(
        &crawl(&trusting, serve(authority.identity("b.example", VALID))),
        "not valid for name",
    );
    is_refused(
        &crawl(&trusting, serve(Identity::self_signed("a.example"))),
        "certificate",
    );
    is_refused(
        &crawl(
            &trusting,
            serve(Authority::new().identity("a.example", VALID)),
        ),
        "certificate",
    );
}

#[test]
fn any_certificate_is_believed_only_on_request_and_the_archive_says_so() {
    let authority = Authority::new();
    let identities = [
        Identity::self_signed("a.example"),
        authority.identity("a.example", (2000, 2001)),
        authority.identity("b.example", VALID),
    ];
    for identity in identities {
        let crawled = crawl(&settings(&["a.example"]).insecure(true), serve(identity));
        assert_eq!(crawled.pages().len(), 1, "{:?}", crawled.report.failed);
        assert!(
            crawled
                .text()
                .contains("certificates: not checked (--insecure)")
        );
    }
}

#[test]
fn a_file_of_authorities_without_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.warc.gz");
    let nothing = settings(&[]).trust(vec![b"nothing".to_vec()]);
    let refused = crate::begin(
        &path,
        unmold_crawl::Start::Resume,
        &nothing,
        &[],
        &mut crate::Notes::default(),
    );
    assert!(refused.unwrap_err().to_string().contains("no certificate"));
}
