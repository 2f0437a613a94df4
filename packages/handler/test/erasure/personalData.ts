/** Where the data of a person are in the database. */
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/** Tables that may name a customer who is deleted, and why. */
export const kept: Readonly<Record<string, string>> = {
  orders: "what was sold, to whom and where to: the law asks for it",
  event: "what subscribers were told, for thirty days",
  idempotency: "answers that a repeated request gets, for a day",
  provider_operation: "the order as it was priced, until its payment is settled"
}

/** The tables of which a row contains one of the texts, in whatever column. */
export const searched = async (shop: TestCommerce, texts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const tables = await rowsOf(
    shop,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
  )
  const found: Array<string> = []
  for (const { name } of tables) {
    const [row] = await rowsOf(
      shop,
      `SELECT EXISTS (SELECT FROM "${String(name)}" t WHERE EXISTS (SELECT FROM unnest($1::text[]) s
        WHERE position(lower(s) IN lower(t::text)) > 0)) AS found`,
      [texts]
    )
    if (row?.["found"] === true) found.push(String(name))
  }
  return found
}
