/**
 * Lists cached in this process: the ordered product ids of one chunk of a list's results, and how many products the
 * list has. An entry has the version of the data that the list filters and sorts by; callers compare it with the
 * current version, in the statement that reads the products.
 */
import { isJoined } from "../../kernel/JoinedTransaction.ts"
import { jsonBytes } from "../../kernel/JsonSize.ts"
import { VersionedCache } from "../../cache/VersionedCache.ts"
import type { FacetRows } from "../Facets.ts"

export interface FoundBlock {
  /** Identifies this entry; a list that is found again gets another serial. */
  readonly serial: number
  /** See `versionOf`. */
  readonly version: bigint
  readonly ids: ReadonlyArray<string>
  readonly total: number
  readonly facets: FacetRows | undefined
  /** Epoch milliseconds between which the entry is valid: prices change without a write. */
  readonly since: number
  readonly until: number
}

/** Products of a block, which pages are cut from. */
const blockLength = 500
/** Maximum size in bytes of all blocks of the process. */
export const foundBytes = 33_554_432

/** The block that contains the whole page. */
export const blockOf = (page: { readonly page: number; readonly limit: number }) => {
  const length = Math.floor(blockLength / page.limit) * page.limit
  const offset = (page.page - 1) * page.limit
  const first = Math.floor(offset / length) * length
  return { block: { offset: first, length }, page: { offset: offset - first, length: page.limit } }
}

export class ListCache {
  #serial = 0
  readonly #blocks = new VersionedCache<FoundBlock>(
    foundBytes,
    ({ ids, facets }, key) =>
      ids.reduce((bytes, id) => bytes + 2 * id.length + 16, 400) +
      2 * key.length +
      (facets === undefined ? 0 : 4 * jsonBytes(facets))
  )

  get(key: string, now: number): FoundBlock | undefined {
    const found = this.#blocks.get(key, 0n)
    return found !== undefined && found.since <= now && now < found.until ? found : undefined
  }

  set(key: string, found: Omit<FoundBlock, "serial">): FoundBlock {
    const block = { ...found, serial: this.#serial++ }
    if (!isJoined()) this.#blocks.set(key, found.version, block)
    return block
  }
}
