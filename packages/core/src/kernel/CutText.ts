/**
 * The beginning of a text, at most `most` UTF-16 units. Never cuts a surrogate pair in half: PostgreSQL rejects JSON
 * with a half, and stores another character in its place elsewhere.
 */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")
