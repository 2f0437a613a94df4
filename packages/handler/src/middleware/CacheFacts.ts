/** What a route's declaration says of caches; Cached.ts does it. */

/** How long an answer may be shown without asking again. */
export interface CacheFacts {
  readonly seconds: number
}

/** For what shows prices or stock. */
export const askedEachTime: CacheFacts = { seconds: 0 }
/** For menus, brands and the like: as long as a process may remember a setting that another has changed. */
export const keptBriefly: CacheFacts = { seconds: 5 }

export const cacheControlOf = ({ seconds }: CacheFacts): string =>
  seconds === 0 ? "public, max-age=0, must-revalidate" : `public, max-age=${seconds}`

/** What an answer depends on beside its address. Without an Origin too: with one, it says who may read it. */
export const answerVaries = "Origin, Accept-Language, Accept-Encoding"
