/** The README's walk, each line as it is printed there, pasted at the prompts of bash and zsh. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf } from "./ReadmeText.ts"
import { folder, type Serving, serving } from "./runCli.ts"
import { pasted, shellsHere } from "./Shells.ts"

const root = resolve(import.meta.dirname, "../../..")
const made = folder()
let server: Serving
beforeAll(async () => {
  server = await serving(["--demo", "--data-dir", made.path])
}, 180_000)
afterAll(async () => {
  await server.end("SIGTERM")
  made.remove()
})

const [ids, ...blocks] = blocksOf("Buy something, in five minutes")
const steps = blocks.flatMap(({ language, text }, i) =>
  language === "sh" ? [{ lines: text, prints: blocks[i + 1]?.language === "text" ? blocks[i + 1]?.text : "" }] : []
)
/** What the server printed for the shell. */
const exported = () => /^export .*$/m.exec(server.out())?.[0] ?? ""

describe("the README's walk", () => {
  it("begins with the line that npm start prints", () => {
    const printed = exported()
      .replace(server.url, "http://127.0.0.1:4000/api")
      .replaceAll(/(vc|svc)_[\w-]+/g, "$1_…")
    expect(`${printed}\n`).toBe(ids?.text)
    expect(steps.length).toBeGreaterThanOrEqual(8)
  })

  it.each(shellsHere("bash", "zsh"))(
    "prints in %s what it says, to the order that the merchant sees and the types of a client",
    async (shell) => {
      // Inside of the checkout, where git does not look.
      mkdirSync(join(root, "walk"), { recursive: true })
      const cwd = mkdtempSync(join(root, "walk/test-"))
      try {
        const lines = steps.map(({ lines: of }, i) => `${of}echo "== ${i + 1}"\n`).join("")
        const printed = await pasted(shell, `${exported()}\n${lines}`, cwd)
        const expected = steps.map(({ prints }, i) => `${prints}== ${i + 1}\n`).join("")
        expect(printed.replace(server.url, "http://127.0.0.1:4000/api").replace(/\[[\d.]+m?s\]/, "[2s]")).toBe(expected)
        expect(readFileSync(join(cwd, "walk/commerce.ts"), "utf8")).toMatch(/^ +Cart: \{$/m)
      } finally {
        rmSync(cwd, { recursive: true })
      }
    },
    120_000
  )
})
