//! Channels: subscribers come, leave, die and come again while packets are sent, over each transport; who comes late gets the
//! declared history first, nobody misses a packet or sees one twice while subscribed, and of each edge every packet is
//! accounted for. Sources in `tests/flows/channel`. No test looks at a clock.

#[path = "channels/filters.rs"]
mod filters;
#[path = "channels/gathered.rs"]
mod gathered;
#[path = "channels/given_filters.rs"]
mod given_filters;
#[path = "channels/run.rs"]
mod run;
#[path = "channels/selections.rs"]
mod selections;
#[path = "channels/sent_filters.rs"]
mod sent_filters;
#[path = "channels/subscribers.rs"]
mod subscribers;

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use filetest::accounts::wait_until;
use run::{Flow, end};

/// Nothing was missed between two packets, nor came twice or altered.
fn assert_whole(flow: &Flow, life: &str) -> Outcome {
    let text = flow.text(life)?;
    assert!(text.starts_with("begins at") && !text.contains("gap") && !text.contains("altered"), "{life}: {text}");
    Ok(())
}

/// Built once: building takes longer than all else.
#[test]
fn channels() -> Outcome {
    let programs = Flow::build("channel")?;
    subscribers_come_and_go_and_every_packet_is_accounted_for(&programs)?;
    who_comes_late_gets_the_declared_history_and_nobody_is_waited_for(&programs)?;
    several_senders_give_to_all_who_subscribe(&programs)?;
    what_waits_for_who_leaves_is_counted(&programs)?;
    others_come_while_a_slow_one_is_waited_for(&programs)?;
    who_dies_while_it_is_waited_for_goes_on_where_it_was(&programs)?;
    what_was_on_its_way_to_who_is_gone_is_named_so(&programs)
}

fn subscribers_come_and_go_and_every_packet_is_accounted_for(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        let life = |number: u32| format!("{instance}{number}");
        let leaves = flow.begin(instance, &life(1), &[("LEAVE", "100")])?.wait()?;
        assert!(leaves.success(), "{instance}: {leaves}");
        assert!(flow.text(&life(1))?.contains("took 100"), "{instance}");
        let mut dies = flow.begin(instance, &life(2), &[])?;
        flow.wait_for(&life(2), "begins at")?;
        dies.kill()?;
        dies.wait()?;
        let ends = flow.begin(instance, &life(3), &[])?;
        flow.wait_for(&life(3), "begins at")?;
        end(&flow, ends, &life(3))?;
        for number in 1..4 {
            assert_whole(&flow, &life(number))?;
        }
    }
    end(&flow, sensor, "north")?;
    let accounts = flow.accounts()?;
    assert_eq!(accounts.len(), 3, "{accounts:?}");
    for (edge, [offered, delivered, waiting, under_way, dropped, faulty, unknown, filtered]) in accounts {
        assert!(
            delivered > 100 && unknown <= 1 && (waiting, under_way, faulty, filtered) == (0, 0, 0, 0),
            "{edge}: {offered}"
        );
        assert_eq!(offered, delivered + dropped + unknown, "{edge}");
    }
    Ok(())
}

fn who_comes_late_gets_the_declared_history_and_nobody_is_waited_for(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[("MOST", "20")])?;
    flow.wait_for("north", "sent")?;
    for instance in ["tcp", "shm", "unix"] {
        let status = flow.begin(instance, instance, &[("LEAVE", "5")])?.wait()?;
        assert!(status.success(), "{instance}: {status}");
        assert_eq!(flow.text(instance)?, "begins at 15\ntook 5\n", "{instance}");
    }
    end(&flow, sensor, "north")
}

fn several_senders_give_to_all_who_subscribe(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "counts")?;
    let left = flow.begin("left", "left", &[])?;
    let right = flow.begin("right", "right", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        for (life, leave) in [("1", "50"), ("2", "300")] {
            let life = format!("{instance}{life}");
            let status = flow.begin(instance, &life, &[("LEAVE", leave)])?.wait()?;
            let text = flow.text(&life)?;
            assert!(status.success() && text.contains("hears ") && !text.contains("again"), "{life}: {text}");
        }
        let both = flow.begin(instance, instance, &[])?;
        flow.wait_for(instance, "hears 0")?;
        flow.wait_for(instance, "hears 1")?;
        end(&flow, both, instance)?;
    }
    end(&flow, left, "left")?;
    end(&flow, right, "right")?;
    let accounts = flow.accounts()?;
    assert_eq!(accounts.len(), 6, "{accounts:?}");
    for (edge, [offered, others @ ..]) in accounts {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
    }
    Ok(())
}

/// The account of the subscriber of this name.
fn account(flow: &Flow, instance: &str) -> Outcome<[u64; 8]> {
    let accounts = flow.accounts()?;
    let account = accounts.iter().find(|(edge, _)| edge.ends_with(&format!("{instance}.r")));
    Ok(account.ok_or("no account")?.1)
}

/// The queue has room for 64 packets.
fn wait_until_full(flow: &Flow, instance: &str) -> Outcome {
    wait_until("a full queue", || {
        let [_, _, waiting, under_way, ..] = account(flow, instance)?;
        Ok(waiting + under_way >= 64)
    })
}

fn what_waits_for_who_leaves_is_counted(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        let go = format!("go_{instance}");
        let mut leaves = flow.begin(instance, instance, &[("HOLD", &go), ("LEAVE", "1")])?;
        flow.wait_for(instance, "begins at")?;
        wait_until_full(&flow, instance)?;
        std::fs::write(flow.folder.path().join(&go), "")?;
        assert!(leaves.wait()?.success(), "{instance}");
        let mut last = [0; 8];
        wait_until("all that waited is counted", || {
            last = account(&flow, instance)?;
            Ok(last[2] == 0 && last[3] == 0)
        })?;
        let [offered, delivered, _, _, dropped, ..] = last;
        assert!(delivered == 1 && dropped >= 63 && offered == delivered + dropped, "{instance}: {last:?}");
        let second = format!("{instance}2");
        assert!(flow.begin(instance, &second, &[("LEAVE", "100")])?.wait()?.success(), "{instance}");
        assert_whole(&flow, &second)?;
    }
    end(&flow, sensor, "north")?;
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
    }
    Ok(())
}

/// The sender stands still: who comes gets the history nevertheless.
fn others_come_while_a_slow_one_is_waited_for(programs: &Scratch) -> Outcome {
    for (slow, others) in [("tcp", ["unix", "shm"]), ("shm", ["tcp", "unix"])] {
        let flow = Flow::new(programs, "weather")?;
        let sensor = flow.begin("north", "north", &[])?;
        let holds = flow.begin(slow, slow, &[("HOLD", "go")])?;
        flow.wait_for(slow, "begins at")?;
        wait_until_full(&flow, slow)?;
        for instance in others {
            let mut comes = flow.begin(instance, instance, &[("LEAVE", "5")])?;
            flow.wait_for(instance, "took 5")?;
            assert!(comes.wait()?.success(), "{instance}");
            assert_whole(&flow, instance)?;
        }
        std::fs::write(flow.folder.path().join("go"), "")?;
        end(&flow, holds, slow)?;
        assert_whole(&flow, slow)?;
        end(&flow, sensor, "north")?;
    }
    Ok(())
}

fn who_dies_while_it_is_waited_for_goes_on_where_it_was(programs: &Scratch) -> Outcome {
    for instance in ["tcp", "unix", "shm"] {
        let flow = Flow::new(programs, "weather")?;
        let sensor = flow.begin("north", "north", &[])?;
        let mut dies = flow.begin(instance, "first", &[("HOLD", "never")])?;
        flow.wait_for("first", "begins at")?;
        wait_until_full(&flow, instance)?;
        dies.kill()?;
        dies.wait()?;
        assert!(flow.begin(instance, "second", &[("LEAVE", "100")])?.wait()?.success(), "{instance}");
        assert_whole(&flow, "second")?;
        let begins = |life: &str| -> Outcome<u64> {
            let text = flow.text(life)?;
            let number = text.lines().next().and_then(|line| line.strip_prefix("begins at "));
            Ok(number.ok_or("it has not begun")?.parse()?)
        };
        assert_eq!(begins("second")?, begins("first")? + 1, "{instance}");
        end(&flow, sensor, "north")?;
        let [.., unknown, _] = account(&flow, instance)?;
        assert_eq!(unknown, 1, "{instance}: what it had in hand");
    }
    Ok(())
}

/// The edge is reliable: nothing of it is best effort, whatever a subscriber does.
fn what_was_on_its_way_to_who_is_gone_is_named_so(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "weather")?;
    let sensor = flow.begin("north", "north", &[])?;
    for instance in ["tcp", "unix", "shm"] {
        let (first, second) = (format!("{instance}1"), format!("{instance}2"));
        let mut dies = flow.begin(instance, &first, &[("HOLD", "never")])?;
        flow.wait_for(&first, "begins at")?;
        wait_until_full(&flow, instance)?;
        dies.kill()?;
        dies.wait()?;
        wait_until("what waits is counted", || Ok(account(&flow, instance)?[2] == 0))?;
        assert!(flow.begin(instance, &second, &[("LEAVE", "100")])?.wait()?.success(), "{instance}");
    }
    end(&flow, sensor, "north")?;
    let said = std::fs::read_to_string(flow.folder.path().join("north.err"))?;
    assert!(!said.contains("best effort") && said.contains("a subscriber that did not come again"), "{said}");
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
    }
    Ok(())
}
