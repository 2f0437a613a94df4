import { describe, expect, it } from "vitest"
import { languageShown, languagesWanted, textOr, translationIn } from "../../src/kernel/Locale.ts"

const translations = { de: { name: "Lampe" }, "fr-CA": { name: "Lampe du Québec" }, es: "no object" }
const nameIn = (wanted: ReadonlyArray<string>, own = "en") =>
  textOr(translationIn(translations, wanted, own), "name", "Lamp")

describe("languages wanted", () => {
  it.each([
    [undefined, undefined, []],
    ["de", "fr;q=0.9, en", ["de", "en", "fr"]],
    [undefined, "da, en-GB;q=0.8, de;q=0.9, *;q=0.1, x;q=0, fr;q=bad", ["da", "de", "en-GB"]],
    ["../etc", "de", ["de"]],
    [`de${"-x1".repeat(11)}`, `de${"-x1".repeat(12)}`, [`de${"-x1".repeat(11)}`]]
  ])("of locale %s and Accept-Language %s are %j", (locale, accept, wanted) => {
    expect(languagesWanted(locale, accept)).toEqual(wanted)
  })
})

describe("a translation", () => {
  it.each([
    [["de"], "Lampe"],
    [["DE-at"], "Lampe"],
    [["fr-CA"], "Lampe du Québec"],
    [["fr"], "Lamp"],
    [["it", "de"], "Lampe"],
    [["en-GB", "de"], "Lamp"],
    [["es"], "Lamp"],
    [[], "Lamp"]
  ])("for %j is %s", (wanted, name) => {
    expect(nameIn(wanted)).toBe(name)
  })

  it("is not looked for past the store's own language, whatever that is", () => {
    expect(nameIn(["it", "de"], "it")).toBe("Lamp")
  })
})

describe("the language that an answer is in", () => {
  it.each([
    [["en"], [], "en"],
    [["en", "de"], ["de"], "de"],
    [["en", "de-AT"], ["DE-at"], "de-AT"],
    [["en", "de"], ["de-CH", "fr"], "de"],
    [["en-US"], ["en-GB"], "en-US"],
    // Texts may be translated into them, or not.
    [["en"], ["de"], undefined],
    [["en", "de"], ["fr", "de"], undefined]
  ])("offered %j and wanted %j is %s", (offered, wanted, shown) => {
    expect(languageShown(offered, wanted, offered[0] ?? "")).toBe(shown)
  })
})
