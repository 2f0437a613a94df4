/** Creates a new installation for `init`, and for `serve` on an empty embedded database. */
import { randomBytes } from "node:crypto"
import { Installations, type SetUp } from "@effect-commerce/core/team/Installations"
import { isEmail } from "@effect-commerce/core/kernel/Address"
import { isCountry } from "@effect-commerce/core/kernel/Country"
import { isCurrency } from "@effect-commerce/core/kernel/Currency"
import { Effect } from "effect"
import { withCore } from "./openCore.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

export interface SetUpAsked {
  readonly name: string
  readonly currency: string
  readonly country: string
  readonly email?: string | undefined
  readonly password?: string | undefined
}

/** The owner's e-mail address until another one is set. */
const defaultEmail = "owner@example.com"
const shortestPassword = 8

/** The flags, or WrongUsage if one is invalid. */
export const checkSetUp = (asked: SetUpAsked): SetUpAsked => {
  checkStoreFlags(asked)
  const { email, password } = asked
  if (email !== undefined && !isEmail(email.trim())) throw new WrongUsage("--email: must be an e-mail address")
  checkPassword(password)
  if (password !== undefined && email === undefined) throw new WrongUsage("--password: needs --email")
  return asked
}

/** The password of a person of the dashboard, if one is given. */
export const checkPassword = (password: string | undefined): void => {
  if (password !== undefined && password.length < shortestPassword)
    throw new WrongUsage(`--password: must have at least ${shortestPassword} characters`)
}

/** Flags of a new store, for `init` and `store create`. */
export const checkStoreFlags = ({
  name,
  currency,
  country
}: Pick<SetUpAsked, "name" | "currency" | "country">): void => {
  if (name.trim() === "") throw new WrongUsage("--name: must not be empty")
  if (!isCurrency(currency)) throw new WrongUsage("--currency: must be an ISO 4217 code such as USD")
  if (!isCountry(country)) throw new WrongUsage("--country: must be an ISO 3166-1 alpha-2 code such as US")
}

/** `ownerPassword` is there if it was generated; it is not stored in plain text anywhere. */
export interface MadeInstallation extends SetUp {
  readonly ownerPassword?: string
}

/** On an installation that is set up already it fails with AlreadySetUp. */
export const setUp = Effect.fnUntraced(function* (asked: SetUpAsked) {
  const password = asked.password ?? randomBytes(12).toString("base64url")
  const made = yield* (yield* Installations).setUp({ ...asked, email: asked.email ?? defaultEmail, password })
  return (asked.password === undefined
    ? { ...made, ownerPassword: password }
    : made) satisfies MadeInstallation as MadeInstallation
})

export const setUpInstallation = (settings: Settings, asked: SetUpAsked): Promise<MadeInstallation> =>
  withCore(
    settings,
    setUp(asked).pipe(
      Effect.catchTag("AlreadySetUp", ({ storeId }) =>
        Effect.fail(
          new Refused(`already set up: the store ${storeId} is there; add another with \`commerce store create\``)
        )
      )
    )
  )
