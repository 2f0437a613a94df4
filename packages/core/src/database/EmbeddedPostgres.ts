/**
 * The embedded PostgreSQL: real server binaries, started on a Unix socket of their own. A live server is attached to, also the survivor of a
 * killed process; of several starters one starts; the last to leave stops it. Durability is PostgreSQL's default.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted, Schema, type Scope } from "effect"
import type { DatabaseOptions } from "./Database.ts"
import { type DataDirectory, openDataDirectory } from "./internal/dataDirectory.ts"
import { EmbeddedPostgresUnavailable } from "./internal/EmbeddedPostgresUnavailable.ts"
import { reachableNative } from "./internal/nativeBinaries.ts"

export { rootSecret } from "./internal/dataDirectory.ts"

export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Extra `-c name=value` settings; tests give up durability for speed. */
  readonly settings?: Readonly<Record<string, string>>
}

const superuser = "postgres"

/** Starts or attaches; the scope's end leaves, and stops the server where nobody else uses it. */
export const startEmbeddedPostgres = (options: EmbeddedOptions): Effect.Effect<DatabaseOptions, EmbeddedPostgresError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => enter(options),
      catch: (error) => new EmbeddedPostgresError({ reason: error instanceof Error ? error.message : String(error) })
    }),
    (directory) => Effect.promise(() => leave(directory))
  ).pipe(
    Effect.map((directory) => ({
      path: join(directory.run, ".s.PGSQL.5432"),
      username: superuser,
      password: Redacted.make(directory.password),
      database: superuser
    }))
  )

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Holds the start lock while `body` runs; a lock whose holder is dead is taken over. */
const locked = async <A>(directory: DataDirectory, body: () => Promise<A>): Promise<A> => {
  const lock = join(directory.run, "start.lock")
  const until = performance.now() + 30_000
  for (;;) {
    try {
      const file = openSync(lock, "wx", 0o600)
      writeFileSync(file, String(process.pid))
      closeSync(file)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      const holder = Number(readText(lock))
      if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true })
      if (performance.now() > until) throw new EmbeddedPostgresUnavailable(`Another process (${holder}) is starting the database and does not finish`)
      await pause(20)
    }
  }
  try {
    return await body()
  } finally {
    rmSync(lock, { force: true })
  }
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The running postmaster: its pid and whether it takes connections; undefined when there is none. */
const postmaster = (directory: DataDirectory): { readonly pid: number; readonly ready: boolean } | undefined => {
  const lines = readText(join(directory.cluster, "postmaster.pid")).split("\n")
  const pid = Number(lines[0])
  return pid > 0 && isAlive(pid) ? { pid, ready: lines[7]?.trim() === "ready" } : undefined
}

// One process may enter one directory several times (two instances in a process): counted here, by name in the folder.
const entered = new Map<string, number>()
const usersOf = (directory: DataDirectory) => join(directory.run, "users")

const enter = async (options: EmbeddedOptions): Promise<DataDirectory> => {
  const directory = openDataDirectory(options.dataDir)
  await locked(directory, async () => {
    mkdirSync(usersOf(directory), { recursive: true })
    const running = postmaster(directory)
    if (running === undefined) await start(directory, options)
    else await ready(directory, undefined)
    writeFileSync(join(usersOf(directory), String(process.pid)), "")
  })
  entered.set(directory.path, (entered.get(directory.path) ?? 0) + 1)
  return directory
}

const leave = async (directory: DataDirectory): Promise<void> => {
  const remaining = (entered.get(directory.path) ?? 1) - 1
  entered.set(directory.path, remaining)
  if (remaining > 0) return
  await locked(directory, async () => {
    rmSync(join(usersOf(directory), String(process.pid)), { force: true })
    for (const user of readdirSync(usersOf(directory))) {
      if (isAlive(Number(user))) return
      rmSync(join(usersOf(directory), user), { force: true })
    }
    await stop(directory)
  })
}

const start = async (directory: DataDirectory, options: EmbeddedOptions): Promise<void> => {
  const native = reachableNative(directory.runAs)
  if (!existsSync(join(directory.cluster, "PG_VERSION"))) initialise(directory, native)
  const settings = { listen_addresses: "", unix_socket_directories: directory.run, max_connections: "200", ...options.settings }
  const args = ["-D", directory.cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])]
  // After a killed postmaster its backends hold the directory for a moment; a start may fail until they are gone.
  const until = performance.now() + 5_000
  for (;;) {
    const log = openSync(join(directory.path, "postgres.log"), "a", 0o600)
    const child = spawn(join(native, "bin", "postgres"), args, { ...directory.runAs, cwd: "/", detached: true, stdio: ["ignore", log, log] })
    closeSync(log)
    child.unref()
    if (await ready(directory, child)) return
    if (performance.now() > until) {
      const tail = readText(join(directory.path, "postgres.log")).trim().split("\n").slice(-3).join(" | ")
      throw new EmbeddedPostgresUnavailable(`The embedded PostgreSQL does not start: ${tail}`)
    }
    await pause(100)
  }
}

/** Waits until the server takes connections; false when the process we started has ended instead. */
const ready = async (directory: DataDirectory, child: ChildProcess | undefined): Promise<boolean> => {
  const until = performance.now() + 30_000
  while (performance.now() < until) {
    if (postmaster(directory)?.ready === true && existsSync(join(directory.run, ".s.PGSQL.5432"))) return true
    if (child !== undefined && (child.exitCode !== null || child.signalCode !== null)) return false
    await pause(10)
  }
  throw new EmbeddedPostgresUnavailable("The embedded PostgreSQL did not become ready within 30 s")
}

const initialise = (directory: DataDirectory, native: string): void => {
  // A half-made cluster of a killed initdb has no PG_VERSION at its end; it is made anew.
  for (const name of readdirSync(directory.cluster)) rmSync(join(directory.cluster, name), { recursive: true, force: true })
  const passwordFile = join(directory.run, "initial-password")
  writeFileSync(passwordFile, directory.password, { mode: 0o600 })
  if (directory.runAs !== undefined) chownSync(passwordFile, directory.runAs.uid, directory.runAs.gid)
  const args = ["-D", directory.cluster, "-U", superuser, "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"]
  const made = spawnSync(join(native, "bin", "initdb"), [...args, "--no-instructions", "-N"], { ...directory.runAs, cwd: "/", encoding: "utf8" })
  rmSync(passwordFile, { force: true })
  if (made.status !== 0) throw new EmbeddedPostgresUnavailable(`initdb failed: ${(made.stderr || String(made.error)).trim().split("\n").at(-1)}`)
}

const stop = async (directory: DataDirectory): Promise<void> => {
  const running = postmaster(directory)
  if (running === undefined) return
  process.kill(running.pid, "SIGINT")
  const began = performance.now()
  let pressed = false
  while (isAlive(running.pid) && performance.now() - began < 15_000) {
    if (!pressed && performance.now() - began > 8_000) {
      process.kill(running.pid, "SIGQUIT")
      pressed = true
    }
    await pause(20)
  }
}
