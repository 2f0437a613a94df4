/** The SQL of customer and customer_address. One statement reads a whole customer, or returns it after a change. */
import { Context, Effect, Layer, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, none, one, storedJson } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { Address } from "../kernel/Address.ts"
import type { CustomerState, SavedAddress } from "./Customer.ts"
import { CustomerEmailTaken } from "./CustomerErrors.ts"

export interface NewCustomer extends Omit<CustomerState, "addresses" | "passwordVersion"> {
  readonly referralCode: string | null
  readonly privacyPolicyAcceptedAt: Date | null
}

/** Absent leaves a column as it is. */
export interface CustomerChanges {
  readonly email?: string | undefined
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly acceptsMarketing?: boolean | undefined
  readonly birthMonth?: number | null | undefined
  readonly birthDay?: number | null | undefined
  readonly emailVerified?: boolean | undefined
  readonly announced?: boolean | undefined
}

export interface NewPasswordHash {
  readonly hash: string
  /** Applied only while the password still has this version. */
  readonly version: number
  /** The change also proves the mailbox: the e-mail address is verified. */
  readonly proved: boolean
}

/** An address as the statement builds it in JSON; times are milliseconds. */
const readAddresses = storedJson(
  "customer_address",
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      label: Schema.NullOr(Schema.String),
      isDefault: Schema.Boolean,
      address: Address,
      createdAt: Schema.DateFromMillis,
      updatedAt: Schema.DateFromMillis
    })
  )
)
type CustomerRow = Omit<CustomerState, "addresses"> & { readonly addresses: unknown }

export class CustomerRepository extends Context.Service<CustomerRepository>()(
  "@effect-commerce/core/customer/CustomerRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      const columns =
        sql.literal(`c.id, c.email, c.first_name, c.last_name, c.phone, c.password_hash, c.password_version,
        c.email_verified, c.accepts_marketing, c.birth_month, c.birth_day, c.announced, c.locale,
        c.created_at, c.updated_at,
        coalesce((SELECT json_agg(json_build_object('id', a.id, 'label', a.label, 'isDefault', a.is_default, 'address',
            a.address, 'createdAt', round(extract(epoch FROM a.created_at) * 1000), 'updatedAt',
              round(extract(epoch FROM a.updated_at) * 1000))
            ORDER BY a.is_default DESC, a.created_at DESC, a.id DESC)
          FROM customer_address a WHERE a.store_id = c.store_id AND a.customer_id = c.id), '[]'::json) AS addresses`)

      const emailTaken = (email: string | undefined) =>
        constraintViolation("customer_store_id_email_key", () => new CustomerEmailTaken({ email: email ?? "" }))
      const touched = (customerId: string, storeId: string, now: Date) =>
        sql`touched AS (UPDATE customer SET updated_at = ${now} WHERE store_id = ${storeId} AND id = ${customerId})`

      return {
        insert: (storeId: string, customer: NewCustomer) =>
          none(
            sql`INSERT INTO customer (store_id, id, email, first_name, last_name, phone, password_hash, email_verified,
              accepts_marketing, birth_month, birth_day, referral_code, privacy_policy_accepted_at, announced,
                locale, created_at, updated_at)
            VALUES (${storeId}, ${customer.id}, ${customer.email}, ${customer.firstName}, ${customer.lastName},
              ${customer.phone}, ${customer.passwordHash}, ${customer.emailVerified}, ${customer.acceptsMarketing},
              ${customer.birthMonth}, ${customer.birthDay}, ${customer.referralCode},
                ${customer.privacyPolicyAcceptedAt}, ${customer.announced}, ${customer.locale},
                ${customer.createdAt}, ${customer.updatedAt})`.pipe(emailTaken(customer.email))
          ),
        find: (storeId: string, id: string) =>
          one(
            sql<CustomerRow>`SELECT ${columns} FROM customer c WHERE c.store_id = ${storeId} AND c.id = ${id} AND
                c.deleted_at IS NULL`,
            toState
          ),
        /** By the normalised address. */
        findByEmail: (storeId: string, email: string) =>
          one(
            sql<CustomerRow>`SELECT ${columns} FROM customer c WHERE c.store_id = ${storeId} AND c.email = ${email}`,
            toState
          ),
        /** Locks the row until the transaction ends; false where there is no such customer. */
        lock: (storeId: string, id: string) =>
          anyRow(sql`SELECT 1 FROM customer WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY
                UPDATE`),
        /** As `lock`, by the normalised address. */
        lockByEmail: (storeId: string, email: string) =>
          anyRow(sql`SELECT 1 FROM customer WHERE store_id = ${storeId} AND email = ${email} FOR NO KEY UPDATE`),
        update: (storeId: string, id: string, changes: CustomerChanges, now: Date) =>
          one(
            sql<CustomerRow>`UPDATE customer c SET ${sql.csv([
              sql`updated_at = ${now}`,
              ...(changes.email === undefined ? [] : [sql`email = ${changes.email}`]),
              ...(changes.firstName === undefined ? [] : [sql`first_name = ${changes.firstName}`]),
              ...(changes.lastName === undefined ? [] : [sql`last_name = ${changes.lastName}`]),
              ...(changes.phone === undefined ? [] : [sql`phone = ${changes.phone}`]),
              ...(changes.acceptsMarketing === undefined ? [] : [sql`accepts_marketing = ${changes.acceptsMarketing}`]),
              ...(changes.birthMonth === undefined ? [] : [sql`birth_month = ${changes.birthMonth}`]),
              ...(changes.birthDay === undefined ? [] : [sql`birth_day = ${changes.birthDay}`]),
              ...(changes.emailVerified === undefined ? [] : [sql`email_verified = ${changes.emailVerified}`]),
              ...(changes.announced === undefined ? [] : [sql`announced = ${changes.announced}`])
            ])} WHERE c.store_id = ${storeId} AND c.id = ${id} AND c.deleted_at IS NULL RETURNING ${columns}`.pipe(
              emailTaken(changes.email)
            ),
            toState
          ),
        /** No change of the profile: the version that If-Match compares stays. */
        setLocale: (storeId: string, id: string, locale: string) =>
          none(sql`UPDATE customer SET locale = ${locale} WHERE store_id = ${storeId} AND id = ${id} AND
                deleted_at IS NULL`),
        /** Raises the version, so that tokens issued before are no longer valid. */
        setPassword: (storeId: string, id: string, { hash, version, proved }: NewPasswordHash, now: Date) =>
          one(
            sql<CustomerRow>`UPDATE customer c SET password_hash = ${hash}, password_version = c.password_version + 1,
                  updated_at = ${now}, email_verified = c.email_verified OR ${proved},
                    announced = c.announced OR ${proved}
                WHERE c.store_id = ${storeId} AND c.id = ${id} AND c.deleted_at IS NULL AND c.password_version =
                  ${version} RETURNING ${columns}`,
            toState
          ),
        /** Clears all personal data of a customer that is locked. */
        anonymise: (storeId: string, id: string, now: Date) =>
          none(sql`WITH addresses AS (DELETE FROM customer_address WHERE store_id = ${storeId} AND customer_id = ${id}),
                tokens AS (DELETE FROM customer_token WHERE store_id = ${storeId} AND customer_id = ${id}),
                logouts AS (DELETE FROM customer_logout WHERE store_id = ${storeId} AND customer_id = ${id})
              UPDATE customer SET email = NULL, first_name = NULL, last_name = NULL, phone = NULL, password_hash = NULL,
                password_version = password_version + 1, email_verified = false, accepts_marketing = false,
                birth_month = NULL, birth_day = NULL, referral_code = NULL, external_id = NULL, locale = NULL,
                  privacy_policy_accepted_at = NULL, deleted_at = ${now}, updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL`),
        /** Inserts or replaces one address; a new default replaces the old one in the same statement. */
        saveAddress: (
          storeId: string,
          customerId: string,
          { id, label, isDefault, address, createdAt, updatedAt }: SavedAddress
        ) =>
          none(sql`WITH ${touched(customerId, storeId, updatedAt)}, cleared AS (
                UPDATE customer_address SET is_default = false, updated_at = ${updatedAt}
                WHERE store_id = ${storeId} AND customer_id = ${customerId} AND is_default AND id <> ${id} AND
                  ${isDefault})
              INSERT INTO customer_address (store_id, id, customer_id, label, is_default, address, created_at,
                updated_at)
              VALUES (${storeId}, ${id}, ${customerId}, ${label}, ${isDefault}, ${JSON.stringify(address)}::jsonb,
                ${createdAt}, ${updatedAt})
              ON CONFLICT (store_id, id) DO UPDATE SET label = EXCLUDED.label, is_default = EXCLUDED.is_default,
                address = EXCLUDED.address, updated_at = EXCLUDED.updated_at`),
        /** Deletes one address and makes `promoted` the default, if given. */
        removeAddress: (storeId: string, customerId: string, id: string, promoted: string | null, now: Date) =>
          none(sql`WITH ${touched(customerId, storeId, now)}, promoted AS (
                UPDATE customer_address SET is_default = true,
                  updated_at = ${now} WHERE store_id = ${storeId} AND customer_id = ${customerId} AND id = ${promoted})
              DELETE FROM customer_address WHERE store_id = ${storeId} AND customer_id = ${customerId} AND id = ${id}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerRepository, CustomerRepository.make)
}

const toState = (row: CustomerRow): CustomerState => ({ ...row, addresses: readAddresses(row.addresses) })
