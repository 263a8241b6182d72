# Tollgate with the Node.js of its base image. `docker build -t tollgate .`, then compose.yaml or docs/installing.md.
# BASE_IMAGE: any image with Node.js 24 or newer and npm. Name it with its digest where a build has to be repeatable.
ARG BASE_IMAGE=node:26-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /build
# Another registry than npm's own, where one is needed; it does not come into the image.
ARG NPM_CONFIG_REGISTRY=""
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run prepack && npm run build -- console
# Without optional packages: they are Node.js itself, which the image has.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
# Declarations and source maps are for compilers and debuggers alone.
RUN find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Tollgate" \
      org.opencontainers.image.description="A self-hosted gateway to AI models: keys, quotas and books that are always right." \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE /build/README.md /build/CHANGELOG.md ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/docs ./docs
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
# Any user of group 0 may write there, as platforms that choose the user want it.
RUN ln -s /app/bin/tollgate.js /usr/local/bin/tollgate \
 && mkdir /data \
 && chown 10001:0 /data \
 && chmod 0770 /data
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8787 \
    TOLLGATE_DATA_DIR=/data
USER 10001:0
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["node", "bin/tollgate.js", "health"]
CMD ["node", "bin/tollgate.js", "start"]
# Last, since each build may name others: the version, the commit that was built, and where its source is.
ARG VERSION=0.1.0
ARG REVISION=""
ARG SOURCE=""
LABEL org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
