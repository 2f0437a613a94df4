/**
 * One connection to a Redis, opened and closed with a scope. It never reconnects by itself and never waits for longer
 * than `answerMillis`: what keeps a connection (redisLink.ts) decides what follows from a silence.
 */
import { Effect, Redacted, Schema } from "effect"
import { loadedOnce } from "../../kernel/loadedOnce.ts"
import type { RedisServer } from "../RedisServer.ts"
import { type CountedKey, takeScript } from "./takeScript.ts"

/** What is asked of Redis. Named here, because the types of the library's own client are not published whole. */
export interface RedisClient {
  /** The count of each key after taking; below zero, the place of the one that is full. */
  readonly take: (counted: ReadonlyArray<CountedKey>) => Promise<ReadonlyArray<number>>
  /** Adds one to a number, which ends so many milliseconds later. */
  readonly increase: (key: string, keptMillis: number) => Promise<unknown>
  readonly info: () => Promise<string>
}

/** Redis was not reached, has not answered in time, or has refused. `reason` is one line, without a password. */
export class RedisSilent extends Schema.TaggedError<RedisSilent>()("RedisSilent", { reason: Schema.String }) {}

/**
 * How long, in milliseconds, Redis may take to answer. It answers in less than one; on a machine that is overloaded it
 * may take long to get its turn, and is not away.
 */
export const answerMillis = 2_000

/** Commands under way at once; further ones fail. */
const mostCommands = 20_000

const mostLetters = 200

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "no reason given"
  const said = cause.message === "" && "code" in cause ? String(cause.code) : cause.message
  return (said.split("\n")[0] ?? "").slice(0, mostLetters)
}

export const silent = (cause: unknown): RedisSilent => new RedisSilent({ reason: reasonOf(cause) })

/**
 * The answer, if it comes in time. A process that was busy for longer than that reads what has arrived meanwhile before
 * it calls Redis silent.
 */
const inTime = <A>(answer: Promise<A>, millis: number): Promise<A> =>
  new Promise((done, fail) => {
    const timer = setTimeout(() => setImmediate(() => fail(new Error(`no answer within ${millis} ms`))), millis)
    answer.then(done, fail).finally(() => clearTimeout(timer))
  })

/** Runs one command. */
export const answered = <A>(ask: () => Promise<A>, millis = answerMillis): Effect.Effect<A, RedisSilent> =>
  Effect.tryPromise({ try: () => inTime(ask(), millis), catch: silent })

/** Loaded where a Redis is used, and nowhere else. A bundler gives a CommonJS package its default alone. */
const library = loadedOnce(() => import("@redis/client").then((loaded) => loaded.default))

const makeClient = (redis: Awaited<ReturnType<typeof library>>, server: RedisServer) => {
  const { host, port, isSecure, user, password, database } = server
  const socket = { host, port, connectTimeout: answerMillis, reconnectStrategy: false } as const
  return redis.createClient({
    socket: isSecure ? { ...socket, tls: true } : socket,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password: Redacted.value(password) }),
    database,
    RESP: 2,
    scripts: { take: redis.defineScript(takeScript) },
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostCommands,
    disableClientInfo: true,
    maintNotifications: "disabled"
  })
}

/** `onLost` is called once the connection has ended, also where nothing was under way. */
export const openRedis = Effect.fnUntraced(function* (server: RedisServer, onLost: (error: RedisSilent) => void) {
  const client = makeClient(yield* Effect.promise(library), server)
  client.on("error", (cause) => onLost(silent(cause)))
  yield* Effect.addFinalizer(() => Effect.sync(() => closeRedis(client)))
  // The first half is the client's own bound, for the socket; the other is for what it says first.
  yield* answered(() => client.connect(), 2 * answerMillis)
  const redis: RedisClient = {
    take: (counted) => client.take(counted),
    increase: (key, keptMillis) => client.multi().incr(key).pExpire(key, keptMillis).exec(),
    info: () => client.info()
  }
  return redis
})

/** The client has no way to give up a socket that is being opened: it is closed once it is open. */
const closeRedis = (client: ReturnType<typeof makeClient>): void => {
  client.on("connect", () => client.destroy())
  client.destroy()
}
