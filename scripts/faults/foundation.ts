/** Faults in the foundations: the database, credentials, limits, idempotency, bodies. */
import type { Fault } from "../plantedFaults.ts"

const core = (path: string) => [`packages/core/test/${path}.test.ts`]
const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const foundationFaults: ReadonlyArray<Fault> = [
  {
    id: "database.store-named",
    breaks: "The store's name outlives its transaction on the connection",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "set_config('app.store_id', $1, true)",
    replace: "set_config('app.store_id', $1, false)",
    tests: core("database/Database.pg"),
    noticedBy: "keeps the store's name within its transaction"
  },
  {
    id: "database.nested-store",
    breaks: "A write for one store runs inside the transaction of another",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "if (writingFor !== undefined) return Effect.die(",
    replace: `if (writingFor === "") return Effect.die(`,
    tests: core("database/Database.pg"),
    noticedBy: "a nested write of another store is a defect"
  },
  {
    id: "database.with-commit",
    breaks: "A write that nobody waits for is cut off with the fiber that sent it",
    file: "packages/core/src/database/internal/pooledConnection.ts",
    find: "Effect.forkDetach(statement, { startImmediately: true })",
    replace: "Effect.forkChild(Effect.andThen(Effect.yieldNow, statement), { startImmediately: true })",
    tests: core("database/WithCommit.pg"),
    noticedBy: "outlives the fiber that sent it"
  },
  {
    id: "lists.dressed-to-be-skipped",
    breaks: "Page 6 of a list reads variants, stock and categories of the five pages before it too",
    file: "packages/core/src/database/PageReads.ts",
    find: "${order} ${shown}) ${found} AND ${ofStore} = ${storeId} OFFSET 0) ${named} ORDER BY ${order}`",
    replace: "${order}) ${found} AND ${ofStore} = ${storeId} OFFSET 0) ${named} ORDER BY ${order} ${shown}`",
    tests: handler("matrix/Pages.pg"),
    noticedBy: "dresses twenty rows"
  },
  {
    id: "lists.counted-by-page",
    breaks: "A list says that it has as many rows as the page that is shown",
    file: "packages/core/src/database/Repository.ts",
    find: "total: count?.total ?? 0",
    replace: "total: items.length",
    tests: handler("matrix/Pages.pg"),
    noticedBy: "counts them all"
  },
  {
    id: "database.read-before-lock",
    breaks: "A row is read before its lock is taken, and shows what another transaction has changed since",
    file: "packages/core/src/database/Repository.ts",
    find: `Effect.all([lock, ...reads], { concurrency: "unbounded" }) as never`,
    replace:
      `Effect.map(Effect.all([...reads, lock], { concurrency: "unbounded" }), (all) => [all.at(-1), ...all]) ` +
      `as never`,
    tests: core("database/Repository.pg"),
    noticedBy: "sees what the transaction before it has written"
  },
  {
    id: "database.unsent",
    breaks: "A transaction is committed without a write that could not be sent",
    file: "packages/core/src/database/internal/pooledConnection.ts",
    find: "if (exit !== undefined && Exit.isFailure(exit)) return Effect.failCause(exit.cause)",
    replace: "",
    tests: core("database/WithCommit.pg"),
    noticedBy: "fails at once where it cannot be sent"
  },
  {
    id: "identity.scope",
    breaks: "A key that may only read writes",
    file: "packages/handler/src/middleware/AdminCredential.ts",
    find: "find((scope) => !grants(held, scope))",
    replace: 'find((scope) => scope === "" && !grants(held, scope))',
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "needs the scope of the route"
  },
  {
    id: "identity.other-store",
    breaks: "A key of one store works for another",
    file: "packages/handler/src/middleware/AdminCredential.ts",
    find:
      "if (holder.storeId !== null && asked !== undefined && asked !== holder.storeId) return yield* new " +
      "StoreIdMismatch()",
    replace: "",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "bound to a store may name it and no other"
  },
  {
    id: "identity.other-account",
    breaks: "A key for a whole account opens stores of another account",
    file: "packages/handler/src/middleware/AdminCredential.ts",
    find: "if (store.accountId !== holder.accountId) return",
    replace: `if (store.accountId === "") return`,
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "for a whole account must name a store of that account"
  },
  {
    id: "identity.expiry",
    breaks: "A key works after its time has ended",
    file: "packages/core/src/identity/ApiKeyRepository.ts",
    find: "AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`),",
    replace: "AND revoked_at IS NULL`),",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "ends at its time"
  },
  {
    id: "identity.wildcard",
    breaks: "A key mints scopes that it does not hold",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "yield* checkHeld(input.mintedBy?.scopes, input.scopes)",
    replace: "",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "mints only what it holds"
  },
  {
    id: "identity.rotation",
    breaks: "A key rotates a stronger one and is handed its rights",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "yield* checkHeld(realm.mintedBy?.scopes, old.scopes)",
    replace: "",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "rotates only what it holds"
  },
  {
    id: "channel.origin",
    breaks: "A browser of any site uses the sales channel",
    file: "packages/handler/src/middleware/Credential.ts",
    find: "if (!admitsOrigin(channel, origin)) return",
    replace: `if (channel.id === "") return`,
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "with a domain takes that host and its subdomains only"
  },
  {
    id: "channel.suffix",
    breaks: "evilshop.example passes for shop.example",
    file: "packages/core/src/store/SalesChannel.ts",
    find: "host.endsWith(`.${channel.domain}`)",
    replace: "host.endsWith(channel.domain)",
    tests: handler("middleware/Credentials.pg"),
    noticedBy: "with a domain takes that host and its subdomains only"
  },
  {
    id: "limits.failed-auth",
    breaks: "Keys can be guessed without end",
    file: "packages/handler/src/middleware/Limits.ts",
    find: "const missing = bucketsOf(settings, asked, { isFailing: whenMissing })",
    replace: "const missing = bucketsOf(settings, asked, { isFailing: whenMissing && false })",
    tests: handler("middleware/Limits.pg"),
    noticedBy: "is refused with 429 after 50 failures"
  },
  {
    id: "limits.network",
    breaks: "An attacker with an IPv6 network guesses passwords from each of its addresses",
    file: "packages/handler/src/middleware/ClientAddress.ts",
    find: "return `${new ipaddr.IPv6([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`",
    replace: "return parsed.toString()",
    tests: handler("middleware/Limits.pg"),
    noticedBy: "guessing passwords from 200 addresses is guessing from one"
  },
  {
    id: "limits.paid-twice",
    breaks: "A refused caller costs the database two statements",
    file: "packages/handler/src/middleware/Limits.ts",
    find: "isTaken = row === undefined",
    replace: "isTaken = false",
    tests: handler("middleware/RefusedCallers.pg"),
    noticedBy: "costs one statement for a key that is not valid"
  },
  {
    id: "limits.refused-anew",
    breaks: "A flood that is over its limit asks the database for every refusal",
    file: "packages/core/src/guard/internal/lateRefusals.ts",
    find: "if (taken.refused >= 0) lately.set(",
    replace: "if (taken.refused < -1) lately.set(",
    tests: handler("middleware/RefusedCallers.pg"),
    noticedBy: "costs nothing once a limit has refused it"
  },
  {
    id: "identity.outlives",
    breaks: "A key that is meant to expire mints one that does not",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "expiresAt: asked ?? end })",
    replace: "expiresAt: asked })",
    tests: handler("identity/ApiKeys.pg"),
    noticedBy: "mints none that outlives it"
  },
  {
    id: "identity.outlives-by-rotation",
    breaks: "A key that expires rotates itself into one that does not",
    file: "packages/core/src/identity/ApiKeys.ts",
    find: "expiresAt: earlier(expiresAt, end) })",
    replace: "expiresAt })",
    tests: handler("identity/ApiKeys.pg"),
    noticedBy: "mints none by way of another"
  },
  {
    id: "limits.account",
    breaks: "The keys of an account together have no ceiling",
    file: "packages/handler/src/middleware/Limits.ts",
    find: "bucket: `account:${holder.accountId}`, limit: accountLimit(holder)",
    replace: "bucket: `account:${holder.accountId}`, limit: 1_000_000",
    tests: handler("middleware/KeyLimits.pg"),
    noticedBy: "makes 300 requests a minute over all of them"
  },
  {
    id: "idempotency.fingerprint",
    breaks: "Another request under a used key gets the first one's answer",
    file: "packages/core/src/guard/IdempotencyRecords.ts",
    find: `if (row.fingerprint !== fingerprint) return { _tag: "Reused" }`,
    replace: "",
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "refuses another body under the same key"
  },
  {
    id: "idempotency.dropped",
    breaks: "A repeated request is carried out again",
    file: "packages/core/src/guard/IdempotencyRecords.ts",
    find: `if (row.mine) return { _tag: "Mine" }`,
    replace: `if (row.mine || row.status === null) return { _tag: "Mine" }`,
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "runs once however many send it at once"
  },
  {
    id: "idempotency.day",
    breaks: "An answer is replayed for ever",
    file: "packages/core/src/guard/RequestKey.ts",
    find: "const replayWindow = 24 * 3_600_000",
    replace: "const replayWindow = 48 * 3_600_000",
    tests: handler("middleware/Idempotency.pg"),
    noticedBy: "is forgotten after 24 hours"
  },
  {
    id: "body.limit",
    breaks: "A body of any size is read",
    file: "packages/handler/src/middleware/Body.ts",
    find: "export const defaultMaxBody = 1_048_576",
    replace: "export const defaultMaxBody = 2_097_152",
    tests: handler("middleware/Envelope.pg"),
    noticedBy: "takes a body of exactly 1 MiB and refuses one byte more"
  },
  {
    id: "database.neighbours",
    breaks: "A row over the bound ends the connection, with every statement of other tenants that is queued on it",
    file: "packages/core/src/database/internal/messageBound.ts",
    find: "else if (length > largest) {",
    replace: "else if (length > 2 * largest) {",
    tests: ["packages/core/test/database/MessageBound.test.ts", "packages/core/test/database/MessageBound.pg.test.ts"],
    noticedBy: "fails its own statement; those before and behind it"
  },
  {
    id: "database.relay-bytes",
    breaks: "The relay takes as many events as there may be, however large they are",
    file: "packages/core/src/outbox/internal/eventStatements.ts",
    find: "WHERE before < ${mostBytes}::bigint",
    replace: "WHERE before < 1000 * ${mostBytes}::bigint",
    tests: ["packages/core/test/outbox/OutboxBacklog.pg.test.ts"],
    noticedBy: "has as many events as fit"
  },
  {
    id: "database.host-listener",
    breaks: "A lost connection of a host's pool ends the host: nobody listens while its settings are put back",
    file: "packages/core/src/host/internal/hostLending.ts",
    find: "const restored = settings.map(",
    replace: 'this.client.removeListener("error", this.#note)\n    const restored = settings.map(',
    tests: ["packages/core/test/host/HostRestarts.race.test.ts"],
    noticedBy: "survives the loss of its pool's connections"
  },
  {
    id: "database.host-bounds",
    breaks: "A read over a host's pool waits for a locked table without end",
    file: "packages/core/src/host/internal/hostSettings.ts",
    find: '{ name: "lock_timeout", value: String(lockTimeout), replaces: noBound },',
    replace: "",
    tests: ["packages/core/test/database/Interruption.pg.test.ts"]
  },
  {
    id: "database.host-page-cost",
    breaks: "After a call in a host's transaction the host's own statements are planned by our setting",
    file: "packages/core/src/host/internal/guestTransaction.ts",
    find: '"random_page_cost",',
    replace: "",
    tests: ["packages/core/test/host/HostTransaction.pg.test.ts"]
  },
  {
    id: "shipping.points",
    breaks: "A zone with more than 5,000 points is stored",
    file: "packages/core/src/zone/ZoneCoverage.ts",
    find: "points > zoneBounds.points",
    replace: "points > 2 * zoneBounds.points",
    tests: ["packages/core/test/shipping/ShippingBounds.pg.test.ts"],
    noticedBy: "is stored at the bound and refused above it: points"
  },
  {
    id: "database.sweep-batches",
    breaks: "What has ended is swept in one statement, however much it is",
    file: "packages/core/src/guard/internal/sweepInBatches.ts",
    find: "const sweptAtOnce = 1_000",
    replace: "const sweptAtOnce = 1_000_000",
    tests: ["packages/core/test/guard/Sweeps.pg.test.ts"],
    noticedBy: "a thousand at a time"
  },
  {
    id: "store.last-place",
    breaks: "Two who look for the last place of a bounded number of things each find it",
    file: "packages/core/src/database/StoreLocks.ts",
    find: "none(lockStoreFor(sql, table, ownerId))",
    replace: "none(sql`SELECT 1`)",
    tests: ["packages/handler/test/store/Collections.pg.test.ts"],
    noticedBy: "also where two are made at once"
  },
  {
    id: "customers.logouts",
    breaks: "Every logout of a customer is remembered, however many there are",
    file: "packages/core/src/customer/CustomerTokenRepository.ts",
    find: "count(*) >= ${mostLogouts}",
    replace: "count(*) >= 2 * ${mostLogouts}",
    tests: ["packages/handler/test/customer/CustomerTokens.pg.test.ts"],
    noticedBy: "the 201st logout ends every token"
  },
  {
    id: "effect.other-copy",
    breaks: "A secret made by a second copy of effect ends in words of another package, after the database was opened",
    file: "packages/core/src/kernel/OneEffect.ts",
    find: "if (Object.getPrototypeOf(value) !== hiddenHere) return remedy",
    replace: "if (Object.getPrototypeOf(value) !== hiddenHere) return undefined",
    tests: ["packages/handler/test/embedding/OtherEffect.pg.test.ts"],
    noticedBy: "is refused before anything is opened"
  },
  {
    id: "effect.other-work",
    breaks: "Work of another copy of effect runs by luck in a host's transaction",
    file: "packages/core/src/kernel/OneEffect.ts",
    find: "given[Effect.TypeId] !== Effect.void[Effect.TypeId]",
    replace: "false",
    tests: ["packages/handler/test/embedding/OtherEffect.pg.test.ts"],
    noticedBy: "refuses an effect of another copy"
  },
  {
    id: "database.pooled-migration",
    breaks:
      "A server that migrates through a connection pooler never releases its lock, and the next server waits for it forever",
    file: "packages/core/src/migration/Migrations.ts",
    find: "PgConnection.make(migratingSession(placeOf(options)))",
    replace: "PgConnection.make(plainSession(placeOf(options)))",
    tests: ["packages/core/test/migration/Migrations.pg.test.ts"],
    noticedBy: "nothing is migrated"
  },
  {
    id: "database.migration-unlock",
    breaks: "The lock of the migrations stays with a host's pooled connection",
    file: "packages/core/src/migration/Migrations.ts",
    find: "  yield* Effect.ignore(unlock(session))",
    replace: "",
    tests: ["packages/core/test/migration/Migrations.pg.test.ts"],
    noticedBy: "gives the lock back"
  }
]
