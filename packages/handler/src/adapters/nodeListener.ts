/**
 * The Node listener as a step among others of a host (Express, connect, middie): what is not ours is the next one's.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { isOurs } from "../middleware/RequestTarget.ts"

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Without `next` everything is answered, by 404 where it is not ours. */
export const handingOn =
  (listener: Listener, basePath: string) =>
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
    if (next === undefined) return listener(request, response)
    if (!isOurs(request, basePath)) return next()
    try {
      listener(request, response)
    } catch (error) {
      next(error)
    }
  }
