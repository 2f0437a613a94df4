/** One row of the error table: the code of an error, and which of its facts the caller gets. */
import type { Code } from "./Codes.ts"

export interface ErrorRow<E> {
  readonly code: Code
  readonly message: (error: E) => string
  readonly details?: (error: E) => Record<string, unknown>
  readonly headers?: (error: E) => Record<string, string>
  /**
   * A warning for the log, without a stack: what another server answered, under a code that otherwise means a failure
   * of this server.
   */
  readonly warning?: (error: E) => string
}

/** A row for each error of a union, total by type: a missing or an extra tag does not compile. */
export type ErrorRows<E extends { readonly _tag: string }> = {
  readonly [T in E["_tag"]]: ErrorRow<Extract<E, { readonly _tag: T }>>
}

/** Rows by the tag of their error. */
export type ErrorTable = Readonly<Record<string, ErrorRow<never>>>

/** The row of an error that says that something does not exist. */
export const missing = (what: string, code: Code = "RESOURCE_NOT_FOUND"): ErrorRow<unknown> => ({
  code,
  message: () => `No such ${what}`
})
