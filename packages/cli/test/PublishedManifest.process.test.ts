/** What npm's hooks make of a manifest around packing, in a checkout whose remote is at this or that place. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../../..")
const checkout = mkdtempSync(join(tmpdir(), "commerce-manifest-"))
const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: checkout })

beforeAll(() => {
  git("init", "--quiet")
  git("remote", "add", "origin", "nowhere")
})
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

const sourceOf = (name: string) => join(root, "packages", name, "package.json")
const run = (name: string, change: "strip" | "restore") => {
  const cwd = join(checkout, "packages", name)
  execFileSync(process.execPath, [join(root, "scripts/publishedManifest.ts"), change], { cwd })
  return readFileSync(join(cwd, "package.json"), "utf8")
}

const packing = (name: string, origin: string) => {
  git("config", "remote.origin.url", origin)
  mkdirSync(join(checkout, "packages", name), { recursive: true })
  copyFileSync(sourceOf(name), join(checkout, "packages", name, "package.json"))
  return JSON.parse(run(name, "strip"))
}

describe("a manifest that is published", () => {
  it.each(["core", "handler", "cli"])(
    "says where %s comes from, what it is about and which Node it needs, and afterwards is as it was",
    (name) => {
      const published = packing(name, "git@git.example.com:shops/effect-commerce.git")
      expect(published).toMatchObject({
        repository: {
          type: "git",
          url: "git+https://git.example.com/shops/effect-commerce.git",
          directory: `packages/${name}`
        },
        homepage: "https://git.example.com/shops/effect-commerce#readme",
        engines: { node: ">=22.19" },
        keywords: expect.arrayContaining(["commerce", "headless", "postgresql"])
      })
      expect(JSON.stringify(published.exports ?? {})).not.toContain("source")
      expect(run(name, "restore")).toBe(readFileSync(sourceOf(name), "utf8"))
    }
  )

  it.each(["core", "handler"])("asks the host of %s for its effect, and brings none", (name) => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packing(name, "nowhere")
    expect([dependencies.effect, peerDependencies.effect, peerDependenciesMeta?.effect]).toEqual([
      undefined,
      "~4.1.0",
      undefined
    ])
  })

  const home = "https://git.example.com/shops/effect-commerce"
  it.each([
    [`${home}.git`, home],
    [`${home}/`, home],
    ["https://somebody:a-token@git.example.com/shops/effect-commerce.git", home],
    ["ssh://git@git.example.com/shops/effect-commerce.git", home],
    ["ssh://git@git.example.com:2222/shops/effect-commerce.git", home],
    ["https://git.example.com:8443/shops/effect-commerce", "https://git.example.com:8443/shops/effect-commerce"],
    ["https://git.example.com/~shops/mugs.gitter", "https://git.example.com/~shops/mugs.gitter"],
    ["/home/somebody/effect-commerce", undefined],
    ["file:///srv/git/effect-commerce.git", undefined],
    ["https://localhost/effect-commerce.git", undefined],
    ["https://10.0.0.7/effect-commerce.git", undefined],
    ["git@10.0.0.7:effect-commerce.git", undefined]
  ])("of a checkout from %s is of %s", (origin, expected) => {
    const { homepage, repository } = packing("handler", origin)
    expect([homepage, repository?.url]).toEqual(
      expected === undefined ? [undefined, undefined] : [`${expected}#readme`, `git+${expected}.git`]
    )
  })

  it("names the place that the checkout names, also where this machine fetches from another one", () => {
    git("config", "url.https://mirror.example.net/.insteadOf", "https://git.example.com/")
    expect(packing("handler", home).homepage).toBe(`${home}#readme`)
  })

  it("is of no place where there is no remote", () => {
    git("remote", "remove", "origin")
    copyFileSync(sourceOf("core"), join(checkout, "packages/core/package.json"))
    expect(Object.keys(JSON.parse(run("core", "strip")))).not.toContain("repository")
  })
})
