/**
 * A small OpenID Connect issuer on loopback that answers as a test tells it: well, or in one of many wrong ways. Codes
 * are made by the test, without a login page.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose"
import { createHash } from "node:crypto"

export interface Person {
  readonly sub?: string | undefined
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly [claim: string]: unknown
}

/** What a code stands for: who signs in, and how the issuer answers it. */
export interface Answering {
  readonly person: Person
  /** Claims in place of right ones; undefined leaves a claim out. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** The token as it is sent, made of the right claims. */
  readonly token?: (claims: JWTPayload, issuer: FakeIssuer) => Promise<string>
  /** The whole token response, in place of a right one. */
  readonly response?: (response: ServerResponse) => void
}

interface Authorized extends Answering {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
  readonly clientId: string
}

export const clientId = "shop-client"
export const clientSecret = "shop secret & more"

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

export class FakeIssuer {
  readonly #server: Server
  readonly #codes = new Map<string, Authorized>()
  #made = 0
  issuer = ""
  keys: ReadonlyArray<JWK> = []
  /** The key that signs, and its name. */
  signing!: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey; readonly kid: string }
  /** Answers for paths, in place of right ones. */
  readonly overrides = new Map<string, (response: ServerResponse) => void>()
  /** Paths in the order in which they were asked for. */
  readonly asked: Array<string> = []
  /** What the token endpoint was sent. */
  readonly exchanges: Array<URLSearchParams> = []

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async start(): Promise<this> {
    await this.rotate("key-1")
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done))
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((done) => void this.#server.close(() => done()))
  }

  /** Signs with a new key from now on. The keys before are no longer published. */
  async rotate(kid: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true })
    this.signing = { privateKey, publicKey, kid }
    this.keys = [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }]
  }

  publicPem(): Promise<string> {
    return exportSPKI(this.signing.publicKey)
  }

  /** The person at the address that `authorize` returned logs in: the parameters that come back. */
  logIn(url: string, answering: Answering): { readonly code: string; readonly state: string } {
    const { searchParams: given } = new URL(url)
    const read = (name: string): string => given.get(name) ?? ""
    const code = `code-${++this.#made}`
    this.#codes.set(code, {
      ...answering,
      nonce: read("nonce"),
      challenge: read("code_challenge"),
      redirectUri: read("redirect_uri"),
      clientId: read("client_id")
    })
    return { code, state: read("state") }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", this.issuer).pathname
    this.asked.push(path)
    const override = this.overrides.get(path)
    if (override !== undefined) return override(response)
    if (path === "/.well-known/openid-configuration") return json(response, 200, this.metadata())
    if (path === "/jwks") return json(response, 200, { keys: this.keys })
    if (path === "/token") return this.#exchange(new URLSearchParams(await bodyOf(request)), response)
    return json(response, 404, {})
  }

  metadata(): Readonly<Record<string, unknown>> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      token_endpoint_auth_methods_supported: ["client_secret_post"]
    }
  }

  async #exchange(given: URLSearchParams, response: ServerResponse): Promise<void> {
    this.exchanges.push(given)
    const code = given.get("code") ?? ""
    const authorized = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash("sha256")
      .update(given.get("code_verifier") ?? "")
      .digest("base64url")
    if (given.get("client_secret") !== clientSecret || given.get("client_id") !== clientId)
      return json(response, 401, { error: "invalid_client" })
    if (authorized?.challenge !== challenge || authorized.redirectUri !== given.get("redirect_uri"))
      return json(response, 400, { error: "invalid_grant" })
    if (authorized.response !== undefined) return authorized.response(response)
    const { sub, ...rest } = authorized.person
    const now = Math.floor(Date.now() / 1_000)
    const claims = {
      iss: this.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: authorized.nonce,
      ...(sub === undefined ? {} : { sub }),
      ...rest,
      ...authorized.claims
    } as JWTPayload
    const signed = authorized.token ?? ((right, issuer) => issuer.sign(right))
    const body = { access_token: "access", token_type: "Bearer", expires_in: 300, id_token: await signed(claims, this) }
    return json(response, 200, body)
  }

  sign(claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { kid, privateKey } = this.signing
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, ...header } as { alg: string }).sign(privateKey)
  }
}

/** A token that nobody signed. */
export const unsigned = (claims: JWTPayload): Promise<string> => Promise.resolve(new UnsecuredJWT(claims).encode())

/** A token signed with the public key as if it were a shared secret. */
export const signedWithPublicKey = async (claims: JWTPayload, issuer: FakeIssuer): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", kid: issuer.signing.kid })
    .sign(new TextEncoder().encode(await issuer.publicPem()))
