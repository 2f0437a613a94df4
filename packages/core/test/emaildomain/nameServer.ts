/** A name server on this machine that knows the TXT records it is given, over UDP as resolvers ask (RFC 1035). */
import { createSocket } from "node:dgram"
import { once } from "node:events"

export interface NameServer {
  /** As `dnsServers` takes it. */
  readonly address: string
  /** What a name has; "fails" answers SERVFAIL, "silent" nothing. A name that is not here does not exist. */
  readonly records: Map<string, ReadonlyArray<string> | "fails" | "silent">
  readonly asked: Array<string>
  readonly close: () => Promise<void>
}

const nameIn = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 }
}

/** A text in pieces of at most 255 bytes, each behind its length. */
const piecesOf = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const pieces: Array<Buffer> = []
  for (let at = 0; at < bytes.length || at === 0; at += 255) {
    const piece = bytes.subarray(at, at + 255)
    pieces.push(Buffer.from([piece.length]), piece)
  }
  return Buffer.concat(pieces)
}

const answerTo = (query: Buffer, end: number, texts: ReadonlyArray<string>, code: number): Buffer => {
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8580 + code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts.length, 6)
  const answers = texts.map((text) => {
    const data = piecesOf(text)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(16, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(12, end), ...answers])
}

export const openNameServer = async (): Promise<NameServer> => {
  const records: NameServer["records"] = new Map()
  const asked: Array<string> = []
  const socket = createSocket("udp4")
  socket.on("message", (query, from) => {
    const { name, end } = nameIn(query)
    asked.push(name)
    const known = records.get(name)
    if (known === "silent") return
    const answer =
      known === undefined || known === "fails"
        ? answerTo(query, end, [], known === "fails" ? 2 : 3)
        : answerTo(query, end, known, 0)
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    asked,
    close: () => new Promise((done) => socket.close(() => done()))
  }
}
