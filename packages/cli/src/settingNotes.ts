/** Notes on settings that are valid and probably not intended: printed at startup and by `doctor`. */
import { smtpServerOf } from "@effect-commerce/core/smtp/SmtpServer"
import { Redacted, Result } from "effect"
import type { Settings } from "./Settings.ts"

/** What is wrong with the sender of mails, or undefined: without a domain of its own, mails are rejected or lost. */
export const senderProblem = ({ smtpUrl, publicUrl }: Settings): string | undefined => {
  if (smtpUrl === undefined || publicUrl !== undefined) return undefined
  const server = smtpServerOf(Redacted.value(smtpUrl))
  return Result.isSuccess(server) && server.success.from === null
    ? "mails come from no-reply@localhost, which mail servers refuse"
    : undefined
}

export const senderRemedy = "add ?from=post@your.domain to COMMERCE_SMTP_URL, or set COMMERCE_PUBLIC_URL"

/** A line each. */
export const settingNotes = (settings: Settings): ReadonlyArray<string> => {
  const sender = senderProblem(settings)
  return sender === undefined ? [] : [`COMMERCE_SMTP_URL: ${sender}; ${senderRemedy}`]
}
