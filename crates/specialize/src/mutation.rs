//! Duties that tests make the specializer forget: [`core_c::mutation`].

pub(crate) use core_c::mutation::forgets;
