/**
 * How much of a provider's work for a store this process has under way, and whether the provider answers at all. Each
 * pair of store and provider has slots of its own and a circuit: a provider that does not answer is tried less and less
 * often, one operation at a time, and delays nobody else.
 */
/** The operations of a store at one of its providers: they share connections, and wait for nobody else's. */
export interface ProviderOfStore {
  readonly storeId: string
  readonly providerId: string
}

/** Operations of one store at one provider that are under way at a time. */
const slots = 8
/** After so many calls in a row without an answer the circuit opens. */
const enough = 5
/** Milliseconds for which it is open: first, and at most, after ever more failures. */
const firstPause = 5_000
const longestPause = 300_000

interface Turn {
  readonly underWay: number
  readonly unanswered: number
  readonly openUntil: number
}

const fresh: Turn = { underWay: 0, unanswered: 0, openUntil: 0 }

export const makeProviderTurns = () => {
  const turns = new Map<string, Turn>()
  const keyOf = ({ storeId, providerId }: ProviderOfStore): string => `${storeId}|${providerId}`
  const change = (whose: ProviderOfStore, to: (turn: Turn) => Turn): void => {
    const next = to(turns.get(keyOf(whose)) ?? fresh)
    if (next.underWay === 0 && next.unanswered === 0) turns.delete(keyOf(whose))
    else turns.set(keyOf(whose), next)
  }
  return {
    /** How many more operations may be begun now. */
    room: (whose: ProviderOfStore, now: number): number => {
      const { underWay, unanswered, openUntil } = turns.get(keyOf(whose)) ?? fresh
      if (unanswered < enough) return slots - underWay
      return underWay > 0 || now < openUntil ? 0 : 1
    },
    /** Before it is known how much is due: another pass may come by meanwhile. What was not needed is given back. */
    begin: (whose: ProviderOfStore, many: number): void =>
      change(whose, (turn) => ({ ...turn, underWay: turn.underWay + many })),
    giveBack: (whose: ProviderOfStore, many: number): void =>
      change(whose, (turn) => ({ ...turn, underWay: turn.underWay - many })),
    /** `answered`: whether the provider said anything; undefined where it was not asked. */
    end: (whose: ProviderOfStore, answered: boolean | undefined, now: number): void =>
      change(whose, (turn) => {
        const underWay = Math.max(0, turn.underWay - 1)
        if (answered === undefined) return { ...turn, underWay }
        if (answered) return { ...fresh, underWay }
        const unanswered = turn.unanswered + 1
        const pause = Math.min(longestPause, firstPause * 2 ** Math.min(20, Math.max(0, unanswered - enough)))
        return { underWay, unanswered, openUntil: now + pause }
      })
  }
}
