import { describe, expect, it } from "vitest"
import {
  mostOutput,
  type RenderFailed,
  renderTemplate,
  templateProblems,
  type View
} from "../../src/template/TemplateRenderer.ts"

const html = (template: string, view: View = {}, safe: ReadonlyArray<string> = []) =>
  renderTemplate({ subject: "s", htmlContent: template, textContent: "t" }, view, new Set(safe))
const failure = (template: string, view: View = {}): RenderFailed => {
  try {
    html(template, view)
  } catch (error) {
    return error as RenderFailed
  }
  throw new Error("rendered")
}
const problem = (htmlContent: string) => templateProblems({ htmlContent })["htmlContent"]

describe("names every object has", () => {
  it.each([
    "constructor",
    "constructor.name",
    "__proto__",
    "__proto__.polluted",
    "hasOwnProperty",
    "toString",
    "valueOf",
    "prototype",
    "__defineGetter__",
    "__lookupSetter__.name",
    "name.constructor.name",
    "name.length",
    "items.length",
    "items.0",
    "items.constructor.name",
    "count.toFixed"
  ])("%s is unknown: it renders as nothing and is listed", (name) => {
    const rendered = html(`[{{${name}}}{{{${name}}}}{{&${name}}}{{#${name}}}x{{/${name}}}]`, {
      name: "Ada",
      items: ["a"],
      count: 1
    })
    expect(rendered).toEqual({ subject: "s", html: "[]", text: "t", missingVariables: [name] })
  })

  it("stay unknown when a caller sends values under them", () => {
    const sent = JSON.parse(
      '{"constructor":{"name":"A"},"__proto__":{"polluted":"B"},"toString":"C","deep":{"__proto__":"D","x":"E"}}'
    ) as View
    const rendered = html(
      "[{{constructor.name}}{{__proto__.polluted}}{{polluted}}{{toString}}{{deep.__proto__}}{{deep.x}}]",
      sent
    )
    expect(rendered.html).toBe("[E]")
    expect(rendered.missingVariables).toEqual([
      "constructor.name",
      "__proto__.polluted",
      "polluted",
      "toString",
      "deep.__proto__"
    ])
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it("do not break the lookups after them", () => {
    expect(html("{{hasOwnProperty}}{{a}}{{hasOwnProperty}}{{a}}", { a: "1" }).html).toBe("11")
  })
})

describe("code", () => {
  it("never runs: a function in a view is nothing", () => {
    const view = { f: () => "ran", nested: { g: () => "ran" } }
    expect(html("[{{f}}{{#f}}x{{/f}}{{nested.g}}]", view).html).toBe("[]")
  })
})

describe("escaping", () => {
  const x = `<b a="1">'&'</b>`
  it("holds for double braces, and for triple ones of a variable nobody declared safe", () => {
    const escaped = "&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;"
    expect(html("{{x}}|{{{x}}}|{{&x}}", { x }).html).toBe([escaped, escaped, escaped].join("|"))
  })

  it("is left out in triple braces for a variable that is declared safe, and for no other", () => {
    expect(html("{{x}}|{{{x}}}|{{{y}}}", { x: "<i>", y: "<u>" }, ["x"]).html).toBe("&lt;i&gt;|<i>|&lt;u&gt;")
  })

  it("leaves the characters of links as they are", () => {
    const link = "https://shop.example/reset-password?token=abc-_123"
    expect(html('<a href="{{link}}">', { link }).html).toBe(`<a href="${link}">`)
  })

  it("has no place in subjects and plain text", () => {
    const rendered = renderTemplate({ subject: "{{x}}", htmlContent: "", textContent: "{{x}}" }, { x: "Tom & <Jerry>" })
    expect([rendered.subject, rendered.text]).toEqual(["Tom & <Jerry>", "Tom & <Jerry>"])
  })
})

describe("a rendered subject", () => {
  it.each([
    ["Order\r\nBcc: evil@example.com", "Order Bcc: evil@example.com"],
    ["Order\nX: y", "Order X: y"],
    ["Order\rX", "Order X"],
    ["a\u0000b\u000bc\u000cd\u0085e\u2028f\u2029g\u007fh", "a b c d e f g h"],
    ["\r\n\r\n<script>", "<script>"]
  ])("is one line: %j", (value, expected) => {
    expect(renderTemplate({ subject: "{{v}}", htmlContent: "", textContent: "" }, { v: value }).subject).toBe(expected)
    expect(renderTemplate({ subject: value, htmlContent: "", textContent: "" }, {}).subject).toBe(expected)
  })

  it("is cut at 500 characters", () => {
    expect(
      renderTemplate({ subject: "{{v}}", htmlContent: "", textContent: "" }, { v: "x".repeat(9_999) }).subject
    ).toBe("x".repeat(500))
  })
})

describe("sections", () => {
  it("repeat over lists, look outward for names, and see zero and nothing as absent", () => {
    const view = {
      shop: "S",
      items: [{ name: "a" }, { name: "b" }],
      none: [],
      zero: 0,
      no: false,
      yes: true,
      nil: null,
      tags: ["x", "y"]
    }
    const rendered = html(
      "{{#items}}{{name}}{{shop}} {{/items}}{{^none}}N{{/none}}{{#zero}}Z{{/zero}}{{#no}}F{{/no}}{{#yes}}T{{/yes}}{{^nil}}0{{/nil}}{{#tags}}{{.}}{{/tags}}",
      view
    )
    expect(rendered.html).toBe("aS bS NT0xy")
    expect(rendered.missingVariables).toEqual([])
  })

  it("list an unknown name once, in the order of its first use", () => {
    expect(html("{{b}}{{a}}{{#c}}{{d}}{{/c}}{{a.x}}{{b}}").missingVariables).toEqual(["b", "a", "c", "a.x"])
  })
})

describe("templates that are refused when saved", () => {
  it.each([
    ["{{#a}}", "Unclosed section"],
    ["{{/a}}", "Unopened section"],
    ["{{#a}}{{/b}}", "Unclosed section"],
    ["{{a", "not closed"],
    ["{{{a}}", "not closed"],
    ["{{> partial}}", "partials"],
    ["{{  >partial}}", "partials"],
    ["{{=<% %>=}}<%a%>", "delimiters"],
    [`{{a${" ".repeat(400)}}}`, "not closed within 300"],
    [`${"{{#a}}".repeat(9)}${"{{/a}}".repeat(9)}`, "nested 8 deep"],
    [`${"{{#a}}".repeat(100_000)}${"{{/a}}".repeat(100_000)}`, "at most 500 sections"],
    [`${"{{#a}}".repeat(100_000)}`, "Unclosed section"]
  ])("%.30s", (template, expected) => {
    expect(problem(template)).toContain(expected)
  })

  it("but eight sections deep, comments and stray braces are well", () => {
    expect(problem(`${"{{#a}}".repeat(8)}x${"{{/a}}".repeat(8)}{{! note }} } }} { {`)).toBeUndefined()
  })

  it("are found in time that grows with their length, not its square", () => {
    const begin = performance.now()
    for (const hard of [
      `{{a${" ".repeat(200_000)}`,
      `{{${" ".repeat(200_000)}`,
      `{{#a${"\t".repeat(200_000)}`,
      `{{{a${" ".repeat(200_000)}}}`
    ])
      expect(problem(hard)).toBeDefined()
    expect(performance.now() - begin).toBeLessThan(10_000)
  })
})

describe("bounds", () => {
  it("hold for what a template makes of a list in a list in a list", () => {
    const items = Array.from({ length: 300 }, () => "x")
    const nested = (depth: number, body: string) => `${"{{#items}}".repeat(depth)}${body}${"{{/items}}".repeat(depth)}`
    expect(failure(nested(8, ""), { items }).problems).toEqual({ htmlContent: expect.stringContaining("100000 steps") })
    expect(failure(nested(2, "y".repeat(1_000)), { items }).problems).toEqual({
      htmlContent: expect.stringContaining("500000 characters")
    })
    expect(failure("{{v}}{{v}}", { v: "x".repeat(mostOutput / 2 + 1) }).problems).toEqual({
      htmlContent: expect.stringContaining("500000 characters")
    })
  })

  it("let an order of 500 lines through", () => {
    const items = Array.from({ length: 500 }, (_, i) => ({ name: `Line ${i}` }))
    const rows = items.map(({ name }) => `<tr><td>${name}</td></tr>`).join("")
    expect(html("{{#items}}<tr><td>{{name}}</td></tr>{{/items}}", { items }).html).toBe(rows)
  })
})

describe("a template without a text", () => {
  it("is sent with the words of its HTML, and its links", () => {
    const rendered = renderTemplate(
      {
        subject: "s",
        htmlContent:
          '<html><head><style>p{}</style></head><body><h1>Hi {{name}}</h1><p>Go <a class="b" href="{{link}}">there</a>.</p><table><tr><td>a</td><td>1 &amp; 2</td></tr></table></body></html>',
        textContent: null
      },
      { name: "Ada", link: "https://x.example/?token=t1" }
    )
    expect(rendered.text).toBe("Hi Ada\n\nGo there (https://x.example/?token=t1).\n\na 1 & 2")
  })

  it("costs time that grows with its length alone", () => {
    const begin = performance.now()
    for (const hard of [
      "<style>".repeat(30_000),
      "<a ".repeat(60_000),
      "<".repeat(200_000),
      `<a href="`.repeat(20_000),
      "\n".repeat(200_000)
    ]) {
      renderTemplate({ subject: "s", htmlContent: hard, textContent: null }, {})
    }
    expect(performance.now() - begin).toBeLessThan(10_000)
  })
})
