/** Faults in installed apps. */
import type { Fault } from "../plantedFaults.ts"

const room = "packages/core/src/app"
const credential = "packages/handler/src/middleware/AppCredential.ts"
const tests = (name: string) => [`packages/handler/test/app/${name}.pg.test.ts`]
const races = ["packages/handler/test/app/Apps.race.test.ts"]

export const appFaults: ReadonlyArray<Fault> = [
  {
    id: "app.foreign-installation",
    breaks: "An app reads and writes the mappings of every other app",
    file: credential,
    find: `if (params["installationId"] !== installationId) return new InstallationMismatch()`,
    replace: "",
    tests: tests("AppTokens"),
    noticedBy: "takes the installation's own token with the scope"
  },
  {
    id: "app.scope-ignored",
    breaks: "An app that may only read mappings writes them, and secrets",
    file: credential,
    find: "return grants(scopes, needs) ? undefined : new ScopeInsufficient({ required: needs })",
    replace: "return grants(scopes, needs) ? undefined : undefined",
    tests: tests("AppTokens"),
    noticedBy: "takes the installation's own token with the scope"
  },
  {
    id: "app.renews-itself",
    breaks: "A token that has leaked renews itself, and shuts the merchant's app out",
    file: credential,
    find: `if (needs === undefined) return new ScopeInsufficient({ required: policy.scope ?? "" })`,
    replace: "if (needs === undefined) return undefined",
    tests: tests("AppTokens"),
    noticedBy: "POST /api/v1/installations/:installationId/token"
  },
  {
    id: "app.suspended-store",
    breaks: "Apps of a suspended store go on writing",
    file: credential,
    find: "yield* refuseSuspended(store)",
    replace: "",
    tests: tests("AppTokens"),
    noticedBy: "is shut out of a suspended store, like everybody"
  },
  {
    id: "app.token-guessed",
    breaks: "App tokens can be guessed at without an end",
    file: credential,
    find: "recognise(token, requestLimits.reading(true))",
    replace: "recognise(token, requestLimits.reading(false))",
    tests: tests("AppTokens"),
    noticedBy: "count a token that is not valid as a failed authentication"
  },
  {
    id: "app.tier-of-receivers",
    breaks: "A platform that sends an app its events uses up the app's own requests",
    file: credential,
    find: "isReceiving: policy.rawBody === true",
    replace: "isReceiving: false",
    tests: tests("AppTokens"),
    noticedBy: "events are counted apart"
  },
  {
    id: "app.token-kept",
    breaks: "A token that was renewed, because it had leaked, works for four more seconds",
    file: `${room}/AppInstallations.ts`,
    find: "const forget = Effect.sync(() => cache.clear())",
    replace: "const forget = Effect.void",
    tests: tests("Installations"),
    noticedBy: "ends at once when it is renewed"
  },
  {
    id: "app.token-in-plain",
    breaks: "A copy of the database holds tokens that work",
    file: `${room}/AppInstallations.ts`,
    find: "return { plain, hash: sha256Hex(plain), prefix",
    replace: "return { plain, hash: plain, prefix",
    tests: tests("Installations"),
    noticedBy: "shows its token once, has the tier other"
  },
  {
    id: "app.removed-while-listed",
    breaks: "The last entry of a region's list is removed, and the region takes every provider",
    file: `${room}/AppInstallations.ts`,
    find: "if (regionCount > 0) return",
    replace: "if (regionCount > 1) return",
    tests: tests("Installations"),
    noticedBy: "is refused while a region lists it"
  },
  {
    id: "app.token-remembered-late",
    breaks: "A token that was renewed while it was looked up opens the app's routes for seconds more",
    file: `${room}/AppInstallations.ts`,
    find: "cache.set(hash, holder, now, generation)",
    replace: "cache.set(hash, holder, now)",
    tests: races,
    noticedBy: "is served once more, and not remembered"
  },
  {
    id: "app.upserts-meet",
    breaks: "Of two upserts of one key at once one is a server error",
    file: `${room}/AppInstallationRepository.ts`,
    find: "WHERE ${present(storeId, id)} FOR NO KEY UPDATE`,",
    replace: "WHERE ${present(storeId, id)}`,",
    tests: races,
    noticedBy: "wait for each other where both have come before either has written"
  },
  {
    id: "app.upsert-repeats",
    breaks: "An upsert that sends the same again gives the mapping a new version each time",
    file: `${room}/AppMappings.ts`,
    find: "return isSame(current, changed) ? current : yield*",
    replace: "return yield*",
    tests: tests("Mappings"),
    noticedBy: "creates by the key, then updates, and the same again changes nothing"
  },
  {
    id: "app.foreign-mapping",
    breaks: "An app reads another app's mapping by its id",
    file: `${room}/AppMappingRepository.ts`,
    find: "sql`m.store_id = ${storeId} AND m.installation_id = ${installationId}`",
    replace: "sql`m.store_id = ${storeId} AND (m.installation_id = ${installationId} OR true)`",
    tests: tests("Mappings"),
    noticedBy: "meets If-Match, and of another installation's mapping is 404"
  },
  {
    id: "app.secret-moved",
    breaks: "A secret that is copied into another row opens there",
    file: `${room}/AppSecrets.ts`,
    find: "`${storeId}|app_secret|value|${installationId}|${key}`",
    replace: "`${storeId}|app_secret|value|${installationId}`.concat(key.slice(0, 0))",
    tests: tests("Secrets"),
    noticedBy: "are sealed for their own row"
  },
  {
    id: "app.secrets-before-merge",
    breaks: "An app keeps any number of secrets, fifty by fifty",
    file: `${room}/AppSecrets.ts`,
    find: "manyProblem(kept.size, mostSecrets)",
    replace: "manyProblem(written.length, mostSecrets)",
    tests: tests("Secrets"),
    noticedBy: "may be fifty of 4096 bytes, counted after merging"
  },
  {
    id: "app.secrets-in-characters",
    breaks: "A secret of umlauts is twice as long as a secret may be",
    file: `${room}/AppSecret.ts`,
    find: "Buffer.byteLength(value) > mostValueBytes",
    replace: "value.length > mostValueBytes",
    tests: tests("Secrets"),
    noticedBy: "are refused by their names"
  },
  {
    id: "app.mappings-without-end",
    breaks: "One app fills the database with the metadata of its mappings",
    file: `${room}/AppMappings.ts`,
    find: "mappingBytesProblem(held.mappingBytes, charge)",
    replace: "mappingBytesProblem(0, charge)",
    tests: tests("Mappings"),
    noticedBy: "is 256 MiB of texts and metadata"
  },
  {
    id: "app.mapping-bytes-left",
    breaks: "Bytes of mappings that were unlinked count for ever",
    file: `${room}/AppMappingRepository.ts`,
    find: "mapping_bytes = mapping_bytes - (SELECT coalesce(sum(charge), 0) FROM gone)",
    replace: "mapping_bytes = mapping_bytes",
    tests: tests("Mappings"),
    noticedBy: "is 256 MiB of texts and metadata"
  },
  {
    id: "app.inbox-without-end",
    breaks: "One app fills the database with what it is sent",
    file: `${room}/AppInboundEvents.ts`,
    find: "if (wanted > 0) yield*",
    replace: "if (wanted > Number.MAX_VALUE) yield*",
    tests: tests("Inbound"),
    noticedBy: "is 64 MiB for an installation"
  },
  {
    id: "app.inbox-compressed",
    breaks: "A compressed event is kept, and the app cannot tell that it is compressed",
    file: "packages/handler/src/middleware/AppCredential.ts",
    find: "Effect.andThen(checkNotCompressed(request), identify(noBytes))",
    replace: "identify(noBytes)",
    tests: tests("Inbound"),
    noticedBy: "that is compressed is refused"
  },
  {
    id: "app.inbox-of-others",
    breaks: "Eight apps with full inboxes make every other app lose its events as they come",
    file: `${room}/AppInbound.ts`,
    find: "Math.min(over + roomMade, own - shareOfInstallation)",
    replace: "Math.min(over + roomMade, own)",
    tests: tests("Inbound"),
    noticedBy: "is 512 MiB for a store"
  },
  {
    id: "app.inbox-of-removed",
    breaks: "What a removed app was sent takes the room of the others",
    file: `${room}/AppInboundRepository.ts`,
    find: "AND o.deleted_at IS NULL) AS others",
    replace: ") AS others",
    tests: tests("Inbound"),
    noticedBy: "is 512 MiB for a store"
  },
  {
    id: "app.page-of-a-gigabyte",
    breaks: "A page of a hundred large events fills the memory of the server",
    file: `${room}/AppInbound.ts`,
    find: "Math.floor(mostOfPage / Math.max(1, largest))",
    replace: "Math.floor(mostOfPage / Math.max(1, largest - largest))",
    tests: tests("Inbound"),
    noticedBy: "has as many as the largest lets fit"
  },
  {
    id: "app.leftovers",
    breaks: "Mappings of removed apps stay for ever",
    file: `${room}/AppCleanup.ts`,
    find: "if ((yield* mappings.removeSome(place, mappingsAtOnce)) > 0) return true",
    replace: "if ((yield* mappings.removeSome(place, 1)) > 0) return false",
    tests: tests("Inbound"),
    noticedBy: "is deleted by the worker, mappings, events and the row itself"
  },
  {
    id: "app.platforms-of-removed",
    breaks: "A store is said to be connected to a platform whose app was removed",
    file: `${room}/AppMappingRepository.ts`,
    find: "WHERE i.store_id = ${storeId} AND i.deleted_at IS NULL AND i.mappings > 0",
    replace: "WHERE i.store_id = ${storeId} AND i.mappings > 0",
    tests: tests("Installations"),
    noticedBy: "are the platforms that its apps have mappings for"
  }
]
