//! A relay between a client and a server that notes what each says, message by message.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    Client,
    Server,
}

/// One RPC message, without record marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) speaker: Speaker,
    pub(crate) bytes: Vec<u8>,
}

impl Message {
    /// All but the transaction's number, which clients choose by chance.
    pub(crate) fn contents(&self) -> &[u8] {
        self.bytes.get(4..).unwrap_or_default()
    }
}

/// A relay in front of a port of the loopback interface.
pub(crate) struct Relay {
    pub(crate) port: u16,
    messages: Receiver<Message>,
}

impl Relay {
    /// Starts to relay. The threads end with the process; the client's end closes the conversation.
    pub(crate) fn start(transport: &str, server: u16) -> std::io::Result<Relay> {
        let (sender, messages) = channel();
        let port = if transport == "tcp" { relay_streams(server, sender)? } else { relay_datagrams(server, sender)? };
        Ok(Relay { port, messages })
    }

    /// What was said, each speaker's words in order, calls and replies by turns. Repetitions of a datagram count once.
    pub(crate) fn finish(self) -> Vec<Message> {
        let mut heard: Vec<Message> = Vec::new();
        while let Ok(message) = self.messages.recv_timeout(Duration::from_millis(300)) {
            if !heard.contains(&message) {
                heard.push(message);
            }
        }
        heard
    }
}

fn relay_streams(server: u16, sender: Sender<Message>) -> std::io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else { return };
            let (Ok(from_client), Ok(from_server)) = (client.try_clone(), server.try_clone()) else { return };
            let (one, other) = (sender.clone(), sender.clone());
            thread::spawn(move || forward(from_client, server, Speaker::Client, &one));
            thread::spawn(move || forward(from_server, client, Speaker::Server, &other));
        }
    });
    Ok(port)
}

/// Passes bytes on, and notes each record when it is whole.
fn forward(mut from: TcpStream, mut to: TcpStream, speaker: Speaker, sender: &Sender<Message>) {
    let mut waiting = Vec::new();
    let mut record = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        waiting.extend_from_slice(&buffer[..count]);
        while let Some(is_last) = take_fragment(&mut waiting, &mut record) {
            if is_last && sender.send(Message { speaker, bytes: std::mem::take(&mut record) }).is_err() {
                return;
            }
        }
        if to.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
    // The other side may have gone already.
    let _ = to.shutdown(Shutdown::Write);
}

/// Moves a whole fragment from `waiting` to `record`; says whether it is the record's last. `None` when it is not whole.
fn take_fragment(waiting: &mut Vec<u8>, record: &mut Vec<u8>) -> Option<bool> {
    let mark = u32::from_be_bytes(waiting.get(..4)?.try_into().ok()?);
    let end = 4 + (mark & 0x7fff_ffff) as usize;
    record.extend_from_slice(waiting.get(4..end)?);
    waiting.drain(..end);
    Some(mark >> 31 == 1)
}

fn relay_datagrams(server: u16, sender: Sender<Message>) -> std::io::Result<u16> {
    let inside = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = inside.local_addr()?.port();
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        // One client after the other, each with a socket of its own towards the server.
        let mut clients: Vec<(std::net::SocketAddr, UdpSocket)> = Vec::new();
        while let Ok((count, client)) = inside.recv_from(&mut buffer) {
            if sender.send(Message { speaker: Speaker::Client, bytes: buffer[..count].to_vec() }).is_err() {
                return;
            }
            let known = clients.iter().position(|(address, _)| *address == client);
            let Some(at) = known.or_else(|| join(&inside, client, server, &sender, &mut clients)) else { return };
            if clients[at].1.send(&buffer[..count]).is_err() {
                return;
            }
        }
    });
    Ok(port)
}

/// A socket for a new client, and a thread that brings it the server's answers.
fn join(
    inside: &UdpSocket,
    client: std::net::SocketAddr,
    server: u16,
    sender: &Sender<Message>,
    clients: &mut Vec<(std::net::SocketAddr, UdpSocket)>,
) -> Option<usize> {
    let outside = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).ok()?;
    outside.connect((Ipv4Addr::LOCALHOST, server)).ok()?;
    let (answers, back, sender) = (outside.try_clone().ok()?, inside.try_clone().ok()?, sender.clone());
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count) = answers.recv(&mut buffer) {
            let message = Message { speaker: Speaker::Server, bytes: buffer[..count].to_vec() };
            if sender.send(message).is_err() || back.send_to(&buffer[..count], client).is_err() {
                return;
            }
        }
    });
    clients.push((client, outside));
    Some(clients.len() - 1)
}
