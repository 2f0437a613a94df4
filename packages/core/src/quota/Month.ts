/** The calendar month (UTC) in which orders are counted. Pure. */

/** As `YYYY-MM`. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

/** When the month after this one begins. */
export const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
