/**
 * A host and its `effect`: one copy if the versions agree, npm's error if they do not, and an error of ours if there is
 * a second copy all the same.
 */
import { globSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Packed } from "./packPackages.ts"
import { demand, runProgram } from "./runProgram.ts"

/** A version that the peer range leaves out. */
const otherVersion = "4.0.6"

const secondCopy = `
import { createCommerce } from "@effect-commerce/handler"
import { Redacted } from "effect-other"

const secret = Redacted.make("a root secret of thirty-two bytes or more")
const told = await createCommerce({ database: { dataDir: ".commerce" }, secret }).then(() => "nothing", (error) => error.message)
if (!told.includes("another copy of effect") || !told.includes("npm ls effect")) {
  console.error("a Redacted of another copy of effect was answered with: " + told)
  process.exit(1)
}
console.log(told)
`

export const checkEffect = async (
  consumer: string,
  elsewhere: string,
  packed: ReadonlyArray<Packed>
): Promise<ReadonlyArray<string>> => {
  const copies = globSync("**/node_modules/effect/package.json", { cwd: consumer })
  demand(copies.length === 1, `a host with the same effect has ${copies.length} copies of it: ${copies.join(", ")}`)
  await runProgram("npm", ["ls", "effect"], { cwd: consumer })
  const refused = await refusedInstall(elsewhere, packed)

  await runProgram("npm", ["install", "--no-audit", "--no-fund", `effect-other@npm:effect@${otherVersion}`], {
    cwd: consumer
  })
  writeFileSync(join(consumer, "second.js"), secondCopy)
  const told = await runProgram(process.execPath, ["second.js"], { cwd: consumer })
  return [
    "a host with the same effect has one copy",
    `with effect ${otherVersion}, npm says: ${refused}`,
    `with a second copy, the host is told: ${told.trim()}`
  ]
}

/** The line of npm's output that names the conflict. */
const refusedInstall = async (folder: string, packed: ReadonlyArray<Packed>): Promise<string> => {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "elsewhere", private: true, dependencies: { effect: otherVersion } })
  )
  const libraries = packed.filter(({ name }) => name !== "@effect-commerce/cli").map(({ tarball }) => tarball)
  const said = await runProgram("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund", ...libraries], {
    cwd: folder
  }).then(
    () => "",
    (error: Error) => error.message
  )
  const [line] = /peer effect@.*/.exec(said) ?? []
  demand(
    said.includes("ERESOLVE") && line !== undefined,
    `npm does not refuse a host with effect ${otherVersion}: ${said}`
  )
  return line
}
