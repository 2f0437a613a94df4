/**
 * A scenario of `npm run proof` in a small size, as a test: a seed that is shown when it fails, one installation for
 * the file.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { type Installation, openInstallation, type Slot } from "../src/proof/Installation.ts"
import { makeRandom } from "../src/proof/Random.ts"
import type { Outcome, Run } from "../src/proof/Scenario.ts"
import { killAll } from "../src/proof/Server.ts"

export interface Proved extends Outcome {
  readonly seed: number
}

export type Proving = (scenario: (run: Run) => Promise<Outcome>) => Promise<Proved>

/** Every scenario opens a shop of its own. */
export const provingOn = (open: () => Promise<Installation>): Proving => {
  let installation: Installation | undefined
  beforeAll(async () => {
    installation = await open()
  })
  afterAll(() => installation?.close())
  return async (scenario) => {
    if (installation === undefined) throw new Error("no installation was opened")
    const seed = Math.floor(Math.random() * 1_000_000)
    return { seed, ...(await scenario({ installation, random: makeRandom(seed), seed, note: () => undefined })) }
  }
}

/** With a data directory and servers that are processes; those that are alive are used again, and none is left. */
export const proving = (): Proving => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-proof-test-"))
  const slots: Array<Slot> = []
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return provingOn(async () => {
    const installation = await openInstallation(folder)
    return {
      ...installation,
      openSlots: async (count) => {
        slots.push(...(await installation.openSlots(count - slots.length)))
        return slots.slice(0, count)
      },
      start: async (slot, options) =>
        slot.server?.isAlive() === true ? slot.server : installation.start(slot, options),
      close: async () => {
        await killAll()
        await installation.close()
      }
    }
  })
}
