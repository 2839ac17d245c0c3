//! Requests to see what will never be there: said before any work begins.
//!
//! In: a request. Out: why it would print nothing, in a sentence for the user.

use crate::{Link, OutputKind, Request, Stage, Style};

/// Why a tree or a plan that the user asked for can never be printed; `None` where it can.
pub fn unavailable_dump(request: &Request) -> Option<String> {
    let inspection = &request.inspection;
    if [inspection.emit, inspection.stop_after, inspection.from].contains(&Some(Stage::Xip)) {
        return Some("there is no `xip` of an interface: it is the form of flows (.spi, .xip)".to_owned());
    }
    if let (Some(emit), Some(stop)) = (inspection.emit, inspection.stop_after)
        && stop < emit
    {
        return Some(format!("there is no `{}` to print: --stop-after {} ends before it", emit.name(), stop.name()));
    }
    if let Some(pass) = inspection.print_after.first() {
        if inspection.last() < Stage::Plan {
            let last = inspection.last().name();
            return Some(format!("there is no plan to print after `{pass}`: the work ends with `{last}`"));
        }
        if inspection.from == Some(Stage::Plan) {
            return Some(format!("`{pass}` does not run: a plan that is read back has its passes behind it"));
        }
    }
    let off = &request.marshalling.without_passes;
    if let Some(pass) = inspection.print_after.iter().find(|pass| off.contains(pass)) {
        return Some(format!("`{pass}` does not run: --no-opt {pass} leaves it out"));
    }
    if inspection.sizes {
        return without_sizes(request);
    }
    let asks_for_plan = inspection.emit == Some(Stage::Plan) || !inspection.print_after.is_empty();
    if asks_for_plan && !request.outputs.iter().any(|(kind, _)| has_plan(request, *kind)) {
        let made = match request.style {
            _ if request.link == Link::None => "functions of values are made from one",
            Style::Rpcgen => "the XDR routines are made from one (rpcgen -c)",
            Style::Corba | Style::Plain => "clients and servers are made from one",
        };
        return Some(format!("there is no plan to print: only {made}"));
    }
    None
}

/// Whether a file's routines are made from a plan that can be shown; what both sides share only releases.
pub(crate) fn has_plan(request: &Request, kind: OutputKind) -> bool {
    match request.style {
        _ if request.link == Link::None => kind == OutputKind::Codec,
        Style::Rpcgen => kind == OutputKind::Routines,
        Style::Corba | Style::Plain => matches!(kind, OutputKind::Client | OutputKind::Server),
    }
}

/// Why there are no sizes of types to print.
fn without_sizes(request: &Request) -> Option<String> {
    let inspection = &request.inspection;
    let why = if request.style != Style::Rpcgen {
        "they are of rpcgen's style (--style rpcgen)"
    } else if inspection.from == Some(Stage::Plan) {
        "a plan does not say what types look like in C"
    } else if inspection.emit.is_some() || inspection.stop_after.is_some() || !inspection.print_after.is_empty() {
        "one thing is printed at a time"
    } else if !request.outputs.iter().any(|(kind, _)| *kind == OutputKind::Routines) {
        "they are of the XDR routines (rpcgen -c)"
    } else {
        return None;
    };
    Some(format!("--sizes has nothing to print: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Destination, Input};

    #[track_caller]
    fn check(change: &dyn Fn(&mut Request), expected: Option<&str>) {
        let mut request = Request::new(Input::StandardInput);
        request.outputs = vec![(OutputKind::Routines, Destination::StandardOutput)];
        change(&mut request);
        let said = unavailable_dump(&request);
        assert_eq!(said.is_some(), expected.is_some(), "{said:?}");
        assert!(said.unwrap_or_default().contains(expected.unwrap_or_default()));
    }

    fn after(request: &mut Request) {
        request.inspection.print_after = vec!["chunks".to_owned()];
    }

    fn sizes(request: &mut Request) {
        request.inspection.sizes = true;
    }

    #[test]
    fn what_is_made_can_be_seen() {
        check(&|_| {}, None);
        check(&after, None);
        check(&sizes, None);
        check(&|request| request.inspection.emit = Some(Stage::Plan), None);
        check(&|request| request.outputs[0].0 = OutputKind::Header, None);
        for style in [Style::Plain, Style::Corba] {
            let client = |request: &mut Request| (request.style, request.outputs[0].0) = (style, OutputKind::Client);
            check(&|r| (after(r), client(r)).0, None);
            check(&|r| (client(r), r.inspection.emit = Some(Stage::Plan)).0, None);
        }
    }

    #[test]
    fn what_is_never_made_cannot() {
        let emit = |stage| move |request: &mut Request| request.inspection.emit = Some(stage);
        let stop = |stage| move |request: &mut Request| request.inspection.stop_after = Some(stage);
        let header = |request: &mut Request| request.outputs[0].0 = OutputKind::Header;
        check(&|r| (emit(Stage::Plan)(r), stop(Stage::Aoi)(r)).0, Some("--stop-after aoi ends before it"));
        check(&|r| (after(r), emit(Stage::Aoi)(r)).0, Some("ends with `aoi`"));
        check(&|r| (after(r), header(r)).0, Some("only the XDR routines"));
        check(&|r| (after(r), header(r), r.style = Style::Plain).0, Some("only clients and servers"));
        check(&|r| (emit(Stage::Plan)(r), header(r)).0, Some("only the XDR routines"));
        check(&|r| (after(r), r.inspection.from = Some(Stage::Plan)).0, Some("read back"));
        check(&|r| (sizes(r), header(r)).0, Some("they are of the XDR routines"));
        check(&|r| (sizes(r), r.style = Style::Corba).0, Some("they are of rpcgen's style"));
        check(&|r| (sizes(r), r.inspection.from = Some(Stage::Plan)).0, Some("a plan does not say"));
        check(&|r| (sizes(r), emit(Stage::Aoi)(r)).0, Some("one thing is printed at a time"));
        check(&|r| (after(r), r.marshalling.without_passes.push("chunks".into())).0, Some("--no-opt chunks"));
    }
}
