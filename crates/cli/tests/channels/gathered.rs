//! Subscriptions of stages that wait for packets of several ports: for any, for one of each, for the newest of each, for two of one
//! number. Stages leave, die, come again and end while packets are sent; what the middle is given together belongs together, and of
//! each edge every packet is accounted for, also of those that a stage had kept. Sources in `tests/flows/gather`.

use filetest::programs::Outcome;

use super::run::{Flow, end};

/// Each kind of wait, over each transport.
fn stages() -> impl Iterator<Item = String> {
    let transports = ["tcp", "unix", "shm"].into_iter();
    transports.flat_map(|via| ["any", "all", "newest", "pairs"].map(|kind| format!("{kind}_{via}")))
}

fn assert_sound(flow: &Flow, life: &str) -> Outcome {
    let (text, said) = (flow.text(life)?, flow.said(life)?);
    assert!(!text.contains("gap") && !text.contains("altered"), "{life}: {text}");
    assert!(!said.contains("Sanitizer") && !said.contains("runtime error"), "{life}: {said}");
    Ok(())
}

/// Of the edges to an instance, or to all: what was offered is in another column, and nothing waits. Returns how many edges there are.
fn assert_balanced(flow: &Flow, unknown_most: u64) -> Outcome<usize> {
    let accounts = flow.accounts()?;
    for (edge, [offered, delivered, waiting, under_way, dropped, faulty, unknown, filtered]) in &accounts {
        let counts =
            format!("{edge}: {offered} {delivered} {waiting} {under_way} {dropped} {faulty} {unknown} {filtered}");
        assert_eq!((*waiting, *under_way, *faulty), (0, 0, 0), "{counts}");
        assert_eq!(*offered, delivered + dropped + unknown + filtered, "{counts}");
        assert!(*delivered > 0 && *unknown <= unknown_most, "{counts}");
    }
    Ok(accounts.len())
}

#[test]
fn stages_that_wait_for_several_ports_subscribe_like_others() -> Outcome {
    let programs = Flow::build("gather")?;
    let flow = Flow::new(&programs, "gather")?;
    let senders = [flow.begin("ticker", "ticker", &[])?, flow.begin("marker", "marker", &[])?];
    for stage in stages() {
        let life = |number: u32| format!("{stage}{number}");
        let leaves = flow.begin(&stage, &life(1), &[("LEAVE", "40")])?.wait()?;
        assert!(leaves.success(), "{stage}: {leaves}: {}", flow.said(&life(1))?);
        assert!(flow.text(&life(1))?.contains("in 40 calls"), "{stage}: {}", flow.text(&life(1))?);
        let mut dies = flow.begin(&stage, &life(2), &[])?;
        flow.wait_for(&life(2), "has begun")?;
        dies.kill()?;
        dies.wait()?;
        let ends = flow.begin(&stage, &life(3), &[])?;
        flow.wait_for(&life(3), "has begun")?;
        end(&flow, ends, &life(3))?;
        (1..4).try_for_each(|number| assert_sound(&flow, &life(number)))?;
    }
    for (sender, life) in senders.into_iter().zip(["ticker", "marker"]) {
        end(&flow, sender, life)?;
    }
    // What a stage had in hand, and had kept, when it died: of a pair up to eight, and one.
    assert_eq!(assert_balanced(&flow, 9)?, 24);
    a_subscription_beside_an_edge_of_one_sender(&programs)
}

/// The stage ends with the edge that ends; the senders end by themselves.
fn a_subscription_beside_an_edge_of_one_sender(programs: &filetest::scratch::Scratch) -> Outcome {
    let flow = Flow::new(programs, "both")?;
    let mut stage = flow.begin("all_tcp", "all", &[("DROPS", "1")])?;
    let ticker = flow.begin("ticker", "ticker", &[])?;
    let mut marker = flow.begin("marker", "marker", &[("MOST", "100")])?;
    for (life, status) in [("marker", marker.wait()?), ("all", stage.wait()?)] {
        assert!(status.success(), "{life}: {}", flow.said(life)?);
    }
    end(&flow, ticker, "ticker")?;
    assert_sound(&flow, "all")?;
    assert!(flow.text("all")?.contains("took 100 and 100 in 100 calls"), "{}", flow.text("all")?);
    assert_eq!(assert_balanced(&flow, 0)?, 2);
    Ok(())
}
