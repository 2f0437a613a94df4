/** Faults at the HTTP edge: targets, bodies, the size of responses, and the end of connections. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const edgeFaults: ReadonlyArray<Fault> = [
  {
    id: "edge.unknown-fields",
    breaks: "A name that no field of a body has is dropped without a word",
    file: "packages/core/src/body/BodyKeys.ts",
    find: "if (!read.has(key) &&",
    replace: "if (false && !read.has(key) &&",
    tests: ["packages/handler/test/matrix/Bodies.pg.test.ts"]
  },
  {
    id: "edge.read-fields",
    breaks: "What reads show of a product beside its fields cannot be sent back",
    file: "packages/core/src/body/BodyKeys.ts",
    find: "if (!read.has(key) &&",
    replace: "if (",
    tests: ["packages/handler/test/matrix/Bodies.pg.test.ts"]
  },
  {
    id: "edge.cut-path",
    breaks: "Deleting a variant deletes its product: the path ends at a semicolon",
    file: "packages/handler/src/middleware/RequestTarget.ts",
    find: `const plainPath = /^(?:\\/[A-Za-z0-9\\-._~!$&'()*+,=:@%]+)+$/`,
    replace: `const plainPath = /^(?:\\/[A-Za-z0-9\\-._~!$&'()*+,;=:@%]+)+$/`,
    tests: handler("edge/RequestTargets.pg"),
    noticedBy: "runs nothing with a semicolon"
  },
  {
    id: "edge.fragment",
    breaks: "Deleting a variant deletes its product: the path ends at a fragment",
    file: "packages/handler/src/middleware/RequestTarget.ts",
    find: `ours.includes("#") ? "unknown" : problemOf(path)`,
    replace: `problemOf(path.replace(/#.*/, ""))`,
    tests: handler("edge/RequestTargets.pg"),
    noticedBy: "runs nothing with a fragment"
  },
  {
    id: "edge.empty-body",
    breaks: "Behind express.json() a card is not asked and the total is not compared: the body counts as empty",
    file: "packages/handler/src/middleware/HostBody.ts",
    find: `if (value === undefined) return gone`,
    replace: `if (request.readableEnded === true) return none`,
    tests: handler("edge/Frameworks.pg"),
    noticedBy: "reads the body that was sent, and never an empty one"
  },
  {
    id: "edge.gone-body",
    breaks: "A body that a host has read and thrown away counts as empty",
    file: "packages/handler/src/middleware/HostBody.ts",
    find: `if (value === undefined) return gone`,
    replace: `if (value === undefined) return none`,
    tests: handler("edge/Frameworks.pg"),
    noticedBy: "and says what helps"
  },
  {
    id: "edge.echo",
    breaks: "Whoever sends a megabyte is answered with it",
    file: "packages/handler/src/middleware/BoundedAnswer.ts",
    find: `export const mostEcho = 200`,
    replace: `export const mostEcho = 201`,
    tests: handler("edge/Bodies.pg"),
    noticedBy: "shows 200 characters of a path whole"
  },
  {
    id: "edge.kept-alive",
    breaks: "After SIGTERM connections go on being served, and are cut off in the middle of a request",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: `if (ending) response.shouldKeepAlive = false`,
    replace: ``,
    tests: handler("edge/HttpServer"),
    noticedBy: "as the last on its connection"
  },
  {
    id: "edge.unread-at-the-end",
    breaks: "After SIGTERM requests that are on their way are reset",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: `now - last <= shortTurn(waited)`,
    replace: `now >= last`,
    tests: handler("edge/HttpServer"),
    noticedBy: "reads first what came on an idle connection"
  },
  {
    id: "edge.answered-and-back",
    breaks: "At SIGTERM a client that has its response sends another request and is reset",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: `held = []`,
    replace: ``,
    tests: handler("edge/ServerEnd.process"),
    noticedBy: "answers or refuses each of them"
  },
  {
    id: "edge.long-origin",
    breaks: "An Origin of many thousand characters is sent back",
    file: "packages/handler/src/middleware/Origin.ts",
    find: `origin.length > mostEcho`,
    replace: `origin === ""`,
    tests: handler("edge/Preflights.pg"),
    noticedBy: "an Origin of more than 200 characters"
  },
  {
    id: "edge.slow-headers",
    breaks: "A caller holds a connection for half a minute with a header a second",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: `connectionsCheckingInterval: check }`,
    replace: `connectionsCheckingInterval: 30_000 }`,
    tests: handler("edge/HttpServer"),
    noticedBy: "hold for headers that trickle"
  },
  {
    id: "edge.free-preflights",
    breaks: "Preflights are never refused, however many an address sends",
    file: "packages/handler/src/middleware/Ring.ts",
    find: `return counted(preflight(target, origin))`,
    replace: `return preflight(target, origin)`,
    tests: handler("edge/Preflights.pg"),
    noticedBy: "counts in the windows of its address"
  },
  {
    id: "edge.deaf-to-aborts",
    breaks: "Whoever aborts waits for the database all the same",
    file: "packages/handler/src/adapters/untilAborted.ts",
    find: `signal.addEventListener("abort", leave, { once: true })`,
    replace: ``,
    tests: handler("embedding/Lifetime.pg"),
    noticedBy: "rejects at once for whoever aborts"
  },
  {
    id: "edge.comma-lists",
    breaks: "A query may list any number of values, all of which become part of a statement",
    file: "packages/handler/src/middleware/CommaList.ts",
    find: 'text.split(",").length <= maxListed',
    replace: 'text.split(",").length <= 2 * maxListed',
    tests: ["packages/handler/test/edge/QuerySizes.pg.test.ts"],
    noticedBy: "name at most 100"
  },
  {
    id: "edge.url-length",
    breaks: "A URL may have any length",
    file: "packages/handler/src/middleware/Ring.ts",
    find: "if (size !== undefined) return",
    replace: "if (size === null) return",
    tests: ["packages/handler/test/edge/QuerySizes.pg.test.ts"],
    noticedBy: "is at most 16,384 characters"
  },
  {
    id: "edge.proxy-of-one-client",
    breaks: "A developer's own client that names itself in X-Forwarded-For is reported as a proxy",
    file: "packages/handler/src/middleware/ProxyWatch.ts",
    find: "return isForSeveral && count >= enoughRequests",
    replace: "return count >= enoughRequests",
    tests: ["packages/handler/test/middleware/ProxyWatch.test.ts"]
  },
  {
    id: "edge.read-request",
    breaks: "A Request that Hono has read fails with words that help nobody",
    file: "packages/handler/src/middleware/HostBody.ts",
    find: "return source.bodyUsed || source.body.locked ? gone : unread",
    replace: "return unread",
    tests: ["packages/handler/test/edge/ReadBodies.pg.test.ts"]
  }
]
