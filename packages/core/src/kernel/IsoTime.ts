/**
 * Times in requests: ISO 8601 dates and times of the years 1970 to 9999. A time without a zone is UTC, whatever the
 * server's time zone, and a day that its month does not have is rejected, while V8 would read the thirtieth of February
 * as the second of March.
 */
const pattern = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/

const isDay = (date: string): boolean => {
  const midnight = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date)
}

/** The instant, or undefined if the text is invalid. A date alone is its midnight. */
export const parseIsoTime = (text: string): Date | undefined => {
  const [, date, time = "00:00", zone = "Z"] = pattern.exec(text) ?? []
  if (date === undefined || !isDay(date)) return undefined
  const at = new Date(`${date}T${time}${zone}`)
  return Number.isNaN(at.getTime()) || at.getTime() < 0 || at.getUTCFullYear() > 9999 ? undefined : at
}
