/**
 * The arithmetic of points: what an order earns, what a refund undoes, and what points pay. Points are whole numbers,
 * amounts minor units; every division rounds down. Pure.
 */
import { least } from "../kernel/Money.ts"

/** The most points of an account, and of anything that is counted in points. A JSON number is exact up to here. */
export const maxPoints = 1_000_000_000_000n

/** Multipliers are whole numbers of this part of one. */
export const multiplierUnit = 10_000n

export interface EarningTier {
  readonly name: string
  /** Points earned in all from which it applies. */
  readonly threshold: number
  /** Ten-thousandths: 15,000 is 1.5. */
  readonly multiplier: number
}

export interface EarningRule {
  readonly pointsPerUnit: bigint
  /** Minor units for which `pointsPerUnit` points are earned. */
  readonly currencyUnit: bigint
  /** By rising threshold. */
  readonly tiers: ReadonlyArray<EarningTier>
}

/** The highest tier reached; undefined below the first. */
export const tierOf = (tiers: ReadonlyArray<EarningTier>, lifetime: bigint): EarningTier | undefined =>
  tiers.findLast(({ threshold }) => BigInt(threshold) <= lifetime)

const atLeastZero = (a: bigint): bigint => (a > 0n ? a : 0n)

/** floor(eligible x multiplier / currencyUnit) x pointsPerUnit, by the tier that was reached before. */
export const earnedPoints = (
  { pointsPerUnit, currencyUnit, tiers }: EarningRule,
  eligible: bigint,
  lifetime: bigint
) => {
  const multiplier = BigInt(tierOf(tiers, lifetime)?.multiplier ?? Number(multiplierUnit))
  return least(((atLeastZero(eligible) * multiplier) / (currencyUnit * multiplierUnit)) * pointsPerUnit, maxPoints)
}

/** The money of an order as it stands, in minor units. */
export interface OrderMoneyNow {
  readonly isCancelled: boolean
  /** What anything but points has paid, and what of it was given back. */
  readonly captured: bigint
  readonly refunded: bigint
  /** What of `refunded` was given back in a provider's own dashboard, where nobody can say what becomes of points. */
  readonly refundedByProvider: bigint
  /** What points have paid, and what of it refunds of this service have given back. */
  readonly worth: bigint
  readonly worthRefunded: bigint
}

/** How many of the points that the order earned are to be taken back by now. */
export const reversedPoints = (earned: bigint, { isCancelled, captured, refunded }: OrderMoneyNow): bigint => {
  if (isCancelled) return earned
  return captured === 0n ? 0n : (earned * least(refunded, captured)) / captured
}

/**
 * How many of the points that the order spent are to be returned by now. A refund of this service says how much of it
 * concerns points; one of a provider's dashboard returns points in the proportion of the money.
 */
export const returnedPoints = (spent: bigint, money: OrderMoneyNow): bigint => {
  if (money.isCancelled) return spent
  const captured = money.captured === 0n ? 1n : money.captured
  const worth = money.worth === 0n ? 1n : money.worth
  const byProvider = least(least(money.refundedByProvider, money.refunded), money.captured)
  return least((spent * (money.worthRefunded * captured + byProvider * worth)) / (worth * captured), spent)
}

/** How many points of at most `points` can pay for `due`: whole points only. */
export const pointsFor = (due: bigint, redeemRate: bigint, points: bigint): bigint => least(due / redeemRate, points)

/** The points that pay an amount; a part of a point counts as one. */
export const pointsPaying = (amount: bigint, redeemRate: bigint): bigint => (amount + redeemRate - 1n) / redeemRate

/** An account as it is stored, with what has expired since and what checkouts hold. */
export interface Standing {
  readonly balance: bigint
  readonly lifetime: bigint
  /** Points whose time has passed. */
  readonly due: bigint
  /** What all checkouts hold, and what of it the asking one does. */
  readonly held: bigint
  readonly own: bigint
}

/** What expires now. Points that are held do not, until the payment they are held for has ended. */
export const expiredOf = ({ due, held }: Pick<Standing, "due" | "held">): bigint => atLeastZero(due - held)

/** The balance without what has expired. */
export const balanceOf = (standing: Standing): bigint => standing.balance - expiredOf(standing)

/** What the asking checkout may spend. */
export const usableOf = (standing: Standing): bigint =>
  atLeastZero(balanceOf(standing) - (standing.held - standing.own))

/** How many of these points fit into the account. */
export const fitting = (points: bigint, { balance, lifetime }: Pick<Standing, "balance" | "lifetime">): bigint =>
  atLeastZero(least(points, least(maxPoints - balance, maxPoints - lifetime)))
