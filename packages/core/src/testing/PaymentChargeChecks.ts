/** Checks of `PaymentProviderConformance`: how a charge begins, and how it is found again. */
import { Effect } from "effect"
import {
  atOnce,
  type Bench,
  type ConformanceCheck,
  changeOf,
  fails,
  given,
  holds,
  price,
  same,
  sayNothingOf,
  textOf,
  usd
} from "./PaymentProviderBench.ts"

type Checks = ReadonlyArray<ConformanceCheck>

export const capturedChecks = (bench: Bench, reference: string | null): Checks => {
  const { provider, account, otherAccount, ask, paid, opened, found, lookedUp, largest, smallest, currencies, later } =
    bench
  return [
    {
      name: "takes exactly the amount, to the minor unit, in currencies of every number of fraction digits",
      run: Effect.gen(function* () {
        const least = smallest ?? 1n
        for (const currency of currencies ?? [usd, "JPY", "KWD"]) {
          for (const amount of [least, least + 98n, least + 99n, 1_999n, 123_457n, largest ?? 99_999_999n]) {
            const request = yield* ask(reference, amount, currency)
            const charge = yield* paid(request, "captured")
            const said = [charge.state, charge.amount, charge.currency, charge.authorized, charge.captured]
            yield* same(`${amount} ${currency}`, said, ["captured", amount, currency, amount, amount])
          }
        }
      })
    },
    {
      name: "keeps our key with the charge, and finds the whole charge by the key, by its own id and by both",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "captured")
        yield* same("the charge has an id", charge.externalId.length > 0, true)
        yield* same("its key", charge.key, request.key)
        const [key, externalId] = [request.key, charge.externalId]
        for (const name of [
          { key, externalId: null },
          { key: null, externalId },
          { key, externalId }
        ])
          yield* same(`lookup by ${textOf(name)}`, yield* lookedUp(name), { _tag: "Found", charge })
      })
    },
    {
      name: "charges once for a key, however often and however much at once it is sent",
      run: Effect.gen(function* () {
        const request = yield* ask(reference)
        const charges = yield* atOnce(() => holds("a twin", provider.authorize(request)))
        const again = yield* holds("a repeat", provider.authorize(request))
        for (const charge of [...charges, again]) yield* same("every answer", charge, again)
        const paidOnce = yield* paid(request, "captured")
        const said = [paidOnce.externalId, paidOnce.state, paidOnce.captured]
        yield* same("what is captured", said, [again.externalId, "captured", price])
        yield* same("lookup", yield* found(request), paidOnce)
      })
    },
    ...given([later], (laterBy) => [
      {
        name: "makes no second charge for its key when keys of changes would be forgotten",
        run: Effect.gen(function* () {
          const { request, charge } = yield* opened(reference, "captured")
          const again = yield* Effect.result(laterBy(provider.keyLifetime)(provider.authorize(request)))
          if (again._tag === "Success") yield* same("the answer", again.success.externalId, charge.externalId)
          yield* same("lookup", yield* found(request), charge)
        })
      }
    ]),
    {
      name: "takes no other amount and no second time under a key that has a charge",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "captured")
        const more = yield* Effect.result(provider.authorize({ ...request, amount: price + 1n }))
        if (more._tag === "Success") {
          const { externalId, amount } = more.success
          yield* same("the answer", [externalId, amount], [charge.externalId, price])
        }
        yield* same("lookup", yield* found(request), charge)
      })
    },
    {
      name: "makes two charges for two keys, also of one checkout",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "captured")
        const second = { ...request, key: `${request.key.slice(0, -1)}2` }
        const other = yield* holds("the second", provider.authorize(second))
        yield* same("they are one", other.externalId === charge.externalId, false)
        yield* same("the key of the second", other.key, second.key)
        yield* same("the first", yield* found(request), charge)
      })
    },
    {
      name: "keeps keys of 255 characters whole",
      run: Effect.gen(function* () {
        const asked = yield* ask(reference)
        const keyOf = (end: string) => `${asked.key}:`.padEnd(255 - end.length, "0") + end
        const [one, other] = [
          { ...asked, key: keyOf("1") },
          { ...asked, key: keyOf("2") }
        ]
        const charge = yield* paid(one, "captured")
        yield* paid(other, "captured")
        yield* same("lookup", yield* found(one), charge)
        const change = { ...changeOf({ request: one, charge }, "refund", 1n), key: keyOf("3") }
        yield* holds("refund", provider.refund(change))
        yield* same(
          "the refund's key",
          (yield* found(one)).refunds.map(({ key }) => key),
          [change.key]
        )
      })
    },
    {
      name: "shows a charge to no other account, and lets none move its money",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "captured")
        const { externalId } = charge
        for (const name of [
          { key: request.key, externalId: null },
          { key: null, externalId }
        ])
          yield* same("lookup", yield* holds("lookup", provider.lookup(otherAccount, name)), { _tag: "Absent" })
        const change = { ...changeOf({ request, charge }, "refund", 1n), account: otherAccount }
        yield* fails("a refund", "PaymentFailed", provider.refund(change))
        yield* same("what is found of it", yield* holds("lookupChange", provider.lookupChange(change, "refund")), {
          _tag: "Absent"
        })
        yield* same("the charge", yield* found(request), charge)
      })
    },
    {
      name: "puts no credentials into its answers",
      run: Effect.gen(function* () {
        const { request, charge } = yield* opened(reference, "captured")
        yield* sayNothingOf(bench, "the answer", [charge, yield* found(request)])
        const refused = yield* Effect.result(provider.refund(changeOf({ request, charge }, "refund", price + 1n)))
        yield* sayNothingOf(bench, "the error", refused)
        yield* same("the account is the one that was given", request.account === account, true)
      })
    }
  ]
}

export const strangeChecks = ({ provider, account, lookedUp, newCheckout, foreign }: Bench): Checks => [
  {
    name: "knows nothing of a key or an id that it never got",
    run: Effect.gen(function* () {
      const checkoutId = yield* newCheckout
      const chargeKey = `${account.storeId}/complete:${checkoutId}:1`
      for (const name of [
        { key: chargeKey, externalId: null },
        { key: null, externalId: `unknown_${checkoutId}` }
      ])
        yield* same("lookup", yield* lookedUp(name), { _tag: "Absent" })
      const change = { account, chargeKey, externalId: `unknown_${checkoutId}`, key: `x:${chargeKey}`, amount: 1n }
      for (const kind of ["capture", "void", "refund"] as const)
        yield* same(kind, yield* holds("lookupChange", provider.lookupChange(change, kind)), { _tag: "Absent" })
    })
  },
  ...given([foreign], (charged) => [
    {
      name: "gives no key of ours to a charge that somebody else has made with the account",
      run: Effect.gen(function* () {
        const { externalId } = yield* charged
        const looked = yield* lookedUp({ key: null, externalId })
        if (looked._tag === "Absent") return
        const key = looked._tag === "Found" ? looked.charge.key : looked
        yield* same("its key", typeof key === "string" && key.startsWith(`${account.storeId}/`), false)
      })
    }
  ])
]
