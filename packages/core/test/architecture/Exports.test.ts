import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const packages = join(import.meta.dirname, "../../..")

/** A pattern has one `*` that means anything, so each room's `internal` is named. */
it.each(["core", "handler"])("the manifest of %s closes the internal folder of every room, and no other", (name) => {
  const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>
  }
  const source = join(packages, name, "src")
  const rooms = readdirSync(source).filter((room) => existsSync(join(source, room, "internal")))
  const closed = Object.keys(exports).filter((path) => exports[path] === null)
  expect(closed.sort()).toEqual(rooms.map((room) => `./${room}/internal/*`).sort())
  expect(Object.keys(exports).filter((path) => path.split("*").length > 2)).toEqual([])
})
