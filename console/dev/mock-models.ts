import type { ModelView, PricesView } from '../../src/contract/models.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { answer, type MockRoutes } from './mock-route.ts'

const GROUPS = [
  { name: 'default', multiplier: '1', times: 100n },
  { name: 'pro', multiplier: '0.85', times: 85n },
  { name: 'saver', multiplier: '0.6', times: 60n },
] as const

const CHAT = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']
const OPENAI = [
  ...CHAT,
  'openai-embeddings',
  'openai-completions',
  'openai-moderations',
  'openai-images',
  'openai-speech',
  'openai-transcriptions',
  'rerank',
]

/** Name, input, output, cached input, context, longest output, protocols, groups. */
const MODELS = [
  ['claude-opus-5', '15', '75', '1.5', 200_000, 64_000, CHAT, ['pro']],
  ['claude-sonnet-5', '3', '15', '0.3', 1_000_000, 64_000, CHAT, ['default', 'pro']],
  ['claude-haiku-5', '1', '5', '0.1', 200_000, 64_000, CHAT, ['default', 'pro', 'saver']],
  ['gpt-5.5', '2.5', '10', '0.25', 400_000, 128_000, OPENAI, ['default', 'pro']],
  ['gpt-5.5-mini', '0.25', '2', '0.025', 400_000, 128_000, OPENAI, ['default', 'pro', 'saver']],
  ['deepseek-v4', '0.27', '1.1', '0.07', 163_840, 65_536, CHAT, ['saver']],
  ['qwen4-coder-480b-instruct', '0.4', '1.6', null, 262_144, null, CHAT, ['default', 'saver']],
  ['gemini-4-flash', '0.3', '2.5', '0.03', 1_048_576, 65_536, CHAT, ['default']],
  ['kimi-k3', '0.55', '2.2', '0.15', 262_144, 32_768, CHAT, ['saver', 'pro']],
  ['text-embedding-4-large', '0.13', '0', null, 8_192, null, ['openai-embeddings'], ['default']],
  ['demo/echo', '0', '0', null, 128_000, 8_192, OPENAI, ['default']],
] as const

const KEYS = [
  { id: 'key_laptop', name: 'laptop', groups: ['default', 'pro'] },
  { id: 'key_ci', name: 'continuous integration', groups: ['default'] },
  { id: 'key_night', name: 'nightly batch', groups: ['default'] },
] as const

/** Models of three groups, one without a price, one without a target, and one that is charged by the image. */
export const mockModels: MockRoutes = {
  'GET /api/models': ({ state }) => answer<Page<ModelView>>({ data: state.isEmpty ? [] : models(), next_cursor: null }),
}

function models(): ModelView[] {
  const known = MODELS.map(([name, input, output, cacheRead, context, longest, protocols, groups]) => {
    const price = pricesOf([input, output, cacheRead], 100n)
    const own: readonly string[] = groups
    return {
      id: `mdl_${name}`,
      name,
      price,
      context_tokens: context,
      max_output_tokens: longest,
      protocols: [...protocols],
      available: true,
      groups: GROUPS.filter((group) => own.includes(group.name)).map((group) => ({
        name: group.name,
        multiplier: group.multiplier,
        price: pricesOf([input, output, cacheRead], group.times),
      })),
      keys: KEYS.filter((key) => key.groups.some((group) => own.includes(group))).map(({ id, name: called }) => ({
        id,
        name: called,
      })),
      managed: false,
    }
  })
  const [first] = known
  if (first === undefined) return []
  const idle = { ...first, available: false, keys: [], protocols: [] }
  return [
    ...known,
    {
      ...idle,
      id: 'mdl_new',
      name: 'grok-6',
      price: null,
      groups: [{ name: 'default', multiplier: '1', price: null }],
    },
    { ...idle, id: 'mdl_old', name: 'gpt-4.2-legacy' },
    {
      ...idle,
      id: 'mdl_pictures',
      name: 'dall-e-4',
      price: BY_IMAGE,
      context_tokens: null,
      max_output_tokens: null,
      protocols: ['openai-images'],
      available: true,
      groups: [{ name: 'default', multiplier: '1', price: BY_IMAGE }],
    },
  ]
}

function pricesOf(prices: readonly (string | null)[], hundredths: bigint): PricesView {
  const [input, output, cacheRead] = prices.map((price) => (price === null ? null : times(price, hundredths)))
  return {
    input: input ?? '0',
    output: output ?? '0',
    cache_read: cacheRead ?? null,
    cache_write: null,
    cache_write_1h: null,
    audio_input: null,
    audio_output: null,
    image_input: null,
    per_request: null,
    per_image: null,
    per_second: null,
    per_million_characters: null,
  }
}

const BY_IMAGE: PricesView = { ...pricesOf([], 1n), input: null, output: null, per_image: '0.04' }

function times(price: string, hundredths: bigint): string {
  const [whole = '0', fraction = ''] = price.split('.')
  const nano = (BigInt(`${whole}${fraction.padEnd(9, '0')}`) * hundredths) / 100n
  const digits = nano.toString().padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}
