/**
 * What the product's deliveries are measured against, a process of its own: reads the same rows from the same table in
 * one statement, and posts them with node:http over as many kept-alive connections as the product uses. Nothing is
 * signed, recorded, retried or shared out.
 */
import { Agent, request } from "node:http"
import type { nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { Client } from "pg"

export interface LoopJob {
  readonly database: ReturnType<typeof nodePostgresConfig>
  readonly storeId: string
  /** Events from this `seq` on. */
  readonly from: string
  readonly origin: string
  readonly paths: ReadonlyArray<string>
  readonly connections: number
}

const postTo = (agent: Agent, url: string, body: string): Promise<void> =>
  new Promise((done, fail) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    request(url, { method: "POST", agent, headers }, (answer) => {
      answer.resume()
      answer.on("end", done)
    })
      .on("error", fail)
      .end(body)
  })

const run = async ({ database, storeId, from, origin, paths, connections }: LoopJob): Promise<void> => {
  const client = new Client(database)
  await client.connect()
  const { rows } = await client.query(
    "SELECT id, type, data, created_at, seq FROM event WHERE store_id = $1 AND seq >= $2 ORDER BY seq",
    [storeId, from]
  )
  await client.end()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let at = 0
  const post = async () => {
    for (let i = at++; i < rows.length * paths.length; i = at++) {
      const row = rows[Math.floor(i / paths.length)] ?? {}
      const body = JSON.stringify({
        id: row["id"],
        type: row["type"],
        createdAt: row["created_at"],
        sequence: Number(row["seq"]),
        data: row["data"]
      })
      await postTo(agent, `${origin}${paths[i % paths.length]}`, body)
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  agent.destroy()
}

process.on("message", (job: LoopJob) => {
  run(job).then(
    () => process.send?.({ done: true }),
    (error: unknown) => process.send?.({ error: String(error) })
  )
})
