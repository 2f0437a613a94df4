/** What shoppers do to their carts. */
import fc from "fast-check"
import { expect } from "vitest"
import { back, command, type Command, often, pick } from "./modelCommand.ts"
import * as carts from "./modelCarts.ts"
import { expectAnswer, type RealShop } from "./modelShop.ts"
import { type Answer, type Cart, type Kind, kinds, type State } from "./modelState.ts"

const mostCarts = 5
const always = () => true
const kind = fc.constantFrom<Kind>(...kinds)

type CartAct = (state: State, real: RealShop, cart: Cart) => readonly [Answer, ReturnType<RealShop["call"]>]
const ofCart = (name: string, act: CartAct): fc.Arbitrary<Command> =>
  back.map((n) =>
    command(`${name} (cart ${n})`, always, async (state, real) => {
      const [answer, called] = act(state, real, pick(state.carts, n))
      expectAnswer(await called, answer)
    })
  )

const opened = async (real: RealShop, cart: Cart, method: string, path: string, status: number) => {
  const called = await real.call(method, path, cart)
  expectAnswer(called, { status })
  if (cart.id !== "") expect(called.body.id).toBe(cart.id)
  cart.id = called.body.id
  cart.sessionToken = called.body.sessionToken
}
export const openGuestsCart = (state: State, real: RealShop) =>
  opened(real, carts.newCart(state, false), "POST", "/cart", 201)
const guestsCart = command("a guest's cart", ({ carts: all }) => all.length < mostCarts, openGuestsCart)
const ownCart = command(
  "the customer's cart",
  ({ carts: all }) => all.length < mostCarts,
  (state, real) => opened(real, carts.customersCart(state), "GET", "/customers/me/cart", 200)
)

export const add = async (
  state: State,
  real: RealShop,
  cart: Cart,
  line: { readonly kind: Kind; readonly quantity: number }
) => {
  const answer = carts.addLine(state, cart, line.kind, line.quantity)
  const body = { productId: real.products[line.kind], quantity: line.quantity }
  expectAnswer(await real.call("POST", `/cart/${cart.id}/items`, cart, body), answer)
}
const addLine = fc
  .record({ n: back, kind, quantity: fc.integer({ min: 1, max: 4 }) })
  .map(({ n, ...line }) =>
    command(`add ${line.quantity} ${line.kind} (cart ${n})`, always, (state, real) =>
      add(state, real, pick(state.carts, n), line)
    )
  )

const linesOf = ({ lines, removed }: Cart) => [...removed, ...lines.toReversed()].filter(({ id }) => id !== "")
const changeLine = fc
  .tuple(back, back, fc.integer({ min: 0, max: 4 }), fc.boolean())
  .map(([n, m, quantity, isRemoved]) =>
    command(
      isRemoved ? `remove line ${m} (cart ${n})` : `line ${m} is ${quantity} (cart ${n})`,
      (state) => linesOf(pick(state.carts, n)).length > 0,
      async (state, real) => {
        const cart = pick(state.carts, n)
        const line = pick(linesOf(cart), m)
        const path = `/cart/${cart.id}/items/${line.id}`
        if (isRemoved) {
          const answer = carts.removeLine(state, cart, line)
          expectAnswer(await real.call("DELETE", path, cart), answer)
        } else {
          const answer = carts.changeLine(state, cart, line, quantity)
          expectAnswer(await real.call("PATCH", path, cart, { quantity }), answer)
        }
      }
    )
  )

const clear = ofCart("clear", (state, real, cart) => [
  carts.clear(state, cart),
  real.call("DELETE", `/cart/${cart.id}`, cart)
])
const couponOf = (code: string) =>
  ofCart(`coupon ${code}`, (state, real, cart) => [
    carts.applyCoupon(state, cart, code === "TEN"),
    real.call("POST", `/cart/${cart.id}/coupon`, cart, { code })
  ])
const withoutCoupon = ofCart("no coupon", (state, real, cart) => [
  carts.removeCoupon(state, cart),
  real.call("DELETE", `/cart/${cart.id}/coupon`, cart)
])

const merge = back.map((n) =>
  command(
    `merge (cart ${n})`,
    (state) => !pick(state.carts, n).isCustomers && state.carts.length < mostCarts,
    async (state, real) => {
      const source = pick(state.carts, n)
      const { answer, into } = carts.merge(state, source)
      const called = await real.call(
        "POST",
        "/cart/merge",
        { isCustomers: true },
        { sessionToken: source.sessionToken }
      )
      expectAnswer(called, answer)
      if (into === undefined) return
      if (into.id !== "") expect(called.body.id).toBe(into.id)
      Object.assign(into, { id: called.body.id, sessionToken: called.body.sessionToken })
    }
  )
)

export const cartCommands = [
  fc.constant(guestsCart),
  fc.constant(ownCart),
  ...often(12, addLine),
  ...often(4, changeLine),
  clear,
  couponOf("TEN"),
  couponOf("NOPE"),
  withoutCoupon,
  merge
]
