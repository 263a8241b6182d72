import { z } from '@hono/zod-openapi'
import { UNREACHABLE } from '../core/model-list-results.ts'

/** `POST /api/prices/fetch`: a list of prices that another server has. */
export const priceFetchAsked = z
  .object({
    url: z
      .string()
      .min(1)
      .max(2_000)
      .describe('http or https, without user name and password; without a path, /api.json is asked for'),
  })
  .strict()
  .openapi('PriceFetchRequest')

/** Why there is no list of prices. */
export const PRICE_FETCH_FAILURES = [
  ...UNREACHABLE,
  'too_slow',
  'redirect',
  'status',
  'too_large',
  'not_json',
  'unknown_form',
] as const

export const priceFetched = z
  .discriminatedUnion('result', [
    z.object({
      result: z.literal('read'),
      url: z.string().describe('what was asked'),
      document: z
        .record(z.string(), z.unknown())
        .describe(
          'in the form in which it came, of models.dev or LiteLLM, with what it says of prices and limits alone',
        ),
    }),
    z.object({
      result: z.enum(PRICE_FETCH_FAILURES),
      url: z.string().describe('what was asked'),
      status: z.number().int().nullable().describe('of the response; null: none came'),
      detail: z.string(),
    }),
  ])
  .openapi('FetchedPrices')

export type FetchedPrices = z.output<typeof priceFetched>
export type PriceFetchFailure = (typeof PRICE_FETCH_FAILURES)[number]
