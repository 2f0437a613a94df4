/**
 * Mails that wait: how many a second leave for a mail server on this machine, over kept connections, and whether the
 * memory of the process grows while they leave. They are of twenty stores, since one sends a thousand an hour at most.
 */
import { cpuPer, type CpuTimes, cpuTimesOf } from "./cpuTimes.ts"
import { openStores } from "./manyStores.ts"
import { watchMemory } from "./memory.ts"
import type { Place } from "./place.ts"
import { pause, stop } from "./processes.ts"
import { openMailSink } from "./proof/MailSink.ts"
import { held, two, whole } from "./report.ts"
import type { Group } from "./run.ts"
import { serveProduct } from "./serving.ts"

interface MailResult {
  readonly mails: number
  readonly perSecond: number
  /** Milliseconds of a mail. */
  readonly cpu: CpuTimes | undefined
  /** Resident memory in MB, at most: in the first half of the mails, and in the second. */
  readonly memory: { readonly first: number; readonly second: number }
}

const stores = 20
const sender = "post@mugs.example"
const wanted = 200
/** Memory of the second half beside the first. */
const mayGrow = 1.1

/** Mails of a store, each to an address of its own, with bodies of the length of an order's confirmation. */
const mailsSql = `INSERT INTO email_message (store_id, id, event_type, to_address, from_name, from_address, subject, html, plain_text,
    due_at, created_at, updated_at)
  SELECT $1, 'mail_bench' || lpad(i::text, 8, '0'), 'ORDER_CONFIRMATION', 'buyer' || i || '@example.com', 'Mugs', '${sender}',
    'Your order ' || i, repeat('<p>An enamel mug, speckled, 350 ml</p>', 300), repeat('An enamel mug, speckled, 350 ml. ', 60),
    now(), now(), now() FROM generate_series(1, $2) i`

const seedMails = async ({ seeder }: Place, storeIds: ReadonlyArray<string>, each: number): Promise<void> => {
  for (const id of storeIds) {
    await seeder.query(
      `INSERT INTO email_settings (store_id, id, emails_enabled, event_settings, hourly_rate_limit, click_tracking_enabled,
        created_at, updated_at) VALUES ($1, 'emailset_bench', true, '{}', 1000, false, now(), now())`,
      [id]
    )
    await seeder.query("INSERT INTO email_pace (store_id, full_at) VALUES ($1, now()) ON CONFLICT DO NOTHING", [id])
    await seeder.query(mailsSql, [id, each])
  }
  await seeder.query("VACUUM (ANALYZE) email_message")
}

const textOf = ({ mails, perSecond, cpu, memory }: MailResult): string =>
  `${whole(mails)} mails of ${stores} stores to a mail server on this machine: ${held(perSecond, wanted)} a second, ${two(cpu?.node ?? Number.NaN)} ms of Node's CPU and ${two(cpu?.postgres ?? Number.NaN)} ms of PostgreSQL's each.
Memory of the process at most ${whole(memory.first)} MB in the first half and ${whole(memory.second)} MB in the second${memory.second <= memory.first * mayGrow ? "" : ` (NOT KEPT: <= ${mayGrow} of the first)`}.`

export const queuedMailsGroup: Group = {
  name: "mails",
  rows: ["queued mails"],
  measure: async ({ places, plan }) => {
    const place = await places.open("mails")
    const mails = plan.isQuick ? 2_000 : 20_000
    await seedMails(place, await openStores(place, stores), mails / stores)
    const sink = await openMailSink()
    const { child } = await serveProduct(place.dataDir, { env: { COMMERCE_SMTP_URL: `${sink.url}?from=${sender}` } })
    const arrived = async (count: number) => {
      while (sink.arrivals.length < count) await pause(20)
    }
    await arrived(1)
    const [start, before, begun] = [performance.now(), cpuTimesOf(child.pid, place.postmaster), sink.arrivals.length]
    const first = watchMemory(child)
    await arrived(mails / 2)
    const memory = { first: first(), second: 0 }
    const second = watchMemory(child)
    await arrived(mails)
    const seconds = (performance.now() - start) / 1_000
    const after = cpuTimesOf(child.pid, place.postmaster)
    const sent = mails - begun
    const data = {
      mails,
      perSecond: sent / seconds,
      cpu: cpuPer(sent, before, after),
      memory: { ...memory, second: second() }
    }
    await stop(child)
    await sink.close()
    return { title: "Mails that wait", text: textOf(data), data }
  }
}
