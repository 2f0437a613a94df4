import { CustomerCarts } from "@effect-commerce/core/cart/CustomerCarts"
import { CustomerAccounts } from "@effect-commerce/core/customer/CustomerAccounts"
import { CustomerAddresses } from "@effect-commerce/core/customer/CustomerAddresses"
import {
  CustomerCredentialsRejected,
  CustomerNotFound,
  CustomerTokenRejected
} from "@effect-commerce/core/customer/CustomerErrors"
import { Customers } from "@effect-commerce/core/customer/Customers"
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { RateLimits } from "@effect-commerce/core/database/RateLimits"
import { pageOf, toEnvelope, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { Orders } from "@effect-commerce/core/order/Orders"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { AdminCaller, ChannelCaller, CustomerCaller } from "../middleware/Callers.ts"
import { Exchange } from "../middleware/Exchange.ts"
import { countFailedAuth } from "../middleware/Limits.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { HandlerSettings } from "../middleware/Settings.ts"

const say = (message: string) => ({ success: true, message }) as const
const success = { success: true } as const

/** The same words whether or not there is such a customer. */
const asked = say("If an account needs it, a mail is on its way")

/** A customer's cart is reached through the channel they signed in on. */
const accessOf = ({ channel, customer }: CustomerCaller["Service"]) => ({
  salesChannelId: channel.id,
  capped: true,
  isTest: channel.mode === "test",
  customerId: customer.id
})

const refusedSecrets: ReadonlySet<string> = new Set([
  CustomerCredentialsRejected.identifier,
  CustomerTokenRejected.identifier
])

/**
 * Whoever a token names may have gone a moment ago, in another process: it is worth nothing then, here and from now on.
 */
const makeAsCustomer = Effect.map(CustomerTokens, (tokens) => {
  const signedOut = new Unauthorized({ reason: "This token is not valid; sign in again" })
  const isGone = <E>(error: E): error is Extract<E, CustomerNotFound> => error instanceof CustomerNotFound
  return <A, E, R>(use: (caller: CustomerCaller["Service"]) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(CustomerCaller, (caller) =>
      Effect.catchIf(use(caller), isGone<E>, () =>
        Effect.andThen(tokens.forget(caller.store.id, caller.customer.id), Effect.fail(signedOut))
      )
    )
})

/** Counts a wrong password, and a token that is no good, as a failed authentication of the client. */
const makeCounted = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  const count = Effect.flatMap(Exchange, (exchange) => countFailedAuth(limits, settings, exchange))
  return <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E, R>) =>
    Effect.tapError(self, ({ _tag }) => (refusedSecrets.has(_tag) ? count : Effect.void))
})

const customers = HttpApiBuilder.group(
  Api,
  "customers",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* CustomerAccounts
    const useCases = yield* Customers
    const addresses = yield* CustomerAddresses
    const tokens = yield* CustomerTokens
    const carts = yield* CustomerCarts
    const orders = yield* Orders
    const counted = yield* makeCounted
    const asCustomer = yield* makeAsCustomer
    return handlers.handleAll({
      register: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store, channel }) => accounts.register(store, channel.id, payload)),
      login: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store, channel }) => counted(accounts.login(store, channel.id, payload))),
      verifyEmail: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store }) =>
          Effect.as(counted(accounts.verifyEmail(store, payload.token)), say("The e-mail address is verified"))
        ),
      resendVerification: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store, channel }) =>
          Effect.as(accounts.resendVerification(store, channel.id, payload.email), asked)
        ),
      forgotPassword: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store, channel }) =>
          Effect.as(accounts.forgotPassword(store, channel.id, payload.email), asked)
        ),
      resetPassword: ({ payload }) =>
        Effect.flatMap(ChannelCaller, ({ store }) =>
          Effect.as(
            counted(accounts.resetPassword(store, payload.token, payload.newPassword)),
            say("The password is changed; sign in with the new one")
          )
        ),
      logout: () =>
        Effect.flatMap(CustomerCaller, ({ store, customer }) =>
          Effect.as(tokens.logOut(store.id, customer), say("Signed out"))
        ),
      changePassword: ({ payload }) =>
        Effect.flatMap(CustomerCaller, ({ store, customer }) =>
          Effect.as(
            counted(accounts.changePassword(store, customer.id, payload)),
            say("The password is changed; sign in with the new one")
          )
        ),
      me: () => asCustomer(({ store, customer }) => useCases.get(store, customer.id)),
      updateMe: ({ payload }) =>
        asCustomer(({ store, customer }) =>
          Effect.catchTag(useCases.update(store, customer.id, payload), "CustomerEmailTaken", Effect.die)
        ),
      closeMe: ({ payload }) =>
        asCustomer(({ store, customer }) =>
          Effect.as(counted(accounts.close(store, customer.id, payload.password)), success)
        ),
      prefill: () => asCustomer(({ store, customer }) => useCases.prefill(store, customer.id)),
      addresses: () => asCustomer(({ store, customer }) => addresses.list(store, customer.id)),
      addAddress: ({ payload }) => asCustomer(({ store, customer }) => addresses.add(store, customer.id, payload)),
      changeAddress: ({ params, payload }) =>
        asCustomer(({ store, customer }) => addresses.change(store, customer.id, params.addressId, payload)),
      removeAddress: ({ params }) =>
        asCustomer(({ store, customer }) => Effect.as(addresses.remove(store, customer.id, params.addressId), success)),
      makeDefaultAddress: ({ params }) =>
        asCustomer(({ store, customer }) => addresses.makeDefault(store, customer.id, params.addressId)),
      orders: Effect.fnUntraced(function* ({ query }) {
        const { store, customer } = yield* CustomerCaller
        const page = pageOf(query)
        return toEnvelope(page, yield* orders.listOfCustomer(store, customer.id, page))
      }),
      order: ({ params }) =>
        Effect.flatMap(CustomerCaller, ({ store, customer }) =>
          orders.getOfCustomer(store, customer.id, params.orderId)
        ),
      cart: () => asCustomer((caller) => carts.active(caller.store, accessOf(caller))),
      mergeCart: ({ payload }) =>
        asCustomer((caller) => carts.merge(caller.store, accessOf(caller), payload.sessionToken))
    })
  })
)

const adminCustomers = HttpApiBuilder.group(
  Api,
  "adminCustomers",
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Customers
    const addresses = yield* CustomerAddresses
    return handlers.handleAll({
      create: ({ payload }) => Effect.flatMap(AdminCaller, ({ store }) => useCases.create(store, payload)),
      getByEmail: ({ query }) => Effect.flatMap(AdminCaller, ({ store }) => useCases.getByEmail(store, query.email)),
      get: ({ params }) => Effect.flatMap(AdminCaller, ({ store }) => useCases.get(store, params.id)),
      update: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => useCases.update(store, params.id, payload)),
      remove: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) => Effect.as(useCases.remove(store, params.id), success)),
      addresses: ({ params, query }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.map(addresses.list(store, params.id), (all) => toPageOf(pageOf(query), all))
        ),
      addAddress: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => addresses.add(store, params.id, payload)),
      changeAddress: ({ params, payload }) =>
        Effect.flatMap(AdminCaller, ({ store }) => addresses.change(store, params.id, params.addressId, payload)),
      removeAddress: ({ params }) =>
        Effect.flatMap(AdminCaller, ({ store }) =>
          Effect.as(addresses.remove(store, params.id, params.addressId), success)
        )
    })
  })
)

export const customerEndpoints = Layer.mergeAll(customers, adminCustomers)
