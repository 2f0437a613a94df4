/**
 * Requests that no client sends by accident, as bytes: broken framing, headers and paths, and bodies that are no JSON of
 * ours. Each has the statuses that may answer it; 0 is a connection that is closed without an answer.
 */
export interface MalformedRequest {
  readonly what: string
  readonly bytes: Buffer
  readonly statuses: ReadonlyArray<number>
  /** The bytes end in the middle: the client says that it has no more. */
  readonly endsEarly?: true
}

export interface Target {
  readonly apiKey: string
  readonly channelId: string
}

const crlf = "\r\n"
/** A request with the bytes of `body` behind its head, and `content-length` unless the headers frame it themselves. */
const request = (line: string, headers: ReadonlyArray<string>, body: string | Buffer = ""): Buffer => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  const isFramed = headers.some((header) => /^(?:content-length|transfer-encoding)/i.test(header))
  const framed = bytes.length === 0 || isFramed ? headers : [...headers, `content-length: ${bytes.length}`]
  return Buffer.concat([Buffer.from(`${[line, ...framed].join(crlf)}${crlf}${crlf}`, "latin1"), bytes])
}

const refused = [400]
const none = [0, 400]

/** Wrong as HTTP: refused before it is a request. */
const framing = ({ apiKey }: Target): ReadonlyArray<readonly [string, Buffer, ReadonlyArray<number>, true?]> => {
  const close = "connection: close"
  const post = (headers: ReadonlyArray<string>, body: string | Buffer = "") =>
    request("POST /api/v1/tax/rates HTTP/1.1", ["host: a", close, `x-api-key: ${apiKey}`, ...headers], body)
  const get = (headers: ReadonlyArray<string>, path = "/api/health/live") =>
    request(`GET ${path} HTTP/1.1`, ["host: a", close, ...headers])
  return [
    ["a chunk that is cut", post(["transfer-encoding: chunked"], "5\r\nab"), none, true],
    ["chunks without an end", post(["transfer-encoding: chunked"], "2\r\n{}\r\n"), none, true],
    ["a size of a chunk that is no number", post(["transfer-encoding: chunked"], "zz\r\nab\r\n0\r\n\r\n"), refused],
    ["a size of a chunk beyond all numbers", post(["transfer-encoding: chunked"], `${"f".repeat(40)}\r\n`), refused],
    ["a negative size of a chunk", post(["transfer-encoding: chunked"], "-1\r\nab\r\n0\r\n\r\n"), refused],
    ["a length and chunks", post(["content-length: 3", "transfer-encoding: chunked"], "0\r\n\r\n"), refused],
    ["chunks and a length", post(["transfer-encoding: chunked", "content-length: 3"], "0\r\n\r\n"), refused],
    ["two lengths", post(["content-length: 2", "content-length: 3"], "{} "), refused],
    ["two lengths in one", post(["content-length: 2, 2"], "{}"), refused],
    ["a length with a sign", post(["content-length: +2"], "{}"), refused],
    ["a negative length", post(["content-length: -1"], "{}"), refused],
    ["a hexadecimal length", post(["content-length: 0x2"], "{}"), refused],
    ["a length beyond all numbers", post([`content-length: ${"9".repeat(30)}`], "{}"), [400, 413]],
    ["a length that is longer than the body", post(["content-length: 100"], "{}"), none, true],
    ["an encoding of the transfer that nobody knows", post(["transfer-encoding: xchunked"], "{}"), refused],
    ["chunks that are not the last encoding", post(["transfer-encoding: chunked, gzip"], "0\r\n\r\n"), refused],
    ["headers of 64 KB", get([`x-long: ${"x".repeat(65_536)}`]), [400, 431]],
    [
      "a hundred headers of 1 KB",
      get(Array.from({ length: 100 }, (_, i) => `x-${i}: ${"x".repeat(1_000)}`)),
      [400, 431]
    ],
    ["a header without a colon", get(["x-long"]), refused],
    ["a space before the colon of a header", get(["x-long : 1"]), refused],
    ["a header that goes on in the next line", get(["x-long: 1\r\n 2"]), [200, 400]],
    ["a NUL in a header", get(["x-long: a\u0000b"]), refused],
    ["a header with a name of no letters", get(["\u0001: a"]), refused],
    ["no host", request("GET /api/health/live HTTP/1.1", [close]), refused],
    ["bytes that are no UTF-8 in the path", get([], "/api/v1/orders/\xff\xfe"), [400, 404]],
    ["a NUL in the path", get([], "/api/v1/orders/\u0000"), refused],
    ["a method that nobody knows", request("FOO /api/health/live HTTP/1.1", ["host: a", close]), [400, 405]],
    ["TRACE", request("TRACE /api/health/live HTTP/1.1", ["host: a", close]), [400, 404, 405]],
    ["CONNECT", request("CONNECT example.com:443 HTTP/1.1", ["host: a", close]), [0, 400, 404, 405]],
    ["a version that nobody knows", request("GET /api/health/live HTTP/9.9", ["host: a", close]), [400, 505]],
    ["the beginning of HTTP/2", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), [0, 400, 505]],
    ["HTTP/0.9", Buffer.from("GET /api/health/live\r\n\r\n"), [200, 400]],
    ["no HTTP at all", Buffer.from("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "latin1"), refused, true],
    ["lines that end with a newline alone", Buffer.from("GET /api/health/live HTTP/1.1\nhost: a\n\n"), none, true],
    ["spaces alone", Buffer.from(`${" ".repeat(1_000)}\r\n\r\n`), refused]
  ]
}

/** Whole as HTTP, and nothing that an operation takes. */
const asking = ({
  apiKey,
  channelId
}: Target): ReadonlyArray<readonly [string, Buffer, ReadonlyArray<number>, true?]> => {
  const keyed = ["host: a", "connection: close", `x-api-key: ${apiKey}`]
  const get = (path: string, ...headers: ReadonlyArray<string>) =>
    request(`GET ${path} HTTP/1.1`, [...keyed, ...headers])
  const post = (body: string | Buffer, type = "application/json", ...headers: ReadonlyArray<string>) =>
    request("POST /api/v1/tax/rates HTTP/1.1", [...keyed, `content-type: ${type}`, ...headers], body)
  const rate = (more: string) => `{"name":"Bad","country":"US","rate":1${more}`
  const many = (count: number) => `/api/v1/products?${Array.from({ length: count }, (_, i) => `a${i}=`).join("&")}`
  return [
    ["escapes of no UTF-8 in the path", get("/api/v1/orders/%ff%fe"), refused],
    ["an escaped NUL in the path", get("/api/v1/orders/a%00b"), refused],
    ["half an escape in the path", get("/api/v1/orders/%e2%82"), refused],
    ["the absolute form of another host", get("http://evil.example/api/v1/orders/none"), [404]],
    ["another scheme", get("ftp://evil.example/api/v1/orders/none"), [400, 404]],
    ["ten thousand parameters", get(many(10_000)), [400, 414, 431]],
    ["two thousand parameters", get(many(2_000)), [200, 400]],
    ["a parameter that is named twice", get("/api/v1/products?limit=1&limit=2"), [200, 400]],
    ["a page beyond all numbers", get(`/api/v1/products?page=${"9".repeat(200)}`), refused],
    ["a key that is sent twice", get("/api/v1/store", `x-api-key: ${apiKey}`), [401]],
    ["two credentials", get("/api/v1/store", "authorization: Bearer svc_none"), [401]],
    ["a host that is sent twice", get("/api/v1/orders/none", "host: b"), [400, 404]],
    ["JSON that is 100,000 deep", post(`{"name":${"[".repeat(100_000)}`), refused],
    ["JSON that is 100,000 deep, and whole", post(`{"name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), refused],
    ["a prototype", post(rate(`,"__proto__":{"isAdmin":true}}`)), refused],
    ["a constructor", post(rate(`,"constructor":{"prototype":{"isAdmin":true}}}`)), refused],
    ["UTF-16", post(Buffer.from("\ufeff{}", "utf16le")), refused],
    ["UTF-16 that says so", post(Buffer.from("{}", "utf16le"), "application/json; charset=utf-16"), [415]],
    ["another charset", post("{}", "application/json; charset=iso-8859-1"), [415]],
    ["bytes that are no UTF-8", post(Buffer.from('{"name":"\xff"}', "latin1")), refused],
    ["a byte order mark and nothing else", post("\ufeff"), refused],
    ["a number beyond all numbers", post(`{"name":"Bad","country":"US","rate":1e999}`), refused],
    ["a number of 100,000 digits", post(`{"name":"Bad","country":"US","rate":${"9".repeat(100_000)}}`), refused],
    ["no number", post(`{"name":"Bad","country":"US","rate":NaN}`), refused],
    ["a comment", post(`{"name":"Bad"/* c */,"country":"US","rate":1}`), refused],
    ["a comma at the end", post(rate(",}")), refused],
    ["two documents", post(`${rate("}")}${rate("}")}`), refused],
    ["a list", post("[]"), refused],
    ["a text", post('"text"'), refused],
    ["compressed", post(Buffer.from([0x1f, 0x8b, 8, 0]), "application/json", "content-encoding: gzip"), [415]],
    ["compressed twice", post("{}", "application/json", "content-encoding: gzip, br"), [415]],
    ["a form", post("a=b", "application/x-www-form-urlencoded"), [415]],
    ["a type that is none", post("{}", "a/b/c;;;"), [415]],
    [
      "a form without an end",
      request(
        `POST /api/vc/${channelId}/customization-upload HTTP/1.1`,
        ["host: a", "connection: close", "content-type: multipart/form-data; boundary=b"],
        `--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nx`
      ),
      refused
    ],
    [
      "a form of ten thousand parts",
      request(
        `POST /api/vc/${channelId}/customization-upload HTTP/1.1`,
        ["host: a", "connection: close", "content-type: multipart/form-data; boundary=b"],
        `${`--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n`.repeat(10_000)}--b--\r\n`
      ),
      refused
    ]
  ]
}

export const malformedRequests = (target: Target): ReadonlyArray<MalformedRequest> =>
  [...framing(target), ...asking(target)].map(([what, bytes, statuses, endsEarly]) => ({
    what,
    bytes,
    statuses,
    ...(endsEarly === undefined ? {} : { endsEarly })
  }))
