/**
 * The hourly limit of a store as a token bucket that holds one hour's mails and fills evenly: `limit` at once after a
 * quiet hour, then one each `hour / limit`. The bucket is stored as one instant, at which it will be full again (the
 * generic cell rate algorithm); a changed limit applies at once.
 */
export const hourMillis = 3_600_000

/** A `fullAt` more than an hour ahead was written under another clock: the bucket counts as full. */
const slackMillis = 5_000

const fillTimeOf = (fullAt: number, now: number): number =>
  fullAt - now > hourMillis + slackMillis ? 0 : Math.max(0, fullAt - now)

/** How many mails may be sent now. Times are epoch milliseconds. */
export const mailsAllowed = (fullAt: number, limit: number, now: number): number =>
  Math.floor(((hourMillis - fillTimeOf(fullAt, now)) * limit) / hourMillis + 1e-6)

/** When the bucket will be full after one more mail. */
export const afterOneMail = (fullAt: number, limit: number, now: number): number =>
  now + fillTimeOf(fullAt, now) + Math.floor(hourMillis / limit)

/**
 * The part of the hour's mails that is kept for others than the merchant: a buyer who orders after a flood of mails to
 * the owner does not wait.
 */
const keptFor = (limit: number): number => Math.floor(limit / 10)

/** Whether a mail to the merchant may be sent now: the mails that are kept for others are left to them. */
export const merchantAllowed = (fullAt: number, limit: number, now: number): boolean =>
  mailsAllowed(fullAt, limit, now) > keptFor(limit)

/** One in so many turns is for the merchant's mails that have waited for a day. */
const turnsBetween = 10

/**
 * Whether this turn is for mails to the merchant that have waited for long: without such turns they would never leave
 * where others take the whole pace for days.
 */
export const isMerchantTurn = (fullAt: number, limit: number): boolean =>
  Math.floor(fullAt / Math.floor(hourMillis / limit)) % turnsBetween === 0
