/** Content-Disposition: whether a browser shows a file or saves it, and under which name. */

/** A header value of plain letters, and the whole name as RFC 8187 encodes it. */
export const disposition = (how: "inline" | "attachment", name: string): string => {
  const plain = name.replace(/[^\w.-]/g, "_")
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `${how}; filename="${plain}"; filename*=UTF-8''${whole}`
}

/**
 * Headers of a file that one person may have: saved and not shown, never guessed, kept by no cache, and its address,
 * which is a secret, is told to no other server.
 */
export const privateFile = (name: string): Readonly<Record<string, string>> => ({
  "content-disposition": disposition("attachment", name),
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
})
