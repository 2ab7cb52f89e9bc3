//! What is template, what is content?
//!
//! Each module is one method, true to its paper, over the one [`Index`](crate::index::Index). They are functions with
//! settings, not plugins; what they have in common is that their answers are spans.
//!
//! | module | idea | paper |
//! |---|---|---|
//! | [`cut_point`] | frequent n-grams are template; n and the frequency are chosen so that template and content alternate least | Ikeda, Yamada, Hirokawa 2001 |

pub mod cut_point;
