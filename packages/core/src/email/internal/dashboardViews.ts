/**
 * The variables of mails with a token of a person of the dashboard. Links lead to its pages; where no public URL is set
 * (`base` is null) there is none, and the reader adds `path` to its address.
 */
import { isEmail } from "../../kernel/Address.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { View } from "../../template/TemplateRenderer.ts"
import { greetingOf } from "./mailViews.ts"

/** In place of the store's name: the password is that of a person, who may work for several stores. */
const dashboardName = "Commerce Dashboard"

export const dashboardResetView =
  ({ name, email }: { readonly name: string | null; readonly email: string }, base: string | null) =>
  (token: string): View => {
    const path = `/dashboard/reset-password?token=${token}`
    return {
      storeName: dashboardName,
      customerName: greetingOf(name),
      customerEmail: email,
      token,
      path,
      resetUrl: base === null ? null : `${base}${path}`
    }
  }

export const invitationView =
  (event: { readonly inviterName: string; readonly role: string }, store: StoreContext, base: string | null) =>
  (token: string): View => {
    const path = `/dashboard/invitation?token=${token}`
    const inviterName = isEmail(event.inviterName) ? event.inviterName : (greetingOf(event.inviterName) ?? store.name)
    return { inviterName, role: event.role, token, path, invitationUrl: base === null ? null : `${base}${path}` }
  }
