import type { LeftOut } from '../../../../../src/price-lists/listed-price.ts'
import {
  amountOf,
  amountsIn,
  type Catalogue,
  type CatalogueEntries,
  type CatalogueEntry,
  type CataloguePrice,
  countOf,
  type Fields,
  fieldsOf,
} from './catalogue-entry.ts'
import { readLitellm } from './read-litellm.ts'

export type CatalogueProblem = 'no_json' | 'unknown_form' | 'no_prices'

/** Prices from a file that was pasted or chosen, in whichever of the known forms it is. */
export function readCatalogue(text: string): Catalogue | CatalogueProblem {
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return 'no_json'
  }
  return catalogueOf(fieldsOf(parsed))
}

/** Reads a catalogue from a document that is parsed already. */
export function catalogueOf(document: Fields): Catalogue | Exclude<CatalogueProblem, 'no_json'> {
  const ofModelsDev = readModelsDev(document)
  const found = ofModelsDev ?? readLitellm(document)
  if (found === null) return 'unknown_form'
  if (found.entries.length === 0) return 'no_prices'
  const isOurs = Object.keys(document).length === 1 && 'tollgate' in document
  return { form: ofModelsDev === null ? 'litellm' : isOurs ? 'tollgate' : 'models_dev', ...found }
}

/** Ours, by the names of models.dev for a price of a million tokens. */
const OF_TOKENS = {
  input: 'input',
  output: 'output',
  reasoning_output: 'reasoning',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  audio_input: 'input_audio',
  audio_output: 'output_audio',
} as const

const OVER_200K = 200_000

/** Parts of a cost that are not the price of one kind of tokens. */
const TIERED = ['tiers', 'context_over_200k']

/**
 * A file in the form of models.dev's `api.json`: providers with their models, as `GET /api.json` of a Tollgate writes it, too.
 * null: it is in another form.
 */
function readModelsDev(document: Fields): CatalogueEntries | null {
  const providers = Object.entries(document).map(([id, value]) => [id, fieldsOf(value)] as const)
  if (!providers.some(([, provider]) => 'models' in provider)) return null
  const read = providers.flatMap(([id, provider]) =>
    Object.entries(fieldsOf(provider['models'])).map(([name, value]) =>
      entryOf({ provider: id, name }, fieldsOf(value)),
    ),
  )
  return {
    entries: read.filter(({ price }) => Object.keys(price).length > 0),
    unpriced: read.filter(({ price }) => Object.keys(price).length === 0),
  }
}

function entryOf(of: Pick<CatalogueEntry, 'provider' | 'name'>, model: Fields): CatalogueEntry {
  const cost = fieldsOf(model['cost'])
  const plain = tableOf(cost)
  const limit = fieldsOf(model['limit'])
  const rules = { ...tiersOf(cost), ...ofOurs(fieldsOf(model['tollgate'])) }
  return {
    ...of,
    price: { ...plain, ...(Object.keys(plain).length === 0 ? {} : rules) },
    contextTokens: countOf(limit['context']),
    maxOutputTokens: countOf(limit['output']),
    left: leftIn(cost),
  }
}

/** The price of reasoning stands only where it is another than that of the output. */
function tableOf(cost: Fields): ReturnType<typeof amountsIn<keyof typeof OF_TOKENS>> {
  const { reasoning_output: reasoning, ...others } = amountsIn(cost, OF_TOKENS, 1)
  return reasoning === undefined || reasoning === others.output ? others : { ...others, reasoning_output: reasoning }
}

function leftIn(cost: Fields): readonly LeftOut[] {
  const known: readonly string[] = [...Object.values(OF_TOKENS), ...TIERED]
  return Object.entries(cost).flatMap(([name, value]): LeftOut[] => {
    if (known.includes(name) ? TIERED.includes(name) || amountOf(value, 1) !== null : value === 0 || value === null)
      return []
    return [{ field: `cost.${name}`, because: known.includes(name) ? 'unreadable' : 'unknown', isDearer: true }]
  })
}

/** A tier begins at its size there, and above a length here. */
function tiersOf(cost: Fields): Pick<CataloguePrice, 'tiers'> {
  const sized = (Array.isArray(cost['tiers']) ? cost['tiers'] : []).flatMap((value: unknown) => {
    const tier = fieldsOf(value)
    const { type, size } = fieldsOf(tier['tier'])
    const from = type === 'context' ? countOf(size) : null
    return from === null || from < 2 ? [] : [{ above: from - 1, amounts: tier }]
  })
  const old = fieldsOf(cost['context_over_200k'])
  const all = sized.length > 0 || Object.keys(old).length === 0 ? sized : [{ above: OVER_200K, amounts: old }]
  const base = tableOf(cost)
  const tiers = all
    .toSorted((a, b) => a.above - b.above)
    .flatMap(({ above, amounts }) => {
      const own = tableOf(amounts)
      const { input = base.input, output = base.output } = own
      return input === undefined || output === undefined ? [] : [{ above_input_tokens: above, ...own, input, output }]
    })
  return tiers.length === 0 ? {} : { tiers }
}

/** What a Tollgate adds under its own name: the form in which prices are written here. */
function ofOurs(own: Fields): Pick<CataloguePrice, 'service_tiers' | 'inference_geo' | 'per_call'> {
  const names = ['service_tiers', 'inference_geo', 'per_call'] as const
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
}
