/**
 * A DNS server on loopback that answers what a test tells it: one list of records per question asked, the last for all
 * that follow.
 */
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import type { Resolver as Resolve } from "../../src/outbound/Resolver.ts"

export type DnsRecord =
  | { readonly a: string }
  | { readonly aaaa: ReadonlyArray<number> }
  | { readonly cname: string; readonly to: DnsRecord }

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0])
  ])

const answerBytes = (name: string, record: DnsRecord): ReadonlyArray<Buffer> => {
  const of = (type: number, data: Buffer) => {
    const head = Buffer.alloc(10)
    head.writeUInt16BE(type, 0)
    head.writeUInt16BE(1, 2)
    head.writeUInt16BE(data.length, 8)
    return Buffer.concat([nameBytes(name), head, data])
  }
  if ("a" in record) return [of(1, Buffer.from(record.a.split(".").map(Number)))]
  if ("aaaa" in record) return [of(28, Buffer.from(record.aaaa.flatMap((word) => [word >> 8, word & 255])))]
  return [of(5, nameBytes(record.cname)), ...answerBytes(record.cname, record.to)]
}

const typeOf = (record: DnsRecord): number => ("a" in record ? 1 : "aaaa" in record ? 28 : typeOf(record.to))

export const openNameServer = async (zone: Readonly<Record<string, ReadonlyArray<ReadonlyArray<DnsRecord>>>>) => {
  const socket = createSocket("udp4")
  const asked = new Map<string, number>()
  socket.on("message", (question, from) => {
    const labels: Array<string> = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const name = labels.join(".").toLowerCase()
    const type = question.readUInt16BE(at + 1)
    const key = `${name}/${type}`
    const turn = asked.get(key) ?? 0
    asked.set(key, turn + 1)
    const turns = zone[name] ?? []
    const records = (turns[Math.min(turn, turns.length - 1)] ?? []).filter((record) => typeOf(record) === type)
    const answers = records.flatMap((record) => answerBytes(name, record))
    const head = Buffer.alloc(12)
    question.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (turns.length === 0 ? 3 : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done))
  const resolver: Resolve = async (host) => {
    const dns = new Resolver({ timeout: 1_000, tries: 1 })
    dns.setServers([`127.0.0.1:${socket.address().port}`])
    const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  }
  return { resolver, close: () => new Promise<void>((done) => socket.close(() => done())) }
}
