/** The name of a domain as it stands in DNS: lower case, letters of other scripts in their ASCII form. */
import { domainToASCII } from "node:url"

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Room for the longest name that is put in front of it. */
const longest = 200

/** The name, or what is wrong with it as a sentence. */
export const readDomain = (given: string): { readonly domain: string } | { readonly problem: string } => {
  const text = given.trim().replace(/\.$/, "")
  const domain = text.length > longest ? "" : domainToASCII(text).toLowerCase()
  const labels = domain.split(".")
  const isName = labels.length > 1 && domain.length <= longest && labels.every((one) => label.test(one))
  return isName && !/^\d+$/.test(labels.at(-1) ?? "")
    ? { domain }
    : { problem: "must be a domain such as mail.example.com" }
}
