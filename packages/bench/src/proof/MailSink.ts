/** A mail server that is slow, rejects mails for a while now and then, and records recipients and Message-IDs. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"

export interface Arrival {
  readonly to: string
  readonly messageId: string
}

export interface MailSink {
  readonly url: string
  readonly arrivals: ReadonlyArray<Arrival>
  /**
   * How a mail is met, asked for each once it is there: taken after so many milliseconds, or `later` (451). At once
   * unless told.
   */
  meet: () => number | "later"
  readonly close: () => Promise<void>
}

export const openMailSink = async (): Promise<MailSink> => {
  const arrivals: Array<Arrival> = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const met = sink.meet()
        if (met === "later") return done(Object.assign(new Error("try again later"), { responseCode: 451 }))
        setTimeout(() => {
          const messageId = /^message-id: *(.*)$/im.exec(Buffer.concat(chunks).toString("utf8"))?.[1]?.trim() ?? ""
          // Taken from here on, whoever is still there to hear it.
          for (const { address } of session.envelope.rcptTo) arrivals.push({ to: address, messageId })
          done(null)
        }, met)
      })
    }
  })
  server.on("error", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const sink: MailSink = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrivals,
    meet: () => 0,
    close: () => new Promise<void>((done) => server.close(() => done()))
  }
  return sink
}
