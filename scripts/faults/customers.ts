/** Faults of customers: who is signed in, until when, and whose cart it is. */
import type { Fault } from "../plantedFaults.ts"

const tokens = "packages/core/src/customer/CustomerTokens.ts"
const test = (name: string) => [`packages/handler/test/customer/${name}.pg.test.ts`]

export const customerFaults: ReadonlyArray<Fault> = [
  {
    id: "customers.token-version",
    breaks: "Whoever stole a token stays signed in after the password was changed",
    file: tokens,
    find: "standing.passwordVersion !== claims.ver || ",
    replace: "",
    tests: test("CustomerTokens"),
    noticedBy: "what ends it ends it here at once and there within five seconds"
  },
  {
    id: "customers.token-audience",
    breaks: "A token of one channel is good on every channel of the store",
    file: tokens,
    find: "audience: channelId,",
    replace: "",
    tests: test("CustomerTokens"),
    noticedBy: "is good on the channel that issued it alone"
  },
  {
    id: "customers.token-forgotten",
    breaks: "A deleted customer is served for seconds more, by the process that deleted them",
    file: tokens,
    find: "standings.delete(nameOf(storeId, customerId))",
    replace: "standings.delete(customerId)",
    tests: test("CustomerTokens"),
    noticedBy: "of a deleted customer is worth nothing from that moment"
  },
  {
    id: "customers.mail-spared",
    breaks: "The mail before still sets a password after a reset",
    file: "packages/core/src/customer/MailedTokens.ts",
    find: "yield* mailTokens.drop(store.id, owner)",
    replace: "",
    tests: test("MailTokens"),
    noticedBy: "the old password and the mail are worth nothing"
  },
  {
    id: "customers.sixth-request",
    breaks: "Whoever asks for a victim's new password ends the link the victim is about to use",
    file: "packages/core/src/customer/CustomerTokenRepository.ts",
    find: "AND purpose = ${purpose} AND expires_at <= ${now})",
    replace: "AND purpose = ${purpose})",
    tests: test("MailTokens"),
    noticedBy: "is replaced with the first of five links"
  },
  {
    id: "customers.mails-forgotten",
    breaks: "The store's mails still say who a deleted customer was",
    file: "packages/core/src/customer/Customers.ts",
    find: "yield* Effect.forEach(traces, (forget) => forget(store.id, customer), { discard: true })",
    replace: "",
    tests: test("AdminCustomers"),
    noticedBy: "takes the mails to them along when deleted"
  },
  {
    id: "customers.nobodys-password",
    breaks: "One password opens every account that has none",
    file: "packages/core/src/identity/PasswordHashes.ts",
    find: "(matches) => matches && kept !== null",
    replace: "(matches) => matches",
    tests: ["packages/core/test/identity/PasswordHashes.test.ts"],
    noticedBy: "cost the same where there is none"
  },
  {
    id: "customers.cart-owner",
    breaks: "Whoever knows a cart's id reads and changes the cart of a customer",
    file: "packages/core/src/cart/CartAccess.ts",
    find: "(owned.customerId === null || owned.customerId === access.customerId)",
    replace: "(owned.customerId === null || owned.customerId !== access.salesChannelId)",
    tests: test("CustomerCarts"),
    noticedBy: "answers to nobody else"
  },
  {
    id: "customers.merge-stock",
    breaks: "A merged line asks for more than the shelf has, and the checkout refuses it",
    file: "packages/core/src/cart/internal/mergeLines.ts",
    find: "quantity: granted > 0 ? granted : line.quantity",
    replace: "quantity",
    tests: ["packages/core/test/cart/mergeLines.prop.test.ts"],
    noticedBy: "a row gives all it has before a line is short"
  }
]
