/**
 * The columns of a product `p` with its metafields: the definitions that apply to it and that it has a value of, or may
 * need one of, or that a shopper fills in.
 *
 * metafield_definition_store_id_key_key finds the definitions of the store, the primary keys of metafield_value and
 * metafield_definition_product the rest. A store without definitions pays two index lookups.
 */
import type { SqlClient, Statement } from "effect/sql"

const facts = `'id', d.id, 'key', d.key, 'type', d.type, 'required', d.required, 'isActive', d.is_active,
  'isCustomerInput', d.is_customer_input, 'filterable', d.filterable, 'input', CASE WHEN d.is_customer_input THEN
  json_build_object('name', d.name, 'description', d.description, 'minLength', d.min_length, 'maxLength', d.max_length,
  'minValue', d.min_value, 'maxValue', d.max_value, 'dateAvailability', d.date_availability, 'enumValues',
  d.enum_values, 'defaultValue', d.default_value, 'position', d.position, 'translations', d.translations) END`

/** A definition `d` for the vocabulary, as JSON. */
export const metafieldWord = `json_build_object(${facts}, 'appliesToAllProducts', d.applies_to_all_products,
  'position', d.position)`

/** Whether a definition `d` applies to the product that the expression names. */
const appliesTo = (product: string): string => `(d.applies_to_all_products OR EXISTS (
  SELECT 1 FROM metafield_definition_product dp
  WHERE dp.store_id = d.store_id AND dp.definition_id = d.id AND dp.product_id = ${product}))`

/** The metafields of a product `p`, as JSON. */
export const metafieldsJson = `(
  SELECT json_agg(json_build_object(${facts}, 'value', mv.value) ORDER BY d.position, d.key)
  FROM metafield_definition d LEFT JOIN metafield_value mv
    ON mv.store_id = d.store_id AND mv.product_id = p.id AND mv.definition_id = d.id
  WHERE d.store_id = p.store_id AND (mv.value IS NOT NULL OR d.is_customer_input OR d.required)
    AND ${appliesTo("p.id")})`

/** The definitions that a product `p` is attached to, as JSON. */
export const attachedMetafields = `(SELECT json_agg(dp.definition_id ORDER BY dp.definition_id)
  FROM metafield_definition_product dp WHERE dp.store_id = p.store_id AND dp.product_id = p.id)`

/** What shoppers fill in for a product, as JSON: for statements that put it into a cart. */
export const customerInputsOf = (store: string, product: string): string => `(
  SELECT json_agg(json_build_object(${facts}) ORDER BY d.position, d.key) FROM metafield_definition d
  WHERE d.store_id = ${store} AND d.is_customer_input AND d.is_active AND ${appliesTo(product)})`

/** A definition that gives new products a default value. */
const isFirstValue = "default_value IS NOT NULL AND applies_to_all_products AND NOT is_customer_input"

/**
 * A CTE of the statement that inserts the products: the default of each definition that applies to all products. The
 * definitions do not change until the transaction ends; a new product is attached to none by name.
 */
export const firstValues = (
  sql: SqlClient.SqlClient,
  storeId: string,
  productIds: ReadonlyArray<string>,
  now: Date
): Statement.Fragment => sql`INSERT INTO metafield_value (store_id, product_id, definition_id, value, updated_at)
  SELECT ${storeId}, made.id, d.id, d.default_value, ${now}
  FROM (
    SELECT id, default_value FROM metafield_definition
    WHERE store_id = ${storeId} AND ${sql.literal(isFirstValue)}
    ORDER BY id FOR SHARE
  ) d, unnest(${productIds}::text[]) AS made (id)`
