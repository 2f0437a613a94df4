/**
 * Port. Sends a mail and returns the result: sent, kept, or failed and whether a retry makes sense. Called by
 * MailDelivery for one leased mail at a time, outside of any transaction; after an unclear result a mail may be sent
 * again, with the same Message-ID. MailDelivery owns the queue, order, pace and retries; a transport keeps no state.
 * Default: SMTP if a server is configured (SmtpTransport); without one the mails stay in the database, the kept
 * mailbox, and are logged, never with a token.
 */
import { Context, Effect, Layer, type Redacted, Result } from "effect"
import { readText } from "../kernel/OneEffect.ts"
import { type Transport, MailUndelivered, type OutgoingMail } from "./OutgoingMail.ts"
import { type SmtpServer, smtpServerOf } from "./SmtpServer.ts"

export { type Transport, MailUndelivered, type OutgoingMail }

export interface MailOptions {
  /** `smtp(s)://user:pass@host:port` (SmtpServer). Without one, and without `transport`, mails are kept. */
  readonly smtpUrl?: string | Redacted.Redacted | undefined
  /** The host's own transport, in place of SMTP. */
  readonly transport?: Transport | undefined
  /** The public URL of this server, for links and the sender's domain. */
  readonly publicUrl?: string | undefined
  /** Addresses of name servers that domains of stores are verified with, with a port if it is not 53. */
  readonly dnsServers?: ReadonlyArray<string> | undefined
}

export class MailTransport extends Context.Service<MailTransport, Transport>()(
  "@effect-commerce/core/smtp/MailTransport"
) {
  static readonly layer = ({ smtpUrl, transport, publicUrl }: MailOptions) => {
    if (transport !== undefined) return Layer.succeed(MailTransport, transport)
    return Layer.effect(
      MailTransport,
      Effect.gen(function* () {
        const server = smtpUrl === undefined ? undefined : yield* serverOf(smtpUrl)
        const fromAddress = server?.from ?? `no-reply@${hostOf(publicUrl)}`
        if (server === undefined) return keptMailbox(fromAddress, named)
        // Loaded on use: most commands, and servers without a mail server, never need it.
        const { smtpTransport } = yield* Effect.promise(() => import("./SmtpTransport.ts"))
        return yield* smtpTransport(server, fromAddress)
      })
    )
  }
}

/** Dies on an invalid URL, a mistake of the host's, with a message that does not repeat it. */
const serverOf = (smtpUrl: string | Redacted.Redacted): Effect.Effect<SmtpServer> => {
  const server = smtpServerOf(readText("the URL of the mail server", smtpUrl))
  return Result.isFailure(server)
    ? Effect.die(new TypeError(`The URL of the mail server ${server.failure}`))
    : Effect.succeed(server.success)
}

/** A transport that leaves mails in the database; `onMail` is called with each. */
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

/** The sender's domain: the public URL's host if it is a name. */
const hostOf = (publicUrl: string | undefined): string => {
  const host = publicUrl === undefined ? "" : new URL(publicUrl).hostname
  return host === "" || /^[\d.]+$|:/.test(host) ? "localhost" : host
}
