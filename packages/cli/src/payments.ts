/** The work of `commerce payments`. */
import { NeglectedPayments } from "@effect-commerce/core/charge/NeglectedPayments"
import { PaymentNotices } from "@effect-commerce/core/notice/PaymentNotices"
import { Effect } from "effect"
import { withExisting } from "./existingDatabase.ts"
import type { Settings } from "./Settings.ts"

/** What needs a person, the oldest first. */
export const listPayments = (settings: Settings) =>
  withExisting(
    settings,
    Effect.gen(function* () {
      const operations = yield* NeglectedPayments.use(({ list }) => list)
      const notices = yield* PaymentNotices.use(({ neglected }) => neglected)
      const found = [
        ...operations.map((row) => ({ what: row.kind, ...row })),
        ...notices.map((row) => ({ what: "notice" as const, ...row }))
      ]
      return found
        .map(({ what, id, storeId, provider, state, reason, since }) => ({
          what,
          id,
          storeId,
          provider,
          state,
          reason,
          since: since.toISOString()
        }))
        .toSorted((a, b) => (a.since < b.since ? -1 : 1))
    })
  )

export const reopenNotices = (
  settings: Settings,
  name: { readonly providerId: string | undefined; readonly eventId: string | undefined }
) =>
  withExisting(
    settings,
    Effect.map(
      PaymentNotices.use(({ reopen }) => reopen(name)),
      (reopened) => ({ reopened: reopened.length })
    )
  )
