/**
 * How much of a request an error may repeat: 200 characters in one message, value or name of the details, or path. So a
 * request of a megabyte does not come back in the response or fill the caller's logs. The details have a limit as a
 * whole too.
 */
import { fieldsMessage } from "./pipelineErrors.ts"

export const mostEcho = 200
/** Characters of the names and texts of all details together: five hundred lines of an order fit. */
const mostDetails = 100_000
const mostMessage = 2_000

export interface Told {
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** The first characters, none of them cut in half; a cut is shown. */
export const shortened = (text: string, most: number = mostEcho): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`

class Budget {
  #left = mostDetails

  text(text: string): string {
    const short = shortened(text)
    this.#left -= short.length
    return short
  }

  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value)
    if (Array.isArray(value)) return this.#fitting(value, (inner) => this.value(inner))
    if (typeof value !== "object" || value === null || "toJSON" in value) return value
    return this.record(value)
  }

  record(values: object): Record<string, unknown> {
    return Object.fromEntries(
      this.#fitting(Object.entries(values), ([key, inner]) => [this.text(key), this.value(inner)])
    )
  }

  /** The first items that fit; each takes some room, even an empty one. */
  #fitting<A, B>(items: ReadonlyArray<A>, each: (item: A) => B): ReadonlyArray<B> {
    const told: Array<B> = []
    for (const item of items) {
      if (this.#left <= 0) break
      this.#left -= 1
      told.push(each(item))
    }
    return told
  }
}

export const bounded = ({ message, details }: Told): Told => {
  if (details === undefined) return { message: shortened(message) }
  const short = new Budget().record(details)
  const fields = details["errors"]
  // A message that lists fields is built again from the fields that are left.
  const told =
    isFields(fields) && message.startsWith(fieldsMessage({}))
      ? fieldsMessage(short["errors"] as Readonly<Record<string, string>>)
      : undefined
  return { message: told === undefined ? shortened(message) : shortened(told, mostMessage), details: short }
}

const isFields = (fields: unknown): fields is Readonly<Record<string, string>> =>
  typeof fields === "object" && fields !== null && !Array.isArray(fields)
