import { z } from '@hono/zod-openapi'
import { CALL_KINDS } from '../core/calls.ts'
import { LEFT_OUT_REASONS } from '../price-lists/listed-price.ts'
import { priceCalculation } from './price-calculation.ts'

const leftOut = z.object({
  /** The name of the field in the list that it was taken from. */
  field: z.string(),
  because: z.enum(LEFT_OUT_REASONS),
  dearer: z.boolean().describe('requests may cost more at the provider than the price says without it'),
})

const entry = z.object({
  /** What the catalogue names, and nothing else. */
  price: priceCalculation.shape.price,
  context_tokens: z.number().int().nullable(),
  max_output_tokens: z.number().int().nullable(),
  regional_factor: z
    .string()
    .optional()
    .describe(
      'what its tokens cost at an address of one region or geography, as a factor on the price, which is that of `global`',
    ),
  left_out: z.array(leftOut).optional().describe('prices that the list has and that have no counterpart here'),
})

/** Where a fee for calls of a provider's own tools was read. */
const fee = z.object({
  provider: z.string(),
  models: z.string().describe('which of its models; `*`: all that answer conversations'),
  call: z.enum(CALL_KINDS),
  usd: z.string().describe('for one call; 0: free'),
  source: z.url(),
  read: z.iso.date().describe('the day of which it is'),
  note: z.string().optional(),
})

/** `GET /api/prices/catalogue`: list prices of providers that are shipped with this version. */
export const shippedPrices = z
  .object({
    dated: z.iso.date().describe('the day of which the prices are'),
    source: z.string().describe('from whose list they were taken'),
    /** Models by their provider, then by their name there. */
    providers: z.record(z.string(), z.record(z.string(), entry)),
    /** Fees in `per_call` that are not in the list. */
    fees: z.array(fee).default([]),
  })
  .openapi('ShippedPrices')

export type ShippedPrices = z.output<typeof shippedPrices>
/** The shipped prices as they stand in the file. */
export type ShippedPricesFile = z.input<typeof shippedPrices>
export type ShippedPrice = z.output<typeof entry>
