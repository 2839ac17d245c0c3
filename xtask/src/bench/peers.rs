//! The peers that benches measure whittle beside: the Debian packages of each, and how one sees that it is there. Out: what was
//! built of it, or a sentence that says why it is left out.

use super::workshop::pkg_config;

struct Peer {
    name: &'static str,
    packages: &'static [&'static str],
    /// What generates its stubs.
    compiler: &'static str,
    /// As pkg-config calls it.
    library: &'static str,
}

const PEERS: [Peer; 9] = [
    peer("rpcgen", &["rpcsvc-proto", "libtirpc-dev"], "rpcgen", "libtirpc"),
    peer("ntirpc", &["rpcsvc-proto", "libntirpc-dev"], "rpcgen", "libntirpc"),
    peer("omniORB", &["omniidl", "libomniorb4-dev"], "omniidl", "omniORB4"),
    peer("protobuf", &["protobuf-compiler", "libprotobuf-dev"], "protoc", "protobuf"),
    peer("protobuf-c", &["protobuf-c-compiler", "libprotobuf-c-dev"], "protoc-c", "libprotobuf-c"),
    peer("gRPC", &["protobuf-compiler-grpc", "libgrpc++-dev"], "grpc_cpp_plugin", "grpc++"),
    peer("Cap'n Proto", &["capnproto", "libcapnp-dev"], "capnp", "capnp-rpc"),
    peer("FlatBuffers", &["flatbuffers-compiler", "libflatbuffers-dev"], "flatc", "flatbuffers"),
    peer("Cyclone DDS", &["cyclonedds-tools", "cyclonedds-dev"], "idlc", "CycloneDDS"),
];

const fn peer(
    name: &'static str,
    packages: &'static [&'static str],
    compiler: &'static str,
    library: &'static str,
) -> Peer {
    Peer { name, packages, compiler, library }
}

fn known(name: &str) -> Option<&'static Peer> {
    PEERS.iter().find(|peer| peer.name == name)
}

/// Installs what is missing of these peers; what cannot be had is found out when it is built.
pub(super) fn provide(names: &[&str]) {
    // One by one: apt-get installs nothing where it knows one name of many not.
    names.iter().filter_map(|name| known(name)).for_each(|peer| {
        crate::deps::provide(peer.packages);
    });
}

/// Each package that only benches use, with what it is for.
pub(crate) fn packages() -> impl Iterator<Item = (&'static str, String)> {
    PEERS.iter().flat_map(|peer| peer.packages.iter().map(|package| (*package, format!("benches: {}", peer.name))))
}

/// The version of each that is there.
pub(super) fn versions() -> Vec<(String, String)> {
    let version = |peer: &Peer| {
        Some((format!("{} ({})", peer.name, peer.library), pkg_config("--modversion", peer.library)?.join(" ")))
    };
    PEERS.iter().filter_map(version).collect()
}

/// What `build` makes of a peer; or why it is not there.
pub(super) fn attempt<T>(name: &str, build: impl FnOnce() -> Result<T, Vec<String>>) -> Result<T, String> {
    let is_there =
        known(name).is_some_and(|peer| exists(peer.compiler) && pkg_config("--exists", peer.library).is_some());
    let outcome = if is_there { build() } else { Err(Vec::new()) };
    outcome.map_err(|problems| absence(name, &problems))
}

/// Why a peer is left out: it is absent, or has these problems.
pub(super) fn absence(name: &str, problems: &[String]) -> String {
    let packages = known(name).map_or(String::new(), |peer| peer.packages.join(" "));
    match problems.first() {
        None => format!("{name} is absent (apt-get install {packages})"),
        Some(problem) => format!("{name} does not build: {problem}"),
    }
}

fn exists(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_is_not_there_is_named_with_its_packages() {
        let absent: Result<(), String> = attempt("no such peer", || Ok(()));
        assert_eq!(absent, Err("no such peer is absent (apt-get install )".to_string()));
        assert_eq!(absence("gRPC", &[]), "gRPC is absent (apt-get install protobuf-compiler-grpc libgrpc++-dev)");
        assert_eq!(absence("gRPC", &["it fails".to_string()]), "gRPC does not build: it fails");
    }
}
