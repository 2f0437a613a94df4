/**
 * Cached responses, each with everything that it depends on: while none of that has changed, the same bytes are sent
 * again.
 */
import { sha256Hex } from "../../crypto/Hashing.ts"
import { type Page, toEnvelope } from "../../kernel/Pagination.ts"
import { VersionedCache } from "../../cache/VersionedCache.ts"
import type { Facets } from "../Facets.ts"
import type { ShownText } from "./DocumentCache.ts"
import type { FoundBlock } from "./ListCache.ts"
import type { PageCheck, PageParts } from "./storefrontReading.ts"

/** JSON in UTF-8, and a tag that differs from that of every other response to the same request, in every process. */
export interface StorefrontAnswer {
  readonly body: Uint8Array
  readonly tag: string
}

export interface AnsweredPage {
  readonly answer: StorefrontAnswer
  readonly facets: Facets | undefined
  /** Epoch milliseconds between which the prices stay the same. */
  readonly since: number
  readonly until: number
}

/** A response with everything that it depends on. */
export interface KnownPage extends AnsweredPage, PageParts {
  /** `serial` of the list's entry in `ListCache`. */
  readonly found: number
  readonly labels: bigint
}

/** Whether a cached page of a valid list is still the current response. */
export const isStill = (page: KnownPage, { stale, versions, state }: PageCheck, now: number): boolean =>
  !stale && page.labels === versions.labels && page.state === state && page.since <= now && now < page.until

/** Maximum size in bytes of all pages of the process. */
const pageBytes = 33_554_432

export class PageCache {
  readonly #pages = new VersionedCache<KnownPage>(
    pageBytes,
    // The extra half is for the compressed body, which is cached too.
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

/** The response with a page in its envelope. */
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
