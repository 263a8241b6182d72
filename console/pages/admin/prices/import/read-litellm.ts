import { amountOf, amountsIn, type CatalogueEntry, countOf, type Fields, fieldsOf } from './catalogue-entry.ts'

const MILLION = 1_000_000

/** Ours, by LiteLLM's names for a price of one token. */
const OF_TOKENS = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cache_read: 'cache_read_input_token_cost',
  cache_write: 'cache_creation_input_token_cost',
  cache_write_1h: 'cache_creation_input_token_cost_above_1hr',
  audio_input: 'input_cost_per_audio_token',
  audio_output: 'output_cost_per_audio_token',
  image_input: 'input_cost_per_image_token',
} as const

const OF_ONE = { per_request: 'input_cost_per_request', per_image: 'output_cost_per_image' } as const

/** Its classes of service, by what its names end with. */
const SERVICES = { priority: 'priority', flex: 'flex', batch: 'batches' } as const

/** A file in the form of LiteLLM's `model_prices_and_context_window.json`. null: it is in another. */
export function readLitellm(document: Fields): readonly CatalogueEntry[] | null {
  const models = Object.entries(document).map(([key, value]) => [key, fieldsOf(value)] as const)
  const isForm = models.some(([, model]) => 'input_cost_per_token' in model || 'litellm_provider' in model)
  if (!isForm) return null
  return models.flatMap(([key, model]): CatalogueEntry[] => {
    // Its description of the form stands among the models.
    if (key === 'sample_spec') return []
    const plain = { ...amountsIn(model, OF_TOKENS, MILLION), ...amountsIn(model, OF_ONE, 1), ...perSecond(model) }
    if (Object.keys(plain).length === 0) return []
    const tiers = tiersOf(model)
    const services = servicesOf(model)
    const provider = typeof model['litellm_provider'] === 'string' ? model['litellm_provider'] : ''
    return [
      {
        provider,
        name: provider !== '' && key.startsWith(`${provider}/`) ? key.slice(provider.length + 1) : key,
        price: {
          ...plain,
          ...(tiers.length === 0 ? {} : { tiers }),
          ...(Object.keys(services).length === 0 ? {} : { service_tiers: services }),
        },
        contextTokens: countOf(model['max_input_tokens']),
        maxOutputTokens: countOf(model['max_output_tokens']),
      },
    ]
  })
}

function perSecond(model: Fields): { readonly per_second?: string } {
  const amount = amountOf(model['input_cost_per_second'] ?? model['output_cost_per_second'], 1)
  return amount === null ? {} : { per_second: amount }
}

/** `input_cost_per_token_above_200k_tokens` and the like. */
function tiersOf(model: Fields) {
  const lengths = new Set(
    Object.keys(model).flatMap((name) => {
      const thousands = /_above_(\d+)k_tokens$/.exec(name)?.[1]
      return thousands === undefined ? [] : [Number(thousands)]
    }),
  )
  return [...lengths]
    .toSorted((a, b) => a - b)
    .flatMap((thousands) => {
      const names = Object.fromEntries(
        Object.entries(OF_TOKENS).map(([ours, theirs]) => [ours, `${theirs}_above_${thousands}k_tokens`]),
      ) as Record<keyof typeof OF_TOKENS, string>
      const amounts = amountsIn(model, names, MILLION)
      // Each length has both of its own here; what the catalogue leaves out is as for short prompts.
      const { input = amountOf(model[OF_TOKENS.input], MILLION), output = amountOf(model[OF_TOKENS.output], MILLION) } =
        amounts
      if (input === null || output === null) return []
      return [{ above_input_tokens: thousands * 1000, ...amounts, input, output }]
    })
}

function servicesOf(model: Fields): Record<string, { readonly input: string; readonly output: string }> {
  return Object.fromEntries(
    Object.entries(SERVICES).flatMap(([ours, end]) => {
      const names = { input: `${OF_TOKENS.input}_${end}`, output: `${OF_TOKENS.output}_${end}` }
      const { input, output } = amountsIn(model, names, MILLION)
      const cacheRead = amountOf(model[`${OF_TOKENS.cache_read}_${end}`], MILLION)
      if (input === undefined || output === undefined) return []
      return [[ours, { input, output, ...(cacheRead === null ? {} : { cache_read: cacheRead }) }]]
    }),
  )
}
