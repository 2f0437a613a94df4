/**
 * Writes the README's table of what is built: `npm run readme`. The text is made by readmeTable.ts, which a test
 * compares with the file.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parts } from "../packages/handler/test/matrix/operationList.ts"
import { withTable } from "./readmeTable.ts"

const file = join(import.meta.dirname, "../README.md")
writeFileSync(file, withTable(readFileSync(file, "utf8"), parts))
