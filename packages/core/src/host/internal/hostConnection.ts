/**
 * A host's node-postgres client as a connection of `effect/sql`. Statements are sent one at a time, in the order of the
 * calls, also if a use case runs several at once. A caller that is interrupted returns at once; node-postgres cannot
 * cancel the statement, so the client is then `abandoned`.
 */
import { Effect, Semaphore, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { sha256Hex } from "../../crypto/Hashing.ts"
import { parametersProblem } from "../../database/ParameterBound.ts"
import { isControl, type StatementLog } from "../../database/StatementLog.ts"
import type { HostClient, HostQuery, HostResult } from "../HostClient.ts"
import { hostError } from "./hostErrors.ts"
import { encodeParameter, hostTypes } from "./hostValues.ts"

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

export interface HostConnectionOptions {
  /** The client is the host's own and is always returned: a statement that was sent is waited for. */
  readonly isGuest?: boolean | undefined
  /** Whether statements are prepared by name, once per connection; not behind a transaction pooler. */
  readonly prepare: boolean
  readonly log?: StatementLog | undefined
}

const names = new Map<string, string>()
const mostNames = 2_000

/** The name of a prepared statement, a hash of its text, so that all processes and connections agree. */
const nameOf = (text: string): string => {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `commerce_${sha256Hex(text).slice(0, 24)}`
  if (names.size < mostNames) names.set(text, name)
  return name
}

export class HostConnection implements Connection {
  readonly #client: HostClient
  readonly #options: HostConnectionOptions
  readonly #turn = Semaphore.makeUnsafe(1)
  #ended = false
  /** Whether a statement that nobody waits for may still be under way: the client cannot be used again. */
  abandoned = false

  constructor(client: HostClient, options: HostConnectionOptions) {
    this.#client = client
    this.#options = options
  }

  #query(
    text: string,
    params: ReadonlyArray<unknown>,
    prepare: boolean,
    rowMode?: "array"
  ): Effect.Effect<HostResult, SqlError.SqlError> {
    const problem = parametersProblem(params)
    if (problem !== undefined) return Effect.fail(problem)
    return this.#send(() => ({
      text,
      values: params.map(encodeParameter),
      types: hostTypes,
      ...(prepare && this.#options.prepare ? { name: nameOf(text) } : {}),
      ...(rowMode === undefined ? {} : { rowMode })
    }))
  }

  #send(make: () => HostQuery): Effect.Effect<HostResult, SqlError.SqlError> {
    const sent = Effect.suspend(() => {
      if (this.#ended) return Effect.die(new Error("a statement was sent after its transaction had ended"))
      return Effect.callback<HostResult, SqlError.SqlError>((resume) => {
        const failed = (cause: unknown) => resume(Effect.fail(hostError(cause, "query")))
        try {
          const query = make()
          this.#options.log?.record({
            sql: query.text,
            params: query.values ?? [],
            control: isControl(query.text),
            roundTrip: true
          })
          this.#client.query(query).then((result) => resume(Effect.succeed(result)), failed)
        } catch (cause) {
          failed(cause)
        }
        return Effect.sync(() => {
          this.abandoned = true
        })
      })
    })
    return this.#turn.withPermit(this.#options.isGuest === true ? Effect.uninterruptible(sent) : sent)
  }

  /** Sends statements without parameters in one message: one round trip. */
  protected readonly control = (...texts: ReadonlyArray<string>): Effect.Effect<HostResult, SqlError.SqlError> =>
    Effect.map(
      this.#send(() => ({ text: texts.join("; "), types: hostTypes })),
      // For several statements node-postgres returns a list of results.
      (answer: HostResult | ReadonlyArray<HostResult>) =>
        "rows" in answer ? answer : (answer.at(-1) ?? { command: "", fields: [], rows: [] })
    )

  readonly end: Effect.Effect<void> = Effect.sync(() => {
    this.#ended = true
  })

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(this.#query(sql, params, true), (result) => rowsOf(result, transform))
  }
  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(this.#query(sql, params, false), (result) => rowsOf(result, transform))
  }
  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#query(sql, params, true)
  }
  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.#query(sql, params, true, "array"), valuesOf)
  }
  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.#query(sql, params, false, "array"), valuesOf)
  }
  /** All rows at once: node-postgres has no cursor of its own. */
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Stream.fromIterableEffect(this.execute(sql, params, transform))
  }
}

const rowsOf = (result: HostResult, transform: Transform): ReadonlyArray<object> => {
  const rows = result.rows as ReadonlyArray<object>
  return transform === undefined ? rows : transform(rows)
}

const valuesOf = (result: HostResult): ReadonlyArray<ReadonlyArray<unknown>> =>
  result.rows as ReadonlyArray<ReadonlyArray<unknown>>
