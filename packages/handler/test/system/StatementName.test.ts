import { describe, expect, it } from "vitest"
import { statementName } from "../../src/system/telemetry/statementName.ts"

describe("what a statement is called in a trace", () => {
  it.each([
    ["SELECT id FROM product WHERE store_id = $1", "SELECT product"],
    ["SELECT p.id FROM product p LEFT JOIN variant v ON v.product_id = p.id", "SELECT product, variant"],
    ["INSERT INTO cart (store_id, id) VALUES ($1, $2)", "INSERT cart"],
    ["UPDATE stock SET total = 3 WHERE name = 'Ada Lovelace'", "UPDATE stock"],
    ["DELETE FROM cart_item WHERE id = ANY($1)", "DELETE cart_item"],
    ["SELECT id FROM checkout WHERE id = $1 FOR NO KEY UPDATE OF checkout", "SELECT checkout"],
    ["INSERT INTO rate (k) VALUES ($1) ON CONFLICT (k) DO UPDATE SET n = rate.n + 1", "INSERT rate"],
    [
      "WITH gone AS (DELETE FROM cart_item WHERE id = $1 RETURNING *) INSERT INTO event SELECT * FROM gone",
      "DELETE cart_item, INSERT event"
    ],
    ["WITH a AS (SELECT 1), b AS (SELECT 2 FROM store) SELECT * FROM a, b JOIN b c ON true", "SELECT store"],
    ["SELECT * FROM jsonb_to_recordset($1) x JOIN product ON x.id IS DISTINCT FROM product.id", "SELECT product"],
    ["SELECT a FROM t1 JOIN t2 ON true JOIN t3 ON true JOIN t4 ON true JOIN t5 ON true", "SELECT t1, t2, t3, t4"],
    ["SELECT set_config('app.store_id', $1, true)", "SELECT"],
    ["LISTEN commerce_events", "LISTEN"],
    ["", "statement"]
  ])("%s", (sql, name) => {
    expect(statementName(sql)).toBe(name)
  })
})
