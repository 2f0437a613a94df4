/**
 * Port. Decides where a mail goes and returns the result: it left, it is kept, or it could not leave and whether trying
 * again makes sense. Called by MailDelivery for one mail at a time that it holds a lease on, outside of any
 * transaction; a mail may come again after an unclear end, with the same Message-ID. It differs from MailDelivery,
 * which owns the queue, order, pace and retries: a transport remembers nothing. Default: SMTP where a server is named
 * (SmtpTransport); without one the mails stay in the database, the kept mailbox, and are named in the log, never with a
 * token.
 */
import { Context, Effect, Layer, type Redacted, Result } from "effect"
import { readText } from "../kernel/OneEffect.ts"
import { type Transport, MailUndelivered, type OutgoingMail } from "./OutgoingMail.ts"
import { type SmtpServer, smtpServerOf } from "./SmtpServer.ts"

export { type Transport, MailUndelivered, type OutgoingMail }

export interface MailOptions {
  /** `smtp(s)://user:pass@host:port` (SmtpServer). Without one, and without `transport`, mails are kept. */
  readonly smtpUrl?: string | Redacted.Redacted | undefined
  /** A way of the host's own, in place of SMTP. */
  readonly transport?: Transport | undefined
  /** Where this server is reached, for links and the sender's domain. */
  readonly publicUrl?: string | undefined
}

export class MailTransport extends Context.Service<MailTransport, Transport>()(
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

/** Mails stay where they are; `onMail` is called with each. */
export const keptMailbox = (
  fromAddress: string,
  onMail: (mail: OutgoingMail) => Effect.Effect<void> = () => Effect.void
): Transport => ({
  keeps: true,
  fromAddress,
  deliver: (mail) => Effect.as(onMail(mail), "KEPT" as const)
})

const named = ({ id, storeId, to, subject, eventType }: OutgoingMail) =>
  Effect.logInfo("Mail kept, no mail server is set").pipe(Effect.annotateLogs({ id, storeId, eventType, to, subject }))

/** A domain for the sender: the public URL's host where it has a name. */
const hostOf = (publicUrl: string | undefined): string => {
  const host = publicUrl === undefined ? "" : new URL(publicUrl).hostname
  return host === "" || /^[\d.]+$|:/.test(host) ? "localhost" : host
}
