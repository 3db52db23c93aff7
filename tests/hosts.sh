#!/usr/bin/env bash
# Explorations on several hosts, which are network namespaces on this machine: joined by a bridge
# with links of 1 Gbit/s, with a cut link, a slow one, a full disk, killed processes, and someone in
# the middle of all connections.
#
#   tests/hosts.sh PSVN
#
# PSVN is the command. Without the right to make namespaces, it tests nothing and says so.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
    psvn="$(realpath "${1:?the command psvn is missing}")"
    tools="unshare nsenter ip tc mount"
    for tool in $tools; do
        if ! command -v "$tool" >/dev/null; then
            echo "SKIPPED: hosts as network namespaces are not tested, since there is no \`$tool\`"
            exit 0
        fi
    done
    probe='mount -t tmpfs none /run && mkdir /run/netns && ip netns add probe && ip link add type veth'
    if ! unshare --user --map-root-user --net --mount sh -c "$probe" 2>/dev/null; then
        echo "SKIPPED: hosts as network namespaces are not tested, since this user can't make them"
        exit 0
    fi
    exec unshare --user --map-root-user --net --mount "$0" --inside "$psvn"
fi

psvn="$2"
tests="$(dirname "$(realpath "$0")")"
n=3
mount -t tmpfs none /run
mkdir /run/netns
work=/run/work
mkdir "$work"
export PSVN_CACHE_DIR="" PSVN_SECRET="4bTz0yqXvJr7mWc2KpLf9hNd"
game=gen:pancake:9

ip link add bridge type bridge
ip link set bridge up
# join NAME ADDRESS: a host with a link to the bridge.
join() {
    ip netns add "$1"
    ip link add "veth-$1" type veth peer name eth0 netns "$1"
    ip link set "veth-$1" master bridge up
    local on="nsenter --net=/run/netns/$1"
    $on ip address add "$2/24" dev eth0
    $on ip link set eth0 up
    $on ip link set lo up
}

# limit NAME RATE: what the link of a host carries in each direction.
limit() {
    tc qdisc replace dev "veth-$1" root tbf rate "$2" burst 64kb latency 500ms &&
        nsenter --net="/run/netns/$1" \
            tc qdisc replace dev eth0 root tbf rate "$2" burst 64kb latency 500ms
} 2>/dev/null

rate=1gbit
for i in $(seq 0 $((n - 1))); do
    join "host$i" "10.77.0.$((i + 1))"
    limit "host$i" "$rate" || rate=
    echo "10.77.0.$((i + 1)):7101" >>"$work/hosts.txt"
done
[ "$rate" ] || echo "SKIPPED: links of 1 Gbit/s and slow ones, since this kernel limits no rate"

fail() {
    echo "FAILED: $*" >&2
    head -n 40 "$work"/*.err >&2 || true
    exit 1
}

# start FOLDER HOST [WORD..]: one process, in the background.
start() {
    local folder="$1" i="$2"
    shift 2
    nsenter --net="/run/netns/host$i" timeout 120 "$psvn" explore "$game" --format csv \
        --hosts "${hosts:-$work/hosts.txt}" --process "$i" --disk "$folder" --patience 3s --wait "${wait:-30s}" "$@" \
        >"$work/$i.out" 2>"$work/$i.err" &
    pids[i]=$!
}

# finish: wait for all processes; their statuses.
finish() {
    statuses=""
    for i in $(seq 0 $((n - 1))); do
        local status=0
        # The shell tells who was killed, which is no news here.
        { wait "${pids[i]}" || status=$?; } 2>/dev/null
        statuses="$statuses $status"
    done
}

# whole FOLDER: explore to the end, and compare with one process.
whole() {
    for i in $(seq 0 $((n - 1))); do start "$1" "$i"; done
    finish
    [ "$statuses" = " 0 0 0" ] || fail "statuses$statuses"
    for i in $(seq 0 $((n - 1))); do
        cut -d, -f1-3 "$work/$i.out" | cmp -s - "$work/expected" || fail "host $i counts otherwise"
    done
}

# no_wrong_row: what processes printed before they failed is the beginning of the right table.
no_wrong_row() {
    for i in $(seq 0 $((n - 1))); do
        local rows
        rows="$(wc -l <"$work/$i.out")"
        cut -d, -f1-3 "$work/$i.out" | cmp -s - <(head -n "$rows" "$work/expected") ||
            fail "host $i prints a wrong row"
    done
}

# wait_for FILE: wait until it exists.
wait_for() {
    for _ in $(seq 1 6000); do
        [ -e "$1" ] && return
        sleep 0.01
    done
    fail "$1 never came"
}

"$psvn" explore "$game" --format csv | cut -d, -f1-3 >"$work/expected"
whole "$work/plain"
echo "ok: $n hosts count as one process does, with links of ${rate:-any rate}"

for i in 0 1 2; do start "$work/cut" "$i"; done
wait_for "$work/cut/share-0001/layer-000004.states"
ip link set veth-host1 down
finish
[ "$statuses" = " 3 3 3" ] || fail "statuses$statuses after a cut link"
grep -q "is lost: no data received for 3 seconds" "$work"/*.err || fail "nobody says what is lost"
no_wrong_row
ip link set veth-host1 up
whole "$work/cut"
echo "ok: a cut link is noticed by all, and the next call goes on"

for i in 0 1 2; do start "$work/short" "$i"; done
wait_for "$work/short/share-0001/layer-000004.states"
ip link set veth-host1 down
sleep 0.5
ip link set veth-host1 up
finish
[ "$statuses" = " 0 0 0" ] || fail "statuses$statuses after a link was cut for less than the patience"
whole "$work/short"
echo "ok: a link that is cut for less than the patience changes nothing"

if [ "$rate" ]; then
    limit host2 20mbit
    whole "$work/slow"
    limit host2 "$rate"
    echo "ok: a slow host changes nothing"
fi

for victim in 0 2; do
    for i in 0 1 2; do start "$work/kill$victim" "$i"; done
    wait_for "$work/kill$victim/share-0001/layer-000004.states"
    # The process below `timeout`.
    kill -KILL "$(ps -o pid= --ppid "${pids[victim]}" | tr -d ' ')"
    finish
    grep -q "process $victim at .* is lost" "$work/1.err" || fail "host 1 misses nobody"
    no_wrong_row
    whole "$work/kill$victim"
    echo "ok: process $victim is killed, the others say so, and the next call goes on"
done

# Half of what the share took where there was room, whatever a state takes.
room="$(du -sk "$work/plain/share-0001" | cut -f1)"
mkdir -p "$work/full/share-0001"
mount -t tmpfs -o size="$((room / 2))k" none "$work/full/share-0001"
for i in 0 1 2; do start "$work/full" "$i"; done
finish
[ "$statuses" = " 3 3 3" ] || fail "statuses$statuses with a full disk"
grep -q "No space left on device" "$work/1.err" || fail "host 1 doesn't say that its disk is full"
grep -q "stopped: .*No space left on device" "$work/0.err" || fail "host 0 doesn't hear why"
mount -o remount,size=100m "$work/full/share-0001"
whole "$work/full"
echo "ok: a full disk is reported to all, and the next call goes on with more room"

for i in 0 1; do wait=3s start "$work/secret" "$i"; done
PSVN_SECRET="qYp3Vn8sDk1zRb6wXh0tLc5m" wait=3s start "$work/secret" 2
finish
[ "$statuses" = " 3 3 3" ] || fail "statuses$statuses with another secret"
grep -q "refused: the secret is another one" "$work/2.err" || fail "host 2 isn't told why"
echo "ok: a host with another secret is refused"

if ! command -v python3 >/dev/null; then
    echo "SKIPPED: someone in the middle is not tested, since there is no \`python3\`"
    exit 0
fi
# Each host reaches the others by the one in the middle only.
join middle 10.77.0.9
for i in $(seq 0 $((n - 1))); do
    for j in $(seq 0 $((n - 1))); do
        if [ "$i" = "$j" ]; then
            echo "10.77.0.$((j + 1)):7101"
        else
            echo "10.77.0.9:720$j"
        fi
    done >"$work/hosts-$i.txt"
done
for fault in alter drop repeat hold; do
    # In the handshakes, in the first messages, and in layers.
    for after in 50 1000 200000; do
        folder="$work/$fault-$after"
        nsenter --net=/run/netns/middle python3 "$tests/middle.py" "$after" "$fault" "$folder.struck" \
            10.77.0.9:720{0=10.77.0.1,1=10.77.0.2,2=10.77.0.3}:7101 &
        middle="$!"
        begun="$SECONDS"
        for i in 0 1 2; do hosts="$work/hosts-$i.txt" wait=4s start "$folder" "$i"; done
        finish
        { kill "$middle" && wait "$middle"; } 2>/dev/null || true
        [ -e "$folder.struck" ] || fail "$fault after $after bytes never came"
        # A handshake that fails may be tried again, on a connection that is left alone.
        case "$after$statuses" in
            *" 3 3 3" | "50 0 0 0") ;;
            *) fail "statuses$statuses with $fault after $after bytes" ;;
        esac
        no_wrong_row
        # What they wait for each other, the patience, and time to start and to say goodbye.
        [ $((SECONDS - begun)) -le 12 ] || fail "$fault after $after bytes is waited for too long"
        whole "$folder"
    done
    echo "ok: someone in the middle who does \`$fault\` is noticed, and the next call goes on"
done
