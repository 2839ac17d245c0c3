//! What `rpcgen FLAGS FILE` writes, by way of this repository's crates.

use std::path::Path;

use cast::File;
use filetest::oracle;
use libtest_mimic::Failed;
use present::rpcgen;
use source::{Diagnostic, SourceMap};
use stubs::links::onc::Onc;
use stubs::links::rpcgen::{self as calls, Closedown, Main, Transport};

/// rpcgen's flags, as far as they shape what is tested here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags(pub(crate) Vec<String>);

impl Flags {
    pub(crate) fn of(words: &[&str]) -> Flags {
        Flags(words.iter().map(|word| word.to_string()).collect())
    }

    fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|word| word == flag)
    }

    fn values(&self, flag: &str) -> Vec<String> {
        self.0.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].clone()).collect()
    }

    /// Those that shape rpcgen's header.
    pub(crate) fn of_header(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).filter(|flag| ["-N", "-M", "-k", "-T"].contains(flag)).collect()
    }

    fn presentation(&self, base: &str) -> rpcgen::Options {
        let mut options = rpcgen::Options::new(escape::c::Base::new(base).expect("a name of a test"));
        options.newstyle = self.has("-N");
        options.multithread = self.has("-M");
        options.kernighan_ritchie = self.has("-k");
        options.tables = self.has("-T");
        options.server_arena = self.has("--server-arena");
        options
    }

    pub(crate) fn link(&self, base: &str) -> calls::Options {
        let mut options = calls::Options::new(base);
        let both = vec![Transport::Udp, Transport::Tcp];
        let (types, ids) = (self.values("-s"), self.values("-n"));
        options.main = match () {
            () if self.has("-m") => Main::None,
            () if self.has("-I") => Main::Inetd(both),
            () if !ids.is_empty() => Main::NetworkIds(ids),
            () if self.has("-5") && types.is_empty() => Main::NetworkTypes(vec!["netpath".to_string()]),
            () if self.has("-5") => Main::NetworkTypes(types),
            () => Main::Portmap(both),
        };
        options.syslog = self.has("-L");
        options.closedown = match self.values("-K").first().and_then(|seconds| seconds.parse::<i64>().ok()) {
            Some(-1) => Closedown::Never,
            Some(0) => Closedown::AfterEachRequest,
            Some(seconds) => Closedown::Seconds(u32::try_from(seconds).unwrap_or(120)),
            None => Closedown::Seconds(120),
        };
        options
    }
}

/// Presents a file as it is preprocessed for one output (`RPC_HDR` and so on).
pub(crate) fn presented(file: &Path, flags: &Flags, output: &str) -> Result<(pres::PresC, Vec<Diagnostic>), Failed> {
    let mut cpp = oracle::command("cpp");
    let text = oracle::succeed(cpp.arg("-C").arg(format!("-D{output}")).arg(file))?;
    let mut map = SourceMap::new();
    let id = map.add_preprocessed(file.display().to_string(), String::from_utf8_lossy(&text.stdout).into_owned());
    let (aoi, findings) = front_onc::parse(&map, id, &front_onc::Options::default());
    if let Some(error) = findings.iter().find(|finding| finding.is_error()) {
        return Err(shown(error).into());
    }
    Ok(rpcgen::present(&aoi, &flags.presentation(&base(file))))
}

/// The name of a file without folder and suffix.
pub(crate) fn base(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The text of one output: a C file, `pres` or `findings`.
pub(crate) fn output(file: &Path, flags: &Flags, kind: &str) -> Result<String, Failed> {
    match kind {
        "findings" => Ok(presented(file, flags, "RPC_HDR")?.1.iter().map(shown).collect()),
        "pres" => Ok(pres::text::print(&sound(file, flags, "RPC_HDR")?)),
        _ => {
            let c = c_file(file, flags, kind)?;
            let broken: String = cast::verify(&c, &cast::Known::default()).iter().map(shown).collect();
            if broken.is_empty() { Ok(cast::print_file(&c)) } else { Err(broken.into()) }
        }
    }
}

/// What was presented without error.
fn sound(file: &Path, flags: &Flags, symbol: &str) -> Result<pres::PresC, Failed> {
    let (pres, findings) = presented(file, flags, symbol)?;
    if let Some(error) = findings.iter().find(|finding| finding.is_error()) {
        return Err(shown(error).into());
    }
    let broken: String = pres::verify(&pres).iter().map(shown).collect();
    if broken.is_empty() { Ok(pres) } else { Err(broken.into()) }
}

/// One C output: `h`, `clnt`, `svc`, `tbl`, `client` or `server`.
pub(crate) fn c_file(file: &Path, flags: &Flags, kind: &str) -> Result<File, Failed> {
    let symbol = match kind {
        "clnt" => "RPC_CLNT",
        "svc" => "RPC_SVC",
        "tbl" => "RPC_TBL",
        _ => "RPC_HDR",
    };
    let pres = sound(file, flags, symbol)?;
    let link = flags.link(&base(file));
    Ok(match kind {
        "h" => File { declarations: pres.header.clone() },
        "clnt" => calls::client_file(&pres),
        "svc" => calls::server_file(&pres, &link, &Onc::Tirpc),
        "tbl" => calls::table_file(&pres),
        "client" => calls::client_sample(&pres, &link),
        "server" => calls::server_sample(&pres),
        _ => return Err(format!("no output is called `{kind}`").into()),
    })
}

fn shown(finding: &Diagnostic) -> String {
    let help = finding.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
    let severity = if finding.is_error() { "error" } else { "warning" };
    format!("{severity}[{}]: {}{help}\n", finding.code, finding.message)
}
