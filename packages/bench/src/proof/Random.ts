/** Reproducible random numbers: the same seed gives the same numbers (mulberry32, Tommy Ettinger, public domain). */
export interface Random {
  /** From 0 up to, but not, 1. */
  readonly next: () => number
  /** A whole number from `from` to `to`, both possible. */
  readonly between: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(from: ReadonlyArray<A>) => A
  readonly shuffled: <A>(from: ReadonlyArray<A>) => ReadonlyArray<A>
  /** Chance of its own for one of several loops, so that their order of turns does not matter. */
  readonly branch: (number: number) => Random
}

export const makeRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (from) => {
      const found = from[between(0, from.length - 1)]
      if (found === undefined) throw new Error("nothing to pick from")
      return found
    },
    shuffled: (from) =>
      from
        .map((item) => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
    branch: (number) => makeRandom(Math.imul(seed ^ 0x9e3779b9, number + 1) ^ (seed >>> 3))
  }
}
