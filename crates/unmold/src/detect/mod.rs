//! What is there to be found in pages?
//!
//! | detector | finds | looks at |
//! |---|---|---|
//! | [`records`] | the records of list pages | one page |

pub mod records;
