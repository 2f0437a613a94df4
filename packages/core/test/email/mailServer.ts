/** A mail server on this machine that keeps what it is given, read by a parser that is not ours. */
import { once } from "node:events"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer } from "smtp-server"

export interface Received extends ParsedMail {
  readonly envelopeFrom: string
  readonly envelopeTo: ReadonlyArray<string>
  /** As it came over the wire. */
  readonly raw: string
  readonly overTls: boolean
  readonly user: string | undefined
}

export interface PostOffice {
  readonly url: string
  readonly port: number
  readonly mails: Array<Received>
  /** What the server says to a recipient: nothing, or a reply such as 550. */
  refuse: (recipient: string) => { readonly code: number; readonly text: string } | undefined
  /** Runs before a mail is accepted. */
  beforeAccepting: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface PostOfficeOptions {
  readonly port?: number
  /** Demands this log-in, and offers STARTTLS with a certificate that nobody signed. */
  readonly login?: { readonly user: string; readonly password: string }
}

const portOf = (server: SMTPServer): number => {
  const address = server.server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export const openPostOffice = async ({ port = 0, login }: PostOfficeOptions = {}): Promise<PostOffice> => {
  const office = {
    mails: [] as Array<Received>,
    refuse: (_: string): { code: number; text: string } | undefined => undefined,
    beforeAccepting: async () => {}
  }
  const server = new SMTPServer({
    authOptional: login === undefined,
    disableReverseLookup: true,
    hideSTARTTLS: login === undefined,
    closeTimeout: 100,
    onAuth: ({ username, password }, _, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username })
        : done(new Error("Invalid credentials")),
    onRcptTo: ({ address }, _, done) => {
      const refusal = office.refuse(address)
      done(refusal === undefined ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", async () => {
        const raw = Buffer.concat(chunks)
        const parsed = await simpleParser(raw)
        await office.beforeAccepting()
        const { mailFrom, rcptTo } = session.envelope
        office.mails.push({
          ...parsed,
          envelopeFrom: mailFrom === false ? "" : mailFrom.address,
          envelopeTo: rcptTo.map(({ address }) => address),
          raw: raw.toString("utf8"),
          overTls: session.secure,
          user: session.user
        })
        done(null)
      })
    }
  })
  server.on("error", () => {})
  server.listen(port, "127.0.0.1")
  await once(server.server, "listening")
  const at = portOf(server)
  return Object.assign(office, {
    url: `smtp://127.0.0.1:${at}`,
    port: at,
    close: () => new Promise<void>((done) => server.close(() => done()))
  })
}
