/**
 * CPU time of a server's process and of the PostgreSQL behind it, as the system's process table shows it. Rates depend
 * on what else the machine does; the milliseconds that a request takes hardly do. Linux only: elsewhere there is
 * nothing to read, and the report says so.
 */
import { readdirSync, readFileSync } from "node:fs"

/** Milliseconds since each process began. */
export interface CpuTimes {
  readonly node: number
  /** The postmaster and all of its processes: backends and background writers. */
  readonly postgres: number
}

/** Linux counts in hundredths of a second. */
const tickMillis = 10

interface ProcessTimes {
  readonly parent: number
  readonly own: number
  /** Of children that have ended. */
  readonly reaped: number
}

/** `/proc/<pid>/stat`; the name in parentheses may hold anything, so what is counted is what follows it. */
const timesOf = (pid: number | string): ProcessTimes | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    const words = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const at = (index: number) => Number(words[index])
    return { parent: at(1), own: (at(11) + at(12)) * tickMillis, reaped: (at(13) + at(14)) * tickMillis }
  } catch {
    return undefined
  }
}

/** The process that started this one: a backend's is its postmaster. */
export const parentOf = (pid: number): number | undefined => timesOf(pid)?.parent

export const cpuTimesOf = (server: number | undefined, postmaster: number | undefined): CpuTimes | undefined => {
  if (server === undefined || postmaster === undefined) return undefined
  const [node, root] = [timesOf(server), timesOf(postmaster)]
  if (node === undefined || root === undefined) return undefined
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => timesOf(pid) ?? [])
    .filter(({ parent }) => parent === postmaster)
  return { node: node.own, postgres: children.reduce((sum, { own }) => sum + own, root.own + root.reaped) }
}

/** What was used between two readings, for each of `count` requests. */
export const cpuPer = (
  count: number,
  before: CpuTimes | undefined,
  after: CpuTimes | undefined
): CpuTimes | undefined =>
  before === undefined || after === undefined
    ? undefined
    : { node: (after.node - before.node) / count, postgres: (after.postgres - before.postgres) / count }
