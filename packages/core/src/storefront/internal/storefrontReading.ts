/** What is asked of the rows that storefronts read, and what a reading returns. */
import { md5Hex } from "../../crypto/Hashing.ts"
import type { StockFacts } from "../../kernel/Availability.ts"
import type { ListingOrder, ProductFilter } from "../ProductFilter.ts"
import type { ShownToReader } from "../StaleProductRepository.ts"
import type { FacetRows } from "../Facets.ts"
import type { LabelRow } from "./sharedLabels.ts"

/** `languages`: of several products that have the slug in some language, the best of these decides. */
export interface BySlug {
  readonly slug: string
  readonly languages?: ReadonlyArray<string> | undefined
}

/** Documents of which the process knows these digests are not sent. */
interface ByKey {
  readonly channelId: string | null
  readonly known: ReadonlyArray<string>
}

/** Which products a reading shows, and in what order. */
export type Which =
  /** Of a list that was found before. */
  | (ByKey & { readonly ids: ReadonlyArray<string> })
  | (ByKey & { readonly one: { readonly id: string } | BySlug })
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

/**
 * Versions of a store's listing rows by aspect, and of its shared labels. Each is raised by a write of that aspect
 * alone: `members` by which products there are and how they are filed, shown and ordered; `text` by names, addresses
 * and words; `price`; and `stock` by whether a product can be bought.
 */
export interface Versions {
  readonly members: bigint
  readonly text: bigint
  readonly price: bigint
  readonly stock: bigint
  readonly labels: bigint
}

/** What a statement returns: by kind, and only those that were ever raised. */
export type StoredVersions = { readonly [Kind in keyof Versions]?: string }

export const toVersions = ({ members, text, price, stock, labels }: StoredVersions): Versions => ({
  members: BigInt(members ?? 0),
  text: BigInt(text ?? 0),
  price: BigInt(price ?? 0),
  stock: BigInt(stock ?? 0),
  labels: BigInt(labels ?? 0)
})

export interface ShownRow {
  readonly id: string
  readonly digest: string
  /** Null where the process knows it by its digest, and so are its keys of stock. */
  readonly document: string | null
  readonly stockKeys: ReadonlyArray<string> | null
  /** Rows of stock in the order of their keys, with commas between. */
  readonly stock: string | null
  /** Ids of products that it names and the channel shows, with blanks between. */
  readonly links: string | null
}

/** What holds for the whole store at the time of a reading. */
export interface StoreState {
  readonly versions: Versions
  /** A product of the store is marked stale: its document or its listing row may not be what its rows say. */
  readonly stale: boolean
  /** Stock of the store is about to be written down, or decided at each reading: what depends on it is not kept. */
  readonly unsettled: boolean
}

export interface Reading extends StoreState {
  /** Of a list: all ids of the block, how many products the list has, and until when that stays so. */
  readonly found:
    | {
        readonly ids: ReadonlyArray<string>
        readonly total: number
        readonly until: number | null
        readonly facets: FacetRows | undefined
      }
    | undefined
  readonly products: ReadonlyArray<ShownRow>
  readonly labels: ReadonlyArray<LabelRow> | undefined
}

/** What a page shows, by key. */
export interface PageParts {
  readonly ids: ReadonlyArray<string>
  readonly stockKeys: ReadonlyArray<string>
  /** A digest of the documents and of the stock; `state` of a check is the same while both are as they were. */
  readonly state: string
}

/** What shows whether a page is still the same. */
export interface PageCheck extends StoreState {
  readonly state: string
}

/** What the statement returns: a first row about the store and the list, then one for each product. */
export interface Row {
  readonly versions: StoredVersions | null
  readonly stale: boolean | null
  readonly unsettled: boolean | null
  readonly total: bigint | null
  readonly until: Date | null
  readonly ids: ReadonlyArray<string> | null
  readonly facets: FacetRows | null
  readonly labels: ReadonlyArray<LabelRow> | null
  readonly id: string | null
  readonly digest: string | null
  readonly document: string | null
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

const byKey = ([one]: readonly [string, string], [other]: readonly [string, string]): number =>
  one < other ? -1 : one > other ? 1 : 0

/** The parts of a page of these products, which show stock of these keys. */
export const pagePartsOf = (products: ReadonlyArray<ShownRow>, stockKeys: Iterable<string>): PageParts => {
  const digests = products.map(({ id, digest }) => [id, digest] as const).toSorted(byKey)
  const rows = new Map(products.flatMap(({ stock }) => stockRows(stock).map((row) => [keyOf(row), row] as const)))
  const stock = [...rows].toSorted(byKey).map(([, row]) => `(${row})`)
  return {
    ids: products.map(({ id }) => id),
    stockKeys: [...new Set(stockKeys)],
    state: md5Hex(`${digests.map(([, digest]) => digest).join(",")}|${stock.join(",")}`)
  }
}

const toFound = ({ ids, total, until, facets }: Row): Reading["found"] =>
  ids === null || total === null
    ? undefined
    : { ids, total: Number(total), until: until?.getTime() ?? null, facets: facets ?? undefined }

export const toReading = (rows: ReadonlyArray<Row>): Reading => {
  const about = rows.find(({ versions }) => versions !== null)
  return {
    versions: toVersions(about?.versions ?? {}),
    stale: about?.stale === true,
    unsettled: about?.unsettled === true,
    found: about === undefined ? undefined : toFound(about),
    products: rows.flatMap(({ id, digest, document, stock, stockKeys, links }) =>
      id === null || digest === null ? [] : [{ id, digest, document, stock, stockKeys, links }]
    ),
    labels: about?.labels ?? undefined
  }
}

/** The products that a reading shows, which are composed first where they are stale. */
export const idsToRepair = (which: Which, { products }: Reading): ShownToReader => {
  const ids = products.map(({ id }) => id)
  if (!("one" in which)) return { ids }
  return "id" in which.one ? { ids: [which.one.id] } : { ids, slug: which.one.slug }
}
