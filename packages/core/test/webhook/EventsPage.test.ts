import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { eventsPage } from "../../../../scripts/eventsPage.ts"
import { eventCatalog, eventTypes } from "../../src/webhook/EventCatalog.ts"

describe("docs/events.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/events.md"), "utf8")

  it("is what `npm run events` writes", () => {
    expect(page).toBe(eventsPage(eventCatalog()))
  })

  it("has a section for each event, and one for each object that a section refers to", () => {
    expect([...page.matchAll(/^## (\S+\.\S+)$/gm)].map(([, type]) => type)).toEqual(eventTypes)
    const headings = new Set(
      [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, text]) => (text ?? "").toLowerCase().replace(".", ""))
    )
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? "")
    expect(links.length).toBeGreaterThan(eventTypes.length)
    expect(links.filter((anchor) => !headings.has(anchor))).toEqual([])
  })

  it("tells nobody of internal events", () => {
    expect(page).not.toContain("internal.")
  })
})
