/**
 * Runs and type-checks the README's embedding lines as they are printed there: once where npm has installed the
 * packages, once in pnpm's strict layout, in which a package finds nothing that it does not name itself. Each has a
 * database of its own, a `postgres://` one as a host brings it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Packed } from "./packPackages.ts"
import { demand, runProgram } from "./runProgram.ts"

export interface ReadmeOptions {
  /** Where npm has installed the packages. */
  readonly consumer: string
  /** An empty folder for pnpm. */
  readonly strict: string
  readonly packed: ReadonlyArray<Packed>
  readonly root: string
}

/** The blocks of TypeScript below "Embed it": opening, the lines of frameworks, the first store. */
const embeddingBlocks = (root: string): { readonly opening: string; readonly firstStore: string } => {
  const [, below = ""] = readFileSync(join(root, "README.md"), "utf8").split("\n## Embed it\n")
  const [section = ""] = below.split("\n## ")
  const blocks = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = ""]) => block)
  const opening = blocks.find((block) => block.includes("await createCommerce("))
  const firstStore = blocks.find((block) => block.includes("Effect.gen("))
  demand(opening !== undefined && firstStore !== undefined, "README.md does not show how to embed it any more")
  return { opening, firstStore }
}

/** The README says of its second block that its imports are the example's. */
const importsOf = (root: string): string =>
  readFileSync(join(root, "examples/embed/main.ts"), "utf8")
    .split("\n")
    .filter((line) => /^import .* from "(effect|@effect-commerce\/.*)"$/.test(line) && !line.includes("createCommerce"))
    .join("\n")

const checks = `
if (!apiKey.startsWith("svc_")) throw new Error("the first store has no key")
if (orders.meta.total !== 0) throw new Error("a new store has orders")
`

/** A PostgreSQL of its own for the program of another folder: the embedded one, behind a port. */
const withDatabase = `
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { Effect, Redacted } from "effect"

const [dataDir, cwd] = process.argv.slice(2)
const behindPort = (path) =>
  new Promise((done) => {
    const server = createServer((incoming) => {
      const outgoing = connect(path)
      incoming.pipe(outgoing).pipe(incoming)
      for (const [one, other] of [[incoming, outgoing], [outgoing, incoming]]) {
        one.on("error", () => other.destroy())
        one.on("close", () => other.destroy())
      }
    }).listen(0, "127.0.0.1", () => done(server))
  })
const program = (env) =>
  new Promise((done) => {
    const child = spawn(process.execPath, ["readme.ts"], { cwd, env: { ...process.env, ...env }, stdio: "inherit" })
    child.on("close", done)
  })
await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
  const { path, username, password, database } = (yield* EmbeddedPostgres.start({ dataDir })).connection
  const server = yield* Effect.promise(() => behindPort(path))
  const login = username + ":" + encodeURIComponent(Redacted.value(password))
  process.exitCode = yield* Effect.promise(() => program({
    DATABASE_URL: "postgres://" + login + "@127.0.0.1:" + server.address().port + "/" + database,
    COMMERCE_SECRET: "a root secret of thirty-two bytes or more"
  }))
  server.close()
})))
`

export const useReadme = async ({ consumer, strict, packed, root }: ReadmeOptions): Promise<ReadonlyArray<string>> => {
  const { opening, firstStore } = embeddingBlocks(root)
  writeFileSync(join(consumer, "with-database.js"), withDatabase)
  await installStrictly(strict, packed, root)
  for (const [folder, name] of [
    [consumer, "npm"],
    [strict, "pnpm"]
  ] as const) {
    writeFileSync(join(folder, "readme.ts"), `${importsOf(root)}\n${opening}${firstStore}${checks}`)
    await runProgram(process.execPath, ["with-database.js", join(consumer, `.readme-${name}`), folder], {
      cwd: consumer
    })
    await checkTypes(folder, root)
  }
  return ["the README's embedding lines run and type-check as npm installs the packages, and in pnpm's strict layout"]
}

/**
 * What is not published yet is named by its tarball wherever it is asked for. Nothing is hoisted, so an import that its
 * package does not declare is found nowhere.
 */
const installStrictly = async (strict: string, packed: ReadonlyArray<Packed>, root: string): Promise<void> => {
  const ours = Object.fromEntries(
    packed.filter(({ name }) => name !== "@effect-commerce/cli").map(({ name, tarball }) => [name, `file:${tarball}`])
  )
  const manifest = {
    name: "strict",
    private: true,
    type: "module",
    dependencies: { ...ours, effect: "~4.1.0", "@types/node": "24.10.1" },
    pnpm: { overrides: ours }
  }
  writeFileSync(join(strict, "package.json"), JSON.stringify(manifest))
  mkdirSync(join(strict, ".store"))
  const pnpm = join(root, "node_modules/pnpm/bin/pnpm.cjs")
  const settings = ["--store-dir", join(strict, ".store"), "--config.hoist=false", "--config.strict-peer-dependencies"]
  await runProgram(process.execPath, [pnpm, "install", ...settings], { cwd: strict, limit: 400_000 })
}

const checkTypes = async (folder: string, root: string): Promise<void> => {
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["readme.ts"] }))
  await runProgram(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], { cwd: folder })
}
