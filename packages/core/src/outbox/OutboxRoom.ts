/** The layers of the outbox room. The relay is separate: it needs the consumers of events. */
import type { Room } from "../database/Room.ts"
import { Outbox } from "./Outbox.ts"
import { OutboxRelay } from "./OutboxRelay.ts"
import { outboxLaws } from "./outboxLaws.ts"

export const outboxRoom = { layer: Outbox.layer, laws: outboxLaws } as const satisfies Room

export const outboxRelay = OutboxRelay.layer
