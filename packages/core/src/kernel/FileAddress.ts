/**
 * The address of a picture or a file in a body: a web address (`https://…`), a path on the same server
 * (`/media/lamp.jpg`), or a key of a storage. A browser opens it, so no other scheme is accepted.
 */
import { Schema } from "effect"
import { text } from "./Fields.ts"

/** Whether the text is an address that a browser may open. */
export const isWebAddress = (address: string): boolean => /^https?:\/\/[^/]/i.test(address) && URL.canParse(address)

/** Rejects characters that browsers drop or replace, and those that are not part of a path. */
const isPath = (path: string): boolean => /^(?!\/\/)[^\s\p{Cc}<>"'`\\:]+$/u.test(path)

export const isFileAddress = (address: string): boolean => isWebAddress(address) || isPath(address)

const longest = 2_000
const reason = "must be an address that begins with http:// or https://, a path or a key"

export const fileAddress = text(longest).pipe(
  Schema.check(
    Schema.makeFilter((given: string) => isFileAddress(given) || reason, {
      toJsonSchema: () => ({ format: "uri-reference" })
    })
  )
)
