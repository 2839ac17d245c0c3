//! What is to be known of a package besides its interface files: where the headers are that they include, and which
//! files are unfit.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::oracle;
use libtest_mimic::Failed;

/// Files of Debian's that rpcgen refuses, or whose C no compiler takes, by their own fault, and the generated files that
/// this concerns. `docs/guides/replace-rpcgen.md` says why.
const UNFIT: [(&str, &[&str]); 4] = [
    ("nis.x", &[".h", "_xdr.c", "_clnt.c", "_svc.c"]),
    ("nis_callback.x", &["_xdr.c", "_clnt.c", "_svc.c"]),
    ("crypt.x", &["_xdr.c", "_clnt.c", "_svc.c"]),
    ("rpcb_prot.x", &[".h", "_xdr.c", "_clnt.c", "_svc.c"]),
];

/// Whether C compilers take what rpcgen makes of a file.
pub(crate) fn is_unfit(file: &Path, ending: &str) -> bool {
    UNFIT.iter().any(|(name, endings)| file.ends_with(name) && endings.contains(&ending))
}

/// Where a file comes from.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// The folder with all of its files, where it is a source package.
    pub(crate) root: Option<PathBuf>,
}

impl Package {
    /// The options of compilers in the package's own build, as far as generated files need it. `folder` is where those are.
    pub(crate) fn flags(&self, folder: &Path) -> Vec<String> {
        let mut flags = vec![format!("-I{}", folder.display())];
        let Some(root) = &self.root else { return flags };
        let inside = |part: &str| format!("-I{}", root.join(part).display());
        match self.name.as_str() {
            "glusterfs" => {
                flags.extend(["-D_GNU_SOURCE", "-DGF_LINUX_HOST_OS"].map(str::to_owned));
                flags.extend(["libglusterfs/src", "rpc/rpc-lib/src"].map(inside));
            }
            "libvirt" => {
                flags.extend(["include", "src", "src/util", "src/rpc"].map(inside));
                flags.extend(oracle::flags_of("glib-2.0", "--cflags"));
            }
            _ => {}
        }
        flags
    }

    /// Writes what the package's build makes of its templates.
    pub(crate) fn prepare(&self, folder: &Path) -> Result<(), Failed> {
        let Some(root) = &self.root else { return Ok(()) };
        let template = root.join("include/libvirt/libvirt-common.h.in");
        if self.name == "libvirt" && template.is_file() {
            let text = fs::read_to_string(template)?.replace("@LIBVIRT_VERSION_NUMBER@", "9000000");
            fs::create_dir_all(folder.join("libvirt"))?;
            fs::write(folder.join("libvirt/libvirt-common.h"), text)?;
        }
        Ok(())
    }
}
