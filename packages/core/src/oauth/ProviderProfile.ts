/** What a provider says of the person who signed in, brought to one shape. Everything in it was chosen by others. */
import { isEmail, normaliseEmail } from "../kernel/Address.ts"

export interface ProviderProfile {
  readonly issuer: string
  /** The person at that issuer, for ever. */
  readonly subject: string
  /** Normalised; null where the provider gives none that can be one. */
  readonly email: string | null
  /** The provider says that the person has proved the address. */
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
}

/** The most characters of a subject (OpenID Connect Core, section 2). */
const longestSubject = 255
const longestName = 100

/** Whether a text can name a person for ever: filled, printable ASCII, not too long. */
export const isSubject = (value: unknown): value is string =>
  typeof value === "string" && value.length <= longestSubject && /^[\x20-\x7E]+$/.test(value) && value.trim() !== ""

/** A name as it can be stored: one line of well-formed text. */
const nameOf = (value: unknown): string | null => {
  if (typeof value !== "string") return null
  const line = value
    .slice(0, 4 * longestName)
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
  return [...line].slice(0, longestName).join("").slice(0, longestName).toWellFormed().trim() || null
}

const emailOf = (value: unknown): string | null => {
  if (typeof value !== "string") return null
  const email = normaliseEmail(value)
  return isEmail(email) ? email : null
}

type Claims = Readonly<Record<string, unknown>>

/** By the standard claims of OpenID Connect. Some providers write `email_verified` as a text. */
export const profileOfClaims = (issuer: string, subject: string, claims: Claims): ProviderProfile => {
  const email = emailOf(claims["email"])
  const isVerified = claims["email_verified"] === true || claims["email_verified"] === "true"
  const [firstName, lastName] = namesOf(claims["given_name"], claims["family_name"], claims["name"])
  return { issuer, subject, email, emailVerified: email !== null && isVerified, firstName, lastName }
}

/** The parts of a name where they are given, else the whole name as the first name. */
const namesOf = (first: unknown, last: unknown, whole: unknown): readonly [string | null, string | null] => {
  const [firstName, lastName] = [nameOf(first), nameOf(last)]
  return firstName === null && lastName === null ? [nameOf(whole), null] : [firstName, lastName]
}

/** Facebook does not say whether an address was verified: it counts as unverified. */
export const profileOfFacebook = (issuer: string, subject: string, person: Claims): ProviderProfile => {
  const [firstName, lastName] = namesOf(person["first_name"], person["last_name"], person["name"])
  return { issuer, subject, email: emailOf(person["email"]), emailVerified: false, firstName, lastName }
}

/** GitHub lists the addresses of a user apart: the primary one is taken, another only where that is not verified. */
export const profileOfGithub = (
  issuer: string,
  subject: string,
  user: Claims,
  emails: ReadonlyArray<unknown>
): ProviderProfile => {
  const listed = emails.flatMap((entry) => {
    const { email, verified, primary } = (entry ?? {}) as Claims
    const address = emailOf(email)
    // Addresses under which GitHub forwards nothing.
    return address === null || address.endsWith("@users.noreply.github.com")
      ? []
      : [{ address, isVerified: verified === true, isPrimary: primary === true }]
  })
  const best =
    listed.find(({ isPrimary, isVerified }) => isPrimary && isVerified) ??
    listed.find(({ isVerified }) => isVerified) ??
    listed.find(({ isPrimary }) => isPrimary) ??
    listed[0]
  const [firstName, lastName] = namesOf(undefined, undefined, user["name"])
  return {
    issuer,
    subject,
    email: best?.address ?? null,
    emailVerified: best?.isVerified ?? false,
    firstName,
    lastName
  }
}
