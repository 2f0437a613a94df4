/**
 * Writes the table of docs/bounds.md that says how many of a thing a store may have: `npm run bounds`. The text is made
 * by boundsTable.ts, which a test compares with the file.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { storeBounds } from "../packages/core/src/CommerceRooms.ts"
import { withBounds } from "./boundsTable.ts"

const file = join(import.meta.dirname, "../docs/bounds.md")
writeFileSync(file, withBounds(readFileSync(file, "utf8"), storeBounds))
