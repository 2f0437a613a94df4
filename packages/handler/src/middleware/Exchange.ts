/**
 * What the ring knows about the current request and the guard adds to: one mutable record per request, found by
 * reference so that types need not carry it.
 */
import { Context } from "effect"

export interface Exchange {
  readonly id: string
  /**
   * The client's address, after trusted proxies; undefined for calls of the host within the process, which are not
   * limited by address.
   */
  readonly ip: string | undefined
  /** Request path without query, as error bodies show it. */
  readonly path: string
  /** Headers that every answer to this request carries: request id, rate windows, CORS. */
  readonly headers: Record<string, string>
  /** The answer shows a secret, and is sent as it is (Compressed.ts). */
  showsSecret?: boolean
  /** Reports the final size of a response that was counted before it was compressed (AnswerBytes.ts). */
  resized?: ((bytes: number) => void) | undefined
  /** The declared route, once the router has found it. */
  route?: string | undefined
  /** The store, once the guard knows it. */
  storeId?: string | undefined
}

export const Exchange = Context.Reference<Exchange>("@effect-commerce/handler/middleware/Exchange", {
  defaultValue: () => ({ id: "", ip: "", path: "", headers: {} })
})

/** Whether the host calls without a socket (adapters/inProcess.ts). No header can say so. */
export const InProcess = Context.Reference<boolean>("@effect-commerce/handler/middleware/InProcess", {
  defaultValue: () => false
})

/** The peer's address where the adapter knows it and the request does not carry it (a web `Request`). */
export const ClientAddress = Context.Reference<string | undefined>(
  "@effect-commerce/handler/middleware/ClientAddress",
  { defaultValue: () => undefined }
)
