/** What `npm run api:check` says of a change of the API, and that the accepted document is today's. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { areAccepted, lacking, readChangesets } from "../../../../scripts/api/changesets.ts"
import { compareContracts, lineOf } from "../../../../scripts/api/compareContracts.ts"
import {
  type ApiDocument,
  type Contract,
  contractOf,
  contractText,
  parseContract,
  readContract
} from "../../../../scripts/api/contract.ts"
import { Api } from "../../src/Api.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ "application/json": { schema } })
const refusal = (code: string) => ({
  type: "object",
  properties: { code: { type: "string", const: code }, message: { type: "string" } },
  required: ["code"]
})

/** A document of one list and one write of it. */
const document = {
  paths: {
    "/v1/lamps/{id}": {
      get: {
        "x-scope": "lamps:read",
        "x-idempotency": "none",
        security: [{ apiKey: [] }, { bearer: [] }],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "sort", in: "query", required: false, schema: { type: "string", enum: ["name", "price"] } }
        ],
        responses: {
          "200": { headers: { ETag: { schema: { type: "string" } } }, content: json(ref("Lamp")) },
          "404": { content: json(ref("LampNotFoundError")) }
        }
      },
      patch: {
        "x-scope": "lamps:write or shop:write",
        "x-idempotency": "optional",
        security: [{ apiKey: [] }],
        parameters: [{ $ref: "#/components/parameters/Key" }],
        requestBody: { required: true, content: json(ref("LampInput")) },
        responses: {
          "200": { content: json(ref("Lamp")) },
          "409": { content: json({ oneOf: [ref("ConflictError"), ref("LampBrokenError")] }) }
        }
      }
    }
  },
  components: {
    parameters: { Key: { name: "Idempotency-Key", in: "header", required: false, schema: { type: "string" } } },
    schemas: {
      Lamp: {
        type: "object",
        description: "A lamp.",
        properties: {
          id: { type: "string" },
          name: { type: ["string", "null"] },
          state: { type: "string", enum: ["ON", "OFF"] },
          price: { type: "string", format: "decimal" },
          watts: { type: "integer", maximum: 100 },
          labels: { type: "object", patternProperties: { "^[a-z]+$": { type: "string" } } },
          parts: { type: "array", items: ref("Part") },
          light: {
            anyOf: [
              { type: "object", properties: { kind: { type: "string", const: "bulb" } }, required: ["kind"] },
              { type: "object", properties: { kind: { type: "string", const: "tube" } }, required: ["kind"] }
            ]
          }
        },
        required: ["id", "name", "state"],
        additionalProperties: false
      },
      Part: {
        type: "object",
        properties: { description: { type: "string", description: "Words." }, of: ref("Part") },
        required: []
      },
      LampInput: {
        type: "object",
        properties: {
          id: { type: "string", readOnly: true },
          name: { type: "string", maxLength: 50, examples: ["Oak"] },
          state: { type: "string", enum: ["ON", "OFF"] },
          watts: { type: ["integer", "string"] },
          tags: { type: "array", items: { type: "string" }, maxItems: 5 }
        },
        required: ["name"],
        additionalProperties: false
      },
      LampNotFoundError: refusal("LAMP_NOT_FOUND"),
      ConflictError: refusal("CONFLICT"),
      LampBrokenError: refusal("LAMP_BROKEN")
    }
  }
}
// oxlint-disable-next-line typescript/no-explicit-any -- a change may make any document of it
type Draft = any
type Edit = (draft: Draft) => void

const before = contractOf(document as unknown as ApiDocument)
const after = (edit: Edit): Contract => {
  const draft: Draft = structuredClone(document)
  edit(draft)
  return contractOf(draft as ApiDocument)
}
const lines = (edit: Edit) => compareContracts(before, after(edit)).map(lineOf)
const get = (draft: Draft): Draft => draft.paths["/v1/lamps/{id}"].get
const patch = (draft: Draft): Draft => draft.paths["/v1/lamps/{id}"].patch
const lamp = (draft: Draft): Draft => draft.components.schemas.Lamp
const input = (draft: Draft): Draft => draft.components.schemas.LampInput

const table: ReadonlyArray<readonly [string, Edit, ReadonlyArray<string>]> = [
  [
    "words alone",
    (d) => {
      lamp(d).description = "Another."
      d.components.schemas.Part.properties.description.description = "Other words."
      input(d).properties.name.examples = ["Ash"]
      get(d).summary = "Reads"
    },
    []
  ],
  [
    "another name of a parameter of a path",
    (d) => {
      d.paths["/v1/lamps/{lampId}"] = d.paths["/v1/lamps/{id}"]
      get(d).parameters[0].name = "lampId"
      delete d.paths["/v1/lamps/{id}"]
    },
    []
  ],
  ["a new route", (d) => (d.paths["/v1/x"] = { get: get(d) }), ["added    GET /v1/x: is new"]],
  [
    "a route that is gone",
    (d) => delete d.paths["/v1/lamps/{id}"].get,
    ["BREAKING GET /v1/lamps/{}: is no longer there"]
  ],
  [
    "a scope that is raised",
    (d) => (get(d)["x-scope"] = "lamps:write"),
    ["BREAKING GET /v1/lamps/{}: scope is lamps:write, was lamps:read"]
  ],
  [
    "one of two scopes that is no longer enough",
    (d) => (patch(d)["x-scope"] = "lamps:write"),
    ["BREAKING PATCH /v1/lamps/{}: scope is lamps:write, was lamps:write or shop:write"]
  ],
  [
    "one more scope that is enough",
    (d) => (get(d)["x-scope"] = "lamps:read or shop:read"),
    ["changed  GET /v1/lamps/{}: scope is lamps:read or shop:read, was lamps:read"]
  ],
  [
    "apps that are let in",
    (d) => (get(d)["x-app-scope"] = "mappings:read"),
    ["changed  GET /v1/lamps/{}: appScope is mappings:read, was none"]
  ],
  [
    "a credential less",
    (d) => (get(d).security = [{ apiKey: [] }]),
    ["BREAKING GET /v1/lamps/{}: no longer the credential bearer"]
  ],
  [
    "a credential more",
    (d) => patch(d).security.push({ session: [], csrf: [] }),
    ["added    PATCH /v1/lamps/{}: also the credential session and csrf"]
  ],
  [
    "a key that is required",
    (d) => (patch(d)["x-idempotency"] = "required"),
    ["BREAKING PATCH /v1/lamps/{}: Idempotency-Key is required, was optional"]
  ],
  [
    "a key that is taken",
    (d) => (get(d)["x-idempotency"] = "optional"),
    ["added    GET /v1/lamps/{}: Idempotency-Key is optional, was none"]
  ],
  [
    "a parameter that is gone, one that is new, one that is new and required",
    (d) => {
      get(d).parameters = [
        get(d).parameters[0],
        { name: "page", in: "query", schema: { type: "integer" } },
        { name: "shop", in: "header", required: true, schema: { type: "string" } }
      ]
    },
    [
      "BREAKING GET /v1/lamps/{} header shop: is new and required",
      "BREAKING GET /v1/lamps/{} query sort: is no longer taken",
      "added    GET /v1/lamps/{} query page: is new"
    ]
  ],
  [
    "a shared parameter that is required",
    (d) => (d.components.parameters.Key.required = true),
    ["BREAKING PATCH /v1/lamps/{} header Idempotency-Key: is required now"]
  ],
  [
    "another type in a path",
    (d) => (get(d).parameters[0].schema = { type: "string", maxLength: 9 }),
    ["BREAKING GET /v1/lamps/{} path 1: maxLength is 9, was none"]
  ],
  [
    "another default of a parameter",
    (d) => (get(d).parameters[1].schema.default = "price"),
    ['changed  GET /v1/lamps/{} query sort: default is "price", was none']
  ],
  [
    "headers of an answer",
    (d) => {
      get(d).responses["404"].headers = { "Retry-After": { schema: { type: "integer" } } }
      get(d).responses["200"].headers = { ETag: { schema: { type: "integer" } } }
    },
    [
      "BREAKING GET /v1/lamps/{} 200 header ETag: may be integer now",
      "changed  GET /v1/lamps/{} 200 header ETag: is never string now",
      "added    GET /v1/lamps/{} 404 header Retry-After: is new"
    ]
  ],
  [
    "a header of an answer that is gone",
    (d) => delete get(d).responses["200"].headers,
    ["BREAKING GET /v1/lamps/{} 200 header ETag: is no longer there"]
  ],
  [
    "names by a pattern",
    (d) => (lamp(d).properties.labels.patternProperties = { "^[a-z]+$": { type: "integer" } }),
    [
      "BREAKING Lamp (answer).labels./^[a-z]+$/: may be integer now",
      "changed  Lamp (answer).labels./^[a-z]+$/: is never string now"
    ]
  ],
  [
    "another pattern of names",
    (d) => (lamp(d).properties.labels.patternProperties = { "^[A-Z]+$": { type: "string" } }),
    [
      "BREAKING Lamp (answer).labels./^[a-z]+$/: names like this are gone",
      "added    Lamp (answer).labels./^[A-Z]+$/: names like this are new"
    ]
  ],
  ["what no rule compares", (d) => (lamp(d).properties.watts.multipleOf = 5), ["changed  Lamp: is written otherwise"]],
  [
    "values of a parameter",
    (d) => (get(d).parameters[1].schema.enum = ["name", "age"]),
    [
      "BREAKING GET /v1/lamps/{} query sort: no longer the value price",
      "added    GET /v1/lamps/{} query sort: also the value age"
    ]
  ],
  [
    "a status that is gone",
    (d) => delete get(d).responses["200"],
    ["BREAKING GET /v1/lamps/{} 200: is no longer answered"]
  ],
  [
    "another status of success",
    (d) => (get(d).responses["202"] = get(d).responses["200"]),
    ["BREAKING GET /v1/lamps/{} 202: is answered now"]
  ],
  [
    "another status of refusal",
    (d) => (get(d).responses["409"] = patch(d).responses["409"]),
    ["added    GET /v1/lamps/{} 409: is answered now"]
  ],
  [
    "a code that is gone, and one that is new",
    (d) => (patch(d).responses["409"].content = json({ oneOf: [ref("ConflictError"), ref("LampNotFoundError")] })),
    [
      "BREAKING PATCH /v1/lamps/{} 409: no longer the code LAMP_BROKEN",
      "added    PATCH /v1/lamps/{} 409: also the code LAMP_NOT_FOUND"
    ]
  ],
  [
    "another media type",
    (d) => (get(d).responses["200"].content = { "text/html": { schema: { type: "string" } } }),
    ["BREAKING GET /v1/lamps/{} 200: no longer application/json", "BREAKING GET /v1/lamps/{} 200: also text/html"]
  ],
  [
    "a field of an answer that is renamed",
    (d) => {
      lamp(d).properties.cost = lamp(d).properties.price
      delete lamp(d).properties.price
    },
    ["BREAKING Lamp (answer).price: is no longer there", "added    Lamp (answer).cost: is new"]
  ],
  [
    "a field of an answer that may be missing",
    (d) => (lamp(d).required = ["id", "name"]),
    ["BREAKING Lamp (answer).state: may be missing now"]
  ],
  [
    "a field of an answer that is always there",
    (d) => lamp(d).required.push("price"),
    ["changed  Lamp (answer).price: is required now"]
  ],
  [
    "null in an answer",
    (d) => (lamp(d).properties.id.type = ["string", "null"]),
    ["BREAKING Lamp (answer).id: may be null now"]
  ],
  [
    "no null in an answer",
    (d) => (lamp(d).properties.name.type = "string"),
    ["changed  Lamp (answer).name: is never null now"]
  ],
  [
    "another type of an answer",
    (d) => (lamp(d).properties.watts = { type: "string" }),
    ["BREAKING Lamp (answer).watts: may be string now", "changed  Lamp (answer).watts: is never integer now"]
  ],
  [
    "a value more of an answer",
    (d) => lamp(d).properties.state.enum.push("DIM"),
    ["BREAKING Lamp (answer).state: also the value DIM"]
  ],
  [
    "a value less of an answer",
    (d) => (lamp(d).properties.state.enum = ["ON"]),
    ["changed  Lamp (answer).state: no longer the value OFF"]
  ],
  [
    "any value of an answer",
    (d) => delete lamp(d).properties.state.enum,
    ["BREAKING Lamp (answer).state: any value, not some alone"]
  ],
  [
    "another format of an answer",
    (d) => delete lamp(d).properties.price.format,
    ["BREAKING Lamp (answer).price: format is none, was decimal"]
  ],
  [
    "a bound of an answer",
    (d) => (lamp(d).properties.watts.maximum = 200),
    ["changed  Lamp (answer).watts: maximum is 200, was 100"]
  ],
  [
    "a field of what an answer names, once although it is named twice and by itself",
    (d) => delete d.components.schemas.Part.properties.description,
    ["BREAKING Part (answer).description: is no longer there"]
  ],
  [
    "a form more of an answer",
    (d) => lamp(d).properties.light.anyOf.push({ type: "object", properties: { kind: { const: "led" } } }),
    ["BREAKING Lamp (answer).light: also the form kind led"]
  ],
  [
    "a field of one of the forms of an answer",
    (d) => (lamp(d).properties.light.anyOf[1].properties.length = { type: "integer" }),
    ["added    Lamp (answer).light.length: is new"]
  ],
  [
    "a schema by another name",
    (d) => {
      d.components.schemas.Piece = { ...d.components.schemas.Part }
      d.components.schemas.Piece.properties = { ...d.components.schemas.Part.properties, of: ref("Piece") }
      delete d.components.schemas.Part
      lamp(d).properties.parts.items = ref("Piece")
    },
    ["changed  Lamp: is written otherwise", "changed  Part: is no name of a schema any more"]
  ],
  [
    "a body that is no longer taken",
    (d) => delete patch(d).requestBody,
    ["BREAKING PATCH /v1/lamps/{} body: is no longer taken"]
  ],
  [
    "a body that may be missing",
    (d) => (patch(d).requestBody.required = false),
    ["changed  PATCH /v1/lamps/{} body: may be missing now"]
  ],
  [
    "a body where there was none",
    (d) => (get(d).requestBody = { required: true, content: json(ref("LampInput")) }),
    ["BREAKING GET /v1/lamps/{} body: is new and required"]
  ],
  [
    "a field of a body that is gone",
    (d) => delete input(d).properties.tags,
    ["BREAKING LampInput (request).tags: is no longer taken"]
  ],
  [
    "a field of a body that is required",
    (d) => input(d).required.push("state"),
    ["BREAKING LampInput (request).state: is required now"]
  ],
  [
    "a field of a body that may be missing",
    (d) => (input(d).required = []),
    ["changed  LampInput (request).name: may be missing now"]
  ],
  [
    "a new field of a body",
    (d) => (input(d).properties.colour = { type: "string" }),
    ["added    LampInput (request).colour: is new"]
  ],
  [
    "a new field of a body that is required",
    (d) => {
      input(d).properties.colour = { type: "string" }
      input(d).required.push("colour")
    },
    ["BREAKING LampInput (request).colour: is new and required"]
  ],
  [
    "a value less of a body, and one more",
    (d) => (input(d).properties.state.enum = ["ON", "DIM"]),
    [
      "BREAKING LampInput (request).state: no longer the value OFF",
      "added    LampInput (request).state: also the value DIM"
    ]
  ],
  [
    "values alone of a body",
    (d) => (input(d).properties.name.enum = ["Oak"]),
    ["BREAKING LampInput (request).name: only the values Oak"]
  ],
  [
    "a type less of a body",
    (d) => (input(d).properties.watts.type = "integer"),
    ["BREAKING LampInput (request).watts: is never string now"]
  ],
  [
    "a type more of a body",
    (d) => input(d).properties.watts.type.push("null"),
    ["added    LampInput (request).watts: may be null now"]
  ],
  [
    "a narrower bound of a body",
    (d) => (input(d).properties.name.maxLength = 40),
    ["BREAKING LampInput (request).name: maxLength is 40, was 50"]
  ],
  [
    "a wider bound of a body",
    (d) => (input(d).properties.tags.maxItems = 9),
    ["changed  LampInput (request).tags: maxItems is 9, was 5"]
  ],
  [
    "a bound of a body where there was none",
    (d) => (input(d).properties.name.minLength = 1),
    ["BREAKING LampInput (request).name: minLength is 1, was none"]
  ],
  [
    "a format of a body",
    (d) => (input(d).properties.name.format = "email"),
    ["BREAKING LampInput (request).name: format is email, was none"]
  ],
  [
    "a field of a body that is only read",
    (d) => (input(d).properties.tags.readOnly = true),
    ["BREAKING LampInput (request).tags: is ignored now"]
  ],
  [
    "a field of a body that is taken",
    (d) => delete input(d).properties.id.readOnly,
    ["added    LampInput (request).id: is taken now"]
  ],
  [
    "other names of a body",
    (d) => (input(d).additionalProperties = { type: "string" }),
    ["added    LampInput (request).*: any other name"]
  ],
  [
    "items of a body",
    (d) => (input(d).properties.tags.items.maxLength = 9),
    ["BREAKING LampInput (request).tags[]: maxLength is 9, was none"]
  ]
]

describe("a change of the API", () => {
  it.each(table)("is told apart: %s", (_name, edit, expected) => {
    expect(lines(edit)).toEqual(expected)
  })
})

describe("accepting changes", () => {
  const set = (name: string, bump: string, of = "@effect-commerce/handler") => ({
    name,
    text: `---\n"@effect-commerce/core": patch\n"${of}": ${bump}\n---\n\nLamps dim.\n`
  })
  const added = compareContracts(
    before,
    after((d) => (d.paths["/v1/x"] = { get: get(d) }))
  )
  const breaking = compareContracts(
    before,
    after((d) => delete get(d).responses["200"])
  )
  const old = set("old.md", "major")

  it("needs nothing where nothing has changed", () => {
    expect(lacking([], [], [])).toBeUndefined()
  })

  it("needs a changeset of this package that was not there before", () => {
    for (const some of [[], [old], [old, set("new.md", "minor", "@effect-commerce/cli")], [{ name: "x.md", text: "" }]])
      expect(lacking(added, some, ["old.md"])).toMatch(/^a new changeset that names @effect-commerce\/handler/)
    expect(lacking(added, [old, set("new.md", "patch")], ["old.md"])).toBeUndefined()
  })

  it("was for the changesets of another day where one is new or gone", () => {
    const known = ["old.md"]
    expect([
      areAccepted([old], known),
      areAccepted([], known),
      areAccepted([old, set("a.md", "patch")], known)
    ]).toEqual([true, false, false])
  })

  it("needs a major one where something breaks", () => {
    expect(lacking(breaking, [old, set("new.md", "minor")], ["old.md"])).toMatch(/major/)
    expect(lacking(breaking, [set("new.md", "minor"), set("other.md", "major")], [])).toBeUndefined()
  })

  it("keeps a line for each operation and schema, and reads them again", () => {
    const kept = { ...before, changesets: ["b.md", "a.md"] }
    expect(contractText(kept).split("\n").length).toBe(1 + 2 + 6 + 1)
    expect(parseContract(contractText(kept))).toEqual({ ...before, changesets: ["a.md", "b.md"] })
  })
})

describe("docs/api-contract.ndjson", () => {
  it("is today's API: otherwise `npm run -s api:check` says what has changed, and `-- --write` accepts it", async () => {
    const today = contractOf((await Effect.runPromise(makeApiDocument(Api))) as unknown as ApiDocument)
    const accepted = readContract()
    expect(Object.keys(accepted.operations).length).toBeGreaterThan(350)
    expect(compareContracts(accepted, today).map(lineOf)).toEqual([])
  })

  it("was written with the changesets that are there, after the last of them", () => {
    expect(readContract().changesets).toEqual(
      readChangesets()
        .map(({ name }) => name)
        .toSorted()
    )
  })
})
