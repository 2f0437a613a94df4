/** Port. The domain of the address that the installation itself sends from; null where mails are kept. */
import { Context } from "effect"

export class SenderDomain extends Context.Service<SenderDomain, { readonly domain: string | null }>()(
  "@effect-commerce/core/emaildomain/SenderDomain"
) {}
