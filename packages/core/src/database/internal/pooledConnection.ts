/**
 * sql-pg's connections as `effect/sql` wants them, with two additions: statements can be counted, and a transaction can
 * be opened without waiting.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Exit, Fiber, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Connection } from "effect/sql/SqlConnection"
import { parametersProblem } from "../ParameterBound.ts"
import { sqlStateOf } from "../SqlErrors.ts"
import { isControl, type StatementLog } from "../StatementLog.ts"
import { notCommitted, type OpeningStatements, type TransactionalConnection } from "../DatabaseDriver.ts"

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

export class PooledConnection implements Connection {
  protected readonly connection: PgConnection.PgConnection
  constructor(connection: PgConnection.PgConnection) {
    this.connection = connection
  }

  protected query(
    sql: string,
    params: ReadonlyArray<unknown>,
    prepare = true
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> {
    const problem = parametersProblem(params)
    return problem === undefined ? this.connection.query(sql, params, prepare) : Effect.fail(problem)
  }

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(this.query(sql, params), (result) =>
      transform === undefined ? result.rows : transform(result.rows)
    )
  }
  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Effect.map(this.query(sql, params, false), (result) =>
      transform === undefined ? result.rows : transform(result.rows)
    )
  }
  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.query(sql, params)
  }
  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.query(sql, params), valuesOf)
  }
  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.query(sql, params, false), valuesOf)
  }
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const problem = parametersProblem(params)
    const rows = problem === undefined ? this.connection.stream(sql, params) : Stream.fail(problem)
    return transform === undefined ? rows : Stream.mapArray(rows, (chunk) => transform(chunk) as typeof chunk)
  }
}

const valuesOf = (result: PgConnection.Result): ReadonlyArray<ReadonlyArray<unknown>> =>
  result.rows.map((row) => result.fields.map(({ name }) => row[name]))

const failedTransaction = "25P02"
const idleTooLong = "25P03"

/** A transaction that says nothing for so many milliseconds belongs to a process that was stopped meanwhile. */
const silence = 1_000

/** Failures of sessions that were ended while the process was stopped, before they were asked to commit. */
const endedWhileStopped = new WeakSet<object>()

/** Whether nothing of the transaction was written, and it may be run again. */
export const isEndedWhileStopped = (error: unknown): boolean =>
  typeof error === "object" && error !== null && endedWhileStopped.has(error)

/**
 * A connection that belongs to one transaction. Its opening statements (BEGIN, the store's setting) are written to the
 * socket without waiting for their results, so the first statement of the body is sent with them; the commit checks
 * their results. Should they fail, no row can be written: the policies see no store. Statements that the body does not
 * wait for are sent with its next statement, or with the commit.
 */
export class TransactionConnection extends PooledConnection implements TransactionalConnection {
  private readonly unanswered: Array<Fiber.Fiber<unknown, SqlError.SqlError>> = []
  private ended = false
  private committing = false
  private heardAt = performance.now()

  /** Why the session was ended may not have been read before the next statement met a closed socket. */
  private noted(error: SqlError.SqlError, sentAt: number): Effect.Effect<never, SqlError.SqlError> {
    const isFoundClosed = error.reason._tag === "ConnectionError" && sentAt - this.heardAt >= silence
    if (!this.committing && (isFoundClosed || sqlStateOf(error) === idleTooLong)) endedWhileStopped.add(error)
    return Effect.fail(error)
  }

  private heard<A, E>(answer: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.tap(answer, () =>
      Effect.sync(() => {
        this.heardAt = performance.now()
      })
    )
  }

  protected override query(sql: string, params: ReadonlyArray<unknown>, prepare = true) {
    return Effect.suspend(() => {
      if (this.ended) return Effect.die(new Error("a statement was sent after its transaction had ended"))
      const sentAt = performance.now()
      const answer = Effect.catch(super.query(sql, params, prepare), this.explain)
      const told = Effect.catch(this.heard(answer), (error) => this.noted(error, sentAt))
      return Effect.onInterrupt(told, () => this.abandon)
    })
  }

  /** Writes the statements without waiting for their results. */
  readonly open = (statements: OpeningStatements) =>
    Effect.forEach(statements, ([sql, params]) => this.sendWithCommit(super.query(sql, params)), { discard: true })

  /**
   * Sends a statement and does not wait for its result. A statement that cannot be sent fails at once, because the
   * database would never see it. It runs on a separate fiber: a statement that is interrupted before it is written to
   * the socket would be lost.
   */
  readonly sendWithCommit = <E extends SqlError.SqlError, R>(
    statement: Effect.Effect<unknown, E, R>
  ): Effect.Effect<void, E, R> =>
    Effect.flatMap(Effect.forkDetach(statement, { startImmediately: true }), (fiber) => {
      const exit = fiber.pollUnsafe()
      if (exit !== undefined && Exit.isFailure(exit)) return Effect.failCause(exit.cause)
      this.unanswered.push(fiber)
      return Effect.void
    })

  /** In the order in which they were sent: the first failure is why the others failed. */
  private readonly answersOf = (fibers: ReadonlyArray<Fiber.Fiber<unknown, SqlError.SqlError>>) =>
    Effect.forEach(fibers, Fiber.join, { discard: true })

  readonly commit: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => {
    this.committing = true
    return this.query("COMMIT", [])
  }).pipe(
    Effect.tapError(() => Effect.sync(() => this.distrust())),
    Effect.flatMap(({ command }) =>
      Effect.andThen(this.answersOf(this.unanswered), command === "COMMIT" ? Effect.void : Effect.fail(notCommitted()))
    )
  )

  /** Not sent behind an abandoned statement: closing the connection rolls everything back. */
  readonly rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    this.abandoned ? Effect.void : this.query("ROLLBACK", [])
  ).pipe(
    Effect.tapError(() => Effect.sync(() => this.distrust())),
    Effect.asVoid
  )

  /** Whether a statement that nobody waits for may still be under way and hold locks. */
  abandoned = false
  private readonly abandon = Effect.sync(() => {
    this.abandoned = true
    this.distrust()
  })

  /** Whether the next transaction may have this connection. */
  usable = true
  private distrust(): void {
    this.usable = false
  }

  readonly end = Effect.sync(() => {
    this.ended = true
  })

  /** "The transaction is aborted" hides the cause: a failed statement that was not waited for, if there is one. */
  private readonly explain = (error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError> =>
    sqlStateOf(error) === failedTransaction
      ? Effect.withFiber((me) => {
          // If it is itself one of these, only those before it: otherwise it would wait for itself.
          const place = this.unanswered.findIndex((fiber) => fiber === me)
          return Effect.andThen(
            this.answersOf(place < 0 ? this.unanswered : this.unanswered.slice(0, place)),
            Effect.fail(error)
          )
        })
      : Effect.fail(error)
}

/** Wake-ups are sent in the background and belong to no request. */
const isWakeUp = (sql: string): boolean => sql.startsWith("SELECT pg_notify")

/** The same connection, recording everything it sends in `log`. */
export const logged = (connection: PgConnection.PgConnection, log: StatementLog): PgConnection.PgConnection => {
  const record = (sql: string, params: ReadonlyArray<unknown> = []) =>
    log.record({
      sql,
      params,
      control: isControl(sql),
      roundTrip: !isWakeUp(sql) && (underWay.get(connection) ?? 0) === 0
    })
  const query: PgConnection.PgConnection["query"] = (sql, params, prepare) =>
    Effect.suspend(() => {
      record(sql, params)
      underWay.set(connection, (underWay.get(connection) ?? 0) + 1)
      return Effect.ensuring(
        connection.query(sql, params, prepare),
        Effect.sync(() => underWay.set(connection, (underWay.get(connection) ?? 1) - 1))
      )
    })
  return Object.assign(Object.create(connection) as PgConnection.PgConnection, { query })
}

const underWay = new WeakMap<PgConnection.PgConnection, number>()
