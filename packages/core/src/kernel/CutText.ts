/**
 * The beginning of a text, at most so many UTF-16 units of it. Never half of a surrogate pair: PostgreSQL refuses JSON
 * with one, and keeps another character in its place elsewhere.
 */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")
