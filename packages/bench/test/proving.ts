/** A scenario of `npm run proof` in a small size, as a test: its own database, a seed that is shown when it fails. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { type Installation, openInstallation } from "../src/proof/Installation.ts"
import { makeRandom } from "../src/proof/Random.ts"
import type { Outcome, Run } from "../src/proof/Scenario.ts"
import { killAll } from "../src/proof/Server.ts"

export interface Proved extends Outcome {
  readonly seed: number
}

/** One installation for the file; every scenario opens a shop of its own and leaves no server behind. */
export const proving = (): ((scenario: (run: Run) => Promise<Outcome>) => Promise<Proved>) => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-proof-test-"))
  let installation: Installation | undefined
  beforeAll(async () => {
    installation = await openInstallation(folder)
  })
  afterAll(async () => {
    await installation?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return async (scenario) => {
    if (installation === undefined) throw new Error("no installation was opened")
    const seed = Math.floor(Math.random() * 1_000_000)
    try {
      return { seed, ...(await scenario({ installation, random: makeRandom(seed), note: () => undefined })) }
    } finally {
      await killAll()
    }
  }
}
