/**
 * Copies what a browser loads of the renderer of the reference page (packages/handler/src/system/reference) out of its
 * package. That is a dev dependency: an installation of ours has the built files and none of the 160 packages that they
 * were made of. The licences of all of these lie beside them.
 */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const renderer = "@scalar/api-reference"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

/** The folder of a package as Node finds it from another one. */
const folderOf = (name: string, from: string): string => {
  const own = join(from, "node_modules", name)
  return existsSync(own) ? own : join(root, "node_modules", name)
}

/** The folders of a package and of all that it depends on. */
const withDependencies = (folder: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(folder) || !existsSync(folder)) return found
  found.add(folder)
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) withDependencies(folderOf(name, folder), found)
  return found
}

const noticeOf = (folder: string): string => {
  const { name, version, license } = manifestOf(folder)
  const [file] = globSync("{LICEN[CS]E,licen[cs]e}*", { cwd: folder })
  const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), "utf8").trim()
  return `${name} ${version}\n\n${text}\n`
}

/** `to` is made. */
export const copyRenderer = (to: string): void => {
  const folder = join(root, "node_modules", renderer)
  const browser = join(folder, "dist/browser")
  mkdirSync(join(to, "chunks"), { recursive: true })
  cpSync(join(browser, "standalone.esm.js"), join(to, "standalone.esm.js"))
  for (const name of readdirSync(join(browser, "chunks")))
    if (name.endsWith(".js")) cpSync(join(browser, "chunks", name), join(to, "chunks", name))
  const notices = [...withDependencies(folder)].sort().map(noticeOf)
  writeFileSync(join(to, "NOTICE.txt"), notices.join(`\n${"-".repeat(80)}\n\n`))
}
