/** Checks the signature of a mail as a reader does (RFC 6376, relaxed/relaxed, rsa-sha256), written apart from ours. */
import { createHash, createPublicKey, verify } from "node:crypto"

const tags = (value: string): Record<string, string> =>
  Object.fromEntries(
    value.split(";").flatMap((part) => {
      const at = part.indexOf("=")
      return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).replace(/\s+/g, "")]]
    })
  )

const relaxed = (header: string): string => {
  const at = header.indexOf(":")
  return `${header.slice(0, at).trim().toLowerCase()}:${header
    .slice(at + 1)
    .replace(/\s+/g, " ")
    .trim()}`
}

export interface Checked {
  readonly domain: string
  readonly selector: string
  readonly signed: ReadonlyArray<string>
  readonly isValid: boolean
}

/** Undefined where the mail has no signature. `publicKey` is DER in base64, as the DNS record holds it. */
export const checkDkim = (raw: string, publicKey: string): Checked | undefined => {
  const end = raw.indexOf("\r\n\r\n")
  const headers = raw.slice(0, end).split(/\r\n(?![ \t])/)
  const own = headers.find((header) => /^dkim-signature:/i.test(header))
  if (own === undefined) return undefined
  const { d = "", s = "", h = "", bh = "", b = "" } = tags(own.slice(own.indexOf(":") + 1))
  const body = raw
    .slice(end + 4)
    .split("\r\n")
    .map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""))
    .join("\r\n")
    .replace(/(?:\r\n)*$/, "\r\n")
  const bodyHash = createHash("sha256").update(body).digest("base64")
  const signed = h.split(":")
  const shown = signed.flatMap((name) => {
    const header = headers.findLast((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return header === undefined ? [] : [relaxed(header)]
  })
  const data = [...shown, relaxed(own).replace(/([;:]\s?b=)[^;]*/, "$1")].join("\r\n")
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" })
  const isValid = bodyHash === bh && verify("sha256", Buffer.from(data), key, Buffer.from(b, "base64"))
  return { domain: d, selector: s, signed: signed.map((name) => name.toLowerCase()), isValid }
}
