/**
 * Answers as they were sent last, each with all that it depends on: while nothing of that has changed, the same bytes
 * are the answer.
 */
import { sha256Hex } from "../../crypto/Hashing.ts"
import { type Page, toEnvelope } from "../../kernel/Pagination.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import type { Facets } from "../Facets.ts"
import type { ShownText } from "./DocumentCache.ts"
import type { FoundBlock } from "./ListCache.ts"
import type { PageCheck, PageParts } from "./storefrontReading.ts"

/** JSON in UTF-8, and a text that differs from that of every other answer to the same request, in every process. */
export interface StorefrontAnswer {
  readonly body: Uint8Array
  readonly tag: string
}

export interface AnsweredPage {
  readonly answer: StorefrontAnswer
  readonly facets: Facets | undefined
  /** Epoch milliseconds between which it shows the same prices. */
  readonly since: number
  readonly until: number
}

/** An answer with all that it depends on. */
export interface KnownPage extends AnsweredPage, PageParts {
  /** `serial` of what the list has found. */
  readonly found: number
  readonly labels: bigint
}

/** Whether a page, of a list that holds, is what would be answered now. */
export const isStill = (page: KnownPage, { stale, versions, state }: PageCheck, now: number): boolean =>
  !stale && page.labels === versions.labels && page.state === state && page.since <= now && now < page.until

/** Bytes of all pages of the process. */
const pageBytes = 33_554_432

export class PageCache {
  readonly #pages = new VersionedCache<KnownPage>(
    pageBytes,
    // The half more is what is kept beside a body, compressed.
    ({ answer, ids, stockKeys }, key) =>
      1.5 * answer.body.byteLength + 2 * key.length + 60 * (ids.length + stockKeys.length) + 500
  )

  get(key: string, { serial }: FoundBlock): KnownPage | undefined {
    const page = this.#pages.get(key, 0n)
    return page?.found === serial ? page : undefined
  }

  set(key: string, page: KnownPage): void {
    this.#pages.set(key, 0n, page)
  }
}

const utf8 = new TextEncoder()

export const answerOf = (json: string, tag: string): StorefrontAnswer => ({ body: utf8.encode(json), tag })

const jsonOf = (products: ReadonlyArray<ShownText>): string => `[${products.map(({ text }) => text).join(",")}]`
const tagsOf = (products: ReadonlyArray<ShownText>): string => products.map(({ tag }) => tag).join("\n")

export const productsAnswer = (products: ReadonlyArray<ShownText>): StorefrontAnswer =>
  answerOf(`{"products":${jsonOf(products)}}`, sha256Hex(tagsOf(products)))

/** A page in its envelope. */
export const pageAnswer = (
  page: Page,
  total: number,
  products: ReadonlyArray<ShownText>,
  facets: Facets | undefined
): AnsweredPage => {
  const { meta } = toEnvelope(page, { items: [], total })
  const beside = facets === undefined ? "" : `,"facets":${JSON.stringify(facets)}`
  const end = `"meta":${JSON.stringify(meta)}${beside}}`
  return {
    answer: answerOf(`{"data":${jsonOf(products)},${end}`, sha256Hex(`${tagsOf(products)}\n${end}`)),
    facets,
    since: Math.max(Number.NEGATIVE_INFINITY, ...products.map(({ since }) => since)),
    until: Math.min(Number.POSITIVE_INFINITY, ...products.map(({ until }) => until))
  }
}
