import type { Called, TestCommerce } from "../../src/testing/TestCommerce.ts"

export interface SentPart {
  readonly bytes: Uint8Array
  readonly type?: string
  readonly name?: string
}

/** A form with a file and texts, as a browser sends it. */
export const formOf = (file: SentPart | undefined, texts: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  if (file !== undefined)
    form.append(
      "file",
      new Blob([new Uint8Array(file.bytes)], { type: file.type ?? "image/png" }),
      file.name ?? "a.png"
    )
  return form
}

type Options = NonNullable<Parameters<TestCommerce["call"]>[2]>

export const sendTo =
  (shop: TestCommerce) =>
  (path: string, form: FormData, options: Options = {}): Promise<Called> =>
    shop.call("POST", path, { ...options, raw: form })
