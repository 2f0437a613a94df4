/** The pages behind the link to unsubscribe: one asks, because programs open links to check them. */
import { templateLanguageOf } from "../template/DefaultTemplates.ts"

const words = {
  en: {
    title: "Unsubscribe",
    question: "Do you want to receive no more news and offers of this shop at your address?",
    button: "Unsubscribe",
    done: "You are unsubscribed. You will still get mails about your orders and your account."
  },
  de: {
    title: "Abmelden",
    question: "Möchten Sie an Ihrer Adresse keine Neuigkeiten und Angebote dieses Shops mehr erhalten?",
    button: "Abmelden",
    done: "Sie sind abgemeldet. E-Mails zu Ihren Bestellungen und Ihrem Kundenkonto erhalten Sie weiterhin."
  }
} as const

const style =
  ":root{color-scheme:light dark}" +
  "body{font:17px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:32rem;padding:0 1.5rem}" +
  "button{font:inherit;font-weight:600;padding:.7rem 1.6rem;border:0;border-radius:.5rem;background:#1d4ed8;color:#fff}"

const page = (language: "en" | "de", body: string): string => `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${words[language].title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><style>${style}</style></head><body>
<h1>${words[language].title}</h1>${body}</body></html>
`

const languageOf = (tag: string | undefined) => templateLanguageOf(tag) ?? "en"

/** The form is sent to the page's own address. */
export const askingPage = (tag: string | undefined): string => {
  const language = languageOf(tag)
  const { question, button } = words[language]
  return page(language, `<p>${question}</p><form method="post"><button>${button}</button></form>`)
}

export const donePage = (tag: string | undefined): string => {
  const language = languageOf(tag)
  return page(language, `<p>${words[language].done}</p>`)
}
