//! Small inputs that ask for much: each ends soon, with C or with an error that names the limit. And files of twice the
//! size take twice the work, in every style and over every link.

mod descriptions;
mod floods;
mod growth;
mod lengths;
mod machine;
mod preprocessing;
mod scenarios;
