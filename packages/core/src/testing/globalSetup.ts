/**
 * Vitest's globalSetup: one PostgreSQL for the run, also where several projects name this file. Connection data reach
 * the workers in an environment variable; `TestDatabase` reads it. If the variable is already set when the run starts,
 * no server is started.
 */
import { startTestServer, testServerVariable } from "./TestServer.ts"

interface Run {
  users: number
  readonly started: ReturnType<typeof startTestServer>
}

/** Projects load this file separately, so what they share is stored on `globalThis`. */
const runs = globalThis as { [runKey]?: Run }
const runKey = Symbol.for("@effect-commerce/core/testing/run")

export const setup = async (): Promise<() => Promise<void>> => {
  if (runs[runKey] === undefined && process.env[testServerVariable] !== undefined) return () => Promise.resolve()
  const run: Run = runs[runKey] ?? { users: 0, started: startTestServer() }
  runs[runKey] = run
  run.users += 1
  const { server, stop } = await run.started
  process.env[testServerVariable] = JSON.stringify(server)
  return async () => {
    run.users -= 1
    if (run.users > 0) return
    delete runs[runKey]
    delete process.env[testServerVariable]
    await stop()
  }
}
