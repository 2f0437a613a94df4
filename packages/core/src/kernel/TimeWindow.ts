/**
 * Periods of validity: of a sale price, a coupon, a promotion. The start belongs to the window and the end does not, so
 * two windows that touch neither overlap nor leave a gap. A missing side is open: without both dates a window is always
 * active. The caller passes the instance clock's time; nothing here reads a clock.
 */

/** An instant: epoch milliseconds or a Date. null means the side is open. */
export type Instant = number | Date | null

export interface TimeWindow {
  readonly startsAt: Instant
  readonly endsAt: Instant
}

/** Whether `now` (epoch milliseconds) is before the window, inside it, or at or after its end. */
export const windowState = (window: TimeWindow, now: number): "scheduled" | "active" | "expired" => {
  if (window.endsAt !== null && now >= Number(window.endsAt)) return "expired"
  return window.startsAt !== null && now < Number(window.startsAt) ? "scheduled" : "active"
}

/** Whether `startsAt <= now < endsAt`; both null: always. `now` is epoch milliseconds. */
export const isWindowActive = (window: TimeWindow, now: number): boolean => windowState(window, now) === "active"
