/**
 * The files of the renderer of the reference page (@scalar/api-reference, MIT), read when a browser asks for one and
 * kept compressed. In a checkout they lie in its package; the published packages bring those that a browser loads.
 */
import { existsSync, readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where the build has put them, beside this module or beside the program that it is part of. */
const copied = fileURLToPath(new URL("./scalar", import.meta.url))

const folder = (): string =>
  existsSync(copied) ? copied : join(dirname(fileURLToPath(import.meta.resolve("@scalar/api-reference"))), "browser")

const entryFile = "standalone.esm.js"

/** By the name in their address: the module that the page loads, and the chunks that it loads as they are needed. */
export const scalarFiles = (): ReadonlyMap<string, () => Promise<string>> => {
  const place = folder()
  const chunks = readdirSync(join(place, "chunks")).filter((name) => name.endsWith(".js"))
  return new Map(
    [entryFile, ...chunks.map((name) => `chunks/${name}`)].map((name) => [
      name,
      () => readFile(join(place, name), "utf8")
    ])
  )
}
