/** Faults of customers: who is signed in, until when, and whose cart it is. */
import type { Fault } from "../plantedFaults.ts"

const tokens = "packages/core/src/customer/CustomerTokens.ts"
/** Tests of rooms beside this one. */
const linked = ["packages/handler/test/orderlink/OrdersLinked.pg.test.ts"]
const erased = ["packages/handler/test/erasure/Erasure.pg.test.ts"]
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
  },
  {
    id: "customers.common-password",
    breaks: "The passwords that are guessed first are good enough",
    file: "packages/core/src/customer/PasswordRules.ts",
    find: "isCommonPassword(password) ? ",
    replace: 'password === "" ? ',
    tests: test("MailTokens"),
    noticedBy: "keeps its token when the new password is refused"
  },
  {
    id: "customers.dressed-word",
    breaks: "A common word with a digit and a mark behind it is a good password",
    file: "packages/core/src/identity/CommonPasswords.ts",
    find: "return asTheyAre.has(given) || isDressedWord(given)",
    replace: "return asTheyAre.has(given)",
    tests: ["packages/core/test/identity/CommonPasswords.test.ts"],
    noticedBy: "Password123!: a word, digits and a mark"
  },
  {
    id: "customers.line-of-logins",
    breaks: "A flood of logins waits without end, and takes the memory of the process",
    file: "packages/core/src/identity/PasswordHashes.ts",
    find: "new FairTurns(hashBounds, () => new PasswordsBusy())",
    replace: "new FairTurns({ ...hashBounds, waiting: 1e9, waitingInAll: 1e9 }, () => new PasswordsBusy())",
    tests: ["packages/core/test/identity/PasswordHashes.test.ts"],
    noticedBy: "wait in a bounded line"
  },
  {
    id: "customers.every-core",
    breaks: "Logins take every core of a small machine, and nothing else is served meanwhile",
    file: "packages/core/src/identity/PasswordHashes.ts",
    find: "Math.floor(cores / 2)",
    replace: "cores",
    tests: ["packages/core/test/identity/PasswordHashes.test.ts"],
    noticedBy: "leave half of the cores to everything else"
  },
  {
    id: "customers.orders-of-others",
    breaks: "Whoever verifies an address gets orders that belong to another customer",
    file: "packages/core/src/orderlink/OrderLinkRepository.ts",
    find: "AND g.customer_id IS NULL ORDER BY g.id",
    replace: "ORDER BY g.id",
    tests: linked,
    noticedBy: "of a customer who has deleted the account are nobody else's"
  },
  {
    id: "customers.orders-unproved",
    breaks: "A password reset proves the mailbox, and its orders stay a guest's",
    file: "packages/core/src/customer/MailedTokens.ts",
    find: "yield* mailboxes.proved(store, { before, after }, { salesChannelId, now })",
    replace: "",
    tests: linked,
    noticedBy: "are the customer's by a password reset too"
  },
  {
    id: "customers.orders-of-guests",
    breaks: "Whoever verifies an address gets the orders of every guest of the store",
    file: "packages/core/src/orderlink/OrderLinkRepository.ts",
    find: "g.store_id = ${storeId} AND g.email = ${email}",
    replace: "g.store_id = ${storeId}",
    tests: linked,
    noticedBy: "nobody else's are"
  },
  {
    id: "customers.linked-mail",
    breaks: "A customer gets a mail about no orders at each proof of the mailbox",
    file: "packages/core/src/orderlink/LinkedOrders.ts",
    find: "if (orderCount === 0) return",
    replace: "",
    tests: linked,
    noticedBy: "of another store stay as they are"
  },
  {
    id: "customers.checkout-erased",
    breaks: "Checkouts still say where a deleted customer lives",
    file: "packages/core/src/erasure/ErasureRepository.ts",
    find: "shipping_address = NULL, billing_address = NULL,",
    replace: "",
    tests: erased,
    noticedBy: "leaves nothing of the person in any table"
  },
  {
    id: "customers.held-stock",
    breaks: "The cart of a deleted customer keeps units of stock from everybody else",
    file: "packages/core/src/erasure/ForgottenShopping.ts",
    find: "yield* ledger.release(storeId, holder)",
    replace: "yield* Effect.succeed(holder)",
    tests: erased,
    noticedBy: "frees what its cart held"
  },
  {
    id: "customers.second-coupon",
    breaks: "A mailbox gets a coupon for each account that it opens and closes",
    file: "packages/core/src/newsletter/Newsletters.ts",
    find: "(yield* repository.recall(store.id, forgottenAddress(secret, store.id, email), email))",
    replace: "undefined",
    tests: erased,
    noticedBy: "keeps that its mailbox had its coupon"
  },
  {
    id: "customers.mail-afterwards",
    breaks: "A mail that was about to be made is written to a customer who is deleted",
    file: "packages/core/src/email/ForgottenMails.ts",
    find: "Effect.andThen(outbox.withdraw(storeId, customer.email), forget(storeId, customer))",
    replace: "forget(storeId, customer)",
    tests: erased,
    noticedBy: "takes back the mails that are about to be made"
  },
  {
    id: "customers.own-language",
    breaks: "Whoever asks for a customer's new password chooses the language of the mail",
    file: "packages/core/src/customer/MailedTokens.ts",
    find: "language: customer.locale ?? locale ??",
    replace: "language: locale ?? customer.locale ??",
    tests: test("CustomerMails"),
    noticedBy: "is that of the registration"
  },
  {
    id: "customers.owner-flooded",
    breaks: "The owner gets a mail for each customer that the merchant's own systems create",
    file: "packages/core/src/customer/Customers.ts",
    find: "outbox.append(store.id, customerCreated, customerSnapshot(customer))",
    replace: "outbox.appendAll(store.id, signedUp(customer))",
    tests: test("CustomerMails"),
    noticedBy: "is told to the owner once"
  },
  {
    id: "customers.newsletter-consent",
    breaks: "A newsletter that was confirmed is sent to nobody: the account still says no",
    file: "packages/core/src/newsletter/Newsletters.ts",
    find: "if (signup.confirmedAt === null) yield* customers.setAcceptsMarketing(store.id, signup.email, true)",
    replace: "",
    tests: test("CustomerMails"),
    noticedBy: "is kept on the account of the address"
  }
]
