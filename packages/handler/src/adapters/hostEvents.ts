/** `commerce.events`: functions of the host that are called with events (core's room `listener`). */
import type { EventData, PublicEventType } from "@effect-commerce/core/CommerceEvents"
import { EventListeners } from "@effect-commerce/core/listener/EventListeners"
import type { EventEnvelope } from "@effect-commerce/core/webhook/EventEnvelope"
import { type Context, Effect, Exit, Scope } from "effect"

/** An event as webhooks have it, with its store. */
export type HostEvent<Type extends PublicEventType = PublicEventType> = {
  readonly [T in Type]: {
    /** `evt_…`. The same event may come twice: remember the ids that you have handled. */
    readonly id: string
    readonly type: T
    readonly storeId: string
    /** ISO 8601. */
    readonly createdAt: string
    /** Of two events of one resource the later one has the greater number. */
    readonly sequence: number
    readonly data: EventData<T>
  }
}[Type]

/** A type, all types of a resource (`order.*`), or all (`*`). */
export type HostEventSelector = PublicEventType | `${ResourceOf<PublicEventType>}.*` | "*"
type ResourceOf<Type extends string> = Type extends `${infer Resource}.${string}` ? Resource : never

/** The types that a selector names. */
export type NamedBy<Selector extends HostEventSelector> = Selector extends "*"
  ? PublicEventType
  : Selector extends `${infer Resource}.*`
    ? Extract<PublicEventType, `${Resource}.${string}`>
    : Extract<Selector, PublicEventType>

export interface ListenOptions {
  /**
   * The name under which the installation remembers how far this function is, at most 100 characters; by default the
   * types. Two functions of one process need two names; processes that use the same one share its events. Where their
   * types differ, the process that began last has them all.
   */
  readonly name?: string | undefined
}

export interface HostListening {
  readonly name: string
  /** Ends the calls in this process. What happens from now on is handed over when the name is used again. */
  readonly stop: () => Promise<void>
}

export interface HostEvents {
  /**
   * Calls a function with every event of these types, of all stores, that is committed from now on: at least once, in
   * the order of each store, in one of the processes that listen under the name. It has 30 s, then `signal` is aborted;
   * where it throws or rejects, it is called again with the same event, and the store's later events wait for it.
   * Resolves once events cannot be missed any more, also those that happen while no process listens (30 days).
   */
  readonly on: <Selector extends HostEventSelector>(
    types: Selector | ReadonlyArray<Selector>,
    handle: (event: HostEvent<NamedBy<Selector>>, context: { readonly signal: AbortSignal }) => unknown,
    options?: ListenOptions
  ) => Promise<HostListening>
}

const longestName = 100

export const makeHostEvents = (services: Context.Context<EventListeners>, instance: Scope.Scope): HostEvents => {
  const names = new Set<string>()

  const begin = Effect.fnUntraced(function* (
    name: string,
    types: ReadonlyArray<string>,
    handle: (event: EventEnvelope & { readonly storeId: string }, context: { readonly signal: AbortSignal }) => unknown
  ) {
    const scope = yield* Scope.fork(instance)
    yield* Scope.addFinalizer(
      scope,
      Effect.sync(() => names.delete(name))
    )
    const calling = EventListeners.use(({ listen }) =>
      listen({
        name,
        types,
        handle: (storeId, event) =>
          Effect.tryPromise({
            try: async (signal) => handle({ ...event, storeId }, { signal }),
            catch: (error) => error
          })
      })
    )
    yield* Scope.provide(calling, scope).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    return { name, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
  })

  return {
    on: async (selectors, handle, options) => {
      const types: ReadonlyArray<string> = typeof selectors === "string" ? [selectors] : selectors
      const name = options?.name ?? [...types].sort().join(",")
      if (types.length === 0) throw new TypeError("events.on: no type of event is named")
      if (name === "" || name.length > longestName)
        throw new TypeError(`events.on: a name has 1 to ${longestName} characters; give { name }`)
      if (names.has(name))
        throw new TypeError(`events.on: this process listens as ${name} already; give { name } for another function`)
      names.add(name)
      const begun = begin(name, types, handle as Parameters<typeof begin>[2])
      const told = Effect.catchTag(begun, "EventTypesUnknown", ({ unknown }) =>
        Effect.die(new TypeError(`events.on: there is no event ${unknown.join(", ")}; docs/events.md lists them`))
      )
      return Effect.runPromiseWith(services)(told)
    }
  }
}
