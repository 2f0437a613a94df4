/**
 * One starter at a time on a data directory: a file made with O_EXCL that names its holder. The lock of a holder that
 * died is taken over. It only serialises starters; PostgreSQL's own lock keeps two servers off one directory.
 */
import { randomBytes } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { codeOf } from "./failureCode.ts"

const pollMillis = 20
/** Longer than any start or stop of the server takes. */
const patience = 30_000 / pollMillis

/** Takes the lock at `path`, waiting for it up to 30 s; returns the function that releases it. */
export const takeLaunchLock = async (path: string): Promise<() => void> => {
  const mine = `${process.pid} ${birthOf(process.pid) ?? ""} ${randomBytes(6).toString("hex")}`
  await take(path, mine)
  return () => {
    if (readHolder(path) === mine) rmSync(path, { force: true })
  }
}

const take = async (path: string, mine: string): Promise<void> => {
  for (let i = 0; i < patience; i++) {
    try {
      writeFileSync(path, mine, { flag: "wx", mode: 0o644 })
      return
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw new Error(`${path} cannot be written: ${codeOf(cause)}`)
    }
    const holder = readHolder(path)
    if (holder !== undefined && !isAlive(holder)) takeAway(path, holder)
    else await sleep(pollMillis)
  }
  throw new Error(`another process has been starting or stopping the database for 30 s (${path} names it)`)
}

const readHolder = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/**
 * Moves the dead holder's file aside; if another starter was faster and its lock was moved instead, puts it back.
 */
const takeAway = (path: string, dead: string): void => {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  try {
    renameSync(path, aside)
    if (readHolder(aside) !== dead) linkSync(aside, path)
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT" && codeOf(cause) !== "EEXIST") throw cause
  } finally {
    rmSync(aside, { force: true })
  }
}

/** An incomplete file counts as held: its holder is writing it. */
const isAlive = (holder: string): boolean => {
  const [pid, birth] = holder.split(" ")
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0 || birth === undefined) return true
  return isProcess(number) && (birth === "" || birth === birthOf(number))
}

/**
 * Whether a process of that id runs; a process that we may not signal does, a zombie does not.
 */
export const isProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if (codeOf(cause) !== "EPERM") return false
  }
  return statusOf(pid)?.[0] !== "Z"
}

/** The fields of /proc/<pid>/stat, beginning with the state. Linux only. */
const statusOf = (pid: number): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/**
 * Start time of a process in ticks since this boot, with the boot's id: process ids are reused. Linux only.
 */
const birthOf = (pid: number): string | undefined => {
  try {
    const ticks = statusOf(pid)?.[19]
    return ticks === undefined
      ? undefined
      : `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${ticks}`
  } catch {
    return undefined
  }
}
