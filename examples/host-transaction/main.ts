/**
 * A school with a PostgreSQL of its own. Whoever takes a seat in its course orders the textbook, which commerce sells.
 * Seat and order are one transaction, the school's: both are there, or neither.
 *
 *   DATABASE_URL=postgres://… npx node --conditions=source examples/host-transaction/main.ts
 */
import { fileURLToPath } from "node:url"
import { Products } from "@effect-commerce/core/product/Products"
import { OrderOutOfStock } from "@effect-commerce/core/order/OrderErrors"
import { OrderEntry } from "@effect-commerce/core/orderentry/OrderEntry"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Stores } from "@effect-commerce/core/store/Stores"
import { type Commerce, createCommerce } from "@effect-commerce/handler"
import { Effect } from "effect"
import pg, { type Pool } from "pg"

interface School {
  readonly pool: Pool
  readonly commerce: Commerce
  readonly store: StoreContext
  readonly textbook: string
}

/** The school's own table, and a store with one textbook. Commerce keeps its tables in the schema `commerce`. */
const openSchool = async (pool: Pool): Promise<School> => {
  await pool.query("CREATE TABLE seat (student text PRIMARY KEY, order_number text)")
  const commerce = await createCommerce({
    database: { pool, schema: "commerce" },
    secret: "at least 32 bytes, kept where your secrets are"
  })
  const furnish = Effect.gen(function* () {
    const store = yield* (yield* Stores).create({ name: "Textbooks", currency: "EUR", country: "DE" })
    const book = yield* (yield* Products).create(store, {
      name: "Calculus",
      basePrice: "49.00",
      status: "active",
      inventory: { total: 2 }
    })
    return { store, textbook: book.id }
  })
  return { pool, commerce, ...(await Effect.runPromise(Effect.provideContext(furnish, commerce.services))) }
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "23505"

/** Orders the book and takes the seat. Answers what became of it. */
const enrol = async ({ pool, commerce, store, textbook }: School, student: string): Promise<string> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const order = await commerce
      .inTransaction(
        client,
        OrderEntry.use((entry) =>
          entry.create(store, {
            currency: "EUR",
            items: [{ productId: textbook, quantity: 1 }],
            customer: { email: student }
          })
        )
      )
      .catch((error: unknown) => {
        // What commerce wrote is taken back and our transaction goes on: a seat without a book is still a seat.
        if (error instanceof OrderOutOfStock) return undefined
        throw error
      })
    await client.query("INSERT INTO seat VALUES ($1, $2)", [student, order?.orderNumber ?? null])
    await client.query("COMMIT")
    return `${student}: a seat and ${order === undefined ? "no book" : `order ${order.orderNumber}`}`
  } catch (error) {
    // The order goes with everything else.
    await client.query("ROLLBACK")
    if (isTaken(error)) return `${student}: has a seat already`
    throw error
  } finally {
    client.release()
  }
}

export const main = async (pool: Pool): Promise<ReadonlyArray<string>> => {
  const school = await openSchool(pool)
  try {
    const told: Array<string> = []
    for (const student of ["ada", "ada", "emmy", "sofia"]) told.push(await enrol(school, `${student}@example.com`))
    const { orders, books } = await stateOf(school)
    return [...told, `${orders} orders, ${books} books left`]
  } finally {
    await school.commerce.close()
  }
}

const stateOf = async ({ pool }: School) => {
  const { rows } = await pool.query(
    "SELECT (SELECT count(*) FROM commerce.orders) AS orders, (SELECT sum(total) FROM commerce.stock) AS books"
  )
  return { orders: String(rows[0]?.["orders"]), books: String(rows[0]?.["books"]) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = process.env["DATABASE_URL"]
  const pool = new pg.Pool(url === undefined ? {} : { connectionString: url })
  for (const line of await main(pool)) process.stdout.write(`${line}\n`)
  await pool.end()
}
