/**
 * Documents that this process has read, and the JSON rendered from them. A read sends the digests of cached documents,
 * and the database returns only the others. The JSON is rendered again when its inputs have changed: stock, labels,
 * links, the language, the current price.
 */
import type { StockFacts } from "../../kernel/Availability.ts"
import type { Reading } from "../../kernel/Locale.ts"
import { VersionedCache } from "../../cache/VersionedCache.ts"
import { priceChanges } from "../../product/KitPrice.ts"
import { type ProductDocument, readDocument } from "./productDocument.ts"
import { type ShownWith, shownProduct } from "./shownProduct.ts"
import { type ShownRow, stockOf } from "./storefrontReading.ts"

export interface ShownText {
  /** JSON of the product. */
  readonly text: string
  /** Differs from the tag of every other text of the product, in every process. */
  readonly tag: string
  /** Epoch milliseconds between which the prices stay the same. */
  readonly since: number
  readonly until: number
}

export interface KnownDocument {
  readonly digest: string
  readonly document: ProductDocument
  /** Keys of the rows of stock that it shows. */
  readonly stockKeys: ReadonlyArray<string>
  /** Epoch milliseconds at which its prices change, ascending. */
  readonly changes: ReadonlyArray<number>
}

/** The inputs of rendering except stock and links, which come with each product. */
export interface RenderContext extends Omit<ShownWith, "stock" | "links"> {
  readonly labelsVersion: bigint
}

/** Maximum size in bytes of all parsed documents in this process. */
const documentBytes = 33_554_432
/** Maximum size in bytes of all rendered texts, one for each language, and for each channel where channels differ. */
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

  /** The cached entries of these products, by digest; the caller keeps them until its read ends. */
  of(storeId: string, ids: ReadonlyArray<string>): ReadonlyMap<string, KnownDocument> {
    const known = new Map<string, KnownDocument>()
    for (const id of ids) {
      const entry = this.#documents.get(`${storeId} ${id}`, 0n)
      if (entry !== undefined) known.set(entry.known.digest, entry.known)
    }
    return known
  }

  /** The ids of rows whose documents cannot be parsed; the other documents are cached. */
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

  /** The document of a row; `known` are the entries whose digests were sent with the read. */
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

  textOf(storeId: string, known: KnownDocument, { id, stock, links }: ShownRow, shown: RenderContext): ShownText {
    const { now, labels, labelsVersion, channelId, reading } = shown
    const reader = `${readingKey(reading)} ${labels.isByChannel ? (channelId ?? "public") : ""}`
    // The number of past price changes identifies the price period.
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

/** The store's own language is a part of the key, beside the requested ones. */
const readingKey = (reading: Reading | undefined): string =>
  reading === undefined ? "" : `${reading.wanted.join()} ${reading.own}`
