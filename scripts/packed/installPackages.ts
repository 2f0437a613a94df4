/** Installs the tarballs as a stranger would: an empty folder, `npm install`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Packed } from "./packPackages.ts"
import { demand, runProgram } from "./runProgram.ts"

/**
 * What a host application brings: `effect`, `pg` and its types for a pool of its own, Node's types for a TypeScript
 * project.
 */
const hostPackages = ["effect", "pg@8.23.1", "@types/pg@8.23.1", "@types/node@24.10.1"]

interface Manifest {
  readonly exports?: unknown
  readonly version: string
  readonly license?: string
  readonly engines?: { readonly node?: string }
}

export const installPackages = async (consumer: string, packed: ReadonlyArray<Packed>): Promise<string> => {
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }))
  await runProgram(
    "npm",
    ["install", "--no-audit", "--no-fund", ...packed.map(({ tarball }) => tarball), ...hostPackages],
    { cwd: consumer, limit: 400_000 }
  )
  for (const { name } of packed) {
    const folder = join(consumer, "node_modules", name)
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest
    demand(
      !JSON.stringify(manifest.exports ?? {}).includes("src/"),
      `${name}: its exports lead to sources, which are not published`
    )
    demand(
      manifest.license === "MIT" && manifest.engines?.node !== undefined,
      `${name}: its manifest has no licence or no engines`
    )
    demand(
      !existsSync(join(folder, "node_modules/@effect-commerce")),
      `${name}: a second copy of our packages was installed: their versions do not agree`
    )
  }
  const all = readFileSync(join(consumer, "node_modules/.package-lock.json"), "utf8")
  const count = Object.keys((JSON.parse(all) as { packages: object }).packages).length
  return `${count} packages in node_modules`
}
