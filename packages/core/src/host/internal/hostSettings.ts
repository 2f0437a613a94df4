/**
 * Role, schema, timeouts and time zone of our statements on a host's client. They are set for one transaction, or while
 * a client is borrowed; timeouts that the host has set stay.
 */
import { applicationRole, randomPageCost, type SessionBounds } from "../../database/ConnectionOptions.ts"
import type { OpeningStatements } from "../../database/DatabaseDriver.ts"
import { quoteIdentifier, quoteLiteral } from "../../database/SqlText.ts"
import type { BorrowedSetting } from "./hostValues.ts"

/** The settings of our transactions. */
export const hostSettings = (bounds: SessionBounds, schema: string | undefined): OpeningStatements => [
  [`SELECT ${settingsFor(bounds, schema)}`, []]
]

export const settingsFor = (bounds: SessionBounds, schema: string | undefined): string =>
  [
    `set_config('role', '${applicationRole}', true)`,
    `set_config('timezone', 'UTC', true)`,
    boundsFor(bounds, schema)
  ].join(", ")

export const boundsFor = (bounds: SessionBounds, schema: string | undefined): string =>
  [
    ...(schema === undefined ? [] : [`set_config('search_path', ${quoteLiteral(quoteIdentifier(schema))}, true)`]),
    inPlaceOf("statement_timeout", noBound, bounds.statementTimeout),
    inPlaceOf("lock_timeout", noBound, bounds.lockTimeout),
    inPlaceOf("idle_in_transaction_session_timeout", noBound, bounds.idleInTransactionTimeout),
    inPlaceOf("random_page_cost", defaultPageCost, randomPageCost)
  ].join(", ")

/** The settings of statements outside of a transaction: timeouts, unless the host has its own, and the schema. */
export const readSettings = (
  { statementTimeout, lockTimeout }: SessionBounds,
  schema: string | undefined
): ReadonlyArray<BorrowedSetting> => [
  { name: "statement_timeout", value: String(statementTimeout), replaces: noBound },
  { name: "lock_timeout", value: String(lockTimeout), replaces: noBound },
  { name: "random_page_cost", value: randomPageCost, replaces: defaultPageCost },
  ...(schema === undefined ? [] : [{ name: "search_path", value: quoteIdentifier(schema), replaces: "any" }])
]

/** PostgreSQL's value for "no timeout". */
const noBound = "0"
/** PostgreSQL's default. */
const defaultPageCost = "4"

/** Sets it unless the host has. */
const inPlaceOf = (name: string, unset: string, value: number | string): string =>
  `set_config('${name}', CASE current_setting('${name}') WHEN '${unset}' THEN ` +
  `'${value}' ELSE current_setting('${name}') END, true)`
