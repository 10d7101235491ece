#!/bin/sh
# Stands for docker in check-image.ts, which has built the image already: runs containers of it as compose.yaml says, with the
# volume in the present folder. A container is the image's file system, mounted read-only, in namespaces of its own, as the
# image's user, with the image's environment and command. IMAGE_* come from check-image.ts.
set -eu
volume=$PWD/volume
pid_file=$PWD/container.pid
status_file=$PWD/container.status
install --directory --owner "${IMAGE_USER%:*}" --group "${IMAGE_USER#*:}" "$volume"
if [ -e .env ]; then
  . ./.env
fi

# Every step takes the place of the one before, so that signals sent to it reach the command.
container() {
  if [ -z "${SECRET_KEY-}" ]; then
    echo "SECRET_KEY is not set. Create it with - sh deploy/create-secrets.sh" >&2
    exit 1
  fi
  # The image's variables have no blanks, so they may be split.
  # shellcheck disable=SC2016,SC2086
  exec unshare --mount -- sh -c '
    set -e
    root=$1 volume=$2 backup=$3 user=$4; shift 4
    touch "$root/backup.db"
    mount --bind "$root" "$root"
    if [ -n "$backup" ]; then
      mount --bind "$backup" "$root/backup.db" && mount -o remount,ro,bind "$root/backup.db"
    fi
    mount -o remount,ro,bind "$root"
    mount --bind "$volume" "$root/data"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t proc proc "$root/proc"
    exec chroot --userspec="$user" "$root" "$@"
  ' sh "$IMAGE_ROOT" "$volume" "${backup-}" "$IMAGE_USER" \
    /usr/bin/env -i -C /data $IMAGE_ENV SECRET_KEY="$SECRET_KEY" "$@"
}

up() {
  (
    # shellcheck disable=SC2086
    (container $IMAGE_ENTRYPOINT $IMAGE_COMMAND) &
    echo $! > "$pid_file"
    status=0
    wait $! || status=$?
    echo $status > "$status_file"
  ) > container.log 2>&1 &
  attempts=0
  # As often as a container engine would ask.
  until (container node -e "$IMAGE_HEALTH") 2> /dev/null; do
    attempts=$((attempts + 1))
    if [ $attempts -gt 60 ] || [ -e "$status_file" ]; then
      cat container.log >&2
      echo "the service did not become healthy" >&2
      exit 1
    fi
    sleep 1
  done
}

stop() {
  if [ ! -e "$pid_file" ]; then
    return
  fi
  kill -TERM "$(cat "$pid_file")"
  while [ ! -e "$status_file" ]; do
    sleep 0.2
  done
  status=$(cat "$status_file")
  rm "$pid_file" "$status_file"
  if [ "$status" != 0 ]; then
    echo "after SIGTERM the service ended with status $status" >&2
    exit 1
  fi
}

run() {
  if [ "$1" = --volume ]; then
    backup=${2%%:*}
    shift 2
  fi
  shift
  # shellcheck disable=SC2086
  container $IMAGE_ENTRYPOINT "$@"
}

case "$*" in
  "build --tag "*) ;;
  "compose up --detach --wait") up ;;
  "compose stop") stop ;;
  "compose exec -T guildbook "*) shift 4 && container "$@" ;;
  "compose exec guildbook "*) shift 3 && container "$@" ;;
  "compose run --rm "*) shift 3 && run "$@" ;;
  "compose cp guildbook:/data/"*) cp "$volume/${3#guildbook:/data/}" "$4" ;;
  *) echo "docker: not understood here: $*" >&2 && exit 1 ;;
esac
