-- A variant of a download is one too: it need not repeat what its product says. Both functions are as they were but for that.

-- The files that come with a product or variant that is sold, and of a kit with those of its components (jsonb: [{productId, variantId}]). A variant's own, or,
-- where it has none, its product's. A component is called by its own name; the sold product by the name of the line (NULL).
CREATE OR REPLACE FUNCTION sold_downloads(store text, product text, variant text, components jsonb)
RETURNS TABLE (product_id text, component_name text, file jsonb, download_limit int, expiry_days int) LANGUAGE sql STABLE AS $$
  SELECT p.id, CASE WHEN u.at > 0 THEN p.name END, f.file, download_number(d.data -> 'downloadLimit'), download_number(d.data -> 'downloadExpiry')
  FROM (
    SELECT 0 AS at, product AS product_id, variant AS variant_id
    UNION ALL
    SELECT c.at, c.part ->> 'productId', c.part ->> 'variantId'
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(components) = 'array' THEN components ELSE '[]' END) WITH ORDINALITY AS c (part, at)
  ) u
  JOIN product p ON p.store_id = store AND p.id = u.product_id
  LEFT JOIN product_variant v ON v.store_id = store AND v.product_id = u.product_id AND v.id = u.variant_id
  CROSS JOIN LATERAL (SELECT coalesce(v.download_data, p.download_data) AS data) d
  CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(d.data -> 'files') = 'array' THEN d.data -> 'files' ELSE '[]' END)
    WITH ORDINALITY AS f (file, at)
  WHERE (p.is_downloadable OR coalesce(v.is_downloadable, false)) AND jsonb_typeof(f.file) = 'object'
  ORDER BY u.at, f.at
$$;

-- What a kit is made of, as JSON.
CREATE OR REPLACE FUNCTION kit_parts(store text, kit text, at timestamptz, named boolean) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT json_agg(jsonb_build_object('productId', c.product_id, 'variantId', c.variant_id, 'quantity', c.quantity,
      'isOffered', kit_component_is_offered(c.variant_id, p.type, p.status, p.deleted_at, v.status),
      'isThere', kit_component_fits(c.variant_id, p.type, p.deleted_at) AND (c.variant_id IS NULL OR v.id IS NOT NULL),
      'price', coalesce(v.price, p.base_price)::text, 'salePrice', (CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END)::text,
      'saleStartsAt', round(extract(epoch FROM p.sale_price_starts_at) * 1000), 'saleEndsAt', round(extract(epoch FROM p.sale_price_ends_at) * 1000),
      'weight', p.shipping_weight_value::text, 'weightUnit', p.shipping_weight_unit, 'isDownloadable', p.is_downloadable OR coalesce(v.is_downloadable, false),
      'stock', CASE WHEN s.key IS NOT NULL THEN jsonb_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode,
        'backorderLimit', s.backorder_limit, 'total', s.total, 'lowStockThreshold', s.low_stock_threshold,
        'reserved', (SELECT * FROM stock_reserved_at(s.store_id, s.key, s.reserved, at))) END)
      || CASE WHEN named THEN jsonb_build_object('name', p.name, 'slug', p.slug, 'image', coalesce(v.image, p.images -> 0 ->> 'url'), 'translations', (
        SELECT coalesce(jsonb_object_agg(t.key, jsonb_build_object('name', t.value -> 'name')), '{}')
        FROM jsonb_each(p.translations) AS t WHERE jsonb_typeof(t.value) = 'object')) ELSE '{}' END
      ORDER BY c.position)
    FROM kit_component c JOIN product p ON p.store_id = c.store_id AND p.id = c.product_id
    LEFT JOIN product_variant v ON v.store_id = c.store_id AND v.id = c.variant_id AND v.product_id = p.id
    LEFT JOIN stock s ON s.store_id = c.store_id AND s.key = coalesce(c.variant_id, c.product_id)
    WHERE c.store_id = store AND c.kit_id = kit), '[]');
END
$$;
