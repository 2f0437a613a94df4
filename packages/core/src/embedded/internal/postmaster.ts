/**
 * Starts, finds and stops the PostgreSQL server of a cluster directory. Running servers are found by postmaster.pid.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { isProcess } from "./launchLock.ts"
import type { NativeBinaries } from "./nativeBinaries.ts"
import type { ProcessOwner } from "./processOwner.ts"

/**
 * Lines of postmaster.pid (PostgreSQL source, miscadmin.h): pid, data directory, start time, port, socket directory,
 * address, …, status.
 */
export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly socketDirectory: string
  readonly ready: boolean
}

const pollMillis = 20

export const readPostmaster = (cluster: string): Postmaster | undefined => {
  let lines: ReadonlyArray<string>
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketDirectory: (lines[4] ?? "").trim(),
    ready: (lines[7] ?? "").trim() === "ready"
  }
}

/** Whether that process is a server of this cluster, and not an unrelated process that got the same id. */
export const isServing = (cluster: string, { pid }: Postmaster): boolean => {
  if (!isProcess(pid)) return false
  const command = commandLine(pid)
  return command === undefined || (command.includes("postgres") && command.includes(cluster))
}

const commandLine = (pid: number): string | undefined => {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
    if (process.platform === "darwin")
      return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
    return undefined
  } catch {
    return process.platform === "linux" ? "" : undefined
  }
}

export interface StartOptions {
  readonly cluster: string
  readonly binaries: NativeBinaries
  readonly owner: ProcessOwner | undefined
  /** Undefined: a port on the loopback address is used, because the driver cannot use sockets (Windows). */
  readonly socketDirectory: string | undefined
  readonly log: string
  /** Extra `name=value` settings. */
  readonly settings: ReadonlyArray<string>
}

const startTries = 5_000 / 100

/**
 * Starts a server that outlives this process, and waits until it is ready. After a crash the new server does not start
 * until the backends of the old one have ended, so a failed start is tried again for 5 s. Throws a message with the end
 * of the server's log.
 */
export const startServer = async (options: StartOptions): Promise<Postmaster> => {
  const found = readPostmaster(options.cluster)
  if (found !== undefined && !isServing(options.cluster, found))
    rmSync(join(options.cluster, "postmaster.pid"), { force: true })
  const reach =
    options.socketDirectory === undefined
      ? ["listen_addresses=127.0.0.1", "unix_socket_directories=", `port=${await freePort()}`]
      : [`unix_socket_directories=${options.socketDirectory}`, "listen_addresses="]
  const settings = [...reach, "timezone=UTC", "log_timezone=UTC", ...options.settings].flatMap((setting) => [
    "-c",
    setting
  ])
  for (let i = 0; i < startTries; i++) {
    const child = spawnServer(options, ["-D", options.cluster, ...settings])
    const started = await untilReady(options.cluster, child)
    if (started !== undefined) return started
    await sleep(100)
  }
  throw new Error(`the embedded PostgreSQL did not start: ${lastLines(options.log)}`)
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 5432))
    })
  })

const maxLogBytes = 10_000_000

const spawnServer = ({ binaries, owner, log }: StartOptions, args: ReadonlyArray<string>): ChildProcess => {
  if (existsSync(log) && statSync(log).size > maxLogBytes) truncateSync(log)
  const output = openSync(log, "a", 0o600)
  try {
    const child = spawn(binaries.postgres, args, {
      ...owner,
      cwd: "/",
      detached: true,
      stdio: ["ignore", output, output],
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" }
    })
    child.unref()
    return child
  } finally {
    closeSync(output)
  }
}

/** Waits until the server is ready; undefined if its process ends before. */
const untilReady = async (cluster: string, child: ChildProcess): Promise<Postmaster | undefined> => {
  const ended = new Promise<true>((resolve) => {
    child.once("exit", () => resolve(true))
    child.once("error", () => resolve(true))
  })
  for (;;) {
    if ((await Promise.race([ended, sleep(pollMillis)])) === true) return undefined
    const found = readPostmaster(cluster)
    if (found?.ready === true && found.pid === child.pid) return found
  }
}

/**
 * Waits for a server that someone else started, until it is ready; undefined if it ends, or is not ready after 10 s.
 */
export const awaitServer = async (cluster: string): Promise<Postmaster | undefined> => {
  for (let i = 0; i < 10_000 / pollMillis; i++) {
    const found = readPostmaster(cluster)
    if (found === undefined || !isServing(cluster, found)) return undefined
    if (found.ready) return found
    await sleep(pollMillis)
  }
  return undefined
}

/** Fast shutdown; if that takes more than 10 s, an immediate one (recovered at the next start). */
export const stopServer = async (cluster: string, binaries: () => NativeBinaries): Promise<void> => {
  const server = readPostmaster(cluster)
  if (server === undefined || !isServing(cluster, server)) return
  if (process.platform === "win32") {
    execFileSync(binaries().pgCtl, ["stop", "-D", cluster, "-m", "fast"], { stdio: "ignore" })
    return
  }
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    process.kill(server.pid, signal)
    for (let i = 0; i < 10_000 / pollMillis; i++) {
      if (!isProcess(server.pid)) return
      await sleep(pollMillis)
    }
  }
}

const lastLines = (log: string): string => {
  try {
    return readFileSync(log, "utf8").trimEnd().split("\n").slice(-2).join(" / ")
  } catch {
    return "it wrote no log"
  }
}

/**
 * Creates the files of a new cluster at `target`, not yet safe against a crash of the machine (`syncCluster`).
 * Checksums are on by default; the collation is PostgreSQL's built-in one, the same everywhere.
 */
export const initialiseCluster = (
  binaries: NativeBinaries,
  owner: ProcessOwner | undefined,
  target: string,
  passwordFile: string
): void => {
  const args = [
    "-D",
    target,
    "-U",
    "postgres",
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--no-sync"
  ]
  try {
    execFileSync(binaries.initdb, [...args, "--locale-provider=builtin", "--locale=C.UTF-8"], {
      ...owner,
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" }
    })
  } catch (cause) {
    const stderr =
      typeof cause === "object" && cause !== null && "stderr" in cause ? String(cause.stderr).trim() : String(cause)
    throw new Error(
      `the embedded PostgreSQL could not make its files in ` +
        `${target}: ${stderr.split("\n").filter(Boolean).slice(-2).join(" / ")}`
    )
  }
}

/**
 * Syncs a new cluster's files to the disk, which may take seconds: in the background, while its server is in use.
 */
export const syncCluster = (binaries: NativeBinaries, owner: ProcessOwner | undefined, cluster: string): void => {
  spawn(binaries.initdb, ["--sync-only", "-D", cluster], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: "ignore",
    env: { LC_ALL: "C" }
  })
    .once("error", () => undefined)
    .unref()
}
