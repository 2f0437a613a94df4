/** Faults in payment providers: whose account takes the money, and what is kept of its credentials. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/core/test/payment/StoreProviders.pg.test.ts"]
const useCases = "packages/core/src/payment/StoreProviders.ts"
const choice = "packages/core/src/payment/internal/methodChoice.ts"
const providers = "packages/core/src/payment/PaymentProviders.ts"
const credentials = "packages/core/src/payment/ProviderCredentials.ts"

export const paymentProviderFaults: ReadonlyArray<Fault> = [
  {
    id: "provider.removed-while-open",
    breaks: "A payment provider is deleted while money is reserved by it, which nobody can capture or release then",
    file: useCases,
    find: "if (yield* repository.hasOpenOperations(store.id, id)) return yield* new PaymentProviderInUse({ id })",
    replace: "",
    tests,
    noticedBy: "is refused while payments are open"
  },
  {
    id: "provider.removed-at-once",
    breaks: "A card is charged through a payment provider that is deleted at the same moment, with its credentials",
    file: "packages/core/src/charge/ProviderOperationRepository.ts",
    find: "AND id = ${op.providerId} FOR KEY SHARE",
    replace: "AND id = ${op.providerId}",
    tests: ["packages/core/test/payment/StoreProviders.race.test.ts"],
    noticedBy: "keeps a payment from beginning by it"
  },
  {
    id: "provider.live-serves-test",
    breaks: "Somebody tries the shop in a test channel, and a real card is charged",
    file: choice,
    find: "&& (account ?? channel) === channel",
    replace: "",
    tests,
    noticedBy: "never takes live money in a test channel"
  },
  {
    id: "provider.other-account",
    breaks: "Credentials of another account take the place of the merchant's: earlier charges cannot be refunded",
    file: useCases,
    find: "(fresh.owner.account !== account || fresh.owner.mode !== mode)",
    replace: "fresh.owner.mode !== mode",
    tests,
    noticedBy: "takes no credentials of another account or mode"
  },
  {
    id: "provider.looked-up-elsewhere",
    breaks: "A charge is looked up in the account that is set up now, which does not know it: it counts as never made",
    file: providers,
    find: "row === undefined || row.account !== account ||",
    replace: "row === undefined ||",
    tests,
    noticedBy: "is looked up in its own account alone"
  },
  {
    id: "provider.replaced-by-host",
    breaks: "A merchant switches a payment provider off, and the host's own account takes the money instead",
    file: providers,
    find: "provider === undefined || isOwn ||",
    replace: "provider === undefined ||",
    tests,
    noticedBy: "until the store has set up one of that type"
  },
  {
    id: "provider.region-ignored",
    breaks: "A shopper is offered a way to pay that does not serve the region",
    file: providers,
    find: "].filter(({ id }) => servesRegion(regions, place, id))",
    replace: "]",
    tests,
    noticedBy: "as the channel's mode and the region allow"
  },
  {
    id: "provider.region-unchecked",
    breaks: "An order is paid by a way to pay that does not serve the region, and that was not offered",
    file: providers,
    find: "const serving = providers.filter(({ id }) => servesRegion(regions, place, id))",
    replace: "const serving = providers",
    tests: ["packages/handler/test/payment/PaymentMethods.pg.test.ts"],
    noticedBy: "is paid by what serves its region alone"
  },
  {
    id: "provider.rotated-at-once",
    breaks: "Notices that the company still signs with the secret before are rejected while it changes over",
    file: credentials,
    find: "isPreviousValid ? row.previousCredentials : null",
    replace: "null",
    tests,
    noticedBy: "keeps those before valid for a day"
  },
  {
    id: "provider.rotated-never",
    breaks: "Credentials that were replaced because they leaked are valid for ever",
    file: credentials,
    find: "row.previousValidUntil.getTime() > now",
    replace: "now > 0",
    tests,
    noticedBy: "keeps those before valid for a day"
  },
  {
    id: "provider.secret-repeated",
    breaks: "A rejected secret key is shown in the response, because the company repeats it",
    file: useCases,
    find: "withoutSecrets(reason, given)",
    replace: "reason",
    tests,
    noticedBy: "are not stored before the company has accepted them"
  },
  {
    id: "provider.forged-uncounted",
    breaks: "Signatures of notices can be guessed without end",
    file: "packages/handler/src/payment/PaymentEndpoints.ts",
    find: 'Effect.tapErrorTag("NoticeRejected", () => countFailure),',
    replace: "",
    tests: ["packages/handler/test/payment/PaymentEvents.pg.test.ts"],
    noticedBy: "is 401 with another signature"
  }
]
