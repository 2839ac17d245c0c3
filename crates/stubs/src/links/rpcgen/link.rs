//! What a link must say of itself to carry rpcgen's style. Programs of the style call the library by its own names, so each link has its
//! interface: from the library, or from a run time of ours. Clients are the same for all; servers differ in what they include and
//! in where they serve.

/// How calls by the library's interface travel.
pub trait Library {
    /// The network that the link is, as `svc_create` and `clnt_create` name it; `None`: those of the port mapper, whichever are asked for.
    fn network(&self) -> Option<&'static str> {
        None
    }

    /// What servers include for where they serve.
    fn server_headers(&self) -> &'static [&'static str] {
        &["rpc/pmap_clnt.h", "sys/socket.h", "netinet/in.h"]
    }
}
