/**
 * The `commerce` command of this repository, as it would be published: bundled anew where a source changed since, which
 * takes a second. If the bundle cannot be written, the command runs from its sources, which takes more memory.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, statSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..")
const bundle = join(root, "packages/cli/dist/main.js")
const madeOf = [
  "packages/core/src",
  "packages/handler/src",
  "packages/cli/src",
  "packages/core/migrations",
  "package-lock.json",
  "scripts/bundleCommand.ts"
]

/** Folders count too: their time changes when a file is removed. */
const isOlder = (built: number, path: string): boolean => {
  const found = statSync(path)
  return (
    found.mtimeMs < built &&
    (!found.isDirectory() ||
      globSync("**/*", { cwd: path }).every((file) => statSync(join(path, file)).mtimeMs < built))
  )
}

const isCurrent = (): boolean => {
  if (!existsSync(bundle)) return false
  const built = statSync(bundle).mtimeMs
  return madeOf.every((path) => isOlder(built, join(root, path)))
}

/** A process of its own makes the bundle, so that the command does not load the bundler. */
const makeCurrent = (): boolean => {
  if (process.stderr.isTTY) process.stderr.write("commerce: bundling the command, once after a change …\n")
  try {
    execFileSync(process.execPath, [join(root, "scripts/build.ts"), "cli"], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"]
    })
    return true
  } catch (error) {
    const [what, why = ""] = String(error instanceof Error ? error.message : error).split("\n")
    process.stderr.write(`commerce: runs from its sources, because it could not be bundled: ${what} ${why}\n`)
    return false
  }
}

await import(
  isCurrent() || makeCurrent() ? pathToFileURL(bundle).href : pathToFileURL(join(root, "packages/cli/src/main.ts")).href
)
