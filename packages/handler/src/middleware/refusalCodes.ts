/**
 * Which error codes an operation can return: those of its declared errors, and those of the pipeline on its surface.
 * The API document lists exactly these.
 */
import type { HttpApiEndpoint } from "effect/http-api"
import { type Code, codes } from "./Codes.ts"
import { codeOfDeclared } from "./DeclaredErrors.ts"
import type { PolicyFacts } from "./Policy.ts"
import { versionOf } from "./Versioned.ts"

/** Any request may fail by its form, a limit, or a failure of the server. */
const everywhere: ReadonlyArray<Code> = [
  "VALIDATION_FAILED",
  "RATE_LIMITED",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_TEMPORARILY_UNAVAILABLE"
]

/** Credentials and stores. */
const bySurface: Readonly<Record<PolicyFacts["surface"], ReadonlyArray<Code>>> = {
  admin: ["UNAUTHORIZED", "INSUFFICIENT_SCOPE", "STORE_SUSPENDED", "RESOURCE_NOT_FOUND"],
  channel: ["UNAUTHORIZED", "INSUFFICIENT_PERMISSION", "STORE_SUSPENDED", "RESOURCE_NOT_FOUND"],
  public: ["UNAUTHORIZED", "STORE_SUSPENDED", "RESOURCE_NOT_FOUND"],
  person: [],
  open: []
}

const byMethod = (method: string): ReadonlyArray<Code> =>
  method === "GET" ? ["IDEMPOTENCY_KEY_NOT_SUPPORTED"] : ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "CONFLICT"]

const byIdempotency = ({ idempotency }: PolicyFacts): ReadonlyArray<Code> => {
  if (idempotency === "required")
    return ["MISSING_REQUIRED_FIELDS", "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_LOCK_UNAVAILABLE"]
  return idempotency === "optional" ? ["IDEMPOTENCY_KEY_REUSED"] : []
}

const pipelineCodes = (policy: PolicyFacts, method: string): ReadonlyArray<Code> => {
  if (policy.surface === "open" && policy.rawBody === true) return [...everywhere, "PAYLOAD_TOO_LARGE"]
  // Other open routes read no credential and no body: they fail only by the address, or while the instance shuts down.
  if (policy.surface === "open")
    return ["VALIDATION_FAILED", "INTERNAL_SERVER_ERROR", "SERVICE_TEMPORARILY_UNAVAILABLE"]
  return [
    ...everywhere,
    ...bySurface[policy.surface],
    ...(policy.surface === "admin" && policy.storeInPath !== true
      ? (["STORE_ID_REQUIRED", "STORE_ID_MISMATCH"] as const)
      : []),
    ...(policy.installation === undefined ? [] : (["INSUFFICIENT_PERMISSION"] as const)),
    ...(policy.area === undefined ? [] : (["SESSION_EXPIRED", "INSUFFICIENT_PERMISSION"] as const)),
    ...(policy.session === undefined ? [] : (["UNAUTHORIZED", "SESSION_EXPIRED", "INSUFFICIENT_PERMISSION"] as const)),
    ...byMethod(method),
    ...byIdempotency(policy),
    ...(versionOf(policy) === undefined ? [] : (["CONFLICT"] as const))
  ]
}

/** The codes of an operation by their status, in the order of the table of codes. */
export const refusalCodes = (
  endpoint: HttpApiEndpoint.Top,
  policy: PolicyFacts
): ReadonlyMap<number, ReadonlyArray<Code>> => {
  const declared = [...endpoint.error].flatMap((schema) => codeOfDeclared(schema) ?? [])
  const possible = new Set<Code>([...declared, ...pipelineCodes(policy, endpoint.method)])
  const byStatus = new Map<number, Array<Code>>()
  for (const code of Object.keys(codes) as ReadonlyArray<Code>) {
    if (!possible.has(code)) continue
    const listed = byStatus.get(codes[code])
    if (listed === undefined) byStatus.set(codes[code], [code])
    else listed.push(code)
  }
  return byStatus
}
