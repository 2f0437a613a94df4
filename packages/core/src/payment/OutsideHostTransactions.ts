/** A host's ROLLBACK would undo what we wrote about a charge, but not the charge: no provider is called before it. */
import { Effect } from "effect"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

/** The same provider, which dies with NeedsOwnTransaction where it is called in a transaction that a host has open. */
export const outsideHostTransactions = (provider: PaymentProvider): PaymentProvider => {
  if (provider.kind === "manual") return provider
  const alone = <A, E>(act: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.andThen(refuseInHostTransaction(`${act} through the payment provider ${provider.code}`), call)
  return {
    code: provider.code,
    name: provider.name,
    kind: provider.kind,
    modes: provider.modes,
    credentialFields: provider.credentialFields,
    optionalCredentials: provider.optionalCredentials ?? [],
    keyLifetime: provider.keyLifetime,
    settling: provider.settling,
    notices: provider.notices,
    ...(provider.manualRefundUrl === undefined ? {} : { manualRefundUrl: provider.manualRefundUrl }),
    check: (credentials) => alone("checking credentials", provider.check(credentials)),
    authorize: (request) => alone("paying", provider.authorize(request)),
    capture: (change) => alone("capturing a payment", provider.capture(change)),
    void: (change) => alone("voiding a payment", provider.void(change)),
    refund: (change) => alone("refunding a payment", provider.refund(change)),
    lookup: (account, name) => alone("looking up a payment", provider.lookup(account, name)),
    lookupChange: (change, kind) => alone("looking up a change of a payment", provider.lookupChange(change, kind)),
    verifyNotice: (account, raw) => provider.verifyNotice(account, raw),
    readNotice: (account, body) => alone("reading a notice", provider.readNotice(account, body))
  }
}
