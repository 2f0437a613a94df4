import { assert, describe, expect, it } from "vitest"
import { defaultTemplates, ownNames, sampleView } from "../../src/template/DefaultTemplates.ts"
import { emailTypes } from "../../src/template/EmailType.ts"
import { renderTemplate, templateProblems } from "../../src/template/TemplateRenderer.ts"

/** Everything a view says, as text. */
const leavesOf = (value: unknown): ReadonlyArray<string> =>
  value === null ? [] : typeof value === "object" ? Object.values(value as object).flatMap(leavesOf) : [String(value)]

describe.each(emailTypes)("the default %s", (type) => {
  const template = defaultTemplates[type]
  const view = sampleView(type)

  it("is a template that a store could save", () => {
    expect(Object.values(templateProblems(template)).filter((problem) => problem !== undefined)).toEqual([])
  })

  it("misses nothing that its own example says", () => {
    const rendered = renderTemplate(template, view)
    expect(rendered.missingVariables).toEqual([])
    expect(rendered.subject).not.toBe("")
    for (const part of [rendered.subject, rendered.html, rendered.text]) expect(part).not.toContain("{{")
  })

  it("misses nothing, and leaves no hole in its words, where every optional value is absent", () => {
    const bare = Object.fromEntries(
      Object.entries(view).map(([name, value]) => [
        name,
        /^(footerAddress|replyTo|customerName|tracking|carrier|reason|notes|shipping(Address|Method)|discountTotal|paymentMethod|deletedBy|campaignUrl|sku)/.test(
          name
        )
          ? null
          : value
      ])
    )
    const rendered = renderTemplate(template, bare)
    expect(rendered.missingVariables).toEqual([])
    expect(rendered.text).not.toMatch(/ [,.]|\(\)| {2}\S|^\s*[:,(]|-:/m)
  })

  it("shows what it is told as text, never as markup", () => {
    const hostile = (value: unknown): unknown =>
      value === null
        ? null
        : Array.isArray(value)
          ? value.map(hostile)
          : typeof value === "object"
            ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, hostile(v)]))
            : `<img src=x onerror="alert('${String(value)}')">`
    const rendered = renderTemplate(template, hostile(view) as Record<string, unknown>)
    expect(rendered.html).not.toContain("<img")
    expect(rendered.html).not.toMatch(/"[^"<>]*" ?onerror/)
  })

  it("says in plain text what it says in HTML", () => {
    const { html, text } = renderTemplate(template, view)
    const plain = html
      .replace(/ (?:style|width|cellpadding|cellspacing|role)="[^"]*"/g, "")
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&")
    for (const leaf of leavesOf(view)) expect([leaf, text.includes(leaf)]).toEqual([leaf, plain.includes(leaf)])
  })
})

describe("what mails to shoppers say", () => {
  it.each(emailTypes)("%s promises nothing that nobody does", (type) => {
    const { htmlContent, textContent } = defaultTemplates[type]
    for (const body of [htmlContent, textContent])
      assert.notMatch(body ?? "", /we will (write|send|tell|let you know)|will be (returned|refunded|sent)/i)
  })
})

describe("links that carry a token", () => {
  it.each(["EMAIL_VERIFICATION", "PASSWORD_RESET"] as const)("where %s has none the token stands in words", (type) => {
    const view = { ...sampleView(type), resetUrl: null, verificationUrl: null }
    const { html, text, missingVariables } = renderTemplate(defaultTemplates[type], view)
    expect(missingVariables).toEqual([])
    expect(html).not.toMatch(/href|If the button/)
    for (const body of [html, text]) expect(body).toMatch(/\/[a-z-]+\?token=TOKEN/)
  })

  it.each(["EMAIL_VERIFICATION", "PASSWORD_RESET"] as const)("stand in both bodies of %s", (type) => {
    const { subject, html, text } = renderTemplate(defaultTemplates[type], sampleView(type))
    expect(html).toMatch(/href="https:\/\/shop\.example\/[a-z-]+\?token=TOKEN"/)
    expect(text).toMatch(/https:\/\/shop\.example\/[a-z-]+\?token=TOKEN\s/)
    expect(subject).not.toContain("TOKEN")
  })
})

it("names that the house fills are known: a template cannot declare them safe", () => {
  for (const name of ["customerName", "note", "message", "storeName", "campaignText"])
    expect(ownNames.has(name)).toBe(true)
})
