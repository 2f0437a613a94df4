/** Packs the built packages as `npm publish` would, and says what must and must not be in a tarball. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { demand, runProgram } from "./runProgram.ts"

export interface Packed {
  readonly name: string
  readonly tarball: string
  /** Paths inside the package. */
  readonly files: ReadonlyArray<string>
  /** Bytes, compressed. */
  readonly size: number
}

const published = ["core", "handler", "cli"]
const always = ["package.json", "README.md", "LICENSE"]
const wanted = /^(package\.json|README\.md|LICENSE|NOTICE|dist\/.*|migrations\/\d{4}_[a-z0-9_]+\.sql)$/
const unwanted = /(\.test\.|\.tsbuildinfo$|(?<!\.d)\.ts$|^dist\/.*\/README\.md$)/

/** The renderer of the reference page, which browsers load: no module of ours (scripts/rendererFiles.ts). */
export const isForBrowsers = (file: string): boolean => file.startsWith("dist/system/reference/scalar/")

export const packPackages = async (tree: string, tarballs: string): Promise<ReadonlyArray<Packed>> => {
  const packed: Array<Packed> = []
  for (const folder of published) packed.push(await packOne(join(tree, "packages", folder), tarballs))
  return packed
}

const packOne = async (folder: string, tarballs: string): Promise<Packed> => {
  const before = readFileSync(join(folder, "package.json"), "utf8")
  const printed = await runProgram("npm", ["pack", "--json", "--pack-destination", tarballs], { cwd: folder })
  // The output of prepack comes before it.
  const [told] = JSON.parse(printed.slice(printed.search(/^[[{]/m))) as ReadonlyArray<{
    name: string
    filename: string
    size: number
    files: ReadonlyArray<{ path: string }>
  }>
  demand(told !== undefined, `npm pack said nothing in ${folder}`)
  const files = told.files.map(({ path }) => path)
  demand(
    readFileSync(join(folder, "package.json"), "utf8") === before,
    `${told.name}: packing left its package.json changed`
  )
  for (const file of always) demand(files.includes(file), `${told.name}: ${file} is not in the tarball`)
  for (const file of files)
    demand(wanted.test(file) && !unwanted.test(file), `${told.name}: ${file} does not belong in the tarball`)
  const isCommand = files.includes("dist/main.js")
  if (isCommand)
    demand(files.includes("dist/NOTICE"), `${told.name}: the licences of what it has parts of are not in the tarball`)
  for (const file of isCommand ? [] : files.filter((path) => path.endsWith(".js") && !isForBrowsers(path))) {
    demand(files.includes(file.replace(/\.js$/, ".d.ts")), `${told.name}: ${file} has no declaration`)
  }
  return { name: told.name, tarball: join(tarballs, told.filename), files, size: told.size }
}
