/**
 * Answers of lists as they were sent last, each with all that it depends on: while nothing of that has changed, the
 * same bytes are the answer.
 */
import { sha256Hex } from "../../crypto/Hashing.ts"
import { VersionedCache } from "../../kernel/VersionedCache.ts"
import type { Facets } from "../Facets.ts"
import type { FoundBlock } from "./foundLists.ts"
import type { PageStock } from "./storefrontReading.ts"

/** JSON in UTF-8, and a text that tells it from every other answer to the same request, in every process. */
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

/** An answer with all that it depends on, but for the time. */
export interface RememberedPage extends AnsweredPage, PageStock {
  /** `serial` of what the list has found. */
  readonly found: number
  readonly vocabulary: bigint
}

/** Bytes of all pages of the process. */
export const pageBytes = 33_554_432

const utf8 = new TextEncoder()

export const answerOf = (json: string, tag: string): StorefrontAnswer => ({ body: utf8.encode(json), tag })

/** The same of a text that many tags make. */
export const hashedAnswer = (json: string, tags: string): StorefrontAnswer => answerOf(json, sha256Hex(tags))

export class RememberedPages {
  readonly #pages = new VersionedCache<RememberedPage>(
    pageBytes,
    // The half more is what is kept beside a body, compressed.
    ({ answer, asked }, key) => 1.5 * answer.body.byteLength + 2 * (asked.length + key.length) + 500
  )

  get(key: string, { serial }: FoundBlock): RememberedPage | undefined {
    const page = this.#pages.get(key, 0n)
    return page?.found === serial ? page : undefined
  }

  set(key: string, page: RememberedPage): void {
    this.#pages.set(key, 0n, page)
  }
}
