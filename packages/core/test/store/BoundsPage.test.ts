import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { withBounds } from "../../../../scripts/boundsTable.ts"
import { storeBounds } from "../../src/CommerceRooms.ts"

it("docs/bounds.md says how many of a thing a store may have; `npm run bounds` writes it", () => {
  const page = readFileSync(new URL("../../../../docs/bounds.md", import.meta.url), "utf8")
  expect(page).toBe(withBounds(page, storeBounds))
})

it("a bound of a store is declared by a room, which names it in its <Room>Room.ts", async () => {
  const source = join(import.meta.dirname, "../../src")
  const declaring = globSync("**/*.ts", { cwd: source }).filter((file) =>
    /: StoreBound = /.test(readFileSync(join(source, file), "utf8"))
  )
  const modules = await Promise.all(declaring.map((file) => import(join(source, file)) as Promise<object>))
  const bounds = modules.flatMap((module, i) =>
    Object.entries(module)
      .filter(([name]) => name.endsWith("Bound"))
      .map(([name, bound]) => ({ name: `${name} of ${declaring[i]}`, bound }))
  )
  expect(bounds.length).toBeGreaterThan(14)
  const listed = new Set<unknown>(storeBounds)
  expect(bounds.filter(({ bound }) => !listed.has(bound)).map(({ name }) => name)).toEqual([])
})
