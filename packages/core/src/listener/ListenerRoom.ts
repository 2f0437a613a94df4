/** The layer of the listener room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { EventListeners } from "./EventListeners.ts"
import { ListenerRepository } from "./ListenerRepository.ts"

export const listenerRoom = {
  layer: EventListeners.layer.pipe(Layer.provide(ListenerRepository.layer))
} as const satisfies Room
