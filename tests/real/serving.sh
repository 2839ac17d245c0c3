# Functions of the scenarios. To be read by a shell in the world that world.sh makes.

# Waits until 127.0.0.1 serves a program, here and now.
await() { # PROGRAM VERSION
    tries=0
    until rpcinfo -u 127.0.0.1 "$1" "$2" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "program $1 is not served" >&2; exit 1; }
        sleep 0.1
    done
}

# Ends a server by the name of its file.
finish() { # PATH
    name=$(basename "$1")
    kill $(pidof "$name")
    while pidof "$name" >/dev/null; do sleep 0.05; done
}
