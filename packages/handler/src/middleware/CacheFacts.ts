/** What a route's declaration says of caches; Cached.ts does it. */

/** How long a cached response may be used without revalidation. */
export interface CacheFacts {
  readonly seconds: number
}

/** For what shows prices or stock. */
export const askedEachTime: CacheFacts = { seconds: 0 }
/** For menus, brands and the like: as long as a process may cache a setting that another process has changed. */
export const keptBriefly: CacheFacts = { seconds: 5 }

export const cacheControlOf = ({ seconds }: CacheFacts): string =>
  seconds === 0 ? "public, max-age=0, must-revalidate" : `public, max-age=${seconds}`

/**
 * Request headers that a response depends on. `Origin` is named even if the request had none: with one, the response
 * has CORS headers.
 */
export const answerVaries = "Origin, Accept-Language, Accept-Encoding"
