import { z } from '@hono/zod-openapi'
import { priceCalculation } from './price-calculation.ts'

const entry = z.object({
  /** What the catalogue names, and nothing else. */
  price: priceCalculation.shape.price,
  context_tokens: z.number().int().nullable(),
  max_output_tokens: z.number().int().nullable(),
})

/** `GET /api/prices/catalogue`: list prices of providers that are shipped with this version. */
export const shippedPrices = z
  .object({
    dated: z.iso.date().describe('the day of which the prices are'),
    source: z.string().describe('from whose list they were taken'),
    /** By provider, then by the name of the model there. */
    providers: z.record(z.string(), z.record(z.string(), entry)),
  })
  .openapi('ShippedPrices')

export type ShippedPrices = z.output<typeof shippedPrices>
export type ShippedPrice = z.output<typeof entry>
