import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { redisName, redisServerOf } from "../../src/guard/RedisServer.ts"

const read = (text: string) => {
  const { password, ...server } = Result.getOrThrow(redisServerOf(text))
  return { ...server, password: password === undefined ? undefined : Redacted.value(password) }
}

describe("the URL of a Redis", () => {
  it("names its host, and what else differs from the defaults", () => {
    const plain = {
      host: "cache.internal",
      port: 6_379,
      isSecure: false,
      user: undefined,
      password: undefined,
      database: 0
    }
    expect(read("redis://cache.internal")).toEqual(plain)
    expect(read("redis://cache.internal/")).toEqual(plain)
    expect(read("rediss://cache.internal:6380/3")).toEqual({ ...plain, port: 6_380, isSecure: true, database: 3 })
    expect(read("redis://:p%40ss@cache.internal")).toEqual({ ...plain, password: "p@ss" })
    expect(read("redis://shop:p%2Fss@[::1]:7000/12")).toEqual({
      ...plain,
      host: "::1",
      port: 7_000,
      user: "shop",
      password: "p/ss",
      database: 12
    })
  })

  it.each([
    ["", "must be a URL that begins with redis:// or rediss://"],
    ["cache.internal:6379", "must be a URL that begins with redis:// or rediss://"],
    ["http://cache.internal", "must be a URL that begins with redis:// or rediss://"],
    ["redis:cache.internal", "must be a URL that begins with redis:// or rediss://"],
    ["redis+unix:///run/redis.sock", "must be a URL that begins with redis:// or rediss://"],
    ["redis://cache.internal:70000", "must be a URL that begins with redis:// or rediss://"],
    ["redis:///0", "must name a host: redis://host:port"],
    ["redis://cache.internal/first", "must name its database by a number: redis://host:port/0"],
    ["redis://cache.internal/-1", "must name its database by a number: redis://host:port/0"],
    ["redis://cache.internal/0/1", "must name its database by a number: redis://host:port/0"],
    ["redis://cache.internal?db=1", "takes nothing after its database: redis://host:port/database"],
    ["redis://cache.internal/0#1", "takes nothing after its database: redis://host:port/database"],
    ["redis://:pa%ss@cache.internal", "must have its user and password percent-encoded"],
    ["redis://:pa%0ass@cache.internal", "must have its user and password percent-encoded"],
    ["redis://shop@cache.internal", "must have a password where it has a user"]
  ])("%j is refused: %s", (text, problem) => {
    expect(redisServerOf(text)).toEqual(Result.fail(problem))
  })

  it("is called in the log by its host and port alone", () => {
    const nameOf = (text: string) => redisName(Result.getOrThrow(redisServerOf(text)))
    expect([nameOf("redis://shop:pa55@cache.internal/3"), nameOf("redis://:pa55@[::1]:7000")]).toEqual([
      "cache.internal:6379",
      "[::1]:7000"
    ])
  })
})
