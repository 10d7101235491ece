#!/bin/sh
# Writes the secrets that compose.yaml needs into .env, readable by you alone. What is there already stays as it is.
set -eu
umask 077
file=${1:-.env}
touch "$file"
chmod 600 "$file"
for name in SECRET_KEY POSTGRES_PASSWORD; do
  if ! grep -q "^$name=." "$file"; then
    printf '%s=%s\n' "$name" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >> "$file"
  fi
done
echo "$file has SECRET_KEY and POSTGRES_PASSWORD. Keep a copy: without SECRET_KEY webhooks deliver nothing, without the other the database cannot be opened."
