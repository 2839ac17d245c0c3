//! Packets of flows: their C is what it was, compiles, writes what the encodings say, and takes nothing that is wrong.

mod compiles;
mod goldens;
mod imported;
mod inputs;
mod model;
mod wire;
