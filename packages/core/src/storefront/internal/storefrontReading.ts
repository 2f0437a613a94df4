/** What is asked of the rows that storefronts are answered from, and what a reading tells. */
import { md5Hex } from "../../crypto/Hashing.ts"
import type { StockFacts } from "../../kernel/Availability.ts"
import type { ProductFilter } from "../../product/ProductRepository.ts"
import type { FacetRows } from "./facetCounts.ts"
import type { ListingOrder } from "./foundIds.ts"
import type { VocabularyRow } from "./vocabularyPieces.ts"

/** `languages`: of those that have the slug in some language, whose comes first. */
export interface BySlug {
  readonly slug: string
  readonly languages?: ReadonlyArray<string> | undefined
}

/** Which products a reading shows, and in what order. */
export type Which =
  /** Of a list that was found before. `known`: digests of documents that the process remembers: they are not sent. */
  | {
      readonly ids: ReadonlyArray<string>
      readonly channelId: string | null
      readonly known: ReadonlyArray<string>
    }
  | {
      readonly one: { readonly id: string } | BySlug
      readonly channelId: string | null
      readonly known: ReadonlyArray<string>
    }
  | {
      readonly filter: ProductFilter
      readonly sortBy: ListingOrder
      readonly descending: boolean
      /** What the list can be narrowed by is counted too. */
      readonly facets?: boolean | undefined
      /** Products of the list that are found: where they begin, and how many. */
      readonly block: { readonly offset: number; readonly length: number }
      /** Of the found ones, those that are shown. */
      readonly page: { readonly offset: number; readonly length: number }
    }

export interface ShownProduct {
  readonly id: string
  readonly digest: string
  /** Null where the process knows it by its digest. */
  readonly document: string | null
  /** Rows of stock in the order of their keys, with commas between. */
  readonly stock: string | null
  /** Where these rows lie in their table, in the same order, with blanks between. */
  readonly places: string | null
  /** Keys of these, with the document. */
  readonly stockKeys: ReadonlyArray<string> | null
  /** Ids of products that it names and the channel shows, with blanks between. */
  readonly links: string | null
}

export interface Reading {
  readonly listing: bigint
  readonly vocabulary: bigint
  /** A product of the store is noted as stale: its document or its listing row may not be what its rows say. */
  readonly stale: boolean
  /** Stock of the store is about to be written down, or decided at each reading: what depends on it is not kept. */
  readonly unsettled: boolean
  /** Of a list: all ids of the block, how many products the list has, and until when that stays so. */
  readonly found:
    | {
        readonly ids: ReadonlyArray<string>
        readonly total: number
        readonly until: number | null
        readonly facets: FacetRows | undefined
      }
    | undefined
  readonly products: ReadonlyArray<ShownProduct>
  readonly words: ReadonlyArray<VocabularyRow> | undefined
}

/** What tells whether pages that were answered before are still the same. */
export interface PageCheck extends Pick<Reading, "listing" | "vocabulary" | "stale" | "unsettled"> {
  /** Of each page that was asked for, as `PageStock` has it. */
  readonly states: ReadonlyArray<string>
}

/** What the statement answers: a first row about the store and the list, then one for each product. */
export interface Row {
  readonly listing: bigint | null
  readonly vocabulary: bigint | null
  readonly stale: boolean | null
  readonly unsettled: boolean | null
  readonly total: bigint | null
  readonly until: Date | null
  readonly ids: ReadonlyArray<string> | null
  readonly facets: FacetRows | null
  readonly words: ReadonlyArray<VocabularyRow> | null
  readonly id: string | null
  readonly digest: string | null
  readonly document: string | null
  /** Rows and places, on a line each. */
  readonly stock: string | null
  readonly stockKeys: ReadonlyArray<string> | null
  readonly links: string | null
}

/** Rows of stock as the statement writes them, each `key,total,reserved,most below zero,tracking,backorders`. */
const stockRows = (text: string | null): ReadonlyArray<string> => (text === null ? [] : text.slice(1, -1).split("),("))

const keyOf = (row: string): string => row.slice(0, row.indexOf(","))

/** Reads rows of stock. */
export const stockOf = (text: string | null, into: Map<string, StockFacts>): void => {
  for (const row of stockRows(text)) {
    const [key = "", total, reserved, limit, trackingMode, backorderMode] = row.split(",")
    into.set(key, {
      trackingMode: trackingMode as StockFacts["trackingMode"],
      backorderMode: backorderMode as StockFacts["backorderMode"],
      backorderLimit: Number(limit),
      total: Number(total),
      reserved: Number(reserved)
    })
  }
}

/** `(block,line)` by number, as PostgreSQL sorts them. */
const byPlace = ([one]: PlacedRow, [other]: PlacedRow): number => {
  const [block = 0, line = 0] = one.slice(1, -1).split(",").map(Number)
  const [otherBlock = 0, otherLine = 0] = other.slice(1, -1).split(",").map(Number)
  return block - otherBlock || line - otherLine
}

type PlacedRow = readonly [place: string, row: string]

/** Each row of stock that the products show, once, in the order of their places. */
const placedRows = (products: ReadonlyArray<ShownProduct>): ReadonlyArray<PlacedRow> => {
  const rows = new Map<string, string>()
  for (const { stock, places } of products) {
    const at = places?.split(" ") ?? []
    for (const [i, row] of stockRows(stock).entries()) rows.set(at[i] ?? "", row)
  }
  return [...rows].toSorted(byPlace)
}

export interface PageStock {
  /** What a check of the page asks: where its rows of stock lie, and the keys that have none, behind a bar. */
  readonly asked: string
  /** What the check is told while each row is as it was; another text where one is another one, or elsewhere. */
  readonly state: string
}

/** `keys`: of all stock that the products show, whether there is a row or not. */
export const pageStock = (products: ReadonlyArray<ShownProduct>, keys: Iterable<string>): PageStock => {
  const rows = placedRows(products)
  const there = new Set(rows.map(([, row]) => keyOf(row)))
  const missing = [...new Set(keys)].filter((key) => !there.has(key))
  const places = rows.map(([place]) => place).join(" ")
  return {
    asked: missing.length === 0 ? places : `${places}|${missing.join(" ")}`,
    state: md5Hex(rows.map(([, row]) => `(${row})`).join(","))
  }
}

const absent: Row = {
  listing: 0n,
  vocabulary: 0n,
  stale: false,
  unsettled: false,
  total: null,
  until: null,
  ids: null,
  facets: null,
  words: null,
  id: null,
  digest: null,
  document: null,
  stock: null,
  stockKeys: null,
  links: null
}

const toFound = ({ ids, total, until, facets }: Row): Reading["found"] =>
  ids === null || total === null
    ? undefined
    : { ids, total: Number(total), until: until?.getTime() ?? null, facets: facets ?? undefined }

export const toReading = (rows: ReadonlyArray<Row>): Reading => {
  const about = rows.find((row) => row.listing !== null) ?? absent
  return {
    listing: about.listing ?? 0n,
    vocabulary: about.vocabulary ?? 0n,
    stale: about.stale === true,
    unsettled: about.unsettled === true,
    found: toFound(about),
    products: rows.flatMap(({ id, digest, document, stock: lines, stockKeys, links }) => {
      if (id === null || digest === null) return []
      const [stock = null, places = null] = lines?.split("\n") ?? []
      return [{ id, digest, document, stock, places, stockKeys, links }]
    }),
    words: about.words ?? undefined
  }
}
