/** Settings of the pipeline, given by the host. */
import { Context } from "effect"
import { declaredBase } from "./RequestTarget.ts"

export interface HandlerSettings {
  /** Requests a minute and an hour of one IP; null removes the per-IP windows and the per-route caps. */
  readonly perIp: { readonly perMinute: number; readonly perHour: number } | null
  /** Failed authentications of one IP in five minutes; null only under the test clock. */
  readonly failedAuth: number | null
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: ReadonlyArray<string>
  /** The prefix of every path, `/api` by default; may be empty. */
  readonly basePath: string
  /** Whether long JSON is sent compressed to clients that accept it. */
  readonly compress: boolean
  /** Whether requests of a store take turns beside other stores (RequestTurns.ts). */
  readonly storeTurns: boolean
  /** Whether the host is ready to be sent requests. */
  readonly ready: () => boolean
}

export const defaultSettings: HandlerSettings = {
  perIp: { perMinute: 60, perHour: 1_000 },
  failedAuth: 50,
  trustedProxies: [],
  basePath: declaredBase,
  compress: true,
  storeTurns: true,
  ready: () => true
}

export const HandlerSettings = Context.Reference<HandlerSettings>(
  "@effect-commerce/handler/middleware/HandlerSettings",
  {
    defaultValue: () => defaultSettings
  }
)
