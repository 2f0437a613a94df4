/**
 * Documents that this process has read, and the JSON that it has made of them. A reading names the digests of those it
 * knows, and the database sends the others only. The JSON is made again where what is put into it has changed: stock,
 * labels, links, the language, the price of the moment.
 */
import type { StockFacts } from "../../kernel/Availability.ts"
import type { Reading } from "../../kernel/Locale.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import { priceChanges } from "../../product/KitPrice.ts"
import { type ProductDocument, readDocument } from "./productDocument.ts"
import { type ShownWith, shownProduct } from "./shownProduct.ts"
import { type ShownRow, stockOf } from "./storefrontReading.ts"

export interface ShownText {
  /** JSON of the product. */
  readonly text: string
  /** Differs from that of every other text of the product, in every process. */
  readonly tag: string
  /** Epoch milliseconds between which it shows the same prices. */
  readonly since: number
  readonly until: number
}

export interface KnownDocument {
  readonly digest: string
  readonly document: ProductDocument
  /** Keys of the stock that it shows. */
  readonly stockKeys: ReadonlyArray<string>
  /** Epoch milliseconds at which its prices change, ascending. */
  readonly changes: ReadonlyArray<number>
}

/** What is put into a document, but for stock and links, which come with each product. */
export interface RenderContext extends Omit<ShownWith, "stock" | "links"> {
  readonly labelsVersion: bigint
}

/** Bytes of all documents in this process, parsed. */
const documentBytes = 33_554_432
/** Bytes of all their texts, one for each language, and for each channel where channels are shown different things. */
const textBytes = 33_554_432

export class DocumentCache {
  readonly #documents = new VersionedCache<{ readonly known: KnownDocument; readonly length: number }>(
    documentBytes,
    ({ known, length }) => 3 * length + 60 * known.stockKeys.length + 500
  )
  readonly #texts = new VersionedCache<ShownText>(
    textBytes,
    ({ text, tag }, key) => 2 * (text.length + tag.length + key.length) + 200
  )

  /** By digest, what is known of these products; the caller keeps it for as long as its reading takes. */
  of(storeId: string, ids: ReadonlyArray<string>): ReadonlyMap<string, KnownDocument> {
    const known = new Map<string, KnownDocument>()
    for (const id of ids) {
      const entry = this.#documents.get(`${storeId} ${id}`, 0n)
      if (entry !== undefined) known.set(entry.known.digest, entry.known)
    }
    return known
  }

  /** Of the rows of a reading, the ids of those whose documents cannot be read; the others are remembered. */
  unreadable(storeId: string, rows: ReadonlyArray<ShownRow>): ReadonlyArray<string> {
    return rows.flatMap((row) => {
      try {
        if (row.document !== null) this.documentOf(storeId, row, new Map())
        return []
      } catch {
        return [row.id]
      }
    })
  }

  /** The document of a row of a reading, whose `known` are those that were named to it. */
  documentOf(
    storeId: string,
    { id, digest, document, stockKeys }: ShownRow,
    known: ReadonlyMap<string, KnownDocument>
  ): KnownDocument {
    const remembered = this.#documents.get(`${storeId} ${id}`, 0n)?.known
    const there = known.get(digest) ?? (remembered?.digest === digest ? remembered : undefined)
    if (there !== undefined) return there
    const text = document ?? ""
    const read = readDocument(text)
    const made = {
      digest,
      document: read,
      stockKeys: stockKeys ?? [],
      changes: [...new Set(priceChanges(read))].sort((a, b) => a - b)
    }
    this.#documents.set(`${storeId} ${id}`, 0n, { known: made, length: text.length })
    return made
  }

  /** The JSON of a product as it is now. */
  textOf(storeId: string, known: KnownDocument, { id, stock, links }: ShownRow, shown: RenderContext): ShownText {
    const { now, labels, labelsVersion, channelId, reading } = shown
    const reader = `${readingKey(reading)} ${labels.isByChannel ? (channelId ?? "public") : ""}`
    // As many changes as lie behind distinguish the moment from every other.
    const moment = known.changes.filter((at) => at <= now).length
    const tag = `${known.digest} ${stock} ${links} ${labelsVersion} ${reader} ${moment}`
    const key = `${storeId} ${id} ${reader}`
    const before = this.#texts.get(key, 0n)
    if (before?.tag === tag) return before
    const facts = new Map<string, StockFacts>()
    stockOf(stock, facts)
    const view = shownProduct(known.document, { ...shown, stock: facts, links: new Set(links?.split(" ")) })
    const made = {
      text: JSON.stringify(view),
      tag,
      since: known.changes[moment - 1] ?? Number.NEGATIVE_INFINITY,
      until: known.changes[moment] ?? Number.POSITIVE_INFINITY
    }
    this.#texts.set(key, 0n, made)
    return made
  }
}

/** The store's own language decides with those that are wanted. */
const readingKey = (reading: Reading | undefined): string =>
  reading === undefined ? "" : `${reading.wanted.join()} ${reading.own}`
