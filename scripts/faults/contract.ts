/** Faults in details of the interface: what is rejected, counted, shown and never trusted. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.pg.test.ts`]

export const contractFaults: ReadonlyArray<Fault> = [
  {
    id: "contract.unreadable-query",
    breaks: "A search for bytes that are no text is answered as if it had been one",
    file: "packages/handler/src/middleware/RequestTarget.ts",
    find: "?? []).some(decodesBadly)",
    replace: "?? []).every(decodesBadly)",
    tests: handler("middleware/Envelope"),
    noticedBy: "refuses escapes of NUL and of bytes that are not UTF-8"
  },
  {
    id: "contract.charset",
    breaks: "A body in UTF-16 is read as UTF-8",
    file: "packages/handler/src/middleware/Body.ts",
    find: `charsets.has(charsetOf(contentType) ?? "utf-8") && `,
    replace: "",
    tests: handler("middleware/Envelope"),
    noticedBy: "refuses another charset with 415"
  },
  {
    id: "contract.answer-apart",
    breaks: "An order is made twice where the server dies between the order and the answer that is kept of it",
    file: "packages/handler/src/middleware/Guard.ts",
    find: `policy.oneTransaction === true ? database.write`,
    replace: `policy.surface === "open" ? database.write`,
    tests: handler("middleware/KeptWithWrites"),
    noticedBy: "is taken back, and its retry is the first"
  },
  {
    id: "contract.uncounted-documents",
    breaks: "A caller over its limit can still request the largest response there is",
    file: "packages/handler/src/system/DocumentRoutes.ts",
    find: `documentPath, counted(Effect.flatMap(made, ({ plain }) => answerStored(plain)))`,
    replace: `documentPath, Effect.flatMap(made, ({ plain }) => answerStored(plain))`,
    tests: handler("middleware/Limits"),
    noticedBy: "counts documents, and what cannot be read"
  },
  {
    id: "contract.route-without-words",
    breaks: "An operation stands in the API document without a word of what it does",
    file: "packages/handler/src/system/ApiDocument.ts",
    find: `...(facts.summary === undefined ? {} : { summary: facts.summary }),`,
    replace: `...(facts.surface === "open" ? {} : { summary: facts.summary }),`,
    tests: ["packages/handler/test/system/ApiDocument.test.ts"],
    noticedBy: "has words, named schemas and codes for every operation"
  },
  {
    id: "contract.unlisted-code",
    breaks: "A caller is refused with a code that the API document does not list",
    file: "packages/handler/src/middleware/refusalCodes.ts",
    find: `method === "GET" ? ["IDEMPOTENCY_KEY_NOT_SUPPORTED"]`,
    replace: `method === "GET" ? []`,
    tests: handler("middleware/Codes"),
    noticedBy: "IDEMPOTENCY_KEY_NOT_SUPPORTED"
  },
  {
    id: "contract.open-envelope",
    breaks: "The generated types of a refusal take any property and miss a mistyped one",
    file: "packages/handler/src/system/DocumentedRefusals.ts",
    find: `additionalProperties: false`,
    replace: `additionalProperties: true`,
    tests: ["packages/handler/test/system/ApiDocument.test.ts"],
    noticedBy: "lists for each refusal the codes that this operation can answer, and no others"
  },
  {
    id: "contract.page-asks-another-host",
    breaks: "The reference page may load scripts from another host",
    file: "packages/handler/src/system/reference/ReferencePage.ts",
    find: `script-src 'self';`,
    replace: `script-src 'self' https:;`,
    tests: ["packages/handler/test/system/ReferencePage.pg.test.ts"],
    noticedBy: "loads scripts, styles and data from this server alone"
  },
  {
    id: "contract.key-to-another-site",
    breaks: "A page of another site whose name leads to this machine reads the demo's key",
    file: "packages/handler/src/system/reference/ReferenceValues.ts",
    find: `isLocal && loopback.test(host ?? "")`,
    replace: `isLocal`,
    tests: ["packages/handler/test/system/ReferencePage.pg.test.ts"],
    noticedBy: "for who reads the page on this machine alone"
  },
  {
    id: "contract.refused-compression",
    breaks: "A client that refuses gzip gets a gzip response",
    file: "packages/handler/src/middleware/AcceptedEncoding.ts",
    find: "({ weight }) => weight > 0 && weight",
    replace: "({ weight }) => weight",
    tests: handler("system/ReferencePage"),
    noticedBy: "is sent compressed to whoever takes that, and as it is to others"
  },
  {
    id: "contract.mute-refusal",
    breaks: "A storefront cannot read that it must wait: the browser hides the refusal",
    file: "packages/handler/src/middleware/Ring.ts",
    find: "if (response.status >= 400) { yield* openToPage(",
    replace: "if (response.status >= 600) { yield* openToPage(",
    tests: handler("middleware/Credentials"),
    noticedBy: "lets pages of its domain read"
  },
  {
    id: "contract.metrics-open",
    breaks: "Anyone behind a proxy on the same machine reads the metrics",
    file: "packages/handler/src/middleware/ClientAddress.ts",
    find: `headers["x-forwarded-for"] === undefined &&`,
    replace: "",
    tests: handler("system/Metrics"),
    noticedBy: "are for the same machine, or for a key"
  },
  {
    id: "contract.dangling-reference",
    breaks: "A product recommends products that nobody has",
    file: "packages/core/src/product/internal/references.ts",
    find: `return unknownOf("product", added, products)`,
    replace: `return unknownOf("product", [], products)`,
    tests: handler("product/Products"),
    noticedBy: "is refused by the name of the field"
  },
  {
    id: "contract.script-address",
    breaks: "The address of a picture or a download is a script that a shopper's browser runs",
    file: "packages/core/src/kernel/FileAddress.ts",
    find: "isWebAddress(address) || isPath(address)",
    replace: 'isWebAddress(address) || address !== ""',
    tests: ["packages/core/test/kernel/FileAddress.test.ts"],
    noticedBy: "is not"
  },
  {
    id: "contract.variant-version",
    breaks: "Who has read a product before somebody changed its variants overwrites it",
    file: "packages/core/src/product/ProductRepository.ts",
    find: "anyRow(sql`UPDATE product SET updated_at = ${versionAfter(sql, now)}",
    replace: "anyRow(sql`UPDATE product SET updated_at = updated_at",
    tests: handler("storefront/ProductWords"),
    noticedBy: "gives the product another version"
  },
  {
    id: "contract.words-of-a-character",
    breaks: "A search of odd characters costs the server seconds",
    file: "packages/core/src/storefront/internal/searchQuery.ts",
    find: "const words = term.words.slice(0, most)",
    replace: "const words = term.words",
    tests: ["packages/core/test/storefront/searchQuery.test.ts"],
    noticedBy: "asks for sixteen words where a character stands for many"
  },
  {
    id: "contract.language-said",
    breaks: "A German answer says that it is English",
    file: "packages/core/src/kernel/Locale.ts",
    find: "return baseOf(best) === baseOf(own) ? own : undefined",
    replace: "return own",
    tests: ["packages/core/test/kernel/Locale.test.ts"],
    noticedBy: "offered"
  },
  {
    id: "contract.own-language",
    breaks: "A shopper who reads the store's own language is shown another",
    file: "packages/core/src/kernel/Locale.ts",
    find: "if (baseOf(language) === baseOf(own)) return undefined",
    replace: "if (language === own) continue",
    tests: ["packages/core/test/kernel/Locale.test.ts"],
    noticedBy: "is not looked for past the store's own language"
  },
  {
    id: "contract.bulk-twice",
    breaks: "A batch that is sent again makes every product again",
    file: "packages/core/src/product/ProductImports.ts",
    find: "left.has(index) ? [] :",
    replace: "left.has(-1 - index) ? [] :",
    tests: handler("product/BulkProducts"),
    noticedBy: "are left out where their external id is there already"
  },
  {
    id: "contract.class-in-use",
    breaks: "A shipping class that rates still charge for is deleted: shipping becomes cheaper unasked",
    file: "packages/core/src/shipping/ShippingClassRepository.ts",
    find: "if (inRates.length > 0)",
    replace: "if (inRates.length > 1)",
    tests: handler("shipping/ShippingClasses"),
    noticedBy: "stays while either does"
  },
  {
    id: "contract.trusted-price",
    breaks: "A shopper names the price",
    file: "packages/core/src/quickorder/StorefrontOrders.ts",
    find: "return drifted.length > 0 ?",
    replace: "return drifted.length > 500 ?",
    tests: handler("order/StorefrontOrders"),
    noticedBy: "refuses a price that is not the catalogue's"
  },
  {
    id: "contract.dearest-rate",
    breaks: "An order placed in one call is sent the dearest way",
    file: "packages/core/src/pricing/internal/deliveryOf.ts",
    find: 'delivery.by === "cheapest" ? offers[0] :',
    replace: 'delivery.by === "cheapest" ? offers.at(-1) :',
    tests: handler("order/StorefrontOrders"),
    noticedBy: "the cheapest way of shipping"
  },
  {
    id: "contract.order-spied",
    breaks: "Whoever knows an order's id reads what became of it",
    file: "packages/core/src/quickorder/StorefrontOrders.ts",
    find: " && order.email === normaliseEmail(email)",
    replace: "",
    tests: handler("order/StorefrontOrders"),
    noticedBy: "to nobody else that it is there"
  },
  {
    id: "contract.pickup-taxed-elsewhere",
    breaks: "What is picked up is not taxed where it is picked up",
    file: "packages/core/src/pricing/internal/deliveryOf.ts",
    find: "goods ? place : taxedAt(goods, delivery)",
    replace: "taxedAt(goods, delivery)",
    tests: handler("checkout/Delivery"),
    noticedBy: "is taxed there"
  },
  {
    id: "contract.stale-billing",
    breaks: "An order is billed to the address the shopper has corrected",
    file: "packages/core/src/checkout/CheckoutEdits.ts",
    find: "current === null || Equal.equals(current, before)",
    replace: "current === null",
    tests: handler("checkout/Purchase"),
    noticedBy: "bills where it ships until"
  },
  {
    id: "contract.null-object",
    breaks: "The API document says that an order's pickup place is always an object, but it can be null",
    file: "packages/core/src/body/tidySchema.ts",
    find: `const isNullable = anyOf.some((one) => isObject(one) && one["type"] === "null")`,
    replace: `const isNullable = true
  if (anyOf.some((one) => isObject(one) && one["$ref"] !== undefined)) return { ...rest, ...(anyOf[0] as Json) }`,
    tests: handler("system/AnswersAsDocumented"),
    noticedBy: "the answer is as the document says"
  },
  {
    id: "contract.shut-map",
    breaks: "Types made of the API document have maps that nothing can be put into",
    file: "packages/core/src/body/tidySchema.ts",
    find: "{ ...schema, additionalProperties: true }",
    replace: "schema",
    tests: ["packages/handler/test/system/ApiDocument.test.ts"],
    noticedBy: "has words, named schemas and codes for every operation"
  },
  {
    id: "contract.decline-as-incident",
    breaks: "What a payment provider answers is logged as a failure of ours, with a stack",
    file: "packages/handler/src/middleware/Envelope.ts",
    find: "incident: codes[row.code] === 500 && warning === undefined",
    replace: "incident: codes[row.code] === 500",
    tests: handler("payment/TestPayments"),
    noticedBy: "fails at the provider"
  },
  {
    id: "fields.first-alone",
    breaks: "A body is refused by its first wrong value alone",
    file: "packages/core/src/kernel/FieldRejected.ts",
    find: "errors = together(errors, rejectedFields(result.failure))",
    replace: "return yield* Effect.fail(result.failure)",
    tests: handler("matrix/FailingFields"),
    noticedBy: "is refused by each of them: POST /v1/brands"
  },
  {
    id: "fields.parts-untried",
    breaks: "Where a product's own fields are wrong, its variants, components and metafields are not looked at",
    file: "packages/core/src/kernel/FieldRejected.ts",
    find: "other instanceof FieldRejected",
    replace: "failure === undefined",
    tests: handler("matrix/FailingFields"),
    noticedBy: "is refused by each of them: POST /v1/products"
  },
  {
    id: "fields.unknown-key",
    breaks: "A picture's key that the library does not have is kept and means nothing",
    file: "packages/core/src/taxonomy/OnePicture.ts",
    find: `return typeof givenKey === "string"`,
    replace: `return typeof givenKey === "number"`,
    tests: handler("matrix/UnknownIds"),
    noticedBy: "is refused as POST /v1/categories imageKey"
  },
  {
    id: "contract.base-path",
    breaks:
      "A client with the base URL of the introduction asks for /api/api, because the document's paths have it too",
    file: "packages/handler/src/system/ApiDocument.ts",
    find: "(paths[path.slice(declaredBase.length)] ??= {})",
    replace: "(paths[path] ??= {})",
    tests: ["packages/handler/test/system/ApiDocument.test.ts"],
    noticedBy: "names the base path as its server"
  },
  {
    id: "contract.untyped-details",
    breaks: "A client that has looked at the code of an error does not know whether it has details",
    file: "packages/handler/src/system/DocumentedRefusals.ts",
    find: "(codeDetails[code]?.required ?? []).length > 0",
    replace: "codeDetails[code] === null",
    tests: handler("client/TypedClient"),
    noticedBy: "compiles a storefront's and a merchant's program"
  },
  {
    id: "contract.sample-read-only",
    breaks: "The sample of a request sends fields that are only read",
    file: "packages/handler/src/system/samples/SampleValues.ts",
    find: `field["readOnly"] === true || `,
    replace: "",
    tests: ["packages/handler/test/system/Samples.test.ts"],
    noticedBy: "leave a request without what is only read"
  },
  {
    id: "contract.sample-prefix",
    breaks: "Samples have ids that the server never gives",
    file: "packages/handler/src/system/samples/sampleIds.ts",
    find: `order: "ord"`,
    replace: `order: "order"`,
    tests: ["packages/handler/test/system/Samples.test.ts"],
    noticedBy: "have ids with prefixes that the server uses"
  },
  {
    id: "contract.sample-recorded",
    breaks: "What was recorded from the demo store is not shown",
    file: "packages/handler/src/system/samples/Samples.ts",
    find: "recorded ?? withSampleIds(example) ??",
    replace: "withSampleIds(example) ??",
    tests: ["packages/handler/test/system/Samples.test.ts"],
    noticedBy: "are what was recorded, where an operation was"
  }
]
