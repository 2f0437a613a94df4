/**
 * Reads products with their documents, composes stale ones first, and renders JSON for one reader. Documents, their
 * JSON and the shared labels are cached.
 */
import { Effect } from "effect"
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import { VersionedCache } from "../../cache/VersionedCache.ts"
import { goToPrimary } from "../../replica/ReplicaReads.ts"
import { defaultLanguage, type StoreContext } from "../../store/StoreContext.ts"
import type { StorefrontReader } from "../../taxonomy/Publication.ts"
import { DocumentCache, type KnownDocument, type ShownText } from "./DocumentCache.ts"
import { repairedReading } from "./repairedReading.ts"
import { type LabelRow, SharedLabels } from "./sharedLabels.ts"
import { type Reading, idsToRepair, type Which } from "./storefrontReading.ts"

/** Maximum size in bytes of the labels of all stores in this process. */
const labelBytes = 67_108_864

/** The reader and the time. `known`: documents whose digests were sent with the read. */
export interface ShownFor {
  readonly now: number
  readonly reader: StorefrontReader
  readonly known?: ReadonlyMap<string, KnownDocument>
}

export interface Shown {
  readonly known: KnownDocument
  readonly text: ShownText
}

/** Where products are read and repaired. */
interface Sources {
  readonly read: (storeId: string, which: Which, now: Date, withLabels: boolean) => Effect.Effect<Reading>
  readonly labels: (storeId: string) => Effect.Effect<{
    readonly version: bigint
    readonly labels: ReadonlyArray<LabelRow>
  }>
  readonly mark: (storeId: string, ids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly repair: (store: StoreContext, shown: ReturnType<typeof idsToRepair>) => Effect.Effect<void>
}

const noneKnown: ReadonlyMap<string, KnownDocument> = new Map()

export const inOrder = (shown: ReadonlyMap<string, Shown>, ids: ReadonlyArray<string>): ReadonlyArray<Shown> =>
  ids.flatMap((id) => shown.get(id) ?? [])

export const showsProducts = (sources: Sources) => {
  const labels = new VersionedCache<SharedLabels>(labelBytes, ({ bytes }) => bytes)
  const documents = new DocumentCache()

  /** Reads products; first composes stale ones, and those whose documents cannot be parsed. */
  const readFresh = Effect.fnUntraced(function* (store: StoreContext, which: Which, now: number) {
    const isLabelled = labels.get(store.id, 0n) !== undefined
    const read = sources.read(store.id, which, new Date(now), !isLabelled)
    const first = yield* read
    // Marked once per read: a document that stays unparsable is a defect, and is not marked again.
    const unreadable = isJoined() ? [] : documents.unreadable(store.id, first.products)
    // Composing writes, and the primary may have it composed already.
    if (first.stale || unreadable.length > 0) yield* goToPrimary
    if (unreadable.length > 0) yield* sources.mark(store.id, unreadable)
    return yield* repairedReading({ ...first, stale: first.stale || unreadable.length > 0 }, read, {
      idsToRepair: (reading) => idsToRepair(which, reading),
      repair: (shown) => sources.repair(store, shown),
      turnsWhileJoined: 0
    })
  })

  /** The labels of the version that was read: read with it, cached, or read now. */
  const labelsOf = Effect.fnUntraced(function* (storeId: string, { versions, labels: rows }: Reading) {
    const remembered = rows === undefined ? labels.get(storeId, versions.labels) : undefined
    if (remembered !== undefined) return remembered
    const read = rows === undefined ? yield* sources.labels(storeId) : { version: versions.labels, labels: rows }
    const compiled = new SharedLabels(read.labels)
    labels.set(storeId, read.version, compiled)
    return compiled
  })

  /** The products that were read, by id. */
  const shownOf = Effect.fnUntraced(function* (
    store: StoreContext,
    reading: Reading,
    { now, reader, known = noneKnown }: ShownFor
  ) {
    const { channelId, languages: wanted = [] } = reader
    const context = {
      now,
      labels: yield* labelsOf(store.id, reading),
      labelsVersion: reading.versions.labels,
      channelId,
      reading: wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
    }
    return new Map(
      reading.products.map((row): readonly [string, Shown] => {
        const document = documents.documentOf(store.id, row, known)
        return [row.id, { known: document, text: documents.textOf(store.id, document, row, context) }]
      })
    )
  })

  /** Cached documents of these products, by digest: a read that sends the digests gets only the others. */
  const known = (storeId: string, ids: ReadonlyArray<string>) => documents.of(storeId, ids)

  return { known, readFresh, shownOf }
}
