//! What things of a flow are called in C and on disk.

use escape::keywords::{is_of_c, is_of_gnu_c};
use xip::{End, Network, StageId};

/// A name of the flow's as a part of C names: `camera.lens` is `camera_lens`.
pub(crate) use escape::c::word;

/// The stage of an instance, in C.
pub(crate) fn stage(network: &Network, id: StageId) -> String {
    word(&network.stage(id).name)
}

/// A port of a stage, in C: `gray_b`.
pub(crate) fn end(network: &Network, end: End) -> String {
    format!("{}_{}", stage(network, end.stage), network.port(end).name)
}

/// A link, in C: its outport, and which one of the links that leave it.
pub(crate) fn link(network: &Network, number: usize) -> String {
    let before = network.siblings_before(number);
    let name = end(network, network.links[number].from);
    if before == 0 { name } else { format!("{name}_{}", before + 1) }
}

/// Words that newer versions of C keep for themselves beside its keywords, or that headers of the standard library define as macros.
const KEPT: &[&str] = &[
    "bool",
    "true",
    "false",
    "NULL",
    "main",
    "linux",
    "unix",
    "alignas",
    "alignof",
    "constexpr",
    "nullptr",
    "static_assert",
    "thread_local",
];

/// Functions of the C library that the runtime calls, and others that a header may declare: a function of the user's with
/// such a name would take their place. Sorted by nothing but their use.
const OF_THE_LIBRARY: &str = "\
    accept4 bind calloc clock_gettime close connect epoll_create1 epoll_ctl epoll_wait \
    eventfd exit faccessat fclose fcntl flock fopen fprintf fread \
    free freeaddrinfo fseek fstat ftell ftruncate getaddrinfo getenv getpid \
    getrandom getsockopt getuid listen lseek lstat malloc memchr memcmp \
    memcpy memfd_create memset mkdir mmap munmap open openat poll \
    ppoll prctl printf puts raise read realloc recv recvmsg \
    sched_yield send sendmsg setsockopt shutdown sigaction sigemptyset sigfillset signal \
    snprintf socket strcmp strerror strlen strncmp strtod strtoull syscall \
    sysconf unlink unlinkat vsnprintf write abort accept access clock \
    dup fork index kill pause pipe rand random remove \
    rename select sleep stat stderr stdin stdout time wait";

/// What the functions around a middle call their variables.
const OF_OURS: [&str; 14] = [
    "argc",
    "argv",
    "born",
    "call",
    "due",
    "ends",
    "goes_on",
    "nanoseconds",
    "packet",
    "reason",
    "receivers",
    "stages",
    "until",
    "which",
];

/// Whether a function of the user's cannot have a name.
pub(crate) fn is_taken(name: &str) -> bool {
    is_kept(name)
        || OF_OURS.contains(&name)
        || name.starts_with("pthread_")
        || OF_THE_LIBRARY.split_whitespace().any(|known| known == name)
}

/// Whether a name cannot be one in C.
pub(crate) fn is_kept(name: &str) -> bool {
    is_of_c(name) || is_of_gnu_c(name) || KEPT.contains(&name) || name.starts_with("whittle_")
}
