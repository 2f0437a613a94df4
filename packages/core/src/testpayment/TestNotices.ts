/**
 * The notices of the `test` provider. One names the charges that something has happened to, and says no more: what
 * happened is looked up. It is signed with one secret for all stores of the installation, because a charge's key says
 * whose it is. A notice may also come unsigned, as some companies send them: it is then nothing but `id=` and the
 * provider's id of one charge.
 */
import { Effect, Schema } from "effect"
import { constantTimeEqual, hmacSha256Hex } from "../crypto/Hashing.ts"
import { NoticeRejected, NoticeUnreadable } from "../payment/PaymentErrors.ts"
import type { ChargeName, RawNotice } from "../payment/PaymentProvider.ts"
import type { TestEvent } from "./TestEvents.ts"

const signatureHeader = "x-test-signature"
const version = 1
const unsigned = /^id=(tch_[0-9a-z]{1,60})$/

const SignedNotice = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Int,
    id: Schema.String,
    charges: Schema.Array(Schema.Struct({ key: Schema.NullOr(Schema.String), externalId: Schema.String }))
  })
)
const decode = Schema.decodeUnknownEffect(SignedNotice)
const decodeVersion = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ version: Schema.Int })))
const textOf = (body: Uint8Array): string => Buffer.from(body).toString("utf8")

export const unsignedNotice = (externalId: string): RawNotice => ({
  headers: {},
  body: Buffer.from(`id=${externalId}`, "utf8")
})

export const signedNotice = (
  secret: string,
  notice: { readonly id: string; readonly type: TestEvent; readonly charges: ReadonlyArray<ChargeName> }
): RawNotice => {
  const body = JSON.stringify({ version, ...notice })
  return { headers: { [signatureHeader]: hmacSha256Hex(secret, body) }, body: Buffer.from(body, "utf8") }
}

/** Its id, where it has one. */
export const verifiedNotice = (secret: string, { headers, body }: RawNotice) => {
  const given = headers[signatureHeader]
  if (given === undefined)
    return unsigned.test(textOf(body))
      ? Effect.succeed({ eventId: null })
      : Effect.fail(new NoticeRejected({ reason: "The notice has no signature" }))
  if (!constantTimeEqual(given, hmacSha256Hex(secret, body)))
    return Effect.fail(new NoticeRejected({ reason: "The signature does not hold" }))
  // A notice of a later release is stored under no name, and waits for a release that can read it.
  return Effect.match(decode(textOf(body)), {
    onFailure: () => ({ eventId: null }),
    onSuccess: ({ id }) => ({ eventId: id })
  })
}

/** Whether reading it means to ask the company. */
export const isUnsigned = (body: Uint8Array): boolean => unsigned.test(textOf(body))

export const namedCharges = (body: Uint8Array): Effect.Effect<ReadonlyArray<ChargeName>, NoticeUnreadable> => {
  const text = textOf(body)
  const named = unsigned.exec(text)?.[1]
  if (named !== undefined) return Effect.succeed([{ key: null, externalId: named }])
  return Effect.catch(
    Effect.map(decode(text), ({ charges }) => charges),
    () =>
      Effect.flatMap(
        Effect.orElseSucceed(decodeVersion(text), () => ({ version })),
        (found) =>
          Effect.fail(
            found.version > version
              ? new NoticeUnreadable({ reason: `it has version ${found.version}`, isNewer: true })
              : new NoticeUnreadable({ reason: "it is not a notice of the test provider" })
          )
      )
  )
}
