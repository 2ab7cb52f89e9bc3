//! The papers' methods, true to the papers, each a statistic over the one
//! [`Index`](crate::symbols::index::Index).
//!
//! They are functions with settings, not plugins; what they have in common is that their answers
//! are spans.
//!
//! | module | finds | looks at | paper |
//! |---|---|---|---|
//! | [`cut_point`] | template: the frequent n-grams, with n and the frequency chosen so that template and content alternate least | many pages | Ikeda, Yamada, Hirokawa 2001 |
//! | [`amplify`] | template: strings whose frequency stands out from natural language | many pages | Ikeda, Yamada et al. |
//! | [`documents`] | template: the strings that are on nearly all pages, dates and numbers set aside | many pages | Foschini 2007 |
//! | [`iepad`] | the records of list pages: repeated strings of tags at regular distances | one page | Chang, Lui 2001 |
//! | [`scoop`] | the pair of tags around each record | one page and its content parts | Ikeda, Yamada, Hirokawa 2001 |

pub mod amplify;
pub mod cut_point;
pub mod documents;
pub mod iepad;
pub mod scoop;
