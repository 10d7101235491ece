# syntax=docker/dockerfile:1
# The image of the service, for linux/amd64 and linux/arm64:
#   docker build --tag guildbook:0.2.0 .
# docs/operations.md says how it is run.
#
# NODE_IMAGE is a Debian with Node.js and npm, the same version of Node.js as in server/package.json. The digest fixes its content,
# so that two builds of one commit start from the same files. Security updates of Debian need a new digest. This prints it:
#   docker buildx imagetools inspect docker.io/library/node:26.10.0-bookworm-slim --format '{{.Manifest.Digest}}'
ARG NODE_IMAGE=docker.io/library/node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2

# What is built is the same for every architecture, so it is built on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY client/package.json client/
COPY dashboard/package.json dashboard/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm run build --workspace server

# What the service needs at run time, as the lock file says. None of it is compiled, and Node.js comes with the image.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY client/package.json client/
COPY dashboard/package.json dashboard/
RUN npm ci --workspace guildbook --omit=dev --omit=optional --ignore-scripts \
 && rm -rf node_modules/guildbook node_modules/@guildbook node_modules/.package-lock.json node_modules/.bin \
 && mkdir -p server/node_modules \
 && find node_modules server/node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.md' ! -iname 'licen*' \) -delete

# Node.js, the libraries it is linked with, and "env" for the first line of the command: no shell, no package manager.
FROM ${NODE_IMAGE} AS runtime
RUN set -eu; cd /; mkdir -p data-of-image root-of-image; \
    (cd root-of-image && mkdir -p dev etc proc sys tmp usr/local/bin); \
    for file in /usr/local/bin/node /usr/bin/env; do \
      cp --parents "$file" /root-of-image; \
      ldd "$file" | grep -o '/[^ ]*' | sort -u | xargs -I{} cp --parents --dereference {} /root-of-image; \
    done; \
    chmod 1777 /root-of-image/tmp; \
    echo 'hosts: files dns' > /root-of-image/etc/nsswitch.conf; \
    echo 'guildbook:x:10001:10001::/data:/nologin' > /root-of-image/etc/passwd; \
    echo 'guildbook:x:10001:' > /root-of-image/etc/group; \
    ln -s /opt/guildbook/bin/guildbook.js /root-of-image/usr/local/bin/guildbook

FROM scratch
COPY --from=runtime /root-of-image/ /
# The workspace's own packages beside it and all others above it, as npm has laid them out.
COPY --from=dependencies /build/node_modules /opt/node_modules
COPY --from=build /build/server/dist /opt/guildbook
COPY --from=dependencies /build/server/node_modules /opt/guildbook/node_modules
# The store's folder belongs to the user of the service; an empty volume takes over its owner.
COPY --from=runtime --chown=10001:10001 /data-of-image /data
USER 10001:10001
WORKDIR /data
VOLUME /data
# 9464 has the metrics. METRICS_HOST is loopback unless it is set, so that nobody outside of the container reaches them.
EXPOSE 3000 9464
ENV PATH=/usr/local/bin:/usr/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/guildbook.db
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Guildbook" \
      org.opencontainers.image.description="Guild records and ledger service" \
      org.opencontainers.image.source="https://github.com/guildbook/guildbook" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.licenses="MIT"
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node.js itself is process 1, so that it gets the signal. The service takes its place once, with settings for less memory.
ENTRYPOINT ["node", "/opt/guildbook/bin/guildbook.js"]
CMD ["serve"]
