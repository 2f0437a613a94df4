/** What is asked of the rows that storefronts are answered from, and what a reading tells. */
import type { StockFacts } from "../../kernel/Availability.ts"
import type { ProductFilter } from "../ProductRepository.ts"
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
  | { readonly ids: ReadonlyArray<string>; readonly known: ReadonlyArray<string> }
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
  /** Keys of these, with the document. */
  readonly stockKeys: ReadonlyArray<string> | null
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
  /** Of a list that was found before: another one where its documents or their stock are others. */
  readonly state: string | undefined
  readonly products: ReadonlyArray<ShownProduct>
  readonly words: ReadonlyArray<VocabularyRow> | undefined
}

/** What tells whether pages that were answered before are still the same. */
export interface PageCheck extends Pick<Reading, "listing" | "vocabulary" | "stale" | "unsettled"> {
  /** Of each page that was asked for; `Reading` has the same. */
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
  readonly state: string | null
  readonly id: string | null
  readonly digest: string | null
  readonly document: string | null
  readonly stock: string | null
  readonly stockKeys: ReadonlyArray<string> | null
}

const modes = { T: "TRACKED", U: "UNTRACKED", D: "DISABLED" } as const
const backorders = { D: "DENY", A: "ALLOW", L: "LIMITED" } as const

/** Reads rows of stock as the statement writes them: key, total, reserved, most below zero, the two modes. */
export const stockOf = (text: string | null, into: Map<string, StockFacts>): void => {
  if (text === null) return
  for (const row of text.split(",")) {
    const [key = "", total, reserved, limit, mode = "TD"] = row.split(" ")
    into.set(key, {
      trackingMode: modes[mode.charAt(0) as keyof typeof modes],
      backorderMode: backorders[mode.charAt(1) as keyof typeof backorders],
      backorderLimit: Number(limit),
      total: Number(total),
      reserved: Number(reserved)
    })
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
  state: null,
  id: null,
  digest: null,
  document: null,
  stock: null,
  stockKeys: null
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
    state: about.state ?? undefined,
    products: rows.flatMap(({ id, digest, document, stock, stockKeys }) =>
      id === null || digest === null ? [] : [{ id, digest, document, stock, stockKeys }]
    ),
    words: about.words ?? undefined
  }
}
