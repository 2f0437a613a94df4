/**
 * The servers under measurement, each a process: the product as `commerce serve` starts it, the baseline, and the bare
 * statements.
 */
import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { freePort, hasSaid, startFile, type StartOptions, stop } from "./processes.ts"
import type { Shop } from "./seed.ts"

export interface Serving {
  readonly child: ChildProcess
  readonly port: number
}

/** Connections of one server: the product's own default. */
const maxConnections = 12

/**
 * The command as `npm run commerce` runs it, over a data directory whose database is running already. Limits off, their
 * store in memory, as for one process behind a proxy that limits.
 */
export const serveProduct = async (dataDir: string, options: ProductOptions = {}): Promise<Serving> => {
  const port = await freePort()
  const child = startProduct(dataDir, port, options)
  await hasSaid(child, "listening")
  return { child, port }
}

/** What `npm run commerce` says to the system and to node, so that the same is measured. */
const words = (
  JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    scripts: { commerce: string }
  }
).scripts.commerce.split(" ")
const memoryFlags = words.filter((word) => word.startsWith("--") && !word.startsWith("--conditions"))
const memoryEnv = Object.fromEntries(words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("=")))

export interface ProductOptions extends StartOptions {
  /** A folder whose command is to serve from its sources, as they are: another checkout's, or this one's. */
  readonly checkout?: string
}

const startProduct = (
  dataDir: string,
  port: number,
  { node = [], env = {}, args = [], checkout }: ProductOptions = {}
): ChildProcess =>
  startFile(
    checkout === undefined
      ? "../../../scripts/commerce.ts"
      : pathToFileURL(join(checkout, "packages/cli/src/main.ts")).href,
    {
      args: ["serve", "--data-dir", dataDir, "--port", String(port), ...args],
      env: {
        DATABASE_URL: undefined,
        COMMERCE_RATE_LIMIT_PER_MINUTE: "off",
        COMMERCE_RATE_LIMIT_STORE: "memory",
        ...memoryEnv,
        ...env
      },
      node: [...memoryFlags, ...node]
    }
  )

/** Sessions like the product's: its role, its bounds. */
const session =
  "-c role=commerce_app -c timezone=UTC -c jit=off -c statement_timeout=5000 -c lock_timeout=4000 -c " +
  "idle_in_transaction_session_timeout=2000"

const servePlain = async (file: string, connection: ConnectionOptions, more: object): Promise<Serving> => {
  const port = await freePort()
  const options = { port, maxConnections, database: { ...nodePostgresConfig(connection), options: session }, ...more }
  const child = startFile(file, { args: [JSON.stringify(options)] })
  await hasSaid(child, "listening")
  return { child, port }
}

/** As it was frozen, or finding a page's rows before it dresses them. */
export const serveBaseline = (connection: ConnectionOptions, findsFirst = false): Promise<Serving> =>
  servePlain("./baseline.ts", connection, { findsFirst })
export const serveOrdersBaseline = (connection: ConnectionOptions): Promise<Serving> =>
  servePlain("./baselineOrders.ts", connection, {})
export const serveBare = (connection: ConnectionOptions, { storeId }: Shop): Promise<Serving> =>
  servePlain("./bare.ts", connection, { storeId })

/**
 * Seconds from the start of `commerce serve`, on a data directory whose database is not running, to the first 200 of
 * the readiness route.
 */
export const measureReady = async (dataDir: string): Promise<number> => {
  const port = await freePort()
  const start = performance.now()
  const child = startProduct(dataDir, port)
  try {
    while (!(await isReady(port))) {
      if (performance.now() - start > 30_000) throw new Error("not ready within 30 s")
      await new Promise((done) => setTimeout(done, 5))
    }
    return (performance.now() - start) / 1_000
  } finally {
    await stop(child)
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
    (response) => response.status === 200,
    () => false
  )
