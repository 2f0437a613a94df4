/**
 * Writes docs/events.md from the event catalogue: `npm run events`. The text is made by eventsPage.ts, which a test
 * compares with the file.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventCatalog } from "../packages/core/src/webhook/EventCatalog.ts"
import { eventsPage } from "./eventsPage.ts"

writeFileSync(join(import.meta.dirname, "../docs/events.md"), eventsPage(eventCatalog()))
