/**
 * Checks of settings. Each check returns the value or what must hold; the sentence never shows the value, which may be
 * a password.
 */
import { smtpServerOf } from "@effect-commerce/core/smtp/SmtpServer"
import { Result } from "effect"
import ipaddr from "ipaddr.js"

export type Check<A> = (text: string) => Result.Result<A, string>

export const wholeNumber =
  (minimum: number, maximum: number): Check<number> =>
  (text) =>
    /^[0-9]+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
      ? Result.succeed(Number(text))
      : Result.fail(`must be a whole number from ${minimum} to ${maximum}`)

/** A number, or `off`. */
export const numberOrOff =
  (number: Check<number>): Check<number | "off"> =>
  (text) =>
    text === "off" ? Result.succeed("off") : Result.mapError(number(text), (must) => `${must}, or off`)

/** A URL of one of these schemes, `postgres:` and the like. */
export const urlOf =
  (...schemes: ReadonlyArray<string>): Check<string> =>
  (text) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol)
      ? Result.succeed(text)
      : Result.fail(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}`)

/** The URL of a mail server. */
export const smtpUrl: Check<string> = (text) => Result.map(smtpServerOf(text), () => text)

export const oneOf =
  <const A extends string>(...choices: ReadonlyArray<A>): Check<A> =>
  (text) => {
    const chosen = choices.find((choice) => choice === text)
    return chosen === undefined ? Result.fail(`must be ${choices.join(" or ")}`) : Result.succeed(chosen)
  }

/** `1` is on; `0` and absent are off. */
export const onOrOff: Check<boolean> = (text) =>
  text === "1" || text === "0" ? Result.succeed(text === "1") : Result.fail("must be 1, or absent")

export const atLeastBytes =
  (count: number): Check<string> =>
  (text) =>
    Buffer.byteLength(text) >= count ? Result.succeed(text) : Result.fail(`must be at least ${count} bytes`)

export const beginsWith =
  (...beginnings: ReadonlyArray<string>): Check<string> =>
  (text) =>
    beginnings.some((beginning) => text.startsWith(beginning))
      ? Result.succeed(text)
      : Result.fail(`must begin with ${beginnings.join(" or ")}`)

export const hostName: Check<string> = (text) =>
  /^[A-Za-z0-9._:%-]+$/.test(text) ? Result.succeed(text) : Result.fail("must be an address or a host name")

/** Addresses and CIDR ranges, comma-separated. */
export const addressRanges: Check<ReadonlyArray<string>> = (text) => {
  const ranges = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const wrong = ranges.find((range) => !(range.includes("/") ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range)))
  return wrong === undefined ? Result.succeed(ranges) : Result.fail(`${wrong} is neither an address nor a CIDR range`)
}

/** This machine only. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)
