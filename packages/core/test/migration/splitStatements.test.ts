import { describe, expect, it } from "vitest"
import { splitStatements } from "../../src/migration/internal/splitStatements.ts"

describe("splitStatements", () => {
  it.each([
    [
      "two statements and a trailing one without a semicolon",
      "SELECT 1;\nSELECT 2;\nSELECT 3\n",
      ["SELECT 1", "SELECT 2", "SELECT 3"]
    ],
    ["nothing but comments and semicolons", "-- a; b\n/* c; */ ; ;\n", []],
    ["strings with semicolons and doubled quotes", "SELECT 'a;b''c;d'; SELECT 2", ["SELECT 'a;b''c;d'", "SELECT 2"]],
    ["escape strings", "SELECT E'it\\'s; fine'; SELECT 2", ["SELECT E'it\\'s; fine'", "SELECT 2"]],
    ["a backslash at the end of a plain string", "SELECT 'a\\'; SELECT 2", ["SELECT 'a\\'", "SELECT 2"]],
    [
      "a name that ends in e before a string",
      "SELECT date'2026-01-01\\'; SELECT 2",
      ["SELECT date'2026-01-01\\'", "SELECT 2"]
    ],
    ["quoted identifiers", 'SELECT 1 AS "a;""b"; SELECT 2', ['SELECT 1 AS "a;""b"', "SELECT 2"]],
    [
      "dollar quotes, tagged and nested",
      "DO $a$ BEGIN PERFORM $$x;y$$; END $a$; SELECT 2",
      ["DO $a$ BEGIN PERFORM $$x;y$$; END $a$", "SELECT 2"]
    ],
    [
      "parameters, which are no dollar quotes",
      "SELECT $1; SELECT a$b$c; SELECT 2",
      ["SELECT $1", "SELECT a$b$c", "SELECT 2"]
    ],
    ["nested block comments", "SELECT /* a /* ; */ b; */ 1; SELECT 2", ["SELECT /* a /* ; */ b; */ 1", "SELECT 2"]],
    ["a comment before its statement stays with it", "-- why\nSELECT 1;", ["-- why\nSELECT 1"]]
  ])("%s", (_, source, statements) => {
    expect(splitStatements(source)).toEqual(statements)
  })
})
