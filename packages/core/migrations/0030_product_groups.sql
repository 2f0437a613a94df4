-- What a product belongs to, as rules and coupons name it: its categories with all their ancestors, its brands and tags.
CREATE FUNCTION product_groups(of_store text, of_product text, its_tags text[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object(
    'categories', coalesce((
      WITH RECURSIVE up AS (
        SELECT c.id, c.parent_id FROM product_category pc
          JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id AND c.deleted_at IS NULL
          WHERE pc.store_id = of_store AND pc.product_id = of_product
        UNION
        SELECT c.id, c.parent_id FROM up JOIN category c ON c.store_id = of_store AND c.id = up.parent_id
      ) SELECT json_agg(id) FROM up), '[]'::json),
    'brands', coalesce((SELECT json_agg(pb.brand_id) FROM product_brand pb
      WHERE pb.store_id = of_store AND pb.product_id = of_product), '[]'::json),
    'tags', its_tags);
END $$;
