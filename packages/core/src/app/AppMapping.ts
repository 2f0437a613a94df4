/**
 * What a resource of the store is called on a platform that an app connects. One resource has one mapping of an
 * installation on a platform: type, internal id and platform are the key, which never changes. The internal id is not
 * looked up: an app may map what is created later.
 */
import { Schema } from "effect"
import { isWebAddress } from "../kernel/FileAddress.ts"
import {
  clearable,
  described,
  filledText,
  Moment,
  nullableString,
  nullableTimestamp,
  nullableUrl,
  oneOf,
  optional,
  json,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { freeForm, jsonBytes } from "../kernel/JsonSize.ts"
import { parseIsoTime } from "../kernel/IsoTime.ts"

export const mappedTypes = ["product", "variant", "order", "customer", "category", "brand", "tag", "coupon"] as const
export const syncStatuses = ["synced", "pending", "error", "stale"] as const

/** Mappings of one installation. */
export const mostMappings = 1_000_000
/** Bytes of all of them: 256 MiB. */
const mostMappingBytes = 256 * 1_048_576
/** Codes that `connectedPlatforms` of a store names. */
export const mostPlatforms = 100

const longestUrl = 2_048
const longestError = 2_000

const resourceType = oneOf(mappedTypes, "Kind of the resource.")
const syncStatus = oneOf(syncStatuses, "How far the app has brought it. Any may follow any.")
const internalId = described(filledText(200), "Id of the resource in the store. It is not looked up.", "prod_01k9f3m2")
const externalId = described(filledText(500), "Id of the resource on the platform.", "gid://platform/Product/7")
const platformCode = described(filledText(100), "The platform, by a code that the app chooses.", "SHOPIFY")
const urlWords = "Where people see it on the platform: an http or https address."
const metadataWords =
  "What else the app keeps with it: at most 64 KiB of JSON, whose numbers are doubles, exact up to 2^53."

const webUrl = text(longestUrl).pipe(
  Schema.check(
    Schema.makeFilter((value: string) => isWebAddress(value) || "must be an http or https address", {
      toJsonSchema: () => ({ format: "uri" })
    })
  )
)
const moment = Moment.pipe(
  Schema.check(
    Schema.isMaxLength(100),
    Schema.makeFilter((value: string) => parseIsoTime(value) !== undefined || "must be an ISO 8601 time", {
      toJsonSchema: () => ({ format: "date-time" })
    })
  )
)

const writable = {
  externalUrl: clearable(webUrl, `${urlWords} null: none.`, "https://platform.example/products/7"),
  syncStatus: Schema.optionalKey(syncStatus),
  metadata: clearable(freeForm(), `${metadataWords} null: empty.`, { handle: "lamp" })
}

export const MappingInput = Schema.Struct({
  resourceType,
  internalId,
  externalId,
  platformCode,
  ...writable
}).annotate({ identifier: "CreateMapping", description: "A mapping to create, or to update by its key." })
export type MappingInput = typeof MappingInput.Type

/** The key is no part of it: a body may carry it, as reads show it, and it is ignored. */
export const MappingPatch = Schema.Struct({
  externalId: optional(filledText(500), "Id of the resource on the platform.", "gid://platform/Product/8"),
  ...writable,
  lastSyncedAt: clearable(moment, "When the app last brought it over: ISO 8601. null: never.", "2026-01-31T12:00:00Z"),
  lastSyncError: clearable(text(longestError), "Why it could not be brought over; null clears it.", "no such product")
}).annotate({ identifier: "UpdateMapping", description: "What to change of a mapping. Absent fields stay." })
export type MappingPatch = typeof MappingPatch.Type

export const MappingView = Schema.Struct({
  id: string("Id of the mapping.", "map_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  storeId: string("The store."),
  installationId: string("The installation whose mapping it is.", "inst_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  resourceType,
  internalId: string("Id of the resource in the store.", "prod_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  externalId: string("Id of the resource on the platform.", "gid://platform/Product/7"),
  externalUrl: nullableUrl("Where people see it on the platform.", "https://platform.example/products/7"),
  platformCode: string("The platform.", "SHOPIFY"),
  syncStatus,
  lastSyncedAt: nullableTimestamp("When the app last brought it over."),
  lastSyncError: nullableString("Why it could not be brought over."),
  metadata: json("What else the app keeps with it."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "Mapping", description: "What a resource of the store is called on a platform." })
export type MappingView = typeof MappingView.Type

/** One mapping of an installation has this key. */
export interface MappingKey {
  readonly resourceType: MappingInput["resourceType"]
  readonly internalId: string
  readonly platformCode: string
}

/** What may change of a mapping. */
export interface MappingFields {
  readonly externalId: string
  readonly externalUrl: string | null
  readonly syncStatus: NonNullable<MappingInput["syncStatus"]>
  readonly lastSyncedAt: Date | null
  readonly lastSyncError: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

export interface MappingState extends MappingKey, MappingFields {
  readonly id: string
  /** What it counts for, in bytes. */
  readonly charge: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const newMapping = ({ externalId: named }: MappingInput): MappingFields => ({
  externalId: named,
  externalUrl: null,
  syncStatus: "synced",
  lastSyncedAt: null,
  lastSyncError: null,
  metadata: {}
})

/** The fields with the changes of a body: what is absent stays, null clears. */
export const changedMapping = (current: MappingFields, changes: MappingPatch): MappingFields => ({
  externalId: changes.externalId ?? current.externalId,
  externalUrl: changes.externalUrl === undefined ? current.externalUrl : changes.externalUrl,
  syncStatus: changes.syncStatus ?? current.syncStatus,
  lastSyncedAt: changes.lastSyncedAt === undefined ? current.lastSyncedAt : momentOf(changes.lastSyncedAt),
  lastSyncError: changes.lastSyncError === undefined ? current.lastSyncError : changes.lastSyncError,
  metadata: changes.metadata === undefined ? current.metadata : (changes.metadata ?? {})
})

/** Bytes of its texts and its metadata. */
export const chargeOfMapping = (mapping: MappingKey & MappingFields): number =>
  Buffer.byteLength(mapping.internalId + mapping.platformCode + mapping.externalId) +
  Buffer.byteLength((mapping.externalUrl ?? "") + (mapping.lastSyncError ?? "")) +
  jsonBytes(mapping.metadata)

/** Why mappings that come to so many bytes cannot grow by `added`; undefined if they can. Smaller ones always fit. */
export const mappingBytesProblem = (bytes: number, added: number): string | undefined =>
  added <= 0 || bytes + added <= mostMappingBytes
    ? undefined
    : `would come to more than ${mostMappingBytes} bytes: shorten metadata, or delete some`

const momentOf = (given: string | null): Date | null => (given === null ? null : (parseIsoTime(given) ?? null))

export const toMappingView = (
  storeId: string,
  installationId: string,
  { charge: _charge, lastSyncedAt, createdAt, updatedAt, ...mapping }: MappingState
): MappingView => ({
  ...mapping,
  storeId,
  installationId,
  lastSyncedAt: lastSyncedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
