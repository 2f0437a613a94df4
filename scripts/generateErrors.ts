/**
 * Writes docs/errors.md from the table of codes: `npm run errors`. The text is made by errorsPage.ts, which a test
 * compares with the file.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { codes, reserved } from "../packages/handler/src/middleware/Codes.ts"
import { codeExplanations } from "../packages/handler/src/middleware/CodeExplanations.ts"
import { errorsPage } from "./errorsPage.ts"

writeFileSync(
  join(import.meta.dirname, "../docs/errors.md"),
  errorsPage(codes, { explanations: codeExplanations, reserved })
)
