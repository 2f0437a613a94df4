import { Effect } from "effect"
import * as jose from "jose"
import * as oauth from "oauth4webapi"
import { describe, expect, it } from "vitest"
import { makeIssuers } from "../../src/oauth/IssuerMetadata.ts"
import { LoginProviderNotReady } from "../../src/oauth/OauthErrors.ts"
import type { ProviderCalls } from "../../src/oauth/ProviderCalls.ts"

const name = "https://login.example"
const key = { kty: "RSA", kid: "one", use: "sig", alg: "RS256", n: "n".repeat(342), e: "AQAB" }
const metadata = {
  issuer: name,
  authorization_endpoint: `${name}/authorize`,
  token_endpoint: `${name}/token`,
  jwks_uri: `${name}/jwks`,
  userinfo_endpoint: `${name}/me`,
  token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"],
  id_token_signing_alg_values_supported: ["none", "RS256", "HS256"]
}

/** Issuers over answers in place of a network. */
const issuersOf = (published: object, keys: ReadonlyArray<unknown>) => {
  const asked: Array<string> = []
  const fetch = async (url: string) => {
    asked.push(url)
    const body = url.endsWith("/jwks") ? { keys } : { ...published, issuer: new URL(url).origin }
    return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } })
  }
  const calls: ProviderCalls = {
    exchange: (provider, work) =>
      Effect.tryPromise({
        try: () => work({ oauth, jose, fetch }),
        catch: (error) => new LoginProviderNotReady({ provider, reason: String(error), hasAnswered: true })
      })
  }
  const issuers = makeIssuers(calls)
  return { asked, find: (storeId: string, issuer = name) => Effect.runPromise(issuers.of(storeId, "CUSTOM:a", issuer)) }
}

describe("what is kept of an issuer", () => {
  it("is what sign-ins use, without whatever else it publishes", async () => {
    const more = { op_policy_uri: "p".repeat(100_000), scopes_supported: ["openid"], claims_supported: ["sub"] }
    const { find } = issuersOf({ ...metadata, ...more }, [{ ...key, x5c: ["c".repeat(50_000)], x5t: "t" }])
    const { server, keys, size } = await find("store_1")
    expect({ server, keys }).toEqual({
      server: {
        ...metadata,
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: false
      },
      keys: { keys: [key] }
    })
    expect(size).toBe(JSON.stringify({ server, keys }).length)
  })

  it.each([
    {
      says: "an address is longer than 2,000 characters",
      over: { token_endpoint: `${name}/${"t".repeat(2_000)}` },
      keys: [key],
      reason: "Error: its metadata is not complete"
    },
    {
      says: "all that is used of it is longer than 65,536 characters",
      over: {},
      keys: Array.from({ length: 30 }, () => ({ ...key, n: "n".repeat(3_000) })),
      reason: "Error: what it publishes is too long"
    }
  ])("is nothing where $says", async ({ over, keys, reason }) => {
    const { find } = issuersOf({ ...metadata, ...over }, keys)
    await expect(find("store_1")).rejects.toMatchObject({ _tag: "LoginProviderNotReady", reason })
  })

  it("has no key of which a part is too long or no text", async () => {
    const { find } = issuersOf(metadata, [{ ...key, n: "n".repeat(3_001) }, { ...key, kid: { deep: 1 } }, key, null, 7])
    expect((await find("store_1")).keys).toEqual({ keys: [key] })
  })

  it("of all stores is at most 16,777,216 characters: the store that was asked for longest ago is forgotten", async () => {
    const large = Array.from({ length: 20 }, () => ({ ...key, n: "n".repeat(3_000) }))
    const { find, asked } = issuersOf(metadata, large)
    const { size } = await find("store_0")
    const fitting = Math.floor(16_777_216 / size)
    for (let n = 1; n < fitting; n++) await find(`store_${n}`)
    const before = asked.length
    await find("store_0")
    expect(asked.length).toBe(before)
    await find("one more")
    await find("store_1")
    expect(asked.length).toBe(before + 2)
    await find("store_0")
    expect(asked.length).toBe(before + 4)
  })
})
