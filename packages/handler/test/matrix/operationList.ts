/** The operations of the whole interface, as operations.txt lists them: apart from what this project declares. */
import { readFileSync } from "node:fs"

export interface Part {
  readonly name: string
  /** What it is, for the table of the README. */
  readonly words: string
  /** `GET /v1/brands/{}` */
  readonly operations: ReadonlyArray<string>
}

const text = readFileSync(new URL("operations.txt", import.meta.url), "utf8")

export const parts: ReadonlyArray<Part> = text
  .split(/^\[/m)
  .slice(1)
  .map((part) => {
    const [head = "", words = "", ...lines] = part.split("\n")
    return {
      name: head.replace(/\]$/, ""),
      words: words.replace(/^: /, ""),
      operations: lines.filter((line) => line !== "")
    }
  })

/** A path as the list writes it: every parameter is `{}`. */
export const operationOf = (method: string, path: string): string =>
  `${method} ${path.replace(/^\/api/, "").replace(/:\w+|\{\w+\}/g, "{}")}`
