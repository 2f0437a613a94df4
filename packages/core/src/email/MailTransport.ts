/**
 * Port. Decides where a mail goes and tells what became of it: it left, it is kept, or it could not leave and whether
 * trying again makes sense. Called by MailDelivery for one mail at a time that it holds a lease on, outside of any
 * transaction; a mail may come again after an unclear end, with the same Message-ID. It differs from MailDelivery,
 * which owns the queue, order, pace and retries: a transport remembers nothing. Default: SMTP where a server is named
 * (SmtpTransport); without one the mails stay in the database, the kept mailbox, and are named in the log, never with a
 * token.
 */
import { Context, Effect, Layer, type Redacted, Result, Schema } from "effect"
import { readText } from "../kernel/OneEffect.ts"
import type { EmailType } from "./EmailType.ts"
import { type SmtpServer, smtpServerOf } from "./SmtpServer.ts"

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

/**
 * `permanent`: this mail was refused for good. `unreachable`: no mail leaves this way at the moment. `reason` is for
 * logs and holds no secret.
 */
export class MailUndelivered extends Schema.TaggedError<MailUndelivered>()("MailUndelivered", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  unreachable: Schema.Boolean
}) {}

export interface MailTransportMethods {
  /**
   * Mails stay in the database, readable, tokens included; otherwise they leave, and bodies that hold a token are
   * sealed until then.
   */
  readonly keeps: boolean
  /** The address mails come from. */
  readonly fromAddress: string
  readonly deliver: (mail: OutgoingMail) => Effect.Effect<"SENT" | "KEPT", MailUndelivered>
}

export interface MailOptions {
  /** `smtp(s)://user:pass@host:port` (SmtpServer). Without one, and without `transport`, mails are kept. */
  readonly smtpUrl?: string | Redacted.Redacted | undefined
  /** A way of the host's own, in place of SMTP. */
  readonly transport?: MailTransportMethods | undefined
  /** Where this server is reached, for links and the sender's domain. */
  readonly publicUrl?: string | undefined
}

export class MailTransport extends Context.Service<MailTransport, MailTransportMethods>()(
  "@effect-commerce/core/email/MailTransport"
) {
  static readonly layer = ({ smtpUrl, transport, publicUrl }: MailOptions) => {
    if (transport !== undefined) return Layer.succeed(MailTransport, transport)
    return Layer.effect(
      MailTransport,
      Effect.gen(function* () {
        const server = smtpUrl === undefined ? undefined : yield* serverOf(smtpUrl)
        const fromAddress = server?.from ?? `no-reply@${hostOf(publicUrl)}`
        if (server === undefined) return keptMailbox(fromAddress, named)
        // Loaded where it is used: most commands, and servers without a mail server, never do.
        const { smtpTransport } = yield* Effect.promise(() => import("./SmtpTransport.ts"))
        return yield* smtpTransport(server, fromAddress)
      })
    )
  }
}

/** A wrong URL is a mistake of the host's, named without its text. */
const serverOf = (smtpUrl: string | Redacted.Redacted): Effect.Effect<SmtpServer> => {
  const server = smtpServerOf(readText("the URL of the mail server", smtpUrl))
  return Result.isFailure(server)
    ? Effect.die(new TypeError(`The URL of the mail server ${server.failure}`))
    : Effect.succeed(server.success)
}

/** Mails stay where they are; `tell` hears of each. */
export const keptMailbox = (
  fromAddress: string,
  tell: (mail: OutgoingMail) => Effect.Effect<void> = () => Effect.void
): MailTransportMethods => ({
  keeps: true,
  fromAddress,
  deliver: (mail) => Effect.as(tell(mail), "KEPT" as const)
})

const named = ({ id, storeId, to, subject, eventType }: OutgoingMail) =>
  Effect.logInfo("Mail kept, no mail server is set").pipe(Effect.annotateLogs({ id, storeId, eventType, to, subject }))

/** A domain for the sender: the public URL's host where it has a name. */
const hostOf = (publicUrl: string | undefined): string => {
  const host = publicUrl === undefined ? "" : new URL(publicUrl).hostname
  return host === "" || /^[\d.]+$|:/.test(host) ? "localhost" : host
}

/** The same for every attempt, so that whoever receives a mail twice can tell. */
export const messageIdOf = (mail: Pick<OutgoingMail, "id" | "from">): string =>
  `<${mail.id}@${mail.from.address.split("@")[1] ?? "localhost"}>`
