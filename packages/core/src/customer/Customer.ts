/** A customer in memory, and the rules for the fields that customers fill in. */
import { Schema } from "effect"
import type { Address } from "../kernel/Address.ts"
import { clearable, optional, text } from "../kernel/Fields.ts"

export interface SavedAddress {
  readonly id: string
  readonly label: string | null
  readonly isDefault: boolean
  readonly address: Address
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `passwordHash` null: created by the merchant, no password chosen yet. */
export interface CustomerState {
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phone: string | null
  readonly passwordHash: string | null
  /** Part of every token; a token with another version is no longer valid. */
  readonly passwordVersion: number
  readonly emailVerified: boolean
  readonly acceptsMarketing: boolean
  /** Month and day only, both or neither. */
  readonly birthMonth: number | null
  readonly birthDay: number | null
  /** Whether customer.created was emitted; for a sign-up that awaits verification it is not emitted yet. */
  readonly announced: boolean
  /** The language of mails to the customer; null is the store's own. It is not a part of the profile. */
  readonly locale: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The default first, then the newest first. */
  readonly addresses: ReadonlyArray<SavedAddress>
}

/** More than any household needs, and few enough for every response and event that includes the customer. */
export const maxAddresses = 100

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Why a birthday is invalid: only one of month and day, or a day that the month never has. There is no year, so 29
 * February is valid.
 */
export const birthdayProblem = ({ birthMonth, birthDay }: CustomerFields): string | undefined => {
  const month = birthMonth ?? undefined
  const day = birthDay ?? undefined
  if ((birthMonth === undefined) !== (birthDay === undefined) || (month === undefined) !== (day === undefined)) {
    return "birthMonth and birthDay go together: give both or neither"
  }
  if (month === undefined || day === undefined) return undefined
  return day <= (daysInMonth[month - 1] ?? 0) ? undefined : `month ${month} has no day ${day}`
}

const referralPattern = /^REF-[A-Z0-9]{8}$/

/** The referral code to store, in upper case; null for a text of any other form, which a registration leaves out. */
export const referralCodeOf = (given: unknown): string | null => {
  const code = typeof given === "string" ? given.trim().toUpperCase() : ""
  return referralPattern.test(code) ? code : null
}

const wholeNumber = (maximum: number) => Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum })))

/** The fields of a customer that can be set: absent leaves a field as it is, null clears it. */
export const customerFields = {
  firstName: clearable(text(100), "First name.", "Ada"),
  lastName: clearable(text(100), "Last name.", "Lovelace"),
  phone: clearable(text(40), "Telephone number, best in the form +14155550100.", "+14155550100"),
  acceptsMarketing: optional(Schema.Boolean, "Whether the customer agrees to marketing e-mails."),
  birthMonth: clearable(
    wholeNumber(12),
    "Month of birth. Give it together with `birthDay`; null for both removes it.",
    12
  ),
  birthDay: clearable(wholeNumber(31), "Day of birth, which must exist in the month. No year is kept.", 10)
}
export type CustomerFields = Schema.Struct.Type<typeof customerFields>
