//! Flows as a picture: no program but a browser is needed to see it.
//!
//! Stages are boxes in columns, from source to sink; a stage's machine stands in its box. On each edge stand the type,
//! and below the line what the contract says. Edges that may drop are dashed.

use escape::Text;
use escape::xml::{self, Xml};

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

const STYLE: &str = "<style>text{font:13px system-ui,sans-serif;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:3px}.small{font-size:11px;fill:#555}\
    .title{font-weight:600}.stage{fill:#eef4fb;stroke:#4477aa}.edge{stroke:#444;fill:none}.drops{stroke-dasharray:5 4}</style>\n\
    <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
    orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker></defs>\n";

/// All flows, one below the other.
pub fn svg(checked: &Checked) -> String {
    let mut body = Text::default();
    let (mut width, mut top) = (2 * MARGIN, MARGIN);
    for network in &checked.networks {
        let cells = layout(network);
        let most = |of: fn(&Cell) -> usize| cells.iter().map(of).max().map_or(0, |most| most + 1);
        let (columns, rows) = (most(|cell| cell.column), most(|cell| cell.row));
        body.add(
            "<text class=\"title\" x=\"{x}\" y=\"{y}\">{title}</text>\n",
            &[
                ("x", &Text::size(MARGIN)),
                ("y", &Text::size(top + 14)),
                ("title", &xml::shown(&network.flow.name.text)),
            ],
        );
        network.links.iter().for_each(|link| edge(&mut body, network, link, &cells, top + TITLE));
        network.stages.iter().zip(&cells).for_each(|(of, cell)| stage(&mut body, of, *cell, top + TITLE));
        width = width.max(2 * MARGIN + columns * BOX.0 + columns.saturating_sub(1) * GAP.0);
        top += TITLE + rows * (BOX.1 + GAP.1) + MARGIN;
    }
    let picture = Text::fill(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         {style}{body}</svg>\n",
        &[
            ("width", &Text::size(width)),
            ("height", &Text::size(top)),
            ("style", &Text::literal(STYLE)),
            ("body", &body),
        ],
    );
    picture.finish()
}

/// The upper left corner of a cell.
fn corner(cell: Cell, top: usize) -> (usize, usize) {
    (MARGIN + cell.column * (BOX.0 + GAP.0), top + cell.row * (BOX.1 + GAP.1))
}

fn stage(body: &mut Text<Xml>, stage: &crate::network::Stage, cell: Cell, top: usize) {
    let (x, y) = corner(cell, top);
    let (width, height) = BOX;
    let [left, upper, wide, high] = [x, y, width, height].map(Text::size);
    body.add(
        "<rect class=\"stage\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n",
        &[("x", &left), ("y", &upper), ("width", &wide), ("height", &high)],
    );
    let middle = x + width / 2;
    centred(body, "", (middle, y + 24), &stage.name);
    centred(body, SMALL, (middle, y + 42), &machine(stage));
}

/// The class of what is said beside names.
const SMALL: &str = "class=\"small\" ";

/// Words around a place.
fn centred(body: &mut Text<Xml>, class: &'static str, (x, y): (usize, usize), words: &str) {
    body.add(
        "<text {class}x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{words}</text>\n",
        &[
            ("class", &Text::literal(class)),
            ("x", &Text::size(x)),
            ("y", &Text::size(y)),
            ("words", &xml::shown(words)),
        ],
    );
}

fn edge(body: &mut Text<Xml>, network: &Network, link: &Link, cells: &[Cell], top: usize) {
    let (from, to) = (corner(cells[link.from.stage.0], top), corner(cells[link.to.stage.0], top));
    let (begin, end) = ((from.0 + BOX.0, from.1 + BOX.1 / 2), (to.0, to.1 + BOX.1 / 2));
    let bend = GAP.0 / 2;
    // An edge that leads back goes below the boxes.
    let (first, second) = match end.0 > begin.0 {
        true => ((begin.0 + bend, begin.1), (end.0 - bend, end.1)),
        false => {
            let below = begin.1.max(end.1) + BOX.1;
            ((begin.0 + 40, below), (end.0.saturating_sub(40), below))
        }
    };
    let point = |(x, y): (usize, usize)| Text::fill("{x} {y}", &[("x", &Text::size(x)), ("y", &Text::size(y))]);
    let class = if drops(link.contract) { "edge drops" } else { "edge" };
    body.add(
        "<path class=\"{class}\" d=\"M{begin}C{first} {second} {end}\" marker-end=\"url(#tip)\"/>\n",
        &[
            ("class", &Text::literal(class)),
            ("begin", &point(begin)),
            ("first", &point(first)),
            ("second", &point(second)),
            ("end", &point(end)),
        ],
    );
    let (x, y) = ((begin.0 + end.0) / 2, (begin.1 + end.1) / 2);
    centred(body, "", (x, y.saturating_sub(8)), &network.carried(link).text);
    centred(body, SMALL, (x, y + 16), &terms(link.contract));
}

fn drops(contract: &Contract) -> bool {
    contract.when_full() != WhenFull::Block
}
