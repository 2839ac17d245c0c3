//! Flows as a picture: no program but a browser is needed to see it.
//!
//! Stages are boxes in columns, from source to sink; a stage's machine stands in its box. On each edge stand the type,
//! and below the line what the contract says. Edges that may drop are dashed.

use std::fmt::Write;

use super::layout::{Cell, layout};
use super::{machine, terms};
use crate::checks::Checked;
use crate::contract::{Contract, WhenFull};
use crate::network::{Link, Network};

/// In pixels.
const BOX: (usize, usize) = (150, 54);
const GAP: (usize, usize) = (250, 46);
const MARGIN: usize = 24;
const TITLE: usize = 34;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:3px}.small{font-size:11px;fill:#555}\
    .title{font-weight:600}.stage{fill:#eef4fb;stroke:#4477aa}.edge{stroke:#444;fill:none}.drops{stroke-dasharray:5 4}";

/// All flows, one below the other.
pub fn svg(checked: &Checked) -> String {
    let mut body = String::new();
    let (mut width, mut top) = (2 * MARGIN, MARGIN);
    for network in &checked.networks {
        let cells = layout(network);
        let most = |of: fn(&Cell) -> usize| cells.iter().map(of).max().map_or(0, |most| most + 1);
        let (columns, rows) = (most(|cell| cell.column), most(|cell| cell.row));
        let title = escaped(&network.flow.name.text);
        let _ = writeln!(body, "<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>", top + 14);
        network.links.iter().for_each(|link| edge(&mut body, network, link, &cells, top + TITLE));
        network.stages.iter().zip(&cells).for_each(|(of, cell)| stage(&mut body, of, *cell, top + TITLE));
        width = width.max(2 * MARGIN + columns * BOX.0 + columns.saturating_sub(1) * GAP.0);
        top += TITLE + rows * (BOX.1 + GAP.1) + MARGIN;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{top}\" viewBox=\"0 0 {width} {top}\">\n\
         <style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker></defs>\n{body}</svg>\n"
    )
}

/// The upper left corner of a cell.
fn corner(cell: Cell, top: usize) -> (usize, usize) {
    (MARGIN + cell.column * (BOX.0 + GAP.0), top + cell.row * (BOX.1 + GAP.1))
}

fn stage(body: &mut String, stage: &crate::network::Stage, cell: Cell, top: usize) {
    let (x, y) = corner(cell, top);
    let (width, height) = BOX;
    let _ =
        writeln!(body, "<rect class=\"stage\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>");
    let middle = x + width / 2;
    let name = escaped(&stage.name);
    let _ = writeln!(body, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{name}</text>", y + 24);
    let below = escaped(&machine(stage));
    let _ =
        writeln!(body, "<text class=\"small\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{below}</text>", y + 42);
}

fn edge(body: &mut String, network: &Network, link: &Link, cells: &[Cell], top: usize) {
    let (from, to) = (corner(cells[link.from.stage.0], top), corner(cells[link.to.stage.0], top));
    let (begin, end) = ((from.0 + BOX.0, from.1 + BOX.1 / 2), (to.0, to.1 + BOX.1 / 2));
    let bend = GAP.0 / 2;
    // An edge that leads back goes below the boxes.
    let path = match end.0 > begin.0 {
        true => format!(
            "M{} {}C{} {} {} {} {} {}",
            begin.0,
            begin.1,
            begin.0 + bend,
            begin.1,
            end.0 - bend,
            end.1,
            end.0,
            end.1
        ),
        false => {
            let below = begin.1.max(end.1) + BOX.1;
            let (right, left) = (begin.0 + 40, end.0.saturating_sub(40));
            format!("M{} {}C{right} {below} {left} {below} {} {}", begin.0, begin.1, end.0, end.1)
        }
    };
    let class = if drops(link.contract) { "edge drops" } else { "edge" };
    let _ = writeln!(body, "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#tip)\"/>");
    let (x, y) = ((begin.0 + end.0) / 2, (begin.1 + end.1) / 2);
    let ty = escaped(&network.port(link.from).ty.text);
    let _ = writeln!(body, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{ty}</text>", y.saturating_sub(8));
    let words = escaped(&terms(link.contract));
    let _ = writeln!(body, "<text class=\"small\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{words}</text>", y + 16);
}

fn drops(contract: &Contract) -> bool {
    contract.when_full() != WhenFull::Block
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
