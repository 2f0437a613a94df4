/**
 * Proves that what would be published can be used: builds a copy of the working tree, packs the packages, looks into
 * the tarballs, installs them with npm in an empty folder, and there buys something from `npx commerce serve --demo`,
 * imports the library from plain ESM and checks a consumer's types, runs the README's embedding lines there and in pnpm's
 * strict layout, and finds that a host has one copy of effect, or is told.
 * The working tree is never built in. The dependencies come from npm's registry.
 *
 *   npm run pack:check            ends with 1 and the reason where something does not hold
 *   npm run pack:check -- --keep  leaves the folders for a look
 */
import { mkdirSync, mkdtempSync, chmodSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { buySomething } from "./packed/buySomething.ts"
import { checkEffect } from "./packed/checkEffect.ts"
import { installPackages } from "./packed/installPackages.ts"
import { packPackages } from "./packed/packPackages.ts"
import { runProgram } from "./packed/runProgram.ts"
import { useLibrary } from "./packed/useLibrary.ts"
import { useReadme } from "./packed/useReadme.ts"
import { copyWorkingTree } from "./workingCopy.ts"

const root = join(import.meta.dirname, "..")
const keep = process.argv.includes("--keep")
// npm, npx and whatever they start run on the Node that runs this.
process.env["PATH"] = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`
for (const name of Object.keys(process.env))
  if (/^(npm_|COMMERCE_|DATABASE_URL$|NODE_OPTIONS$)/.test(name)) delete process.env[name]

const folder = mkdtempSync(join(tmpdir(), "pack-check-"))
// The embedded server may run as another user, who must get here.
chmodSync(folder, 0o755)
const [tree, tarballs, consumer, elsewhere, strict] = [
  join(folder, "tree"),
  join(folder, "tarballs"),
  join(folder, "consumer"),
  join(folder, "elsewhere"),
  join(folder, "strict")
]
for (const each of [tree, tarballs, consumer, elsewhere, strict]) mkdirSync(each)

const step = async <A>(what: string, work: () => Promise<A>): Promise<A> => {
  const began = performance.now()
  const done = await work()
  console.log(`${what} (${((performance.now() - began) / 1_000).toFixed(1)} s)`)
  return done
}

const check = async (): Promise<void> => {
  await step("copied the working tree and built the packages", async () => {
    copyWorkingTree(root, tree)
    await runProgram(process.execPath, ["scripts/build.ts"], { cwd: tree, limit: 900_000 })
  })
  const packed = await step("packed them and looked into the tarballs", () => packPackages(tree, tarballs))
  for (const { name, files, size } of packed)
    console.log(`  ${name}: ${files.length} files, ${Math.round(size / 1_024)} KiB`)
  const told = await step("installed them in an empty folder", () => installPackages(consumer, packed))
  console.log(`  ${told}`)
  for (const line of await step("used the command", () => buySomething(consumer))) console.log(`  ${line}`)
  for (const line of await step("used the library", () => useLibrary(consumer, { packed, root })))
    console.log(`  ${line}`)
  for (const line of await step("ran the README's lines", () => useReadme({ consumer, strict, packed, root })))
    console.log(`  ${line}`)
  for (const line of await step("counted copies of effect", () => checkEffect(consumer, elsewhere, packed)))
    console.log(`  ${line}`)
}

try {
  await check()
  console.log("The packed packages install, run and type-check.")
} catch (error) {
  console.error(`pack:check: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  if (keep) console.log(`kept in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
