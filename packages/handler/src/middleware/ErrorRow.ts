/** One row of the error table: which code an error answers with, and what of its facts reaches the caller. */
import type { Code } from "./Codes.ts"

export interface ErrorRow<E> {
  readonly code: Code
  readonly message: (error: E) => string
  readonly details?: (error: E) => Record<string, unknown>
  readonly headers?: (error: E) => Record<string, string>
  /**
   * One line for the log, a warning without a stack: what another server answered, under a code whose errors are
   * otherwise ours and logged with their cause.
   */
  readonly warning?: (error: E) => string
}

/** A row for each error of a union, total by type: a missing or an extra tag does not compile. */
export type ErrorRows<E extends { readonly _tag: string }> = {
  readonly [T in E["_tag"]]: ErrorRow<Extract<E, { readonly _tag: T }>>
}

/** Rows by the tag of their error. */
export type ErrorTable = Readonly<Record<string, ErrorRow<never>>>

/** The row of an error that only says that something is not there. */
export const missing = (what: string, code: Code = "RESOURCE_NOT_FOUND"): ErrorRow<unknown> => ({
  code,
  message: () => `No such ${what}`
})
