/** How checkouts are paid for, what the payment provider tells later, and time. */
import fc from "fast-check"
import { expect } from "vitest"
import { command, often, pick } from "./modelCommand.ts"
import { add, openGuestsCart } from "./modelCartCommands.ts"
import { type CheckoutAct, type CheckoutCheck, fillIn, isOpen, make, ofCheckout } from "./modelCheckoutCommands.ts"
import * as checkouts from "./modelCheckouts.ts"
import { expectAnswer, expectSame, money, type RealShop } from "./modelShop.ts"
import { type Checkout, type State } from "./modelState.ts"
import { pass } from "./modelTime.ts"

/** Every history begins with the carts of two guests, and a checkout of each that the gift card pays in part. */
export const begin = async (state: State, real: RealShop): Promise<void> => {
  for (const quantity of [2, 1]) {
    await openGuestsCart(state, real)
    const cart = pick(state.carts, 0)
    await add(state, real, cart, { kind: "lamp", quantity })
    await add(state, real, cart, { kind: "book", quantity: 1 })
    await expectSame(real, state)
    await make(state, real, cart, { part: "all", filled: "everything and the card" })
  }
}

const bodyOf = (paying: checkouts.Paying) =>
  paying === "manual" ? { paymentMethod: paying } : { paymentMethod: "test", paymentReference: paying }
const payBy =
  (paying: checkouts.Paying): CheckoutAct =>
  async (state, real, checkout) => {
    const answer = checkouts.complete(state, checkout, paying)
    const sent = { checkout, key: `${checkout.id}-${real.sent.length}`, body: bodyOf(paying), at: state.now }
    const called = await real.complete(checkout, sent.key, sent.body)
    expectAnswer(called, answer)
    // An answer that asks for another try is not kept under its key.
    if (called.headers.get("retry-after") === null) real.sent.push({ ...sent, called })
    const { order } = checkout
    if (answer.status !== 200 || order === null) return
    expect([called.body.status, called.body.total]).toEqual([order.status, money(order.total)])
  }
const buyBy =
  (paying: checkouts.Paying): CheckoutAct =>
  async (state, real, checkout) => {
    await fillIn(state, real, checkout)
    await payBy(paying)(state, real, checkout)
  }
const beginPayment: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.beginPayment(state, checkout)
  const path = `/checkout/${checkout.id}/payment`
  expectAnswer(await real.call("POST", path, checkout.cart, { providerId: "test" }), answer)
}
/** Where nothing is due there is nothing to begin. */
const isBeginnable: CheckoutCheck = (checkout, state) =>
  checkout.order === null ? checkouts.sumsToPay(state, checkout).due > 0 : checkout.order.financialStatus === "paid"

/** The same request once more is answered as before, and does nothing. */
const repeat = command(
  "the last completion again",
  () => true,
  async (state, real) => {
    const sent = real.sent.at(-1)
    if (sent === undefined || state.now - sent.at >= 24 * 60) return
    const { status, text } = await real.complete(sent.checkout, sent.key, sent.body)
    expect([status, text]).toEqual([sent.called.status, sent.called.text])
  }
)

const comes: CheckoutAct = async (state, real, checkout) => {
  checkouts.moneyComes(state, checkout)
  expectAnswer(await real.tell(checkout, "captured"), { status: 200 })
}
const fails: CheckoutAct = async (state, real, checkout) => {
  checkouts.paymentEnds(state, checkout)
  expectAnswer(await real.tell(checkout, "failed"), { status: 200 })
}
/** Of what is over for good the provider has nothing to tell. */
const canCome: CheckoutCheck = ({ payment, lost, order, cart }) =>
  payment !== null || order?.isOpen === true || (lost !== null && cart.status !== "MERGED")
const canFail = ({ payment, order }: Checkout) => payment !== null || order?.isOpen === true

const time = (name: string, minutes: number) =>
  command(
    name,
    () => true,
    async (state, real) => {
      pass(state, minutes)
      const isSettled = async ({ id, cart, status }: Checkout) =>
        (await real.call("GET", `/checkout/${id}`, cart)).body.status === status
      await real.pass(minutes, async () => (await Promise.all(state.checkouts.map(isSettled))).every((is) => is))
    }
  )

const payings = ["manual", "approve", "decline", "error", "timeout", "pending"] as const

export const paymentCommands = [
  ...payings.flatMap((paying) => [
    ofCheckout(`complete by ${paying}`, payBy(paying)),
    ...often(2, ofCheckout(`complete by ${paying}`, payBy(paying), isOpen))
  ]),
  ...often(6, ofCheckout("complete by timeout", payBy("timeout"), isOpen)),
  ...(["manual", "approve", "timeout"] as const).map((paying) => ofCheckout(`buy by ${paying}`, buyBy(paying))),
  ...often(5, ofCheckout("begin a payment", beginPayment, isBeginnable)),
  fc.constant(repeat),
  ...often(8, ofCheckout("the money comes", comes, canCome)),
  ...often(3, ofCheckout("the payment fails", fails, canFail))
]
export const timeCommands = [
  ...often(4, fc.constant(time("17 minutes pass", 17))),
  fc.constant(time("5 hours pass", 5 * 60)),
  ...often(2, fc.constant(time("25 hours pass", 25 * 60))),
  fc.constant(time("31 days pass", 31 * 24 * 60))
]
