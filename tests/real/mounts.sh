# nfs-utils' own test of statd; then each of $DAEMONS serves a table of exports, and each of $CLIENTS reads it.
set -e
. "$HERE/serving.sh"
mount -t tmpfs none /var/lib
mkdir -p /var/lib/nfs/sm /var/lib/nfs/sm.bak
: >/var/lib/nfs/state
chown -R nobody /var/lib/nfs
cd "$SOURCE/tests"
echo "== nfs-utils' own test"
bash ./t0001-statd-basic-mon-unmon.sh
echo "passed"
cd /
"$STATD" --no-notify
await 100024 1
echo "== nsm_client asks Debian's statd"
"$SOURCE/tests/nsm_client/nsm_client" mon "$(hostname)" 0123456789abcdef
"$SOURCE/tests/nsm_client/nsm_client" unmon "$(hostname)"
folder=1
while [ $folder -le 60 ]; do
    # Folders have up to three groups of hosts, and odd lengths.
    printf '/srv/data%s\t127.0.0.1(ro)\n' $folder
    [ $((folder % 2)) = 1 ] || printf '/srv/data%s\t10.0.%s.0/24(ro)\n' $folder $folder
    [ $((folder % 3)) != 0 ] || printf '/srv/data%s\t*.part%s.example.org(ro)\n' $folder $folder
    folder=$((folder + 1))
done >/var/lib/nfs/etab
printf '10.0.0.%s:/srv/data%s:0x00000001\n' 1 1 2 1 3 60 255 7 >/var/lib/nfs/rmtab
for daemon in $DAEMONS; do
    "$daemon" --no-nfs-version 4 2>/dev/null
    await 100005 3
    for client in $CLIENTS; do
        for what in -e -a -d; do
            echo "== $client $what asks $daemon"
            "$client" $what 127.0.0.1
        done
    done
    finish "$daemon"
done
