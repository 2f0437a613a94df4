/** Which encoding an Accept-Encoding asks for (RFC 9110, 12.5.3), of those that we can send. */

export type Encoding = "br" | "gzip"

/** Best first where the caller takes several alike. */
const offered: ReadonlyArray<Encoding> = ["br", "gzip"]
/** How many encodings of a header are read; the rest is ignored. */
const mostNamed = 20

/** The best encoding, or undefined where the answer is to be sent as it is. */
export const encodingFor = (header: string | undefined): Encoding | undefined => {
  if (header === undefined) return undefined
  const weights = new Map(
    header
      .toLowerCase()
      .split(",", mostNamed)
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim())
        const weight = parameters.find((parameter) => parameter.startsWith("q="))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
      })
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0
  const [best] = offered
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0 && weight >= (weights.get("identity") ?? 0))
    .sort((a, b) => b.weight - a.weight)
  return best?.name
}
