/** The operations of the whole interface, as operations.txt lists them: apart from what this project declares. */
import { readFileSync } from "node:fs"

export interface Part {
  readonly name: string
  /** Of a later release: none of its operations is declared yet. */
  readonly isLater: boolean
  /** `GET /v1/brands/{}` */
  readonly operations: ReadonlyArray<string>
}

const text = readFileSync(new URL("operations.txt", import.meta.url), "utf8")

export const parts: ReadonlyArray<Part> = text
  .split(/^\[/m)
  .slice(1)
  .map((part) => {
    const [head = "", ...lines] = part.split("\n")
    const title = head.replace(/\]$/, "")
    return {
      name: title.replace(/^later: /, ""),
      isLater: title.startsWith("later: "),
      operations: lines.filter((line) => line !== "")
    }
  })

/** A path as the list writes it: every parameter is `{}`. */
export const operationOf = (method: string, path: string): string =>
  `${method} ${path.replace(/^\/api/, "").replace(/:\w+|\{\w+\}/g, "{}")}`
