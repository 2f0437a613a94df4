/**
 * The credentials of payment providers: whether a body has exactly the fields that its provider needs, and sealing them
 * for the row they are stored in. In memory they are Redacted, so that nothing prints them.
 */
import { Clock, Effect, Redacted, Schema } from "effect"
import { nearestName } from "../body/NearestName.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { type FieldErrors, problemsOf } from "../kernel/FieldErrors.ts"
import type { Credentials, PaymentProvider, ProviderAccount, ProviderMode } from "./PaymentProvider.ts"
import type { StoreProviderState } from "./StoreProvider.ts"

const purpose = "payment-provider"
const contextOf = (storeId: string, id: string): string => `${storeId}|payment_provider|credentials|${id}`

const Stored = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))
const encode = Schema.encodeSync(Stored)
const decode = Schema.decodeUnknownSync(Stored)

export const makeProviderCredentials = Effect.map(RootSecret, (root) => {
  const open = (storeId: string, id: string, sealed: string) => {
    const opened: Credentials = decode(root.open(purpose, contextOf(storeId, id), sealed))
    return Redacted.make(opened)
  }

  /** The account of a row, with the credentials that are valid now; undefined, and logged, where a seal is broken. */
  const accountOf = Effect.fnUntraced(function* (storeId: string, row: StoreProviderState, mode: ProviderMode) {
    const now = yield* Clock.currentTimeMillis
    const isPreviousValid = row.previousValidUntil !== null && row.previousValidUntil.getTime() > now
    const sealed = [row.credentials, isPreviousValid ? row.previousCredentials : null].filter((text) => text !== null)
    return yield* Effect.try({
      try: (): ProviderAccount => ({
        storeId,
        providerId: row.id,
        account: row.account,
        mode,
        credentials: sealed.map((text) => open(storeId, row.id, text))
      }),
      catch: (cause) => cause
    }).pipe(
      Effect.catch((cause) =>
        Effect.as(Effect.logError(`The credentials of the payment provider ${row.id} cannot be read`, cause), undefined)
      )
    )
  })

  return {
    accountOf,
    seal: (storeId: string, id: string, credentials: Credentials): string =>
      root.seal(purpose, contextOf(storeId, id), encode(credentials))
  }
})

/** What is wrong with the names and values of given credentials, by path in the body. */
export const credentialProblems = (provider: PaymentProvider, given: Credentials): FieldErrors => {
  const known = Object.keys(provider.credentialFields)
  const needed = known.filter((name) => provider.optionalCredentials?.includes(name) !== true)
  const unknown = (name: string): string => {
    const nearest = nearestName(name, known)
    const meant = nearest === undefined ? "" : `; did you mean ${nearest}?`
    return known.length === 0
      ? `${provider.code} needs no credentials`
      : `no credential of ${provider.code}${meant || `, which has ${known.join(", ")}`}`
  }
  return problemsOf({
    ...Object.fromEntries(
      needed.map((name) => [
        `credentials.${name}`,
        (given[name] ?? "").trim() === "" ? `is needed: ${provider.credentialFields[name]}` : undefined
      ])
    ),
    ...Object.fromEntries(
      Object.keys(given).flatMap((name) => (known.includes(name) ? [] : [[`credentials.${name}`, unknown(name)]]))
    )
  })
}

/** What was given, without fields that were left empty. */
export const filledCredentials = (given: Credentials): Credentials =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""))

/** A text of the company without any of the given credentials, should it repeat one. */
export const withoutSecrets = (text: string, credentials: Credentials): string =>
  Object.values(credentials)
    .filter((secret) => secret.length >= 4)
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text)
