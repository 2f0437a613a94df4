/**
 * The walks in docs/guides, each line as it is printed there: in a shell of its own the servers beside the shop, and
 * at the prompt of another one everything else, over the server as `npm start` runs it. Only the ports are others.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join, resolve } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { type Serving, serving } from "./runCli.ts"
import { pasted, shellsHere } from "./Shells.ts"

const root = resolve(import.meta.dirname, "../../..")

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/** The blocks of a guide: the servers, the shop, the line that the shop prints, then the steps with what they print. */
const guide = (name: string, cwd: string, ports: { readonly mail: number; readonly shop: number }) => {
  const text = readFileSync(join(root, `docs/guides/${name}.md`), "utf8")
    // npm runs its scripts in the checkout.
    .replaceAll("--data-dir ", `--data-dir ${cwd}/`)
    .replaceAll("2525", String(ports.mail))
    .replaceAll("127.0.0.1:4000", `127.0.0.1:${ports.shop}`)
  const blocks = [...text.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, language, block = ""]) => ({
    language,
    block
  }))
  const [servers, shop, , ...steps] = blocks
  return {
    servers: servers?.block ?? "",
    shop: shop?.block ?? "",
    lines: steps.filter(({ language }) => language === "sh").map(({ block }) => block),
    prints: steps
      .filter(({ language }) => language === "text")
      .map(({ block }) => block)
      .join("")
  }
}

let running: Array<{ readonly end: () => Promise<unknown> }> = []
afterEach(async () => {
  for (const one of running.toReversed()) await one.end()
  running = []
})

const started = (shell: string, lines: string, cwd: string): ChildProcess => {
  const child = spawn(shell, ["-c", lines], { cwd, stdio: "ignore", detached: true })
  const ended = once(child, "close")
  running.push({
    end: () => {
      process.kill(-(child.pid ?? 0))
      return ended
    }
  })
  return child
}

/** What the guide sets for the shop: `NAME=value` and `NAME='value'` in front of `npm start`. */
const settingsIn = (block: string, cwd: string): Record<string, string> => {
  const stripe = existsSync(join(cwd, "walk/stripe.env")) ? readFileSync(join(cwd, "walk/stripe.env"), "utf8") : ""
  const address = stripe.trim().replace("STRIPE=", "")
  return Object.fromEntries(
    [...block.matchAll(/(COMMERCE_\w+)=(?:'([^']*)'|"([^"]*)"|(\S+))/g)].map(([, name = "", a, b, c]) => [
      name,
      (a ?? b ?? c ?? "").replace("$STRIPE", address)
    ])
  )
}

describe("the walk of a guide", () => {
  it.each(shellsHere("bash").flatMap((shell) => ["walk-life", "walk-merchant"].map((name) => [name, shell] as const)))(
    "%s prints in %s what it says",
    async (name, shell) => {
      // Inside of the checkout, where git does not look. As root the embedded server runs as another user.
      mkdirSync(join(root, "walk"), { recursive: true })
      const cwd = mkdtempSync(join(root, "walk/guide-"))
      chmodSync(cwd, 0o755)
      running.push({ end: async () => rmSync(cwd, { recursive: true, force: true }) })
      const ports = { mail: await freePort(), shop: await freePort() }
      const { servers, shop, lines, prints } = guide(name, cwd, ports)
      started(shell, servers, cwd)
      if (servers.includes("stripe.env")) {
        await expect.poll(() => existsSync(join(cwd, "walk/stripe.env")), { timeout: 60_000 }).toBe(true)
      }
      const data = /--data-dir (\S+)/.exec(shop)?.[1] ?? ""
      const server: Serving = await serving(
        ["--demo", "--port", String(ports.shop), "--data-dir", data],
        settingsIn(shop, cwd)
      )
      running.push({ end: () => server.end("SIGTERM") })
      const exported = /^export .*$/m.exec(server.out())?.[0] ?? ""
      expect(exported).toContain(`127.0.0.1:${ports.shop}`)
      expect(lines.length).toBeGreaterThanOrEqual(8)
      expect(await pasted(shell, `${exported}\n${lines.join("")}`, cwd)).toBe(prints)
    },
    300_000
  )
})
