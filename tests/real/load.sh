# Each of $CLIENTS asks rstatd, then the first once more. The numbers change every few seconds; where the first client's
# answers are the same, so are all between.
set -e
. "$HERE/serving.sh"
"$DAEMON"
await 100001 3
tries=0
while [ $tries -lt 20 ]; do
    tries=$((tries + 1))
    echo "== round"
    for client in $CLIENTS ${CLIENTS%% *}; do "$client" -d 127.0.0.1; done
    sleep 0.2
done
