# rpcbind's table, as its own client and as ours tells it.
set -e
. "$HERE/serving.sh"
"$DAEMON"
await 100002 2
for way in "rpcinfo 127.0.0.1" "rpcinfo -p 127.0.0.1" "$CLIENT 127.0.0.1"; do
    echo "== $way"
    $way
done
