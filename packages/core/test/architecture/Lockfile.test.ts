import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const packages = Object.entries(lock.packages)

/** Where npm would look for `name` from the package at `path`, nearest first. */
const placesOf = (path: string, name: string): ReadonlyArray<string> => {
  const parts = path.split("/node_modules/")
  return [...parts.keys()]
    .map((n) => `${parts.slice(0, parts.length - n).join("/node_modules/")}/node_modules/${name}`)
    .concat(`node_modules/${name}`)
}

describe("package-lock.json", () => {
  it("names every optional package, also those of other platforms: npm ci refuses to start without them", () => {
    const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !placesOf(path, name).some((place) => place in lock.packages))
    )
    expect(missing).toEqual([])
  })

  it("records no download address, so that any registry serves it", () => {
    expect(packages.filter(([, { resolved }]) => resolved?.startsWith("http")).map(([path]) => path)).toEqual([])
  })
})
