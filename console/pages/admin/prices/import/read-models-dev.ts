import type { WrittenPrice } from '../../../../api/price-admin.ts'
import { amountsIn, type CatalogueEntry, countOf, type Fields, fieldsOf } from './catalogue-entry.ts'

/** Ours, by the names of models.dev for a price of a million tokens. */
const OF_TOKENS = {
  input: 'input',
  output: 'output',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  audio_input: 'input_audio',
  audio_output: 'output_audio',
} as const

const OVER_200K = 200_000

/**
 * A file in the form of models.dev's `api.json`: providers with their models, as `GET /api.json` of a Tollgate writes it, too.
 * null: it is in another form.
 */
export function readModelsDev(document: Fields): readonly CatalogueEntry[] | null {
  const providers = Object.entries(document).map(([id, value]) => [id, fieldsOf(value)] as const)
  if (!providers.some(([, provider]) => 'models' in provider)) return null
  return providers.flatMap(([id, provider]) =>
    Object.entries(fieldsOf(provider['models'])).flatMap(([name, value]): CatalogueEntry[] => {
      const model = fieldsOf(value)
      const cost = fieldsOf(model['cost'])
      const plain = amountsIn(cost, OF_TOKENS, 1)
      if (Object.keys(plain).length === 0) return []
      const limit = fieldsOf(model['limit'])
      return [
        {
          provider: id,
          name,
          price: { ...plain, ...tiersOf(cost), ...ofOurs(fieldsOf(model['tollgate'])) },
          contextTokens: countOf(limit['context']),
          maxOutputTokens: countOf(limit['output']),
        },
      ]
    }),
  )
}

/** A tier begins at its size there, and above a length here. */
function tiersOf(cost: Fields): Pick<WrittenPrice, 'tiers'> {
  const sized = (Array.isArray(cost['tiers']) ? cost['tiers'] : []).flatMap((value: unknown) => {
    const tier = fieldsOf(value)
    const { type, size } = fieldsOf(tier['tier'])
    const from = type === 'context' ? countOf(size) : null
    return from === null || from < 2 ? [] : [{ above: from - 1, amounts: tier }]
  })
  const old = fieldsOf(cost['context_over_200k'])
  const all = sized.length > 0 || Object.keys(old).length === 0 ? sized : [{ above: OVER_200K, amounts: old }]
  const base = amountsIn(cost, OF_TOKENS, 1)
  const tiers = all
    .toSorted((a, b) => a.above - b.above)
    .flatMap(({ above, amounts }) => {
      const own = amountsIn(amounts, OF_TOKENS, 1)
      const { input = base.input, output = base.output } = own
      return input === undefined || output === undefined ? [] : [{ above_input_tokens: above, ...own, input, output }]
    })
  return tiers.length === 0 ? {} : { tiers }
}

/** What a Tollgate adds under its own name: the form in which prices are written here. */
function ofOurs(own: Fields): Pick<WrittenPrice, 'service_tiers' | 'inference_geo' | 'per_call'> {
  const names = ['service_tiers', 'inference_geo', 'per_call'] as const
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
}
