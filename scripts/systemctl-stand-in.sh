#!/bin/sh
# Stands for systemctl in a root folder that was not booted: starts what the unit says, as a user of its own, in its state
# folder, with the settings as a credential that this user can read.
set -eu
unit=/etc/systemd/system/guildbook.service
user=61184
credentials=/run/credentials/guildbook.service
pid_file=/run/guildbook.pid
# systemd's default.
search_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin

start() {
  install --directory --mode 0700 --owner $user --group $user /var/lib/guildbook $credentials
  install --mode 0400 --owner $user --group $user /etc/guildbook/guildbook.env $credentials/guildbook.env
  environment=$(sed -n "s/^Environment=//p" $unit | sed "s,%d,$credentials,")
  command=$(sed -n "s/^ExecStart=//p" $unit)
  cd /var/lib/guildbook
  # Neither has blanks in its words, so they may be split.
  # shellcheck disable=SC2086
  setsid setpriv --reuid $user --regid $user --clear-groups env -i PATH=$search_path $environment $command >> /var/log/guildbook.log 2>&1 &
  echo $! > $pid_file
}

stop() {
  pid=$(cat $pid_file)
  kill -TERM "$pid"
  while kill -0 "$pid" 2> /dev/null; do
    sleep 0.2
  done
}

case "$*" in
  daemon-reload) ;;
  "enable --now guildbook" | "start guildbook") start ;;
  "stop guildbook") stop ;;
  "restart guildbook") stop && start ;;
  *) echo "systemctl: not understood here: $*" >&2 && exit 1 ;;
esac
