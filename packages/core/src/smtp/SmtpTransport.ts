/** Mail by SMTP: nodemailer over a small pool of connections. One mail has 25 s in all, a silent server 15 s. */
import { createTransport } from "nodemailer"
import { Effect, Redacted } from "effect"
import type { Signature } from "../emaildomain/EmailDomains.ts"
import { type Transport, MailUndelivered, messageIdOf, type OutgoingMail } from "./OutgoingMail.ts"
import type { SmtpServer } from "./SmtpServer.ts"

/** Milliseconds for one mail, and of silence on the connection. Both are shorter than a lease (MailDelivery). */
const mailTimeout = 25_000
const silenceTimeout = 15_000
const connections = 4

const optionsOf = ({ host, port, isSecure, tls, user, password }: SmtpServer) => ({
  host,
  port,
  secure: isSecure,
  ignoreTLS: tls === "off",
  requireTLS: tls === "verify" && !isSecure,
  tls: { rejectUnauthorized: tls === "verify" },
  ...(user === "" ? {} : { auth: { user, pass: Redacted.value(password) } }),
  pool: true as const,
  maxConnections: connections,
  // A connection is kept for as long as there are mails.
  maxMessages: Number.POSITIVE_INFINITY,
  // MailDelivery retries and counts attempts.
  maxRequeues: 0,
  idleTimeout: 30_000,
  connectionTimeout: silenceTimeout,
  greetingTimeout: silenceTimeout,
  dnsTimeout: silenceTimeout,
  socketTimeout: silenceTimeout,
  disableFileAccess: true,
  disableUrlAccess: true
})

const addressOf = (address: string) => ({ name: "", address })

/**
 * No text of a mail can add a header or a recipient: addresses are passed as objects, never as texts to be parsed, and
 * nodemailer encodes the values of headers.
 */
const messageOf = (mail: OutgoingMail, returnPath: string) => ({
  messageId: messageIdOf(mail),
  date: mail.createdAt,
  from: mail.from,
  to: addressOf(mail.to),
  // Bounces go to the installation, whatever domain the mail comes from.
  envelope: { from: addressOf(returnPath), to: [addressOf(mail.to)] },
  ...(mail.replyTo === null ? {} : { replyTo: addressOf(mail.replyTo) }),
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...unsubscribing(mail) },
  ...(mail.signature === null ? {} : { dkim: signedBy(mail.signature) })
})

/** RFC 8058: the reader's mail program unsubscribes with one POST, over https only. */
const unsubscribing = ({ unsubscribeUrl }: OutgoingMail): Record<string, string> => {
  if (unsubscribeUrl === null) return {}
  const header = { "List-Unsubscribe": `<${unsubscribeUrl}>` }
  return unsubscribeUrl.startsWith("https:")
    ? { ...header, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : header
}

/** The headers to unsubscribe are signed too, as RFC 8058 wants it. */
const signedHeaders =
  "From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:" +
  "List-Unsubscribe:List-Unsubscribe-Post"

const signedBy = ({ domain, selector, privateKey }: Signature) => ({
  domainName: domain,
  keySelector: selector,
  privateKey,
  headerFieldNames: signedHeaders
})

/** The pool is closed with the scope. */
export const smtpTransport = Effect.fnUntraced(function* (server: SmtpServer, fromAddress: string) {
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => createTransport(optionsOf(server))),
    (transport) => Effect.sync(() => transport.close())
  )
  const transport: Transport = {
    keeps: false,
    fromAddress,
    deliver: (mail) =>
      Effect.tryPromise({
        try: (signal) => pool.sendMail({ ...messageOf(mail, fromAddress), signal }),
        catch: undelivered(server)
      }).pipe(
        Effect.as("SENT" as const),
        Effect.timeoutOrElse({
          duration: mailTimeout,
          orElse: () =>
            Effect.fail(
              new MailUndelivered({ reason: `no end after ${mailTimeout} ms`, permanent: false, unreachable: true })
            )
        })
      )
  }
  return transport
})

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

/**
 * A reply of 500 to 599 about this mail (its recipient, its content) is final; anything about the connection or the
 * log-in is not.
 */
const undelivered =
  ({ password }: SmtpServer) =>
  (cause: unknown): MailUndelivered => {
    const { code, responseCode, message } = (typeof cause === "object" && cause !== null ? cause : {}) as Record<
      string,
      unknown
    >
    const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE"
    const permanent = isAboutMail && typeof responseCode === "number" && responseCode >= 500
    const said = `${textOf(code)} ${textOf(message)}`.trim()
    const secret = Redacted.value(password)
    const reason = secret === "" ? said : said.replaceAll(secret, "…")
    return new MailUndelivered({ reason: reason.slice(0, 500), permanent, unreachable: !isAboutMail })
  }
