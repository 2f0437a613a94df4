/**
 * Port. Decides where a mail goes and tells what became of it: it left, it is kept, or it could not leave and whether trying again makes sense.
 * Called by MailDelivery for one mail at a time that it holds a lease on, outside of any transaction; a mail may come again after an unclear end, with the
 * same Message-ID. It differs from MailDelivery, which owns the queue, order, pace and retries: a transport remembers nothing.
 * Default: SMTP where a URL is given (a small pool of connections, 25 s for a mail); without one the mails stay in the database, the kept mailbox, and are
 * named in the log, never with a token.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { emailPattern } from "../kernel/Address.ts"
import type { EmailType } from "./EmailType.ts"

export interface OutgoingMail {
  readonly id: string
  readonly storeId: string
  readonly eventType: EmailType
  readonly to: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly createdAt: Date
}

/** `permanent`: the server refused this mail for good. `unreachable`: no mail leaves this way at the moment. */
export class MailUndelivered extends Schema.TaggedError<MailUndelivered>()("MailUndelivered", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  unreachable: Schema.Boolean
}) {}

export interface MailTransportMethods {
  /** Mails stay in the database, readable, tokens included; otherwise they leave, and bodies that hold a token are sealed until then. */
  readonly keeps: boolean
  /** The address mails come from. */
  readonly fromAddress: string
  readonly deliver: (mail: OutgoingMail) => Effect.Effect<"SENT" | "KEPT", MailUndelivered>
}

export interface MailOptions {
  /** `smtp(s)://user:pass@host:port`; `?from=address` names the sender where the user is not an address. */
  readonly smtpUrl?: Redacted.Redacted | undefined
  /** Where this server is reached, for links and the sender's domain. */
  readonly publicUrl?: string | undefined
}

/** Milliseconds: of one mail in all, and of silence on the connection. Both end before a lease does (MailDelivery). */
const mailTimeout = 25_000
const silenceTimeout = 15_000
const connections = 4

export class MailTransport extends Context.Service<MailTransport, MailTransportMethods>()("@effect-commerce/core/email/MailTransport") {
  static readonly layer = (options: MailOptions) => Layer.effect(MailTransport, options.smtpUrl === undefined ? kept(options) : smtp(options, options.smtpUrl))
}

const kept = (options: MailOptions) =>
  Effect.succeed(
    MailTransport.of({
      keeps: true,
      fromAddress: senderOf(options),
      deliver: ({ id, storeId, to, subject, eventType }) =>
        Effect.as(Effect.logInfo("Mail kept, no mail server is set").pipe(Effect.annotateLogs({ id, storeId, eventType, to, subject })), "KEPT" as const)
    })
  )

const smtp = Effect.fnUntraced(function* (options: MailOptions, url: Redacted.Redacted) {
  // Loaded where it is used: most commands and servers without a mail server never do.
  const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createTransport({
        url: Redacted.value(url),
        pool: true,
        maxConnections: connections,
        // Trying again is MailDelivery's, which counts.
        maxRequeues: 0,
        idleTimeout: 30_000,
        connectionTimeout: silenceTimeout,
        greetingTimeout: silenceTimeout,
        dnsTimeout: silenceTimeout,
        socketTimeout: silenceTimeout,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(mayBeUnverified(new URL(Redacted.value(url))) ? { tls: { rejectUnauthorized: false } } : {})
      })
    ),
    (transport) => Effect.sync(() => transport.close())
  )
  const fromAddress = senderOf(options)

  const send = (mail: OutgoingMail, signal: AbortSignal) =>
    pool.sendMail({
      signal,
      messageId: messageIdOf(mail),
      date: mail.createdAt,
      from: mail.from,
      to: { name: "", address: mail.to },
      envelope: { from: mail.from.address, to: [mail.to] },
      ...(mail.replyTo === null ? {} : { replyTo: { name: "", address: mail.replyTo } }),
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }
    })

  return MailTransport.of({
    keeps: false,
    fromAddress,
    deliver: (mail) =>
      Effect.tryPromise({ try: (signal) => send(mail, signal), catch: undelivered }).pipe(
        Effect.as("SENT" as const),
        Effect.timeoutOrElse({
          duration: mailTimeout,
          orElse: () => Effect.fail(new MailUndelivered({ reason: `no end after ${mailTimeout} ms`, permanent: false, unreachable: true }))
        })
      )
  })
})

/** The same for every attempt, so that whoever receives a mail twice can tell. */
export const messageIdOf = (mail: Pick<OutgoingMail, "id" | "from">): string => `<${mail.id}@${mail.from.address.split("@")[1] ?? "localhost"}>`

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.")

/**
 * `smtp://` without a password uses TLS where the server offers it, whoever signed its certificate: the alternative would be no TLS at all (RFC 7435).
 * A password, or `smtps://`, is given to a verified server only, except on this machine.
 */
const mayBeUnverified = (url: URL): boolean => isLoopback(url.hostname) || (url.protocol === "smtp:" && url.password === "")

/** Who mails come from: `?from=` of the SMTP URL, its user where that is an address, else no-reply at the server's public host. */
const senderOf = ({ smtpUrl, publicUrl }: MailOptions): string => {
  const server = smtpUrl === undefined ? undefined : new URL(Redacted.value(smtpUrl))
  const named = [server?.searchParams.get("from"), decodeURIComponent(server?.username ?? "")].find((name) => emailPattern.test(name ?? ""))
  const host = publicUrl === undefined ? "localhost" : new URL(publicUrl).hostname
  return named ?? `no-reply@${/^[\d.]+$|:/.test(host) ? "localhost" : host}`
}

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

/** A reply of 500 to 599 about this mail (its recipient, its content) is final; anything about the connection or the log-in is not. */
const undelivered = (cause: unknown): MailUndelivered => {
  const { code, responseCode, message } = (typeof cause === "object" && cause !== null ? cause : {}) as Record<string, unknown>
  const isAboutMail = code === "EENVELOPE" || code === "EMESSAGE"
  const permanent = isAboutMail && typeof responseCode === "number" && responseCode >= 500
  return new MailUndelivered({ reason: `${textOf(code)} ${textOf(message)}`.trim().slice(0, 500), permanent, unreachable: !isAboutMail })
}
