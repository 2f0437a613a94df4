/** The parameters and the result of a storefront's read of products. */
import { md5Hex } from "../../crypto/Hashing.ts"
import type { StockFacts } from "../../kernel/Availability.ts"
import type { ListingOrder, ProductFilter } from "../ProductFilter.ts"
import type { ShownToReader } from "../StaleProductRepository.ts"
import type { FacetRows } from "../Facets.ts"
import type { LabelRow } from "./sharedLabels.ts"

/** `languages`: if several products have the slug in some language, the first of these languages decides. */
export interface BySlug {
  readonly slug: string
  readonly languages?: ReadonlyArray<string> | undefined
}

/** Documents with these digests are cached by the process and not sent. */
interface ByKey {
  readonly channelId: string | null
  readonly known: ReadonlyArray<string>
}

/** The products that a read returns, and their order. */
export type Which =
  /** The ids of a list that was found before. */
  | (ByKey & { readonly ids: ReadonlyArray<string> })
  | (ByKey & { readonly one: { readonly id: string } | BySlug })
  | {
      readonly filter: ProductFilter
      readonly sortBy: ListingOrder
      readonly descending: boolean
      /** Also counts facets. */
      readonly facets?: boolean | undefined
      /** The offset and length of the block of products to find. */
      readonly block: { readonly offset: number; readonly length: number }
      /** The part of the block that is shown. */
      readonly page: { readonly offset: number; readonly length: number }
    }

/**
 * Versions of a store's listing rows by aspect, and of its shared labels. A write raises only the versions of the
 * aspects that it changes: `members` covers which products exist and how they are categorized, shown and sorted; `text`
 * covers names, addresses and words; `price` covers prices; `stock` covers whether a product can be bought.
 */
export interface Versions {
  readonly members: bigint
  readonly text: bigint
  readonly price: bigint
  readonly stock: bigint
  readonly labels: bigint
}

/** The versions that a statement returns, by kind; those never raised are missing. */
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
  /** Null if the process has the document with this digest cached; then `stockKeys` is null too. */
  readonly document: string | null
  readonly stockKeys: ReadonlyArray<string> | null
  /** Rows of stock in the order of their keys, separated by commas. */
  readonly stock: string | null
  /** Ids of linked products that the channel shows, separated by blanks. */
  readonly links: string | null
}

/** The state of the whole store at the time of a read. */
export interface StoreState {
  readonly versions: Versions
  /** A product of the store is marked stale: its document or listing row may be outdated. */
  readonly stale: boolean
  /** Stock is about to change, or is computed at each read: what depends on it is not cached. */
  readonly unsettled: boolean
}

export interface Reading extends StoreState {
  /** For a list: all ids of the block, how many products the list has, and until when that is valid. */
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

/** The keys of what a page shows. */
export interface PageParts {
  readonly ids: ReadonlyArray<string>
  readonly stockKeys: ReadonlyArray<string>
  /** A digest of the documents and the stock; `state` of a check is equal while both are unchanged. */
  readonly state: string
}

/** Tells whether a cached page is still valid. */
export interface PageCheck extends StoreState {
  readonly state: string
}

/** The rows of the statement: the first has the store and the list, then one for each product. */
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

/** Splits the text of stock rows, each `key,total,reserved,most below zero,tracking,backorders`. */
const stockRows = (text: string | null): ReadonlyArray<string> => (text === null ? [] : text.slice(1, -1).split("),("))

const keyOf = (row: string): string => row.slice(0, row.indexOf(","))

/** Parses rows of stock into `into`. */
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

/** The parts of a page of these products, which shows stock of these keys. */
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

/** The products of a read, to be composed first if they are stale. */
export const idsToRepair = (which: Which, { products }: Reading): ShownToReader => {
  const ids = products.map(({ id }) => id)
  if (!("one" in which)) return { ids }
  return "id" in which.one ? { ids: [which.one.id] } : { ids, slug: which.one.slug }
}
