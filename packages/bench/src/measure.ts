/**
 * Rounds: in each of them every server gets the same load once, one after another, and the order turns from round to
 * round; so that disturbances of the machine affect all of them. A ratio is taken within a round, and the median of the
 * rounds is what counts.
 */
import type { ChildProcess } from "node:child_process"
import { cpuPer, type CpuTimes } from "./cpuTimes.ts"
import type { Job, Measured } from "./load.ts"
import { ask } from "./processes.ts"

export interface Server {
  readonly name: string
  readonly port: number
  readonly pid: number | undefined
}

/** The requests of one server in one round; `seconds` 0 sends each of them once. */
export type Load = (server: Server, round: number) => Promise<Pick<Job, "requests" | "seconds" | "patient">>

/** One server's load in one round; `cpu` in milliseconds for each request, undefined where the system does not say. */
export interface Round extends Measured {
  readonly cpu: CpuTimes | undefined
}

/** One entry per round. */
export type Rounds = Readonly<Record<string, ReadonlyArray<Round>>>

export interface RoundOptions {
  readonly loader: ChildProcess
  readonly servers: ReadonlyArray<Server>
  readonly rounds: number
  readonly connections: number
  readonly load: Load
  readonly cpuOf: (server: Server) => CpuTimes | undefined
  /** Work that runs during a server's load: it starts before it, and the function it returns ends it. */
  readonly beside?: (server: Server) => () => Promise<void>
}

const once = async (
  { loader, connections, load, cpuOf, beside }: RoundOptions,
  server: Server,
  round: number
): Promise<Round> => {
  const job: Job = { port: server.port, connections, ...(await load(server, round)) }
  const end = beside?.(server)
  const before = cpuOf(server)
  const { measured } = await ask<{ readonly measured: Measured }>(loader, job)
  const after = cpuOf(server)
  await end?.()
  if (measured.failed > 0)
    throw new Error(
      `${server.name}: ${measured.failed} of ${measured.answered} requests failed, the first with ` +
        `${measured.firstFailure}`
    )
  return { ...measured, cpu: cpuPer(measured.answered, before, after) }
}

/** Round 0 warms the servers up and is not counted. */
export const measureRounds = async (options: RoundOptions): Promise<Rounds> => {
  const results: Record<string, Array<Round>> = Object.fromEntries(options.servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= options.rounds; round++) {
    const turned = options.servers.map((_, i) => options.servers[(i + round) % options.servers.length]!)
    for (const server of turned) {
      const measured = await once(options, server, round)
      if (round > 0) results[server.name]?.push(measured)
    }
  }
  return results
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export interface Summary {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU milliseconds of one request; null where the system does not say. */
  readonly cpu: CpuTimes | null
}

const cpuOfRounds = (rounds: ReadonlyArray<Round>): CpuTimes | null => {
  const known = rounds.flatMap(({ cpu }) => cpu ?? [])
  return known.length === 0
    ? null
    : { node: median(known.map(({ node }) => node)), postgres: median(known.map(({ postgres }) => postgres)) }
}

export const summaryOf = (rounds: ReadonlyArray<Round>): Summary => ({
  perSecond: median(rounds.map((round) => round.perSecond)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
  cpu: cpuOfRounds(rounds)
})

/** Throughput of one beside another: the median of the rounds, and the lowest and highest of them. */
export interface Ratio {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

export const ratioOf = (of: ReadonlyArray<Measured>, to: ReadonlyArray<Measured>): Ratio =>
  spreadOf(of.map((round, i) => round.perSecond / (to[i]?.perSecond ?? Number.NaN)))

const spreadOf = (ratios: ReadonlyArray<number>): Ratio => ({
  median: median(ratios),
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios)
})

/** CPU milliseconds of a request, of Node and of PostgreSQL together; not a number where the system does not say. */
export const totalCpu = ({ cpu }: { readonly cpu: CpuTimes | null | undefined }): number =>
  cpu === null || cpu === undefined ? Number.NaN : cpu.node + cpu.postgres

/** CPU of a request of one beside another. */
export const cpuRatioOf = (of: ReadonlyArray<Round>, to: ReadonlyArray<Round>): Ratio =>
  spreadOf(of.map((round, i) => totalCpu(round) / totalCpu(to[i] ?? { cpu: null })))

/** PostgreSQL's part of the CPU of a request of one beside another. */
export const postgresRatioOf = (of: ReadonlyArray<Round>, to: ReadonlyArray<Round>): Ratio =>
  spreadOf(of.map((round, i) => (round.cpu?.postgres ?? Number.NaN) / (to[i]?.cpu?.postgres ?? Number.NaN)))
