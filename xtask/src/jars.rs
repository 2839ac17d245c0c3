//! Peers in Java, and what they need: JacORB, an ORB, and Remote Tea, ONC RPC. Maven downloads them, from where its own settings
//! say. In: an empty folder. Out: its files, each known by its sum: what comes over a network may be anything.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What Maven knows a file by, group, name and version, and its SHA-256.
type Jar = (&'static str, &'static str, &'static str, &'static str);

pub(crate) const REMOTE_TEA: [Jar; 2] = [
    (
        "org.acplt.remotetea",
        "remotetea-oncrpc",
        "1.1.6",
        "87282dd20146971e5e54e4b955e82d930e343d7d1e4981475c9d0f2ff69d9362",
    ),
    (
        "org.acplt.remotetea",
        "remotetea-jrpcgen",
        "1.1.4",
        "c0472a76b9c4e124fa99e7c16f104babf92f65494a460064b1c32b718844a7a7",
    ),
];

pub(crate) const JACORB: [Jar; 7] = [
    ("org.jacorb", "jacorb", "3.9", "cb833df39c6e30caca29f2c244901c2d5566c8c6aac3ea59842024c5f5264ee2"),
    ("org.jacorb", "jacorb-idl-compiler", "3.9", "cc2ff5b6751eb6767a5d3f4e05c330ff6791d04c12609e09cf25459bbba829d7"),
    ("org.jacorb", "jacorb-omgapi", "3.9", "247f565dfd4b0c1ee54b1e0a6288be84fc66ae961c34715171ca2867c6857447"),
    ("java_cup", "java_cup", "0.9e", "e58a2604a85ab985fb94037c889bef90b0c2a862030c03b0e830aa54a4931037"),
    (
        "org.jboss.spec.javax.rmi",
        "jboss-rmi-api_1.0_spec",
        "1.0.6.Final",
        "07615653320a010a648d164e77751daddcfea5602148aa4da2f052bc6af0689e",
    ),
    ("org.slf4j", "slf4j-api", "1.7.14", "b030a29e088dea60b07c7299d25f43cbd120502e10dcae3f382435ecd5de5ddd"),
    ("org.slf4j", "slf4j-nop", "1.7.14", "5059274bb1f70079e65d36fbf4857855145fed5bca045dd4028f7238b6534192"),
];

/// Downloads what is not there; true where all is. Half of it is none.
pub(crate) fn provide(folder: &Path, files: &[Jar]) -> bool {
    if folder.is_dir() {
        return true;
    }
    let unfinished = folder.with_extension("unfinished");
    let all = fs::create_dir_all(&unfinished).is_ok()
        && download(files, &unfinished)
        && files.iter().all(|file| is_as_it_was(file, &unfinished))
        && fs::remove_file(unfinished.join(PROJECT)).is_ok()
        && fs::rename(&unfinished, folder).is_ok();
    if !all {
        let _ = fs::remove_dir_all(unfinished);
    }
    all
}

/// The file by which Maven knows what to do.
const PROJECT: &str = "pom.xml";

/// Has Maven copy the files, and nothing that they depend on, to where its project is.
fn download(files: &[Jar], folder: &Path) -> bool {
    if fs::write(folder.join(PROJECT), project(files)).is_err() {
        return false;
    }
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", "dependency:copy-dependencies"]);
    maven.args(["-DexcludeTransitive=true", "-DoutputDirectory=."]).current_dir(folder);
    maven.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    maven.status().is_ok_and(|status| status.success())
}

/// A project that depends on the files and makes nothing.
fn project(files: &[Jar]) -> String {
    let dependency = |(group, name, version, _): &Jar| {
        format!(
            "    <dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>\n"
        )
    };
    format!(
        "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>whittle</groupId>\n  <artifactId>peers</artifactId>\n  \
         <version>1</version>\n  <packaging>pom</packaging>\n  <dependencies>\n{}  </dependencies>\n</project>\n",
        files.iter().map(dependency).collect::<String>()
    )
}

fn is_as_it_was((_, name, version, sum): &Jar, folder: &Path) -> bool {
    let file = folder.join(format!("{name}-{version}.jar"));
    let output = Command::new("sha256sum").arg(&file).stdin(Stdio::null()).output();
    let is_right = output.is_ok_and(|output| output.stdout.starts_with(sum.as_bytes()));
    if !is_right {
        println!("corpora: {} is not what it was", file.display());
    }
    is_right
}
