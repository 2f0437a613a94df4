/**
 * Uses the installed packages from a program of its own: plain ESM, CommonJS, and TypeScript as two kinds of projects
 * resolve it.
 */
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isForBrowsers, type Packed } from "./packPackages.ts"
import { demand, runProgram } from "./runProgram.ts"

export interface LibraryOptions {
  readonly packed: ReadonlyArray<Packed>
  /** Where a TypeScript is installed. */
  readonly root: string
}

/** `@effect-commerce/core/tax/TaxRates` for `dist/tax/TaxRates.js`. */
const specifiersOf = ({ name, files }: Packed): ReadonlyArray<string> =>
  files
    .filter((file) => /^dist\/.*\.js$/.test(file) && !isForBrowsers(file))
    .map((file) => `${name}${file.slice("dist".length, -".js".length)}`)

const esm = `
import assert from "node:assert"
import { createServer } from "node:http"
import { parseMoney, formatMoney } from "@effect-commerce/core/kernel/Money"
import { Stores } from "@effect-commerce/core/store/Stores"
import { createCommerce } from "@effect-commerce/handler"
import { Effect } from "effect"

const commerce = await createCommerce({ database: { dataDir: ".commerce" } })
const ready = await commerce.fetch(new Request("http://shop/api/health/ready"))
assert.equal(ready.status, 200)
const [store] = await Effect.runPromise(Effect.provideContext(Stores.use((stores) => stores.list), commerce.services))
assert.equal(store.name, "Demo store")
const server = createServer(commerce.node).listen(0)
const answer = await fetch("http://127.0.0.1:" + server.address().port + "/api/health/live")
assert.equal(answer.status, 200)
server.close()
server.closeAllConnections()
await commerce.close()
assert.equal((await import("@effect-commerce/core/package.json", { with: { type: "json" } })).default.license, "MIT")
assert.equal(typeof parseMoney, typeof formatMoney)

// Not exported by the package; the program that it starts is beside it.
const decoding = new URL("node_modules/@effect-commerce/core/dist/image/DecodingProcess.js", import.meta.url)
const { makeDecodingProcess } = await import(decoding)
const { decode, close } = makeDecodingProcess({ side: 400, maxPixels: 1e6, maxBytes: 1e9, millis: 60_000 })
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
assert.ok((await Effect.runPromise(decode(Buffer.from(pixel, "base64")))) instanceof Uint8Array)
await Effect.runPromise(close)
`

const typed = `
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import { OrderStockInsufficient } from "@effect-commerce/core/order/OrderErrors"
import { Stores } from "@effect-commerce/core/store/Stores"
import { type Commerce, createCommerce } from "@effect-commerce/handler"
import { Effect } from "effect"
import pg from "pg"

export const open = async (): Promise<Commerce> => {
  const pool = new pg.Pool()
  return createCommerce({ database: { pool, schema: "commerce" }, secret: "a secret" })
}

export const place = async (commerce: Commerce, client: pg.ClientBase, storeId: string): Promise<string> => {
  const work = Effect.gen(function* () {
    const store = yield* Stores.use((stores) => stores.context(storeId))
    return yield* OrderEntry.use((entry) => entry.create(store, { currency: "EUR", items: [{ productId: "prod_1", quantity: 1 }] }))
  })
  try {
    return (await commerce.inTransaction(client, work)).orderNumber
  } catch (error) {
    return error instanceof OrderStockInsufficient ? String(error.items[0]?.available) : "?"
  }
}

// @ts-expect-error a database is needed
export const none: Promise<Commerce> = createCommerce({})
`

const projects = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" }
]

export const useLibrary = async (
  consumer: string,
  { packed, root }: LibraryOptions
): Promise<ReadonlyArray<string>> => {
  const write = (name: string, text: string) => writeFileSync(join(consumer, name), text)
  const node = (args: ReadonlyArray<string>) => runProgram(process.execPath, args, { cwd: consumer })

  write("host.js", esm)
  await node(["host.js"])
  // A consumer whose tools know the condition that our own sources use must be led to what is published all the same.
  const all = packed.filter(({ name }) => name !== "@effect-commerce/cli").flatMap(specifiersOf)
  const specifiers = all.filter((specifier) => !specifier.includes("/internal/"))
  write("everything.js", specifiers.map((specifier) => `await import(${JSON.stringify(specifier)})`).join("\n"))
  await node(["--conditions=source", "everything.js"])
  const internal = all.filter((specifier) => specifier.includes("/internal/"))
  write(
    "closed.js",
    `const open = ${JSON.stringify(internal)}.filter((one) => { try { return import.meta.resolve(one) } catch { return false } })
if (open.length > 0) { console.error("internal modules that can be imported: " + open.join(" ")); process.exit(1) }`
  )
  await node(["closed.js"])
  write(
    "required.cjs",
    `if (typeof require("@effect-commerce/core/kernel/Money").parseMoney !== "function") process.exit(1)`
  )
  await node(["required.cjs"])

  write("typed.ts", typed)
  copyFileSync(join(root, "examples/redirect-payments/provider.ts"), join(consumer, "provider.ts"))
  write(
    "everything.ts",
    specifiers.map((specifier, i) => `export * as module${i} from ${JSON.stringify(specifier)}`).join("\n")
  )
  const shared = {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true
  }
  for (const project of projects) {
    write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { ...shared, ...project, skipLibCheck: true },
        files: ["typed.ts", "provider.ts", "everything.ts"]
      })
    )
    await node([join(root, "node_modules/typescript/bin/tsc"), "-p", "."])
  }
  await checkDeclarations(consumer, root, shared)
  demand(specifiers.length > 50, `only ${specifiers.length} modules can be imported`)
  return [
    `createCommerce answered over fetch and over node:http from a plain ESM file; ` +
      `${internal.length} internal modules are refused`,
    `${specifiers.length} modules can be imported by name, with types for nodenext and bundler projects; require() ` +
      `works`
  ]
}

/** Checks our own declarations without skipLibCheck; errors in those of other packages are ignored. */
const checkDeclarations = async (consumer: string, root: string, shared: object): Promise<void> => {
  writeFileSync(
    join(consumer, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { ...shared, ...projects[0], skipLibCheck: false },
      files: ["typed.ts", "everything.ts"]
    })
  )
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", "."]
  const errors = await runProgram(process.execPath, tsc, { cwd: consumer }).catch((error: Error) => error.message)
  const ours = errors.split("\n").filter((line) => line.includes("@effect-commerce/") && line.includes("error TS"))
  demand(ours.length === 0, `declarations that do not hold:\n${ours.join("\n")}`)
}
