/**
 * Run by npm around packing (`prepack`, `postpack`), in a package's folder. The condition `source` leads to sources, which are not published: whoever
 * builds with that condition, as some bundlers and monorepos do, would be led to files that are not there. So it leaves the manifest that is packed.
 *
 *   node ../../scripts/publishedManifest.ts strip | restore
 */
import { readFileSync, writeFileSync } from "node:fs"

type Conditions = Readonly<Record<string, string>> | string | null
interface Manifest {
  readonly exports?: Readonly<Record<string, Conditions>>
}

const strip = ({ source: _, ...rest }: Readonly<Record<string, string>>): Conditions => rest

/** `./dist/*.js` was made of `./src/*.ts`; conditions are tried in their order, so `source` comes first. */
const restore = ({ source: _, ...rest }: Readonly<Record<string, string>>): Conditions => ({
  source: (rest["default"] ?? "").replace("./dist/", "./src/").replace(/\.js$/, ".ts"),
  ...rest
})

const change = { strip, restore }[process.argv[2] ?? ""]
if (change === undefined) throw new Error("usage: publishedManifest.ts strip | restore")
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest
if (manifest.exports !== undefined) {
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([path, conditions]) => [
      path,
      typeof conditions === "object" && conditions !== null ? change(conditions) : conditions
    ])
  )
  writeFileSync("package.json", `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`)
}
