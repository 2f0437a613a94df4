/**
 * Documents that this process has read, and the JSON that it has made of them. A reading names the digests of those it
 * knows, and the database sends the others only. The JSON is made again where what fills its holes has changed: stock,
 * names, the language, the moments at which prices change.
 */
import type { StockFacts } from "../../kernel/Availability.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import { type ShownProduct, stockOf } from "./storefrontReading.ts"
import { changesOf, type ShownWith, spliced } from "./documentText.ts"

export interface ShownText {
  readonly document: RememberedDocument
  /** JSON of the product. */
  readonly text: string
  /** Tells this text from every other text of the product, in every process. */
  readonly tag: string
  /** Epoch milliseconds between which it shows the same prices. */
  readonly since: number
  readonly until: number
}

export interface RememberedDocument {
  readonly digest: string
  readonly document: string
  /** Keys of the stock that it shows. */
  readonly stockKeys: ReadonlyArray<string>
  /** Epoch milliseconds at which what it shows changes by itself, ascending. */
  readonly changes: ReadonlyArray<number>
  /** The last of each language, and of each channel where channels are shown different things. */
  readonly shown: Map<string, ShownText>
}

/** What fills the holes, but for stock and links, which come with each product. */
export interface ShownNow extends Omit<ShownWith, "stock" | "links"> {
  readonly vocabularyVersion: bigint
}

/** Bytes of all documents and their texts in this process. */
export const documentBytes = 67_108_864
/** Texts of one product that are kept, each in a language and for a channel. */
const mostTexts = 4

/** Slugs that lead to a digest weigh little and are forgotten like documents. */
const slugsKept = 20_000

export class RememberedDocuments {
  readonly #documents = new VersionedCache<RememberedDocument>(
    documentBytes,
    ({ document, stockKeys }) => 4 * document.length + 60 * stockKeys.length + 1_000
  )
  readonly #slugs = new VersionedCache<string>(slugsKept)

  /** What is known of these products; the caller keeps it for as long as its reading takes. */
  of(storeId: string, ids: ReadonlyArray<string>): ReadonlyMap<string, RememberedDocument> {
    const known = new Map<string, RememberedDocument>()
    for (const id of ids) {
      const document = this.#documents.get(`${storeId} ${id}`, 0n)
      if (document !== undefined) known.set(document.digest, document)
    }
    return known
  }

  /** What is known of the product that a slug led to last. */
  ofSlug(storeId: string, slug: string): ReadonlyMap<string, RememberedDocument> {
    const id = this.#slugs.get(`${storeId} ${slug}`, 0n)
    return this.of(storeId, id === undefined ? [] : [id])
  }

  rememberSlug(storeId: string, slug: string, id: string): void {
    this.#slugs.set(`${storeId} ${slug}`, 0n, id)
  }

  /** The JSON of a product as the reading tells it. `known` is what the reading was told. */
  show(
    storeId: string,
    { id, digest, document, stock, stockKeys, links }: ShownProduct,
    known: ReadonlyMap<string, RememberedDocument>,
    now: ShownNow
  ): ShownText {
    const remembered = known.get(digest) ?? remembering(digest, document ?? "", stockKeys ?? [])
    if (!known.has(digest)) this.#documents.set(`${storeId} ${id}`, 0n, remembered)
    // The store's own language decides with those that are wanted.
    const { wanted = [], own = "" } = now.reading ?? {}
    const reader = `${wanted.join()} ${own} ${now.vocabulary.audience}`
    // As many changes as lie behind tell the moment from every other.
    const moment = remembered.changes.filter((at) => at <= now.now).length
    const tag = `${digest} ${stock} ${links} ${now.vocabularyVersion} ${reader} ${moment}`
    const before = remembered.shown.get(reader)
    if (before !== undefined && before.tag === tag) return before
    const facts = new Map<string, StockFacts>()
    stockOf(stock, facts)
    const shown = {
      document: remembered,
      text: spliced(remembered.document, { ...now, stock: facts, links: new Set(links?.split(" ")) }),
      tag,
      since: remembered.changes[moment - 1] ?? Number.NEGATIVE_INFINITY,
      until: remembered.changes[moment] ?? Number.POSITIVE_INFINITY
    }
    if (remembered.shown.size >= mostTexts) remembered.shown.clear()
    remembered.shown.set(reader, shown)
    return shown
  }
}

const remembering = (digest: string, document: string, stockKeys: ReadonlyArray<string>): RememberedDocument => ({
  digest,
  document,
  stockKeys,
  changes: changesOf(document),
  shown: new Map()
})
