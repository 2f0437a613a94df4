/** What shoppers do to their checkouts before they pay. */
import fc from "fast-check"
import { addressIn } from "../Shopper.ts"
import { back, command, type Command, often, pick } from "./modelCommand.ts"
import * as checkouts from "./modelCheckouts.ts"
import { expectAnswer, type RealShop } from "./modelShop.ts"
import { type Cart, type Checkout, type Kind, kinds, type State } from "./modelState.ts"

const mostCheckouts = 7

export type CheckoutAct = (state: State, real: RealShop, checkout: Checkout) => Promise<void>
export type CheckoutCheck = (checkout: Checkout, state: State) => boolean
/** `isMeant`: of which checkouts one is taken. */
export const ofCheckout = (
  name: string,
  act: CheckoutAct,
  isMeant: CheckoutCheck = () => true
): fc.Arbitrary<Command> =>
  back.map((n) => {
    const meant = (state: State) => state.checkouts.filter((checkout) => isMeant(checkout, state))
    return command(
      `${name} (checkout ${n})`,
      (state) => meant(state).length > 0,
      (state, real) => act(state, real, pick(meant(state), n))
    )
  })

const setEmail: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.edit(state, checkout)
  checkout.hasEmail ||= answer.status === 200
  const body = { email: "ada@example.com" }
  expectAnswer(await real.call("PATCH", `/checkout/${checkout.id}/customer`, checkout.cart, body), answer)
}
const setAddress: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.edit(state, checkout)
  checkout.hasAddress ||= answer.status === 200
  const body = { shippingAddress: addressIn("CA", "94105") }
  expectAnswer(await real.call("PATCH", `/checkout/${checkout.id}/shipping`, checkout.cart, body), answer)
}
const setMethod: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.chooseMethod(state, checkout)
  const body = { shippingRateId: real.rateId }
  expectAnswer(await real.call("PATCH", `/checkout/${checkout.id}/shipping-method`, checkout.cart, body), answer)
}
export const fillIn: CheckoutAct = async (state, real, checkout) => {
  for (const step of [setEmail, setAddress, setMethod]) await step(state, real, checkout)
}
const cardOf =
  (isKnown: boolean): CheckoutAct =>
  async (state, real, checkout) => {
    const answer = checkouts.enterCard(state, checkout, isKnown)
    const body = { code: isKnown ? real.card.code : "NOPE" }
    expectAnswer(await real.call("POST", `/checkout/${checkout.id}/gift-card`, checkout.cart, body), answer)
  }
export const make = async (state: State, real: RealShop, cart: Cart, { part, filled }: Made) => {
  const lines = cart.lines.filter((line) => part === "all" || line.kind === part)
  const { answer, checkout } = checkouts.createCheckout(state, cart, lines)
  const selected = part === "all" ? {} : { selectedItemIds: lines.map(({ id }) => id) }
  const called = await real.call("POST", "/checkout", cart, { cartId: cart.id, ...selected })
  expectAnswer(called, answer)
  if (checkout === undefined) return
  checkout.id = called.body.id
  if (filled === "nothing") return
  await fillIn(state, real, checkout)
  if (filled === "everything and the card") await cardOf(true)(state, real, checkout)
}
const filled = ["everything", "everything and the card", "nothing"] as const
interface Made {
  readonly part: Kind | "all"
  readonly filled: (typeof filled)[number]
}
const createCheckout = fc
  .record({
    n: back,
    part: fc.constantFrom<Made["part"]>("all", "all", ...kinds),
    filled: fc.constantFrom(...filled)
  })
  .map(({ n, ...as }) =>
    command(
      `checkout of ${as.part} with ${as.filled} (cart ${n})`,
      (state) => state.checkouts.length < mostCheckouts && hasPart(pick(state.carts, n), as.part),
      (state, real) => make(state, real, pick(state.carts, n), as)
    )
  )
const hasPart = ({ lines }: Cart, part: Made["part"]) => part === "all" || lines.some((line) => line.kind === part)

const coupon: CheckoutAct = async (state, real, checkout) => {
  const has = checkout.hasCoupon
  const answer = checkouts.edit(state, checkout, () => {
    checkout.hasCoupon = !has
    return { status: 200 }
  })
  const path = `/checkout/${checkout.id}/coupon`
  expectAnswer(await real.call(has ? "DELETE" : "POST", path, checkout.cart, has ? undefined : { code: "ten" }), answer)
}
const withoutCard: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.removeCard(state, checkout)
  const path = `/checkout/${checkout.id}/gift-card/${real.card.id}`
  expectAnswer(await real.call("DELETE", path, checkout.cart), answer)
}
const cancel: CheckoutAct = async (state, real, checkout) => {
  const answer = checkouts.cancel(state, checkout)
  expectAnswer(await real.call("DELETE", `/checkout/${checkout.id}`, checkout.cart), answer)
}

export const isOpen = ({ status }: Checkout) => status === "PENDING" || status === "PROCESSING"

export const checkoutCommands = [
  ...often(14, createCheckout),
  ...[setEmail, setAddress, setMethod].map((step) => ofCheckout("e-mail, address or method", step)),
  ...often(2, ofCheckout("everything", fillIn, isOpen)),
  ...often(2, ofCheckout("the coupon or none", coupon)),
  ofCheckout("gift card", cardOf(true)),
  ...often(6, ofCheckout("gift card", cardOf(true), isOpen)),
  ofCheckout("unknown gift card", cardOf(false)),
  ofCheckout("no gift card", withoutCard),
  ofCheckout("cancel", cancel),
  ofCheckout("cancel", cancel, isOpen)
]
