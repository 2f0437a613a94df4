/** Consumers of relayed events: the port that mails and webhooks implement. */
import { Context, type Effect } from "effect"

export interface RelayedEvent {
  readonly id: string
  readonly type: string
  /** The version of the data (kernel/StoredData); null: 1. */
  readonly version: number | null
  readonly data: unknown
  readonly createdAt: Date
}

export interface OutboxConsumer {
  /** For logs. */
  readonly name: string
  /**
   * Runs inside `Database.write(storeId)`, and may run again after a rollback, so it must only insert its own rows.
   * Events come in the order of their commits. It must log and skip an event that it cannot read: a failure is retried
   * for as long as the event exists.
   */
  readonly consume: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<void>
  /**
   * For a consumer whose rows take long to make: makes them before the transaction, and returns the effect that inserts
   * them, which is run instead of `consume`. It must not write, because the transaction may never run.
   */
  readonly prepare?: (storeId: string, events: ReadonlyArray<RelayedEvent>) => Effect.Effect<Effect.Effect<void>>
}

/** The consumers of events; listed where the rooms are put together. */
export class OutboxConsumers extends Context.Service<OutboxConsumers, ReadonlyArray<OutboxConsumer>>()(
  "@effect-commerce/core/outbox/OutboxConsumers"
) {}
