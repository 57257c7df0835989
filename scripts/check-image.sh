#!/usr/bin/env bash
# Builds the image of the Dockerfile without a container engine, and runs its entry point as the image's own user on a
# read-only root, until it is ready; then it must end well. Needs root on Debian and an installed checkout; what else it
# needs it installs: buildah, mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
container=
gateway=
finish() {
  if [ -n "$gateway" ]; then kill -TERM "$gateway" 2>/dev/null || true; wait "$gateway" 2>/dev/null || true; fi
  if [ -n "$container" ]; then build rm "$container" >/dev/null || true; fi
  umount -R "$work/storage/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

say() { printf '%4d s: %s\n' "$SECONDS" "$1"; }

install_missing() {
  local missing=()
  for program in buildah mmdebstrap; do command -v "$program" >/dev/null || missing+=("$program"); done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Layers that are copied whole, where the kernel cannot lay them over each other here.
storage_driver() {
  mkdir -p "$work/try"/{lower,upper,work,merged}
  if mount -t overlay overlay -o "lowerdir=$work/try/lower,upperdir=$work/try/upper,workdir=$work/try/work" "$work/try/merged" 2>/dev/null; then
    umount "$work/try/merged"
    echo overlay
  else
    echo vfs
  fi
}

build() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver "$driver" "$@"; }

install_missing
driver=$(storage_driver)
npm_cache=$(npm config get cache 2>/dev/null)
mkdir -p "$npm_cache"

# In the place of the base image, which would come from a registry: Debian with the Node that the project pins.
# A made image has a digest of its own, so the one that pins the real one is left out.
sed 's/@sha256:[0-9a-f]*//' Dockerfile >"$work/Dockerfile"
base=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' "$work/Dockerfile")
release=$(sed -n 's/^FROM node:[0-9.]*-\([a-z]*\)-slim.*/\1/p' "$work/Dockerfile")
mmdebstrap --quiet --variant=essential --include=ca-certificates,libatomic1,libstdc++6,passwd "$release" "$work/base" 2>"$work/log" || { tail "$work/log"; exit 1; }
say "Debian's root is made."
install -m 755 "$(readlink -f node_modules/.bin/node)" "$work/base/usr/local/bin/node"
npm install --prefix "$work/npm" --no-save --prefer-offline --loglevel=error npm@11 >/dev/null
cp -r "$work/npm/node_modules/npm" "$work/base/usr/local/lib/"
ln -s ../lib/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
chroot "$work/base" groupadd --gid 1000 node
chroot "$work/base" useradd --uid 1000 --gid node --create-home node
# What this machine trusts: it may reach the registry through a proxy of its own.
cp /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/"
install -d "$work/base/usr/local/etc"
# The packages that this machine has fetched before need not be fetched again.
printf '%s\n' cafile=/etc/ssl/certs/ca-certificates.crt cache=/var/cache/npm prefer-offline=true >"$work/base/usr/local/etc/npmrc"
container=$(build from scratch)
build add --quiet "$container" "$work/base" / >/dev/null
build commit --quiet "$container" "$base" >/dev/null
build rm "$container" >/dev/null
container=
rm -rf "$work/base"
say 'The base image is made.'

build bud --quiet --isolation chroot --pull=never --format docker --volume "$npm_cache:/var/cache/npm" --file "$work/Dockerfile" --tag gateway . >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
say 'The image is built.'

container=$(build from --pull=never gateway)
root=$(build mount "$container")
user=$(build inspect --type image --format '{{.Docker.Config.User}}' gateway)
readarray -t variables < <(build inspect --type image --format '{{range .Docker.Config.Env}}{{println .}}{{end}}' gateway | sed '/^$/d')
readarray -t command < <(build inspect --type image --format '{{range .Docker.Config.Entrypoint}}{{println .}}{{end}}{{range .Docker.Config.Cmd}}{{println .}}{{end}}' gateway | sed '/^$/d')
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
[ "$user" = node ] || { echo "The image's user is '$user'."; exit 1; }

# As `docker run --read-only --tmpfs /tmp --volume …:/data` would.
unshare --mount bash -c '
  set -e
  root=$1 port=$2; shift 2
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -t tmpfs -o uid=1000,gid=1000,mode=0700 tmpfs "$root/data"
  cd "$root"
  exec chroot --userspec=node:node "$root" env -i "$@"' \
  - "$root" "$port" "${variables[@]}" HOST=127.0.0.1 PORT="$port" SIMULATOR=on HOME=/tmp "${command[@]}" >"$work/gateway.log" 2>&1 &
gateway=$!

for _ in $(seq 240); do
  if node -e "fetch('http://127.0.0.1:$port/health/ready').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"; then ready=yes; break; fi
  kill -0 "$gateway" 2>/dev/null || break
  sleep 0.5
done
[ -n "${ready:-}" ] || { echo 'The image does not become ready:'; tail -n 20 "$work/gateway.log"; exit 1; }
owner=$(ps -o uid= -p "$gateway" | tr -d ' ')
[ "$owner" = 1000 ] || { echo "The gateway runs as user $owner."; exit 1; }
if chroot --userspec=node:node "/proc/$gateway/root" touch /app/written 2>/dev/null; then echo 'The root is not read-only.'; exit 1; fi
node -e "fetch('http://127.0.0.1:$port/docs/openapi.json').then((a) => process.exit(a.ok ? 0 : 1))" || { echo 'The OpenAPI document is missing.'; exit 1; }
kill -TERM "$gateway"
wait "$gateway" || { echo "The gateway ended with $?:"; tail -n 20 "$work/gateway.log"; exit 1; }
gateway=
say 'The image becomes ready as its own user on a read-only root, and ends well.'
