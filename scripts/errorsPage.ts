/** The page docs/errors.md as text. */

const titles: Readonly<Record<number, string>> = {
  400: "The request is wrong",
  401: "The caller is not known",
  402: "The plan does not include it",
  403: "The caller is not allowed",
  404: "It does not exist",
  405: "The path has no such method",
  409: "It conflicts with the current state",
  413: "The body is too large",
  415: "The body has another media type",
  422: "A rule or the payment provider does not allow it",
  429: "Too many requests",
  500: "It failed on our side",
  501: "It is not built",
  503: "It is not available now"
}

const head = `# Errors: why, and what to do

Generated from \`packages/handler/src/middleware/Codes.ts\` and \`CodeExplanations.ts\` by \`npm run errors\`. What can go wrong before there is a response is in
[when something does not work](guides/when-something-does-not-work.md).

Every error response has the same shape:

\`\`\`json
{
  "statusCode": 404,
  "code": "PRODUCT_NOT_FOUND",
  "message": "The product does not exist",
  "details": {},
  "timestamp": "2026-01-31T12:00:00.000Z",
  "path": "/api/v1/products/prod_1"
}
\`\`\`

Switch on \`code\`: it is stable and has one status. \`message\` is for people and may change. Facts for programs are in \`details\`.
Quote the \`X-Request-Id\` header of the response when you report a problem. 429 and 503 carry \`Retry-After\` where a time is known.
No request that is wrong gets a 5xx. Reserved codes are part of the interface and not returned yet.
`

interface Told {
  readonly explanations: Readonly<Record<string, { readonly cause: string; readonly remedy: string }>>
  /** Declared and not yet returned. */
  readonly reserved: ReadonlySet<string>
}

const section = (status: number, names: ReadonlyArray<string>, { explanations, reserved }: Told): string => {
  const rowOf = (name: string): string => {
    const { cause = "", remedy = "" } = explanations[name] ?? {}
    return `- \`${name}\`${reserved.has(name) ? " (reserved)" : ""}: ${cause} **What to do:** ${remedy}`
  }
  return [`## ${status} ${titles[status] ?? ""}`.trimEnd(), "", ...names.map(rowOf), ""].join("\n")
}

/** `codes` gives each code its status; `reserved` are declared and not yet returned. */
export const errorsPage = (
  codes: Readonly<Record<string, number>>,
  { explanations, reserved }: { readonly explanations: Told["explanations"]; readonly reserved: ReadonlyArray<string> }
): string => {
  const statuses = [...new Set(Object.values(codes))].sort((a, b) => a - b)
  const held = new Set(reserved)
  const sections = statuses.map((status) =>
    section(
      status,
      Object.keys(codes).filter((code) => codes[code] === status),
      { explanations, reserved: held }
    )
  )
  return [head, ...sections].join("\n")
}
