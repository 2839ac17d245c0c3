//! PLAN: its text form reads back, what must always hold holds after every pass in every combination, and each pass
//! does what its page says.

mod arbitrary;
mod goldens;
mod inputs;
mod pass_pages;
mod picture;
mod rules;
mod sound;
mod text;
mod walk;
