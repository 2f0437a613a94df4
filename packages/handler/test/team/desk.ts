/** A shop with people: an owner of its store, and others who are invited and log in. */
import { StoreOwners } from "@effect-commerce/core/team/StoreOwners"
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import type { Effect } from "effect"
import pg from "pg"
import type { Commerce } from "../../src/createCommerce.ts"
import { type Called, runWith, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

export const password = "Corr3ct-Horse!"

/** What tests read of a person in a team, and of an open session. */
export interface Member {
  readonly id: string
  readonly email: string
  readonly role: string
  readonly status: string
}
export interface Session {
  readonly id: string
  readonly current: boolean
  readonly device: string | null
  readonly address: string | null
}

export const coded = ({ status, body }: Called) => [status, body?.code]

/** Runs an effect that needs core's services. */
const runOn = <A>(commerce: Commerce, effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
  runWith(commerce, effect as Effect.Effect<A>)

/** Gives the store an owner, as the operator does. */
export const addOwner = (shop: TestCommerce, at: TestStore, email: string) =>
  runOn(
    shop.commerce,
    StoreOwners.use((owners) =>
      owners.add({ id: at.storeId, accountId: at.accountId }, { email, password, name: "Ada" })
    )
  )

export const logIn = (shop: TestCommerce, email: string, given = password): Promise<Called> =>
  shop.call("POST", "/auth/login", { body: { email, password: given } })

export const tokenOf = async (shop: TestCommerce, email: string): Promise<string> => {
  const { status, body, text } = await logIn(shop, email)
  if (status !== 200) throw new Error(`${email} cannot log in: ${text}`)
  return body.token
}

/** An owner of the store with a session. */
export const ownerOf = async (shop: TestCommerce, at: TestStore, email: string): Promise<string> => {
  await addOwner(shop, at, email)
  return tokenOf(shop, email)
}

/** The mails that are kept for an address in a store, the newest first, once everything was relayed. */
export const mailsTo = async (shop: TestCommerce, at: TestStore, email: string) => {
  await runOn(
    shop.commerce,
    OutboxRelay.use((relay) => relay.relayStore(at.storeId))
  )
  const { body } = await shop.call("GET", "/v1/email/messages?limit=100", { key: at.apiKey })
  return (body.data as ReadonlyArray<{ to: string; subject: string; text: string; eventType: string }>).filter(
    ({ to }) => to === email
  )
}

/**
 * The token of an invitation or of a reset: the copy of its mail that people can read hides it, so it is set anew in the
 * table, as one that this test knows.
 */
export const knownToken = async (shop: TestCommerce, table: "team_member" | "dashboard_reset", where: string) => {
  const token = `known-${Math.random().toString(36).slice(2)}`
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const { rowCount } = await client.query(
    `UPDATE ${table} SET token_hash = encode(sha256($1::bytea), 'hex') WHERE ${where}`,
    [token]
  )
  await client.end()
  if (rowCount !== 1) throw new Error(`${rowCount} rows of ${table} have ${where}`)
  return token
}

/** Invites a person with the session or key, who accepts and logs in. */
export const joinAs = async (shop: TestCommerce, at: TestStore, by: string, email: string, role: string) => {
  const invited = await shop.call("POST", `/stores/${at.storeId}/team`, { key: by, body: { email, role } })
  if (invited.status !== 201) throw new Error(invited.text)
  const token = await knownToken(shop, "team_member", `id = '${invited.body.id}'`)
  const accepted = await shop.call("POST", "/auth/invitations/accept", { body: { token, password } })
  if (accepted.status !== 200) throw new Error(accepted.text)
  return { memberId: invited.body.id as string, token: await tokenOf(shop, email) }
}

/** Rows of a query, as the owner of the tables reads them. */
export const queryOf = async (shop: TestCommerce, sql: string) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

export const advance = (shop: TestCommerce, advanceMs: number) =>
  shop.call("POST", "/test/clock", { body: { advanceMs } })
