/** What is dearer than the plain price: classes of service, places, long prompts, calls inside a request. */
import { escaped, type MoneyCase, moneyCase } from './money-case.ts'
import { parts, said } from './wire-calls.ts'

const streamed = { isStream: true } as const
const priced = { model: 'priced' } as const
const SEARCH = 'Search 2 times. Write 20 words.'
const LONG_PROMPT = `${'word '.repeat(21_000)}Write 20 words.`

/** Cases of a model that has a price for each of them. */
const PRICED_CASES: readonly MoneyCase[] = [
  moneyCase(
    ['prices', 'chat', 'asks a priced model for priority'],
    { ...said('Write 300 words.'), service_tier: 'priority' },
    priced,
  ),
  moneyCase(
    ['prices', 'responses', 'asks a priced model for priority, streamed'],
    {
      input: 'Write 300 words.',
      service_tier: 'priority',
    },
    { ...priced, ...streamed },
  ),
  moneyCase(
    ['prices', 'gemini', 'asks a priced model for priority'],
    {
      ...parts({ text: 'Write 300 words.' }),
      serviceTier: 'priority',
    },
    priced,
  ),
  moneyCase(
    ['prices', 'messages', 'asks a priced model for speed and a region'],
    {
      ...said('Write 300 words.'),
      max_tokens: 512,
      speed: 'fast',
      inference_geo: 'us',
    },
    { ...priced, ...streamed },
  ),
  moneyCase(['prices', 'chat', 'sends a long prompt'], { ...said(LONG_PROMPT), max_tokens: 64 }, priced),
  moneyCase(
    ['prices', 'messages', 'sends a long prompt, streamed'],
    { ...said(LONG_PROMPT), max_tokens: 64 },
    {
      ...priced,
      ...streamed,
    },
  ),
  moneyCase(
    ['prices', 'responses', 'makes the prompt long by an earlier answer'],
    {
      input: 'Write 20 words.',
      previous_response_id: 'resp_60000',
      max_output_tokens: 64,
    },
    { ...priced, bound: 'one' },
  ),
  moneyCase(
    ['prices', 'responses', 'pays for searches'],
    {
      input: SEARCH,
      tools: [{ type: 'web_search' }],
      max_output_tokens: 64,
    },
    { ...priced, bound: 'one' },
  ),
  moneyCase(
    ['prices', 'messages', 'pays for searches'],
    {
      ...said(SEARCH),
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      max_tokens: 64,
    },
    { ...priced, ...streamed, bound: 'one' },
  ),
  moneyCase(
    ['prices', 'gemini', 'pays for searches'],
    {
      ...parts({ text: SEARCH }),
      tools: [{ googleSearch: {} }],
      generationConfig: { maxOutputTokens: 64 },
    },
    { ...priced, bound: 'one' },
  ),
  moneyCase(
    ['prices', 'responses', 'pays for searches of its files and for a container'],
    {
      input: 'Write 20 words.',
      tools: [
        { type: 'file_search', vector_store_ids: ['vs_1'] },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      max_output_tokens: 64,
    },
    { ...priced, bound: 'one' },
  ),
]

const tier = (name: string, value = 'priority'): object => ({ [name]: value })
const WORDS = 'Write 300 words.'

export const PRICE_CASES: readonly MoneyCase[] = [
  moneyCase(['prices', 'chat', 'asks for priority'], { ...said(WORDS), ...tier('service_tier') }),
  moneyCase(['prices', 'chat', 'asks for priority, streamed'], { ...said(WORDS), ...tier('service_tier') }, streamed),
  moneyCase(
    ['prices', 'chat', 'asks for priority with escapes'],
    { ...said(WORDS), ...tier('service_tier') },
    {
      rewrite: [['service_tier', escaped('service_tier')]],
    },
  ),
  moneyCase(['prices', 'responses', 'asks for priority'], { input: WORDS, ...tier('service_tier') }),
  moneyCase(['prices', 'responses', 'asks for fast'], { input: WORDS, ...tier('service_tier', 'fast') }, streamed),
  moneyCase(['prices', 'messages', 'asks for speed'], { ...said(WORDS), max_tokens: 512, ...tier('speed', 'fast') }),
  moneyCase(
    ['prices', 'messages', 'asks for speed with escapes'],
    {
      ...said(WORDS),
      max_tokens: 512,
      ...tier('speed', 'fast'),
    },
    { rewrite: [['"speed"', `"${escaped('speed')}"`]] },
  ),
  moneyCase(['prices', 'messages', 'asks for a region'], {
    ...said(WORDS),
    max_tokens: 512,
    ...tier('inference_geo', 'us'),
  }),
  moneyCase(['prices', 'gemini', 'asks for priority'], { ...parts({ text: WORDS }), ...tier('serviceTier') }),
  moneyCase(['prices', 'gemini', 'asks for priority in snake case'], {
    ...parts({ text: WORDS }),
    ...tier('service_tier', 'SERVICE_TIER_PRIORITY'),
  }),
  moneyCase(['prices', 'messages', 'writes to the cache for an hour'], {
    ...said([
      {
        type: 'text',
        text: `${'word '.repeat(2_000)}Write 20 words.`,
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
    ]),
    max_tokens: 64,
  }),

  ...PRICED_CASES,
]
