/** The work of `commerce audit`: findings are printed at once, so that memory does not grow with their number. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { Database } from "@effect-commerce/core/database/Database"
import * as Migrations from "@effect-commerce/core/migration/Migrations"
import { Effect, Layer } from "effect"
import { existingDatabase } from "./existingDatabase.ts"
import { settle } from "./openCore.ts"
import { drained, printLines, printText } from "./print.ts"
import { Refused } from "./Refused.ts"
import { ProgressLine } from "./seed/ProgressLine.ts"
import type { Settings } from "./Settings.ts"

export interface AuditAsked {
  readonly storeId: string | undefined
  readonly json: boolean
}

/** Sets the exit code to 1 if a law is broken. */
export const auditBooks = (settings: Settings, { storeId, json }: AuditAsked): Promise<void> =>
  settle(
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* existingDatabase(settings)
        if (!Migrations.isCurrent(yield* Migrations.status(connection))) {
          return yield* Effect.fail(new Refused("the database is not at this version's schema: run `commerce migrate`"))
        }
        const services = yield* Layer.build(
          Audit.layer.pipe(Layer.provide(Database.layer({ ...connection, maxConnections: 2 })))
        )
        let line: ProgressLine | undefined
        const progress = (_: number, all: number) => {
          line ??= new ProgressLine(all, "stores")
          line.step()
        }
        let compared: ProgressLine | undefined
        const documents = (done: number, all: number) => {
          if (done >= all && compared === undefined) return
          compared ??= new ProgressLine(all, "products compared")
          compared.to(done)
          if (done >= all) compared = undefined
        }
        const page = json ? jsonPage() : readingPage()
        const run = Effect.flatMap(Audit, (audit) =>
          audit.run({
            storeId,
            progress,
            documents,
            tell: (findings) =>
              Effect.andThen(
                Effect.sync(() => page.tell(findings)),
                Effect.promise(drained)
              )
          })
        )
        const done = yield* Effect.provideContext(run, services)
        page.end(
          done.findings === 0
            ? `The books agree: ${done.laws} laws hold in ${counted(done.stores, "store")}.`
            : `${counted(done.findings, "breach", "breaches")} of ${done.laws} laws in ` +
                `${counted(done.stores, "store")}.`
        )
        if (done.findings > 0) process.exitCode = 1
      })
    )
  )

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

interface Page {
  readonly tell: (findings: ReadonlyArray<Finding>) => void
  readonly end: (summary: string) => void
}

/** One JSON array, written piece by piece. */
const jsonPage = (): Page => {
  let begun = false
  return {
    tell: (findings) => {
      for (const finding of findings) {
        process.stdout.write(`${begun ? "," : "["}${JSON.stringify(finding)}`)
        begun = true
      }
    },
    end: () => printText(begun ? "]" : "[]")
  }
}

/** A heading for each law that a store breaks, the rows below it. */
const readingPage = (): Page => ({
  tell: (findings) => {
    let heading = ""
    for (const finding of findings) {
      const { law, says, storeId, table, id, expected, found } = finding
      const next = `${storeId}  ${law}: ${says}`
      if (next !== heading) printText(next)
      heading = next
      printText(
        id === null ? `  ${found}` : `  ${table} ${id}: is ${found ?? "missing"}, should be ${expected ?? "nothing"}`
      )
    }
  },
  end: (summary) => printLines([summary])
})
