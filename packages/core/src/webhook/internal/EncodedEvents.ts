/**
 * Raw bodies of events that were queued or sent a moment ago: one event goes to several subscriptions, and need not be
 * read and written anew for each.
 */
import { type EncodedEvent, encodeEvent, type StoredEvent } from "../EventEnvelope.ts"

/** In all, bytes. */
const mostBytes = 6 * 1_024 * 1_024

export class EncodedEvents {
  readonly #kept = new Map<string, EncodedEvent>()
  #bytes = 0

  get(id: string): EncodedEvent | undefined {
    return this.#kept.get(id)
  }

  /** The oldest go when there are too many. */
  add(event: StoredEvent): EncodedEvent {
    const known = this.#kept.get(event.id)
    if (known !== undefined) return known
    const encoded = encodeEvent(event)
    this.#kept.set(event.id, encoded)
    this.#bytes += encoded.body.length
    if (this.#bytes > mostBytes) this.#makeRoom()
    return encoded
  }

  #makeRoom(): void {
    for (const [id, { body }] of this.#kept) {
      if (this.#bytes <= mostBytes) break
      this.#kept.delete(id)
      this.#bytes -= body.length
    }
  }
}
