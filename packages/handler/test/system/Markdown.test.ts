import { describe, expect, it } from "vitest"
import { introduction } from "../../src/system/Introduction.ts"
import { markdown } from "../../src/system/Markdown.ts"

describe("Markdown", () => {
  it("takes text as text: no HTML of a description reaches the page", () => {
    expect(markdown('a <b> & "c"')).toBe("<p>a &lt;b&gt; &amp; &quot;c&quot;</p>")
    expect(markdown("`<i>` [x](javascript:alert)")).toBe("<p><code>&lt;i&gt;</code> [x](javascript:alert)</p>")
  })

  it("knows headings, lists, tables, code, bold text and links", () => {
    expect(markdown("## Error codes\nText")).toBe('<h2 id="error-codes">Error codes</h2><p>Text</p>')
    expect(markdown("- one\n  more\n- **two**")).toBe("<ul><li>one more</li><li><strong>two</strong></li></ul>")
    expect(markdown("1. a\n2. b")).toBe("<ol><li>a</li><li>b</li></ol>")
    expect(markdown("| a | b |\n| --- | --- |\n| `1` | 2 |")).toBe(
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>1</code></td><td>2</td></tr></tbody></table>"
    )
    expect(markdown("~~~sh\na <b>\n\nc\n~~~")).toBe("<pre><code>a &lt;b&gt;\n\nc</code></pre>")
    expect(markdown("[x](#errors), [y](https://a.test/b)")).toBe(
      '<p><a href="#errors">x</a>, <a href="https://a.test/b">y</a></p>'
    )
  })

  it("leaves none of its marks in the introduction", () => {
    const shown = markdown(introduction).replaceAll(/<pre>[\s\S]*?<\/pre>|<code>.*?<\/code>/g, "")
    expect(shown).not.toMatch(/\*\*|~~~|```|^\s*[#|]|<p>[-|]/m)
  })
})
