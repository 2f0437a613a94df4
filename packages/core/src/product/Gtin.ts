/**
 * GTIN-8, -12, -13 and -14 by their check digit: modulo 10, weights 3 and 1 from the right (GS1 General Specifications
 * 7.9).
 */
const lengths = new Set([8, 12, 13, 14])

export const isGtin = (text: string): boolean => {
  if (!lengths.has(text.length) || !/^[0-9]+$/.test(text) || /^0+$/.test(text)) return false
  let sum = 0
  for (let i = 0; i < text.length - 1; i++) {
    const weight = (text.length - i) % 2 === 0 ? 3 : 1
    sum += Number(text[i]) * weight
  }
  return (10 - (sum % 10)) % 10 === Number(text.at(-1))
}
