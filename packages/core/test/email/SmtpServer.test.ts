import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { smtpServerOf } from "../../src/smtp/SmtpServer.ts"

const server = (url: string) => {
  const { password, ...rest } = Result.getOrThrow(smtpServerOf(url))
  return { ...rest, password: Redacted.value(password) }
}
const plain = { host: "mail.example", port: 587, isSecure: false, tls: "any", user: "", password: "", from: null }

describe("the URL of a mail server", () => {
  it.each([
    ["smtp://mail.example", plain],
    ["smtp://mail.example:25", { ...plain, port: 25 }],
    ["smtps://mail.example", { ...plain, port: 465, isSecure: true, tls: "verify" }],
    ["smtp://u:p%40ss%3A@mail.example", { ...plain, tls: "verify", user: "u", password: "p@ss:" }],
    ["smtp://u:p@mail.example?tls=any", { ...plain, user: "u", password: "p" }],
    ["smtp://u:p@127.0.0.1:1025", { ...plain, host: "127.0.0.1", port: 1025, user: "u", password: "p" }],
    ["smtps://[::1]:1465", { ...plain, host: "::1", port: 1465, isSecure: true }],
    ["smtp://MAIL.example?tls=off", { ...plain, tls: "off" }],
    [
      "smtp://shop%40mugs.example:p@localhost",
      { ...plain, host: "localhost", user: "shop@mugs.example", password: "p", from: "shop@mugs.example" }
    ],
    [
      "smtp://shop%40mugs.example:p@localhost?from=post@mugs.example",
      { ...plain, host: "localhost", user: "shop@mugs.example", password: "p", from: "post@mugs.example" }
    ]
  ])("%s", (url, expected) => {
    expect(server(url)).toEqual(expected)
  })

  it.each([
    "",
    "mail.example",
    "http://mail.example",
    "smtp:mail.example",
    "smtp://",
    "smtp://u:hunter2%@h",
    "smtp://u:hunter2%0d@h",
    "smtp://u:hunter2@h:99999",
    "smtp://h?url=hunter2"
  ])("%j is refused without being repeated", (url) => {
    const refused = smtpServerOf(url)
    expect(Result.isFailure(refused)).toBe(true)
    expect(JSON.stringify(refused)).not.toContain("hunter2")
  })
})
