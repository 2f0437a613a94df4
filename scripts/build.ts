/**
 * Makes the publishable packages: `npm run build`, or `npm run build -- core` for one. Each source file of a library
 * becomes one module of `dist` (tsup, ESM), with its declaration beside it (tsc), so that a host loads only what it
 * imports and paths relative to a module hold as they do in the sources. Data files are copied. The command becomes one
 * program. At the end every module of `dist` is loaded once, the way an installed package is.
 */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "tsup"
import { bundleCommand } from "./bundleCommand.ts"
import { copyRenderer } from "./rendererFiles.ts"

const root = join(import.meta.dirname, "..")
/** Lowest first: the declarations of one are read by the next. */
const published = ["core", "handler", "cli"]

/** Imports of our own files stay imports, of the built file. */
const keepModules = {
  name: "keep-modules",
  setup: (esbuild: {
    onResolve: (
      options: { filter: RegExp },
      resolve: (args: { path: string; kind: string }) => object | undefined
    ) => void
  }) => {
    esbuild.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/\.ts$/, ".js"), external: true }
    )
  }
}

const run = (args: ReadonlyArray<string>): void => {
  execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" })
}

const buildLibrary = async (name: string): Promise<void> => {
  const folder = join(root, "packages", name)
  const [source, out] = [join(folder, "src"), join(folder, "dist")]
  rmSync(out, { recursive: true, force: true })
  await build({
    // A declaration file in the sources describes a package without types: it is not built.
    entry: [join(source, "**/*.ts"), `!${join(source, "**/*.d.ts")}`],
    outDir: out,
    format: "esm",
    target: "node22",
    platform: "node",
    splitting: true,
    sourcemap: true,
    dts: false,
    config: false,
    silent: true,
    skipNodeModulesBundle: true,
    esbuildPlugins: [keepModules]
  })
  run([join(root, "node_modules/typescript/bin/tsc"), "-p", join(folder, "tsconfig.build.json")])
  for (const path of globSync("**/*.d.ts", { cwd: out })) rewriteImports(join(out, path))
  for (const file of globSync("**/*", { cwd: source, withFileTypes: true })) {
    if (!file.isFile() || /\.(ts|md)$/.test(file.name)) continue
    const path = join(file.parentPath, file.name)
    cpSync(path, path.replace(source, out))
  }
  if (name === "core") cpSync(join(root, "NOTICE"), join(out, "NOTICE"))
  if (name === "handler") copyRenderer(join(out, "system/reference/scalar"))
}

/** tsc rewrites `.ts` suffixes in JavaScript only; in a declaration they would name sources that are not published. */
const rewriteImports = (path: string): void => {
  const text = readFileSync(path, "utf8")
  writeFileSync(path, text.replace(/((?:from|import) ?\(?"\.[^"]*)\.ts"/g, '$1.js"'))
}

/** Finds modules that cannot be loaded before somebody installs the package. */
const check = (name: string): void => {
  const out = join(root, "packages", name, "dist")
  const modules = globSync("**/*.js", { cwd: out }).filter((path) => !path.startsWith(join("system/reference/scalar")))
  const loads = modules.map((path) => `await import(${JSON.stringify(pathToFileURL(join(out, path)).href)})`)
  run(["--input-type=module", "--eval", loads.join("\n")])
  console.log(`@effect-commerce/${name}: ${modules.length} modules`)
}

const asked = process.argv.slice(2)
for (const name of published.filter((each) => asked.length === 0 || asked.includes(each))) {
  if (name === "cli") {
    await bundleCommand()
    execFileSync(process.execPath, [join(root, "packages/cli/dist/main.js"), "--help"], { stdio: "ignore" })
    console.log("@effect-commerce/cli: one program")
  } else {
    await buildLibrary(name)
    check(name)
  }
}
