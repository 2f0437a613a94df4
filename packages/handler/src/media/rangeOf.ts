import type { ByteRange } from "@effect-commerce/core/media/ObjectStore"

/**
 * What a Range header asks for of so many bytes (RFC 9110, 14.2): a range, the whole where there is none to be honoured
 * (absent, malformed, another unit, several ranges), or none where it lies beyond the end.
 */
export const rangeOf = (header: string | undefined, size: number): ByteRange | "whole" | "none" => {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? []
  if (from === "" && to === "") return "whole"
  if (from === "") return Number(to) === 0 ? "none" : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const first = Number(from)
  if (to !== "" && Number(to) < first) return "whole"
  return first >= size ? "none" : { first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) }
}
