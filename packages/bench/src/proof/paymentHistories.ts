/**
 * Histories of payments, each made of a seed (`simulation/history`). A history that fails is repeated alone by its own
 * number: `--only payments --seed NUMBER --rounds 1`.
 */
import { up } from "@effect-commerce/core/migration/Migrations"
import { Effect } from "effect"
import { runHistories, traceOf } from "../simulation/histories.ts"
import type { Outcome, Run } from "./Scenario.ts"

/** Shops beside each other, so that one goes on while another waits for the database. */
const shops = 3
/** Lines of a trace that are shown. */
const shownLines = 60

export const provePaymentHistories = async (
  { installation, seed, note }: Run,
  { histories }: { readonly histories: number }
): Promise<Outcome> => {
  const names = Array.from({ length: Math.min(shops, histories) }, (_, i) => `payments_${i + 1}`)
  for (const name of names) {
    await installation.query(`CREATE DATABASE ${name}`)
    // Processes are killed here, never the database: nothing is lost that a commit would have to wait for.
    await installation.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    await Effect.runPromise(up({ ...installation.connection, database: name }))
  }
  const databases = names.map((database) => ({ ...installation.connection, database }))
  const { counts, latencies, failed } = await runHistories({ first: seed, count: histories, databases, note })
  const [first] = failed
  if (first !== undefined) for (const line of traceOf(first, shownLines).split("\n")) note(line)
  return {
    counts,
    latencies,
    violations: failed.flatMap(({ seed: number, violations }) => violations.map((line) => `history ${number}: ${line}`))
  }
}
