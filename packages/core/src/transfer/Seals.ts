/**
 * Rows with texts that are sealed under the root secret of their installation. They are carried as they are sealed, and
 * open where the root secret is the same. Elsewhere, and where people are made up, the row comes without them: switched
 * off until somebody sets the secret again, or not at all where it would be nothing without it. Pure.
 */
import type { Row } from "./TransferFormat.ts"

/** By table: the row without its secret, or undefined. */
export const unsealed: Readonly<Record<string, (row: Row) => Row | undefined>> = {
  app_secret: () => undefined,
  oauth_provider: () => undefined,
  email_domain: () => undefined,
  email_settings: (row) => ({ ...row, custom_domain_id: null }),
  payment_provider: (row) => ({
    ...row,
    is_enabled: false,
    credentials: null,
    credential_fields: [],
    previous_credentials: null,
    previous_valid_until: null
  }),
  provider_operation: (row) => ({ ...row, next_action: null }),
  webhook_subscription: (row) => ({ ...row, is_active: false, secret: noSecret, secret_prefix: noSecret })
}

/** Where a column may not be empty: the import seals a new secret. */
export const noSecret = ""

/** The row as it is carried to an installation with another root secret. */
export const withoutSeals = (table: string, row: Row): Row | undefined => {
  const change = unsealed[table]
  return change === undefined ? row : change(row)
}
