/**
 * Checks of `PaymentProviderConformance`: notices. They come late, twice, in any order, from anybody; what they are
 * believed in is that there is a reason to look.
 */
import { Effect } from "effect"
import type { ChargeName, ProviderAccount, RawNotice } from "../payment/PaymentProvider.ts"
import {
  type Bench,
  type ConformanceCheck,
  fails,
  given,
  type Happening,
  holds,
  NotConforming,
  oneOf,
  type Opened,
  same,
  textOf
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

/** Makes a charge to which the event can happen. */
type Opening = Effect.Effect<Opened, NotConforming>

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf8"))

/** The notice of an event; an event that sends none is not checked. */
const noticeOf = (event: Happening, { request }: Opened): Effect.Effect<RawNotice, NotConforming> =>
  Effect.flatMap(event(request), (raw) =>
    raw === null
      ? Effect.fail(new NotConforming({ what: "the event", expected: "a notice", actual: "none" }))
      : Effect.succeed(raw)
  )

const verified = ({ provider }: Bench, account: ProviderAccount, raw: RawNotice) =>
  holds("verifyNotice", provider.verifyNotice(account, raw))
const read = ({ provider, account }: Bench, raw: RawNotice) =>
  holds("readNotice", provider.readNotice(account, raw.body))

const isNamed = (names: ReadonlyArray<ChargeName>, { request, charge }: Opened): boolean =>
  names.some(({ key, externalId }) =>
    key === null ? externalId === charge.externalId : key === request.key && isOf(externalId, charge.externalId)
  )
const isOf = (externalId: string | null, expected: string): boolean => externalId === null || externalId === expected

const names = (what: string, found: ReadonlyArray<ChargeName>, one: Opened) =>
  same(`${what} names the charge ${one.charge.externalId} in ${textOf(found)}`, isNamed(found, one), true)

export const noticeChecks = (bench: Bench, open: Opening, event: Happening): Checks => {
  const { provider, account, batch, foreign, silent } = bench
  return [
    {
      name: "names in a notice the charge that something has happened to",
      run: Effect.gen(function* () {
        const [one, other] = [yield* open, yield* open]
        const raw = yield* noticeOf(event, one)
        yield* verified(bench, account, raw)
        const found = yield* read(bench, raw)
        yield* names("it", found, one)
        yield* same("it names no other", isNamed(found, other), false)
      })
    },
    {
      name: "gives the same name and the same charges to a notice that is sent twice",
      run: Effect.gen(function* () {
        const raw = yield* noticeOf(event, yield* open)
        const again = { headers: { ...raw.headers }, body: new Uint8Array(raw.body) }
        yield* same("its id", yield* verified(bench, account, again), yield* verified(bench, account, raw))
        yield* same("its charges", yield* read(bench, again), yield* read(bench, raw))
      })
    },
    {
      name: "gives two events two names, where it has names",
      run: Effect.gen(function* () {
        const first = yield* verified(bench, account, yield* noticeOf(event, yield* open))
        const second = yield* verified(bench, account, yield* noticeOf(event, yield* open))
        yield* same("both", first.eventId !== null && first.eventId === second.eventId, false)
        yield* same("an empty name", first.eventId === "", false)
      })
    },
    {
      name: "says of a body that it does not know that it is unreadable, and never breaks",
      run: Effect.gen(function* () {
        for (const body of ["", "{", "null", "[]", `{"id":5}`, "\u0000\uffff", "id="]) {
          const result = yield* Effect.result(provider.readNotice(account, bytes(body)))
          if (result._tag === "Success") yield* same(`charges named by ${textOf(body)}`, result.success, [])
          else yield* same(`the error of ${textOf(body)}`, result.failure._tag, "NoticeUnreadable")
        }
      }).pipe(Effect.catchDefect((defect) => same("readNotice breaks", String(defect), "nothing")))
    },
    ...given([batch], (sent) => [
      {
        name: "names every charge of a notice about several",
        run: Effect.gen(function* () {
          const several = [yield* open, yield* open, yield* open]
          const raw = yield* sent(several.map(({ request }) => request))
          yield* verified(bench, account, raw)
          const found = yield* read(bench, raw)
          for (const one of several) yield* names("it", found, one)
        })
      }
    ]),
    ...given([foreign], (charged) => [
      {
        name: "names nothing of ours in a notice about a charge that is not of this installation",
        run: Effect.gen(function* () {
          const { notice } = yield* charged
          if (notice === null) return
          const found = yield* read(bench, notice)
          const keys = found.flatMap(({ key }) => (key === null ? [] : [key]))
          yield* same(
            "keys of ours",
            keys.filter((key) => key.startsWith(`${account.storeId}/`)),
            []
          )
        })
      }
    ]),
    ...given([silent], (during) => [
      {
        name: "says that it could not ask, where it asks the company what a notice is about",
        run: Effect.gen(function* () {
          const one = yield* open
          const raw = yield* noticeOf(event, one)
          const result = yield* during(Effect.result(provider.readNotice(account, raw.body)))
          if (result._tag === "Failure") yield* same("the error", result.failure._tag, "PaymentUnanswered")
          else yield* names("it", result.success, one)
          yield* names("when it can ask again, it", yield* read(bench, raw), one)
        })
      }
    ]),
    ...(provider.notices === "signed" ? signedChecks(bench, open, event) : unsignedChecks(bench, open, event))
  ]
}

const signedChecks = (bench: Bench, open: Opening, event: Happening): Checks => {
  const { provider, account, otherAccount, forged, rotated } = bench
  const refused = (what: string, raw: RawNotice, of: ProviderAccount = account) =>
    fails(what, "NoticeRejected", provider.verifyNotice(of, raw))
  const isOwn = Object.keys(provider.credentialFields).length > 0
  return [
    {
      name: "believes a notice by its signature over the exact bytes alone",
      run: Effect.gen(function* () {
        const raw = yield* noticeOf(event, yield* open)
        yield* refused("one byte more", { ...raw, body: new Uint8Array([...raw.body, 0x20]) })
        yield* refused("one byte less", { ...raw, body: raw.body.slice(0, -1) })
        const [first = 0] = raw.body
        yield* refused("another byte", { ...raw, body: new Uint8Array([first ^ 1, ...raw.body.slice(1)]) })
        yield* refused("no signature", { ...raw, headers: {} })
        const empty = Object.fromEntries(Object.keys(raw.headers).map((name) => [name, ""]))
        yield* refused("an empty signature", { ...raw, headers: empty })
        yield* refused("an empty body", { headers: raw.headers, body: new Uint8Array() })
        yield* refused("nothing at all", { headers: {}, body: new Uint8Array() })
        yield* verified(bench, account, raw)
      })
    },
    ...given([forged], (forge) => [
      {
        name: "rejects a notice that is signed with another secret",
        run: Effect.gen(function* () {
          const raw = yield* noticeOf(event, yield* open)
          yield* refused("signed by somebody else", forge(raw))
        })
      }
    ]),
    ...given([isOwn || undefined], () => [
      {
        name: "rejects for one account a notice that was signed for another",
        run: Effect.gen(function* () {
          const raw = yield* noticeOf(event, yield* open)
          yield* refused("for another account", raw, otherAccount)
          yield* refused("without credentials", raw, { ...account, credentials: [] })
        })
      }
    ]),
    ...given([rotated], ({ both, afterwards, happen }) => [
      {
        name: "believes notices by the old and the new credentials while they are rotated, then by the new alone",
        run: Effect.gen(function* () {
          const old = yield* noticeOf(event, yield* open)
          yield* verified(bench, both, old)
          yield* refused("after the rotation", old, afterwards)
          if (happen === undefined) return
          const recent = yield* noticeOf(happen, yield* open)
          yield* verified(bench, both, recent)
          yield* verified(bench, afterwards, recent)
          yield* refused("before the rotation", recent)
        })
      }
    ])
  ]
}

const unsignedChecks = (bench: Bench, open: Opening, event: Happening): Checks => [
  {
    name: "takes from an unsigned notice a name to look up, and from a made-up one none of our charges",
    run: Effect.gen(function* () {
      const { provider, account } = bench
      const one = yield* open
      const raw = yield* noticeOf(event, one)
      const text = Buffer.from(raw.body).toString("utf8")
      const madeUp = bytes(text.replaceAll(one.charge.externalId, `${one.charge.externalId.slice(0, -4)}0000`))
      const result = yield* Effect.result(provider.readNotice(account, madeUp))
      if (result._tag === "Failure") return yield* oneOf("the error", result.failure._tag, ["NoticeUnreadable"])
      yield* same("our charge", isNamed(result.success, one), false)
      const keys = result.success.flatMap(({ key }) => (key === null ? [] : [key]))
      yield* same("keys that nobody has confirmed", keys, [])
    })
  }
]
