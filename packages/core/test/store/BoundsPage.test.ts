import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { withBounds } from "../../../../scripts/boundsTable.ts"
import { storeBounds } from "../../src/CommerceRooms.ts"

it("docs/bounds.md says how many of a thing a store may have; `npm run bounds` writes it", () => {
  const page = readFileSync(new URL("../../../../docs/bounds.md", import.meta.url), "utf8")
  expect(page).toBe(withBounds(page, storeBounds))
})
