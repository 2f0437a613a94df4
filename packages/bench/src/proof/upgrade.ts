/**
 * An upgrade without a break, as the guide tells it: two servers of the newest commit with fewer migrations serve
 * shoppers; one of this version is started beside them and migrates; then the old ones are taken out of the rotation,
 * stopped and replaced, one after the other. Nobody is answered 500 or more, or not at all; every order that was
 * answered is stored, and the books agree.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { type Answer, NoAnswer, send, sleep, until } from "./Client.ts"
import { startShoppers } from "./clients.ts"
import { furnishDiscounts } from "./discounts.ts"
import { type Installation, openInstallation, type Slot } from "./Installation.ts"
import { openJournal } from "./Journal.ts"
import { furnish } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"

export interface UpgradeSize {
  readonly shoppers: number
  /** Orders between two steps. */
  readonly orders: number
}

const root = new URL("../../../..", import.meta.url).pathname
const git = (...words: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", root, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()

const migrations = "packages/core/migrations"

/** The migrations of a commit, each with the hash of its text. */
const migrationsAt = (commit: string): ReadonlyArray<string> => git("ls-tree", `${commit}:${migrations}`).split("\n")

/**
 * The newest commit that has fewer migrations, all of them as they are now (one may have been changed before it was
 * released); undefined outside of a repository.
 */
const versionBefore = (): string | undefined => {
  try {
    const now = new Set(migrationsAt("HEAD"))
    const commits = git("log", "--format=%P", "HEAD", "--", migrations).split(/\s+/)
    return commits.find((commit) => {
      const then = migrationsAt(commit)
      return then.length < now.size && then.every((file) => now.has(file))
    })
  } catch {
    return undefined
  }
}

/** Its files, and the packages of this checkout but for its own. */
const checkOut = (commit: string, folder: string): string => {
  mkdirSync(folder, { recursive: true })
  execFileSync("sh", ["-c", 'git -C "$0" archive "$1" | tar -x -C "$2"', root, commit, folder])
  const own = "@effect-commerce"
  mkdirSync(join(folder, "node_modules", own), { recursive: true })
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== own) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
  for (const name of ["core", "handler", "cli"])
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules", own, name))
  return folder
}

const isReady = ({ port }: Slot): Promise<boolean> =>
  send(port, "GET", "/health/ready").then(
    ({ status }) => status === 200,
    () => false
  )

/** Out of the rotation, what is under way answered, ended; then this version in its place. */
const replace = async (installation: Installation, rotation: Array<Slot>, slot: Slot): Promise<number> => {
  rotation.splice(rotation.indexOf(slot), 1)
  await sleep(300)
  await slot.server?.stop()
  const { startMillis } = await installation.start(slot)
  await until(30_000, () => isReady(slot))
  rotation.push(slot)
  return startMillis
}

const audited = (dataDir: string): ReadonlyArray<string> => {
  try {
    execFileSync(
      process.execPath,
      ["--conditions=source", join(root, "packages/cli/src/main.ts"), "audit", "--data-dir", dataDir],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }
    )
    return []
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string }
    return [`the audit: ${stdout ?? ""}${stderr ?? String(error)}`]
  }
}

export const proveUpgrade = async (
  { installation: { folder }, random, note }: Run,
  { shoppers, orders }: UpgradeSize
): Promise<Outcome> => {
  const commit = versionBefore()
  if (commit === undefined)
    return { counts: {}, latencies: [], violations: [], notBuilt: "this is no repository: there is no version before" }
  const checkout = checkOut(commit, join(folder, "before"))
  const installation = await openInstallation(join(folder, "upgraded"), { migrate: false })
  try {
    const [one, other, added] = await installation.openSlots(3)
    if (one === undefined || other === undefined || added === undefined) throw new Error("no slots")
    // The first makes the schema.
    await installation.start(one, { checkout })
    await installation.start(other, { checkout })
    const shop = await installation.openShop({ strategy: "ON_CART" })
    const products = await installation.stock(shop, 12, 1_000_000)
    await furnish(shop, one.port)
    await furnishDiscounts(shop, one.port)
    const applied = async () =>
      Number((await installation.query("SELECT count(*) AS n FROM commerce_migration"))[0]?.["n"])
    const before = await applied()

    const rotation: Array<Slot> = [one, other]
    const journal = openJournal(join(folder, "upgrade.journal"))
    const violations: Array<string> = []
    let placed = 0
    const see = (answer: Answer | NoAnswer, step: string) => {
      if (answer instanceof NoAnswer) violations.push(`${step}: no answer (${answer.code})`)
      else if (answer.status >= 500) violations.push(`${step}: ${answer.status} ${answer.bytes.toString("utf8")}`)
      else if (step === "complete" && answer.status === 200) placed += 1
    }
    const payments = [{ paymentMethod: "manual" }]
    const load = { shop, slots: rotation, products, journal, round: 1, random, shoppers, payments, see }
    const running = startShoppers(load)
    const more = async (what: string) => {
      const wanted = placed + orders
      await until(120_000, async () => placed >= wanted)
      note(`${what}: ${placed} orders`)
    }
    await more("the version before")
    const starts = [(await installation.start(added)).startMillis]
    await until(60_000, () => isReady(added))
    const after = await applied()
    await more("migrated, the version before still serves")
    rotation.push(added)
    await more("both at once")
    for (const slot of [other, one]) {
      starts.push(await replace(installation, rotation, slot))
      await more("one replaced")
    }
    await running.stop()
    journal.close()
    const [stored] = await installation.query("SELECT count(*)::int AS n FROM orders WHERE store_id = $1", [
      shop.storeId
    ])
    if (Number(stored?.["n"]) !== placed) violations.push(`${placed} orders were answered, ${stored?.["n"]} are stored`)
    await Promise.all(rotation.map(({ server }) => server?.stop()))
    violations.push(...audited(installation.dataDir))
    return { counts: { orders: placed, migrations: after - before }, latencies: starts, violations }
  } finally {
    await installation.close()
  }
}
