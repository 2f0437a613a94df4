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
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { pageOf, toPageOf } from "@effect-commerce/core/kernel/Pagination"
import { Orders } from "@effect-commerce/core/order/Orders"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect, Layer } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { languageKeptOf } from "../middleware/RequestLanguages.ts"
import { paged, succeed } from "../middleware/Responses.ts"
import { asAdmin, asCustomer, onChannel, type SignedIn } from "../middleware/Surfaces.ts"
import { Exchange } from "../middleware/Exchange.ts"
import { countFailedAuth } from "../middleware/Limits.ts"
import { Unauthorized } from "../middleware/Refusals.ts"
import { HandlerSettings } from "../middleware/Settings.ts"
import { CustomersGroup } from "./CustomerApi.ts"
import { AdminCustomersGroup } from "./AdminCustomerApi.ts"

const say = (message: string) => ({ success: true, message }) as const

/** The same message whether or not there is such a customer. */
const asked = say("If an account needs it, a mail is on its way")

/** The channel of a request, and the language that it asks for by Accept-Language. */
const visitOf = ({ store, channel }: { readonly store: StoreContext; readonly channel: { readonly id: string } }) =>
  Effect.map(languageKeptOf(store, {}), (locale) => ({ channelId: channel.id, locale }))

const refusedSecrets: ReadonlySet<string> = new Set([
  CustomerCredentialsRejected.identifier,
  CustomerTokenRejected.identifier
])

/**
 * `asCustomer`, for routes that read the customer. Another process may have deleted the customer a moment ago: then the
 * token is rejected and removed from this process's cache.
 */
const makeAsKnownCustomer = Effect.map(CustomerTokens, (tokens) => {
  const signedOut = new Unauthorized({ reason: "This token is not valid; sign in again" })
  const isGone = <E>(error: E): error is Extract<E, CustomerNotFound> => error instanceof CustomerNotFound
  return <Request, A, E, R>(handle: (caller: SignedIn, request: Request) => Effect.Effect<A, E, R>) =>
    asCustomer((caller: SignedIn, request: Request) =>
      Effect.catchIf(handle(caller, request), isGone<E>, () =>
        Effect.andThen(tokens.forget(caller.store.id, caller.customer.id), Effect.fail(signedOut))
      )
    )
})

/** Counts a wrong password or an invalid token as a failed authentication of the client. */
const makeCounted = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  const count = Effect.flatMap(Exchange, (exchange) => countFailedAuth(limits, settings, exchange))
  return <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E, R>) =>
    Effect.tapError(self, ({ _tag }) => (refusedSecrets.has(_tag) ? count : Effect.void))
})

const customers = endpointsOf(
  CustomersGroup,
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* CustomerAccounts
    const useCases = yield* Customers
    const addresses = yield* CustomerAddresses
    const tokens = yield* CustomerTokens
    const carts = yield* CustomerCarts
    const orders = yield* Orders
    const counted = yield* makeCounted
    const asKnownCustomer = yield* makeAsKnownCustomer
    return handlers.handleAll({
      register: onChannel((at, { payload }) =>
        Effect.flatMap(visitOf(at), (visit) => accounts.register(at.store, visit, payload))
      ),
      login: onChannel((at, { payload }) =>
        Effect.flatMap(visitOf(at), (visit) => counted(accounts.login(at.store, visit, payload)))
      ),
      verifyEmail: onChannel(({ store, channel }, { payload }) =>
        Effect.as(
          counted(accounts.verifyEmail(store, channel.id, payload.token)),
          say("The e-mail address is verified")
        )
      ),
      resendVerification: onChannel((at, { payload }) =>
        Effect.flatMap(visitOf(at), (visit) =>
          Effect.as(accounts.resendVerification(at.store, visit, payload.email), asked)
        )
      ),
      forgotPassword: onChannel((at, { payload }) =>
        Effect.flatMap(visitOf(at), (visit) =>
          Effect.as(accounts.forgotPassword(at.store, visit, payload.email), asked)
        )
      ),
      resetPassword: onChannel(({ store, channel }, { payload }) =>
        Effect.as(
          counted(accounts.resetPassword(store, channel.id, payload)),
          say("The password is changed; sign in with the new one")
        )
      ),
      logout: asCustomer(({ store, customer }) => Effect.as(tokens.logOut(store.id, customer), say("Signed out"))),
      changePassword: asCustomer(({ store, customer }, { payload }) =>
        Effect.as(
          counted(accounts.changePassword(store, customer.id, payload)),
          say("The password is changed; sign in with the new one")
        )
      ),
      me: asKnownCustomer(({ store, customer }) => useCases.get(store, customer.id)),
      updateMe: asKnownCustomer(({ store, customer }, { payload }) =>
        Effect.catchTag(useCases.update(store, customer.id, payload), "CustomerEmailTaken", Effect.die)
      ),
      closeMe: asKnownCustomer(({ store, customer }, { payload }) =>
        succeed(counted(accounts.close(store, customer.id, payload.password)))
      ),
      prefill: asKnownCustomer(({ store, customer }) => useCases.prefill(store, customer.id)),
      addresses: asKnownCustomer(({ store, customer }) => addresses.list(store, customer.id)),
      addAddress: asKnownCustomer(({ store, customer }, { payload }) => addresses.add(store, customer.id, payload)),
      changeAddress: asKnownCustomer(({ store, customer }, { params, payload }) =>
        addresses.change(store, customer.id, params.addressId, payload)
      ),
      removeAddress: asKnownCustomer(({ store, customer }, { params }) =>
        succeed(addresses.remove(store, customer.id, params.addressId))
      ),
      makeDefaultAddress: asKnownCustomer(({ store, customer }, { params }) =>
        addresses.makeDefault(store, customer.id, params.addressId)
      ),
      orders: asCustomer(({ store, customer }, { query }) =>
        paged(query, (page) => orders.listOfCustomer(store, customer.id, page))
      ),
      order: asCustomer(({ store, customer }, { params }) => orders.getOfCustomer(store, customer.id, params.orderId)),
      cart: asKnownCustomer(({ store, access }, { query }) =>
        Effect.flatMap(languageKeptOf(store, query), (locale) => carts.active(store, access, locale))
      ),
      mergeCart: asKnownCustomer(({ store, access }, { payload }) => carts.merge(store, access, payload.sessionToken))
    })
  })
)

const adminCustomers = endpointsOf(
  AdminCustomersGroup,
  Effect.fnUntraced(function* (handlers) {
    const useCases = yield* Customers
    const addresses = yield* CustomerAddresses
    return handlers.handleAll({
      create: asAdmin(({ store }, { payload }) => useCases.create(store, payload)),
      getByEmail: asAdmin(({ store }, { query }) => useCases.getByEmail(store, query.email)),
      get: asAdmin(({ store }, { params }) => useCases.get(store, params.id)),
      update: asAdmin(({ store }, { params, payload }) => useCases.update(store, params.id, payload)),
      remove: asAdmin(({ store }, { params }) => succeed(useCases.remove(store, params.id))),
      addresses: asAdmin(({ store }, { params, query }) =>
        Effect.map(addresses.list(store, params.id), (all) => toPageOf(pageOf(query), all))
      ),
      addAddress: asAdmin(({ store }, { params, payload }) => addresses.add(store, params.id, payload)),
      changeAddress: asAdmin(({ store }, { params, payload }) =>
        addresses.change(store, params.id, params.addressId, payload)
      ),
      removeAddress: asAdmin(({ store }, { params }) => succeed(addresses.remove(store, params.id, params.addressId)))
    })
  })
)

export const customerEndpoints = Layer.mergeAll(customers, adminCustomers)
