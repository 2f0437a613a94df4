/** Creates a new installation for `init`, and for `serve` on an empty embedded database. */
import { randomBytes } from "node:crypto"
import { Installations, type SetUp } from "@effect-commerce/core/identity/Installations"
import { Effect } from "effect"
import { withCore } from "./openCore.ts"
import { note } from "./print.ts"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

export interface SetUpAsked {
  readonly name: string
  readonly currency: string
  readonly country: string
  readonly email: string
  readonly password?: string | undefined
}

const emailPattern = /^[^\s@]+@[^\s@]+$/

export const setUpInstallation = async (settings: Settings, asked: SetUpAsked): Promise<SetUp> => {
  if (!emailPattern.test(asked.email.trim())) throw new Refused("--email: must be an e-mail address")
  if (asked.password !== undefined && asked.password.length < 8) throw new Refused("--password: must have at least 8 characters")
  const made = asked.password ?? randomBytes(12).toString("base64url")
  const done = await withCore(
    settings,
    Effect.flatMap(Installations, (installations) => installations.setUp({ ...asked, password: made })).pipe(
      Effect.catchTag("AlreadySetUp", ({ storeId }) => Effect.die(new Refused(`already set up: the store ${storeId} exists; add another with \`commerce store create\``)))
    )
  )
  if (asked.password === undefined) note(`The dashboard password of ${done.ownerEmail}, shown once: ${made}`)
  return done
}
