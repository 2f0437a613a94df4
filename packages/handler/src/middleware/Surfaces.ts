/**
 * Who a handler serves. Each surface has one function here, and an endpoint is written with it:
 *
 *     list: asAdmin(({ store }, { query }) => rates.list(store, query))
 *
 * The first argument is the caller that the guard has checked, the second is the decoded request. A handler that is
 * written for another surface than its route declares does not compile, because the guard of that route does not
 * provide the caller.
 *
 * The caller is also the actor of what the handler changes (`CurrentActor`).
 */
import { adminCarts, type CartAccess } from "@effect-commerce/core/cart/CartAccess"
import { type Actor, CurrentActor, guestActor } from "@effect-commerce/core/store/Actor"
import type { SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import { calledOf } from "@effect-commerce/core/team/DashboardUser"
import { Effect } from "effect"
import {
  AdminCaller,
  ChannelCaller,
  CustomerCaller,
  InstallationCaller,
  PersonCaller,
  PublicCaller,
  RawCaller,
  VisitorCaller
} from "./Callers.ts"

/** A request is typed by its route. The caller comes first, so that a handler without input leaves the request out. */
type Handler<Caller, Request, A, E, R> = (caller: Caller, request: Request) => Effect.Effect<A, E, R>

/** What a storefront may do with carts: those of its channel, and of the customer who is signed in, if any. */
const accessOf = <Id extends string | null>(channel: SalesChannel, customerId: Id) => ({
  salesChannelId: channel.id,
  isStorefront: true,
  isTest: channel.mode === "test",
  customerId
})

/** What an admin key may do with carts: every cart of its store, with the higher bounds of an admin key. */
export const adminAccess: CartAccess = adminCarts

const doneBy = <A, E, R>(actor: Actor, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, CurrentActor, actor)

const adminActor = ({ keyId, keyName, person }: AdminCaller["Service"]): Actor => ({
  type: person === null ? "key" : "user",
  id: keyId,
  name: keyName
})

const shopperActor = (customer: { readonly id: string; readonly email: string } | null): Actor =>
  customer === null ? guestActor : { type: "customer", id: customer.id, name: customer.email }

/** For `adminRoute`: an admin key and the store it acts for. */
export const asAdmin =
  <Request, A, E, R>(handle: Handler<AdminCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | AdminCaller> =>
    Effect.flatMap(AdminCaller, (caller) => doneBy(adminActor(caller), handle(caller, request)))

/** For `installationRoute`: an installed app, or an admin key that does something for it. */
export const asInstallation =
  <Request, A, E, R>(handle: Handler<InstallationCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | InstallationCaller> =>
    Effect.flatMap(InstallationCaller, (caller) => handle(caller, request))

/** A storefront, the customer who is signed in there, if any, and what it may do with carts. */
export type Shopper = ChannelCaller["Service"] & { readonly access: CartAccess }

/** For `channelRoute`: a storefront on a registered domain. */
export const onChannel =
  <Request, A, E, R>(handle: Handler<Shopper, Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | ChannelCaller> =>
    Effect.flatMap(ChannelCaller, (caller) =>
      doneBy(
        shopperActor(caller.customer),
        handle({ ...caller, access: accessOf(caller.channel, caller.customer?.id ?? null) }, request)
      )
    )

/** A signed-in customer, and what they may do with carts. */
export type SignedIn = CustomerCaller["Service"] & { readonly access: CartAccess & { readonly customerId: string } }

/** For `channelRoute` where the route needs a signed-in customer. */
export const asCustomer =
  <Request, A, E, R>(handle: Handler<SignedIn, Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | CustomerCaller> =>
    Effect.flatMap(CustomerCaller, (caller) =>
      doneBy(
        shopperActor(caller.customer),
        handle({ ...caller, access: accessOf(caller.channel, caller.customer.id) }, request)
      )
    )

/** For `rawRoute`: a company that sends notices. */
export const fromCompany =
  <Request, A, E, R>(handle: Handler<RawCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | RawCaller> =>
    Effect.flatMap(RawCaller, (caller) => handle(caller, request))

/** For `visitorRoute`: whoever wants to log in. */
export const asVisitor =
  <Request, A, E, R>(handle: Handler<VisitorCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | VisitorCaller> =>
    Effect.flatMap(VisitorCaller, (caller) => handle(caller, request))

/** For `personRoute`: a person who is logged in to the dashboard. */
export const asPerson =
  <Request, A, E, R>(handle: Handler<PersonCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | PersonCaller> =>
    Effect.flatMap(PersonCaller, (caller) =>
      doneBy({ type: "user", id: caller.person.id, name: calledOf(caller.person) }, handle(caller, request))
    )

/** For `publicRoute`: anyone who reads the public catalogue of a store. */
export const publicly =
  <Request, A, E, R>(handle: Handler<PublicCaller["Service"], Request, A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | PublicCaller> =>
    Effect.flatMap(PublicCaller, (caller) => handle(caller, request))
