//! All tests from the outside, as one program: each alone would be linked with the whole library.

mod amplify;
mod by_example;
mod check;
mod content;
mod cut_point_oracle;
mod documents;
mod encodings;
mod export;
mod fields;
mod groups;
mod growth;
mod html5ever;
mod html5lib;
mod html_tokens;
mod index_oracle;
mod listings;
mod markdown;
mod order;
mod outline;
mod own_sites;
mod records;
mod rooms;
mod schema;
