import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Redacted } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { nodePostgresConfig } from "../../src/database/ConnectionOptions.ts"
import pg from "pg"

const program = fileURLToPath(new URL("./processes/embedded.ts", import.meta.url))

interface Answer {
  readonly refused?: string
  readonly started?: boolean
  readonly secret?: string
  readonly connection?: {
    readonly path: string
    readonly username: string
    readonly password: string
    readonly database: string
  }
}

interface User {
  readonly process: ChildProcess
  readonly answer: Answer
  readonly ended: Promise<void>
}

const users: Array<User> = []
let folder: string
/** A data directory that was used and left, copied by tests that do not look at how one is made. */
let used: string

beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), "commerce-used-"))
  chmodSync(used, 0o755)
  await leave(await enter(join(used, "data")))
  users.length = 0
})

afterAll(() => rmSync(used, { recursive: true, force: true }))

const usedFolder = (): string => {
  execFileSync("cp", ["-a", join(used, "data"), folder])
  return join(folder, "data")
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "commerce-launch-"))
  chmodSync(folder, 0o755)
})

afterEach(async () => {
  await Promise.all(users.splice(0).map(leave))
  const left = join(folder, "data", "postgres", "postmaster.pid")
  if (existsSync(left)) {
    const [pid, , , , socketFolder = ""] = readFileSync(left, "utf8").split("\n")
    if (Number(pid) !== process.pid && isRunning(Number(pid))) process.kill(Number(pid), "SIGQUIT")
    await until(() => !isRunning(Number(pid)))
    rmSync(socketFolder, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
})

const enter = async (dataDir: string): Promise<User> => {
  const child = spawn(process.execPath, ["--conditions=source", "--no-warnings", program, dataDir], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve)
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} before it answered`)))
  })
  const user = { process: child, answer: JSON.parse(first) as Answer, ended }
  users.push(user)
  return user
}

const leave = async (user: User) => {
  if (user.process.exitCode === null && user.process.signalCode === null) user.process.stdin?.end()
  await user.ended
}

const postmasterPid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0])

/** A process that has ended and was not collected by its parent yet does not run. */
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")
  } catch {
    return false
  }
}

const query = async (user: User, sql: string): Promise<ReadonlyArray<unknown>> => {
  const client = await connect(user)
  try {
    return (await client.query(sql)).rows as ReadonlyArray<unknown>
  } finally {
    await client.end()
  }
}

const connect = async ({ answer: { connection } }: User) => {
  if (connection === undefined) throw new Error("no connection")
  const client = new pg.Client(nodePostgresConfig({ ...connection, password: Redacted.make(connection.password) }))
  client.on("error", () => undefined)
  await client.connect()
  return client
}

const until = async (what: () => Promise<boolean> | boolean, seconds = 10) => {
  for (let i = 0; i < seconds * 20; i++) {
    if (await what()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("it did not happen in time")
}

describe("the embedded PostgreSQL", () => {
  it("starts on a new folder, keeps its secrets to its owner, stops with its only user and keeps the data", async () => {
    const data = join(folder, "data")
    const first = await enter(data)
    expect(first.answer.started).toBe(true)
    expect(first.answer.connection?.database).toBe("commerce")
    expect(
      await query(
        first,
        "SELECT current_setting('listen_addresses') AS tcp, current_setting('server_version_num')::int / 10000 AS major, current_setting('data_checksums') AS sums"
      )
    ).toEqual([{ tcp: "", major: 18, sums: "on" }])
    for (const secret of ["access.json", "secret"]) expect(statSync(join(data, secret)).mode & 0o777).toBe(0o600)
    expect(Buffer.from(first.answer.secret ?? "", "base64url").byteLength).toBe(48)
    await query(first, "CREATE TABLE kept AS SELECT 7 AS n")
    const pid = postmasterPid(data)
    await leave(first)
    expect(isRunning(pid)).toBe(false)

    const again = await enter(data)
    expect(again.answer.started).toBe(true)
    expect(again.answer.secret).toBe(first.answer.secret)
    expect(await query(again, "SELECT n FROM kept")).toEqual([{ n: 7 }])
  })

  it.runIf(process.getuid?.() === 0)("does not run the server as root", async () => {
    const data = usedFolder()
    await enter(data)
    expect(statSync(`/proc/${postmasterPid(data)}`).uid).not.toBe(0)
  })

  it("attaches to a running server; the last user to leave stops it", async () => {
    const data = usedFolder()
    const first = await enter(data)
    const second = await enter(data)
    expect([first.answer.started, second.answer.started]).toEqual([true, false])
    const pid = postmasterPid(data)
    await leave(first)
    expect(await query(second, "SELECT 1 AS one")).toEqual([{ one: 1 }])
    await leave(second)
    expect(isRunning(pid)).toBe(false)
  })

  it("three processes that begin at once on an empty folder share one server and one secret", async () => {
    const data = join(folder, "data")
    const all = await Promise.all([enter(data), enter(data), enter(data)])
    expect(all.map(({ answer }) => answer.started).toSorted()).toEqual([false, false, true])
    expect(new Set(all.map(({ answer }) => answer.secret)).size).toBe(1)
    expect(
      new Set(
        await Promise.all(
          all.map(async (user) => JSON.stringify(await query(user, "SELECT pg_postmaster_start_time()::text AS t")))
        )
      ).size
    ).toBe(1)
  })

  it("outlives a process that is killed, and the next one attaches", async () => {
    const data = usedFolder()
    const first = await enter(data)
    await query(first, "CREATE TABLE survivor AS SELECT 1 AS n")
    const pid = postmasterPid(data)
    first.process.kill("SIGKILL")
    await first.ended
    expect(isRunning(pid)).toBe(true)
    const next = await enter(data)
    expect(next.answer.started).toBe(false)
    expect(await query(next, "SELECT n FROM survivor")).toEqual([{ n: 1 }])
    expect(postmasterPid(data)).toBe(pid)
  })

  it("comes back by itself when the server is killed under a running process", async () => {
    const data = usedFolder()
    const user = await enter(data)
    const pid = postmasterPid(data)
    process.kill(pid, "SIGKILL")
    await until(async () => {
      try {
        return (await query(user, "SELECT 1 AS one")).length === 1 && postmasterPid(data) !== pid
      } catch {
        return false
      }
    })
  })

  it("starts over what a crash left: a stale postmaster.pid, a dead starter's lock, half-made files", async () => {
    const data = usedFolder()
    const first = await enter(data)
    const pid = postmasterPid(data)
    first.process.kill("SIGKILL")
    await first.ended
    process.kill(pid, "SIGKILL")
    await until(() => !isRunning(pid))
    writeFileSync(join(data, "launch.lock"), `${pid} gone:0 abc`)
    writeFileSync(
      join(data, "postgres", "postmaster.pid"),
      `${process.pid}\n${join(data, "postgres")}\n1\n5432\n/nowhere\n\n\nready\n`
    )
    expect((await enter(data)).answer.started).toBe(true)
  })

  it("is left running while someone else is connected", async () => {
    const data = usedFolder()
    const user = await enter(data)
    const pid = postmasterPid(data)
    const guest = await connect(user)
    await leave(user)
    expect(isRunning(pid)).toBe(true)
    expect((await guest.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
    await guest.end()
  })

  it("refuses a folder that holds something else, and touches nothing in it", async () => {
    const data = join(folder, "data")
    mkdirSync(data)
    writeFileSync(join(data, "thesis.txt"), "mine")
    const { answer } = await enter(data)
    expect(answer.refused).toBe(
      `${data} is not a data directory of commerce (it holds thesis.txt): give an empty or new one with --data-dir`
    )
    expect(existsSync(join(data, "commerce.json"))).toBe(false)
    rmSync(data, { recursive: true })
  })

  it("refuses the data of a newer version of commerce or of PostgreSQL", async () => {
    const data = usedFolder()
    const marker = readFileSync(join(data, "commerce.json"), "utf8")
    writeFileSync(join(data, "commerce.json"), JSON.stringify({ format: 99 }))
    expect((await enter(data)).answer.refused).toBe(
      `${data} was made by a newer version of commerce: update, or give another --data-dir`
    )
    writeFileSync(join(data, "commerce.json"), marker)
    const version = join(realpathSync(join(data, "postgres")), "PG_VERSION")
    writeFileSync(version, "19\n")
    expect((await enter(data)).answer.refused).toBe(
      `the data in ${dirname(version)} is of PostgreSQL 19, this version brings 18: update commerce`
    )
    writeFileSync(version, "18\n")
  })

  it("refuses a file in the place of the folder", async () => {
    const data = join(folder, "file")
    writeFileSync(data, "")
    expect((await enter(data)).answer.refused).toBe(`the data directory ${data} cannot be made: a file has that name`)
  })

  it.runIf(process.getuid?.() === 0)(
    "works in a folder that only root may enter: the server's files lie elsewhere",
    async () => {
      chmodSync(folder, 0o700)
      const data = join(folder, "data")
      const user = await enter(data)
      expect(user.answer.refused).toBeUndefined()
      expect(lstatSync(join(data, "postgres")).isSymbolicLink()).toBe(true)
      expect(await query(user, "SELECT 1 AS one")).toEqual([{ one: 1 }])
      const elsewhere = realpathSync(join(data, "postgres"))
      await leave(user)
      const again = await enter(data)
      expect(again.answer.started).toBe(true)
      await leave(again)
      rmSync(dirname(elsewhere), { recursive: true })
      rmSync(data, { recursive: true })
    }
  )
})
