//! A folder in which a bench is built: starts compilers there, says what failed, in full.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tree;

/// The flags that make these folders, and whittle's own headers, known to the preprocessor.
pub(super) fn includes(folders: &[&Path]) -> Vec<String> {
    let own = tree::root().join("runtime/include");
    folders.iter().copied().chain([own.as_path()]).map(|folder| format!("-I{}", folder.display())).collect()
}

/// An empty folder and the compilers to use in it.
pub(super) struct Workshop {
    pub(super) folder: PathBuf,
    c_compiler: String,
    cxx_compiler: String,
}

impl Workshop {
    /// Starts anew: rpcgen does not overwrite.
    pub(super) fn new(folder: PathBuf) -> Result<Workshop, Vec<String>> {
        let failed = |problem: std::io::Error| vec![format!("{}: {problem}", folder.display())];
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(failed)?;
        }
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let variable = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_string());
        Ok(Workshop { folder, c_compiler: variable("CC", "gcc"), cxx_compiler: variable("CXX", "g++") })
    }

    /// A folder within.
    pub(super) fn subfolder(&self, name: &str) -> Result<PathBuf, Vec<String>> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder).map_err(|problem| vec![format!("{}: {problem}", folder.display())])?;
        Ok(folder)
    }

    /// Copies a file into a folder of the workshop, for tools that write beside what they read.
    pub(super) fn copy(&self, file: &Path, folder: &Path) -> Result<(), Vec<String>> {
        let name = file.file_name().unwrap_or(OsStr::new("file"));
        std::fs::copy(file, folder.join(name)).map_err(|problem| vec![format!("{}: {problem}", file.display())])?;
        Ok(())
    }

    /// Runs a program to its end; its output is its own or, when it fails, the problem.
    pub(super) fn run<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        program: &str,
        arguments: &[S],
    ) -> Result<String, Vec<String>> {
        let output = Command::new(program).args(arguments).current_dir(folder).output();
        let output = output.map_err(|problem| vec![format!("{program}: {problem}")])?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let words: Vec<String> = arguments.iter().map(|word| word.as_ref().to_string_lossy().into_owned()).collect();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(vec![format!("{program} {}: {}\n{said}", words.join(" "), output.status)])
    }

    /// Compiles one C or C++ file with -O2 and nothing else, as its users do; returns the object.
    pub(super) fn compile(&self, source: &Path, object: &str, flags: &[String]) -> Result<PathBuf, Vec<String>> {
        let is_c = source.extension().is_some_and(|extension| extension == "c");
        let compiler = if is_c { &self.c_compiler } else { &self.cxx_compiler };
        let object = self.folder.join(object);
        let mut arguments = vec!["-O2".to_string(), "-c".to_string(), "-o".to_string(), object.display().to_string()];
        arguments.extend_from_slice(flags);
        arguments.push(source.display().to_string());
        self.run(&self.folder, compiler, &arguments)?;
        Ok(object)
    }

    /// Specializes what the first source marks; `options` are whittle's own.
    pub(super) fn residual(
        &self,
        whittle: &Path,
        output: &str,
        sources: &[PathBuf],
        options: &[&str],
        flags: &[String],
    ) -> Result<PathBuf, Vec<String>> {
        let output = self.folder.join(output);
        let mut arguments = vec!["specialize".to_string()];
        arguments.extend(sources.iter().map(|source| source.display().to_string()));
        arguments.extend(options.iter().map(|option| (*option).to_string()));
        arguments.extend(["-o".to_string(), output.display().to_string(), "--".to_string()]);
        arguments.extend_from_slice(flags);
        self.run(&self.folder, &whittle.display().to_string(), &arguments)?;
        Ok(output)
    }

    /// One object that shows the functions to time, under names that begin with whose they are, and nothing else.
    pub(super) fn participant(
        &self,
        who: &str,
        shown: &[String],
        sources: &[PathBuf],
        flags: &[String],
    ) -> Result<PathBuf, Vec<String>> {
        let mut all = flags.to_vec();
        all.extend(shown.iter().map(|name| format!("-D{name}={who}_{name}")));
        all.push("-w".to_string());
        let (joined, object) = (format!("{who}_joined.o"), self.folder.join(format!("{who}.o")));
        let mut link: Vec<String> =
            flags.iter().filter(|flag| flag.starts_with("-O") || *flag == "-flto").cloned().collect();
        if link.iter().any(|flag| flag == "-flto") {
            link.push("-flinker-output=nolto-rel".to_string());
        }
        link.extend(["-r", "-nostdlib", "-o", &joined].map(str::to_string));
        for (at, source) in sources.iter().enumerate() {
            link.push(self.compile(source, &format!("{who}_{at}.o"), &all)?.display().to_string());
        }
        self.run(&self.folder, "gcc", &link)?;
        let mut kept: Vec<String> = shown.iter().map(|name| format!("--keep-global-symbol={who}_{name}")).collect();
        kept.extend([joined, object.display().to_string()]);
        self.run(&self.folder, "objcopy", &kept)?;
        Ok(object)
    }

    /// Links with the C++ compiler, so that C++ may be among the objects.
    pub(super) fn link(
        &self,
        program: &str,
        objects: &[PathBuf],
        libraries: &[String],
    ) -> Result<PathBuf, Vec<String>> {
        let program = self.folder.join(program);
        let mut arguments = vec!["-o".to_string(), program.display().to_string()];
        arguments.extend(objects.iter().map(|object| object.display().to_string()));
        arguments.extend_from_slice(libraries);
        self.run(&self.folder, &self.cxx_compiler, &arguments)?;
        Ok(program)
    }
}

/// What `pkg-config` answers, word by word; none when the package is absent.
pub(super) fn pkg_config(question: &str, package: &str) -> Option<Vec<String>> {
    let output = Command::new("pkg-config").args([question, package]).output().ok()?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| answer.split_whitespace().map(str::to_string).collect())
}
