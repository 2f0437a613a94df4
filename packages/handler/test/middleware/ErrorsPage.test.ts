import { readFileSync } from "node:fs"
import { join } from "node:path"
import { codeExplanations } from "@effect-commerce/handler/middleware/CodeExplanations"
import { codes, reserved } from "@effect-commerce/handler/middleware/Codes"
import { describe, expect, it } from "vitest"
import { errorsPage } from "../../../../scripts/errorsPage.ts"

describe("docs/errors.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/errors.md"), "utf8")

  it("is what `npm run errors` writes", () => {
    expect(page).toBe(errorsPage(codes, { explanations: codeExplanations, reserved }))
  })

  it("names every code once, under its status", () => {
    const listed = page
      .split("\n## ")
      .slice(1)
      .flatMap((part) => [...part.matchAll(/^- `(\w+)`/gm)].map(([, code]) => [code, Number.parseInt(part, 10)]))
    expect(Object.fromEntries(listed)).toEqual(codes)
    expect(listed).toHaveLength(Object.keys(codes).length)
  })

  it("gives every code that something answers a cause and a remedy in a sentence", () => {
    for (const { cause, remedy } of Object.values(codeExplanations))
      expect([cause, remedy]).toEqual([expect.stringMatching(/^.{15,}\.$/), expect.stringMatching(/\.$/)])
  })

  it("says which codes nothing answers yet", () => {
    expect([...page.matchAll(/^- `(\w+)` \(reserved/gm)].map(([, code]) => code).toSorted()).toEqual(
      [...reserved].toSorted()
    )
  })
})
