//! What is there to be found in pages?
//!
//! Each module is one method, true to its paper, over the one [`Index`](crate::index::Index). They are functions with
//! settings, not plugins; what they have in common is that their answers are spans.
//!
//! | module | finds | looks at | paper |
//! |---|---|---|---|
//! | [`cut_point`] | template: the frequent n-grams, with n and the frequency chosen so that template and content alternate least | many pages | Ikeda, Yamada, Hirokawa 2001 |
//! | [`amplify`] | template: strings whose frequency stands out from natural language | many pages | Ikeda, Yamada et al. |
//! | [`content`] | the main content: where text of a page's own adds up | many pages, or one | |
//! | [`documents`] | template: the strings that are on nearly all pages, dates and numbers set aside | many pages | Foschini 2007 |
//! | [`about`] | title, date and author, from markup that standards name | one page | |
//! | [`records`] | the records of list pages | one page | Chang, Lui 2001 |
//! | [`scoop`] | the pair of tags around each record | one page and its content parts | Ikeda, Yamada, Hirokawa 2001 |

pub mod about;
pub mod amplify;
pub mod content;
pub mod cut_point;
pub mod documents;
pub mod records;
pub mod scoop;
