//! A flow of `bench/flows/whittle`, compiled: its description with another transport, packet or machine, its middles, and
//! what whittle makes of them.

use std::path::{Path, PathBuf};

use super::build::{Builder, Built};
use super::participants::Participant;
use super::{Packet, Workload};

impl Builder<'_> {
    /// The folder with the programs.
    pub(super) fn flow(
        &self,
        workload: &Workload,
        packet: Packet,
        participant: &Participant,
        transport: &str,
        folder: &Path,
    ) -> Built<PathBuf> {
        let sources = self.context.sources.join("flows/whittle");
        let description = sources.join(format!("{}.spi", participant.program));
        let failed = |problem: std::io::Error| vec![format!("{}: {problem}", description.display())];
        let text = std::fs::read_to_string(&description).map_err(failed)?;
        std::fs::write(folder.join("flow.spi"), adapted(&text, workload, packet, transport)).map_err(failed)?;
        let whittle = self.context.whittle.display().to_string();
        self.workshop.run(folder, &whittle, &["compile", "flow.spi", "--out", "c"])?;
        let made = folder.join("c");
        for pipe in ["Source", "Relay", "Sink"].iter().filter(|pipe| made.join(format!("{pipe}.h")).is_file()) {
            self.workshop.copy(&sources.join(format!("{pipe}.c")), &made)?;
        }
        let mut flags = self.defines(workload, packet);
        if transport == "direct" {
            flags.push("-DDIRECT".to_string());
        }
        self.provide_runtime(&made)?;
        let arguments = ["CFLAGS=-O2 -w -std=gnu11 -pthread".to_string(), format!("CPPFLAGS={}", flags.join(" "))];
        self.workshop.run(&made, "make", &arguments)?;
        Ok(made)
    }

    /// Compiles the runtime where it is the first time, copies its objects otherwise.
    pub(super) fn provide_runtime(&self, made: &Path) -> Built<()> {
        const OBJECTS: [&str; 2] = ["whittle_flow.o", "whittle_net.o"];
        if let Some(known) = self.runtime.borrow().as_ref() {
            return OBJECTS.iter().try_for_each(|object| self.workshop.copy(&known.join(object), made));
        }
        self.workshop.run(made, "make", &["CFLAGS=-O2 -w -std=gnu11 -pthread", OBJECTS[0], OBJECTS[1]])?;
        let kept = self.workshop.subfolder("runtime")?;
        OBJECTS.iter().try_for_each(|object| self.workshop.copy(&made.join(object), &kept))?;
        *self.runtime.borrow_mut() = Some(kept);
        Ok(())
    }
}

/// The description for another packet, another transport, and for machines of its own.
fn adapted(text: &str, workload: &Workload, packet: Packet, transport: &str) -> String {
    let mut text = text.replace("Mixed data", &format!("{} data", packet.ty));
    text = text.replace("Mixed onwards", &format!("{} onwards", packet.ty));
    text = text.replace("via tcp", &format!("via {transport}"));
    if !workload.network.prefix(0).is_empty() {
        for (node, name) in ["source", "sink"].into_iter().enumerate() {
            let placed = format!(" {name} on \"{}\";", workload.network.address(node));
            text = text.replace(&format!(" {name};"), &placed);
        }
    }
    text
}
