import { assert, describe, expect, it } from "vitest"
import {
  defaultLanguageAmong,
  defaultTemplates,
  ownNames,
  sampleView,
  templateLanguages
} from "../../src/template/DefaultTemplates.ts"
import { colours } from "../../src/template/internal/mailLayout.ts"
import { emailTypes } from "../../src/template/EmailType.ts"
import { renderTemplate, templateProblems } from "../../src/template/TemplateRenderer.ts"

/** Everything a view says, as text. */
const leavesOf = (value: unknown): ReadonlyArray<string> =>
  value === null ? [] : typeof value === "object" ? Object.values(value as object).flatMap(leavesOf) : [String(value)]

const inAllLanguages = templateLanguages.flatMap((language) => emailTypes.map((type) => [type, language] as const))

describe.each(inAllLanguages)("the default %s in %s", (type, language) => {
  const template = defaultTemplates[language][type]
  const view = sampleView(type, language)

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
        /^(footerAddress|replyTo|customerName|tracking|carrier|reason|notes|shipping(Address|Method)|discountTotal|paymentMethod|deletedBy|campaignUrl|unsubscribeUrl|sku)/.test(
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
      .replace(/<head>.*<\/head>/s, "")
      .replace(/<div style="display:none.*?<\/div>/s, "")
      .replace(/ (?:class|style|width|cellpadding|cellspacing|role)="[^"]*"/g, "")
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&")
    for (const leaf of leavesOf(view)) expect([leaf, text.includes(leaf)]).toEqual([leaf, plain.includes(leaf)])
  })
})

/** The contrast of two colours by WCAG 2. */
const contrastOf = (one: string, other: string): number => {
  const luminance = (colour: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0)
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(inAllLanguages)("the page of %s in %s", (type, language) => {
  const { html, text } = renderTemplate(defaultTemplates[language][type], sampleView(type, language))

  it("says its language and its title, fits a phone, and follows the reader's colour scheme", () => {
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toMatch(/<title>[^<]+<\/title>/)
    expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain("@media(prefers-color-scheme:dark)")
    expect(html).toContain("max-width:600px")
  })

  it("loads nothing, runs nothing, and says every link in its plain text", () => {
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|url\(|@import|@font-face|\son[a-z]+=/i)
    for (const [, url = ""] of html.matchAll(/href="([^"]*)"/g)) expect(text).toContain(url.replaceAll("&amp;", "&"))
    for (const table of html.match(/<table\b[^>]*>/g) ?? []) expect(table).toContain('role="presentation"')
  })

  it("has words before its heading that lists of mails show", () => {
    expect(/<div style="display:none[^>]*>([^&<]{5,})/.exec(html)?.[1]).toBeTruthy()
  })
})

it.each(["strong", "text", "muted", "link"] as const)("%s is readable on the card in both schemes", (name) => {
  for (const scheme of [0, 1] as const)
    expect(contrastOf(colours[name][scheme], colours.card[scheme])).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(colours.onButton[1], colours.button[1])).toBeGreaterThanOrEqual(4.5)
})

it("English and German say the same with the same variables", () => {
  const used = (text: string | null) =>
    [...new Set([...(text ?? "").matchAll(/\{\{[#^]?([a-zA-Z.]+)/g)].map(([, name]) => name))].toSorted()
  for (const type of emailTypes) {
    const [en, de] = [defaultTemplates.en[type], defaultTemplates.de[type]]
    expect([type, used(de.subject)]).toEqual([type, used(en.subject)])
    expect([type, used(de.htmlContent)]).toEqual([type, used(en.htmlContent)])
    expect([type, used(de.textContent)]).toEqual([type, used(en.textContent)])
    if (type !== "MARKETING_CAMPAIGN") expect([type, de.subject]).not.toEqual([type, en.subject])
  }
})

it("the first language that there are defaults in is taken, else English", () => {
  expect(defaultLanguageAmong("fr", "de-AT")).toEqual({ templates: "de", tag: "de-AT" })
  expect(defaultLanguageAmong(null, "en-GB")).toEqual({ templates: "en", tag: "en-GB" })
  expect(defaultLanguageAmong("fr", "it")).toEqual({ templates: "en", tag: "en" })
})

it("money and dates are written as the language writes them", () => {
  const german = renderTemplate(defaultTemplates.de.ORDER_CONFIRMATION, sampleView("ORDER_CONFIRMATION", "de")).text
  expect(german).toContain("Gesamtsumme: 46,80\u00a0€")
  expect(german).toContain("vom 21. November 2026")
  expect(renderTemplate(defaultTemplates.en.ORDER_CONFIRMATION, sampleView("ORDER_CONFIRMATION")).text).toContain(
    "Total: $46.80"
  )
})

describe("what mails to shoppers say", () => {
  it.each(emailTypes)("%s promises nothing that nobody does", (type) => {
    const { htmlContent, textContent } = defaultTemplates.en[type]
    for (const body of [htmlContent, textContent])
      assert.notMatch(body ?? "", /we will (write|send|tell|let you know)|will be (returned|refunded|sent)/i)
  })
})

describe("links that carry a token", () => {
  it.each(["EMAIL_VERIFICATION", "PASSWORD_RESET"] as const)("where %s has none the token stands in words", (type) => {
    const view = { ...sampleView(type), resetUrl: null, verificationUrl: null }
    const { html, text, missingVariables } = renderTemplate(defaultTemplates.en[type], view)
    expect(missingVariables).toEqual([])
    expect(html).not.toMatch(/href|If the button/)
    for (const body of [html, text]) expect(body).toMatch(/\/[a-z-]+\?token=TOKEN/)
  })

  it.each(["EMAIL_VERIFICATION", "PASSWORD_RESET"] as const)("stand in both bodies of %s", (type) => {
    const { subject, html, text } = renderTemplate(defaultTemplates.en[type], sampleView(type))
    expect(html).toMatch(/href="https:\/\/shop\.example\/[a-z-]+\?token=TOKEN"/)
    expect(text).toMatch(/https:\/\/shop\.example\/[a-z-]+\?token=TOKEN\s/)
    expect(subject).not.toContain("TOKEN")
  })
})

it("names that the house fills are known: a template cannot declare them safe", () => {
  for (const name of ["customerName", "note", "message", "storeName", "campaignText"])
    expect(ownNames.has(name)).toBe(true)
})
