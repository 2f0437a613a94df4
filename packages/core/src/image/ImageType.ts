/** The types of image that are kept and shown. */
export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const
export type ImageType = (typeof imageTypes)[number]
