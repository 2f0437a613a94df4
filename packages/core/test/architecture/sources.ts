/** The source files of the published packages, the migrations, and what each imports. Text only: nothing is loaded or run. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix, relative, sep } from "node:path"

export interface Source {
  /** From the repository's root, with forward slashes: `packages/core/src/tax/TaxMatcher.ts`. */
  readonly path: string
  readonly text: string
}

export interface Import {
  readonly from: string
  /** False for `import type` and for a list in which every name is marked `type`. */
  readonly atRunTime: boolean
}

const root = join(import.meta.dirname, "../../../..")
const published = ["packages/core/src", "packages/core/migrations", "packages/handler/src", "packages/cli/src"]

const filesUnder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))

/** Every file under `packages/{core,handler,cli}/src`, README.md included, and every migration. */
export const readSources = (): ReadonlyArray<Source> =>
  published.flatMap(filesUnder).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

export const isCode = ({ path }: Source): boolean => path.endsWith(".ts")

/** Code without its comments, so that a word in prose breaks no rule. Line numbers stay. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")).replace(/(^|\s)\/\/.*$/gm, "$1")

const statement = /^(?:import|export)\s+(type\s+)?([^"'`;]*?)\s*from\s*"([^"]+)"/gm
const bare = /^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm

export const importsOf = ({ text }: Source): ReadonlyArray<Import> => {
  const code = withoutComments(text)
  const named = [...code.matchAll(statement)].map(([, type, names = "", from = ""]) => ({
    from,
    atRunTime: type === undefined && !onlyTypes(names)
  }))
  const others = [...code.matchAll(bare)].map(([, first, second]) => ({ from: first ?? second ?? "", atRunTime: true }))
  return [...named, ...others]
}

const onlyTypes = (names: string): boolean => {
  const list = /\{([\s\S]*)\}/.exec(names)?.[1]
  if (list === undefined) return false
  const items = list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
  return items.length > 0 && items.every((item) => item.startsWith("type "))
}

/** The imported file from the repository's root, or undefined for a package that is not ours. */
export const resolved = (source: Source, from: string): string | undefined => {
  if (from.startsWith(".")) return posix.join(posix.dirname(source.path), from)
  const ours = /^@effect-commerce\/(\w+)\/(.+)$/.exec(from)
  return ours === null ? undefined : `packages/${ours[1]}/src/${ours[2]}.ts`
}

export const packageOf = (path: string): string => path.split("/")[1] ?? ""

/** The room of a file: `tax` for `packages/core/src/tax/internal/x.ts`; undefined for a file beside the rooms. */
export const roomOf = (path: string): string | undefined => {
  const parts = path.split("/")
  return parts.length > 4 ? parts[3] : undefined
}
