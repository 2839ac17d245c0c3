# Three users are logged in; each of $DAEMONS serves for a while, and each of $CLIENTS asks it.
set -e
. "$HERE/serving.sh"
"$LOG_IN" ada pts/901 far.example.org
"$LOG_IN" grace tty902 ""
"$LOG_IN" konrad-the-first pts/903 near
for daemon in $DAEMONS; do
    "$daemon"
    await 100002 2
    for client in $CLIENTS; do
        echo "== $client asks $daemon"
        "$client" -l 127.0.0.1
    done
    for client in $TELLERS; do
        echo "== $client asks $daemon"
        "$client" 127.0.0.1
    done
    finish "$daemon"
done
