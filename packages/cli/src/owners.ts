/** The work of `commerce owner`: for the operator, when nobody can log in, or a store has nobody yet. */
import { randomBytes } from "node:crypto"
import { isEmail } from "@effect-commerce/core/kernel/Address"
import { Stores } from "@effect-commerce/core/store/Stores"
import { DashboardAccounts } from "@effect-commerce/core/team/DashboardAccounts"
import { StoreOwners } from "@effect-commerce/core/team/StoreOwners"
import { Teams } from "@effect-commerce/core/team/Teams"
import { Effect } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { onlyStore } from "./openCore.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"
import { checkPassword } from "./setUp.ts"

export interface OwnerAsked {
  readonly email: string
  readonly password?: string | undefined
}

/** `password` is there if it was generated. */
export interface OwnerRow {
  readonly email: string
  readonly password?: string
}

const check = ({ email, password }: OwnerAsked): void => {
  if (!isEmail(email.trim())) throw new WrongUsage("--email: must be an e-mail address")
  checkPassword(password)
}

const generated = () => randomBytes(12).toString("base64url")

const storeOf = Effect.fnUntraced(function* (storeId: string | undefined) {
  return yield* storeId === undefined ? onlyStore("--store") : (yield* Stores).context(storeId)
})

/** Everybody in a store's team, with their roles. */
export const listTeam = (settings: Settings, storeId: string | undefined) =>
  listExisting(
    settings,
    Effect.gen(function* () {
      const members = yield* (yield* Teams).list(yield* storeOf(storeId))
      return members.map(({ id, email, name, role, status }) => ({ id, email, name, role, status }))
    })
  )

/** Makes a person an owner of a store. One who has a password keeps it. */
export const addOwner = (settings: Settings, storeId: string | undefined, asked: OwnerAsked) => {
  check(asked)
  const password = asked.password ?? generated()
  return withExisting(
    settings,
    Effect.gen(function* () {
      const { id, accountId } = yield* storeOf(storeId)
      const { email, isNew } = yield* StoreOwners.use((owners) =>
        owners.add({ id, accountId }, { email: asked.email, password })
      )
      const row: OwnerRow = isNew && asked.password === undefined ? { email, password } : { email }
      return { storeId: id, ...row }
    })
  )
}

/** A new password for a person of the dashboard. All their sessions end. */
export const setOwnerPassword = (settings: Settings, asked: OwnerAsked) => {
  check(asked)
  const password = asked.password ?? generated()
  return withExisting(
    settings,
    DashboardAccounts.use((accounts) => accounts.setPassword(asked.email, password)).pipe(
      Effect.map(({ email }): OwnerRow => (asked.password === undefined ? { email, password } : { email })),
      Effect.catchTag("DashboardUserNotFound", () =>
        Effect.fail(new Refused(`nobody logs in with ${asked.email}: \`commerce owner add\` adds a person`))
      )
    )
  )
}
