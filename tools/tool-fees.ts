import type { ShippedPrices, ShippedPricesFile } from '../src/contract/price-catalogue.ts'
import { CALL_KINDS, type CallKind } from '../src/core/calls.ts'

/** A fee that a provider publishes for a call of a tool that it runs itself. */
export interface ToolFee {
  /** The provider as the list of prices calls it. */
  readonly provider: string
  /** What is said of its models, and the names that are meant; undefined: all that answer conversations. */
  readonly models?: readonly [said: string, names: RegExp]
  /** The name in `per_call`; it may be one that this version does not count yet. */
  readonly call: string
  readonly usd: string
  readonly source: string
  readonly note?: string
}

/** The day on which the pages were read. */
export const FEES_READ = '2026-11-29'

const OPENAI = 'https://developers.openai.com/api/docs/pricing'
const ANTHROPIC = 'https://platform.claude.com/docs/en/about-claude/pricing'
const GOOGLE = 'https://ai.google.dev/gemini-api/docs/pricing'
const XAI = 'https://docs.x.ai/developers/pricing'
const PERPLEXITY = 'https://docs.perplexity.ai/docs/getting-started/pricing'
const KIMI = 'https://platform.kimi.ai/docs/pricing/tools'
const AZURE = 'https://azure.microsoft.com/en-us/pricing/details/azure-openai/'
const BING = 'https://www.microsoft.com/en-us/bing/apis/grounding-pricing'
const GROQ = 'https://groq.com/pricing'

const WITHOUT_REASONING = ['gpt-4o, gpt-4.1', /^(?:ft:)?(?:chatgpt-4o|gpt-4o|gpt-4\.1)/] as const
const GEMINI_2 = ['Gemini 2.5 and before', /^gemini-(?:exp|(?:live-|robotics-er-)?[12]\.\d)|^deep-research/] as const

const GEMINI_3 = ['Gemini 3 and later', /^gemini-(?!exp|(?:live-|robotics-er-)?[12]\.\d)|^nano-banana/] as const

/** The first that is for a model and a call holds. */
export const TOOL_FEES: readonly ToolFee[] = [
  {
    provider: 'openai',
    models: WITHOUT_REASONING,
    call: 'web_search',
    usd: '0.025',
    source: OPENAI,
    note: 'The fee of `web_search_preview`, which is dearer than that of `web_search` ($0.01), since the client chooses between them. LiteLLM takes the first as well, genai-prices the second.',
  },
  { provider: 'openai', call: 'web_search', usd: '0.01', source: OPENAI },
  { provider: 'openai', call: 'file_search', usd: '0.0025', source: OPENAI },
  {
    provider: 'openai',
    call: 'code_interpreter',
    usd: '0.03',
    source: OPENAI,
    note: 'A container of 1 GB for 20 minutes, the usual one. It is billed by the minute, from 5 minutes on; larger ones cost up to $1.92.',
  },
  {
    provider: 'azure',
    call: 'web_search',
    usd: '0.014',
    source: BING,
    note: 'Grounding with Bing Search, as in LiteLLM.',
  },
  { provider: 'azure', call: 'file_search', usd: '0.0025', source: AZURE },
  { provider: 'azure', call: 'code_interpreter', usd: '0.033', source: AZURE, note: 'A session, as in LiteLLM.' },
  { provider: 'anthropic', call: 'web_search', usd: '0.01', source: ANTHROPIC },
  {
    provider: 'anthropic',
    call: 'web_fetch',
    usd: '0',
    source: ANTHROPIC,
    note: 'Only the tokens of the page are billed.',
  },
  {
    provider: 'anthropic',
    call: 'code_interpreter',
    usd: '0.004167',
    source: ANTHROPIC,
    note: 'Five minutes of a container, the least that is billed, at $0.05 an hour. 1,550 hours a month are free, and so is code beside web search and web fetch: set `"0"` where you stay below that.',
  },
  {
    provider: 'gemini',
    models: GEMINI_2,
    call: 'grounded_prompt',
    usd: '0.035',
    source: GOOGLE,
    note: 'Beyond 1,500 a day that are free.',
  },
  { provider: 'gemini', models: GEMINI_2, call: 'maps_grounding', usd: '0.025', source: GOOGLE },
  {
    provider: 'gemini',
    models: GEMINI_3,
    call: 'web_search',
    usd: '0.014',
    source: GOOGLE,
    note: 'Beyond 5,000 a month that are free.',
  },
  {
    provider: 'gemini',
    models: GEMINI_3,
    call: 'maps_grounding',
    usd: '0.014',
    source: GOOGLE,
    note: 'Google bills each search of the map, of which an answer may have several; one is counted.',
  },
  { provider: 'gemini', call: 'web_fetch', usd: '0', source: GOOGLE, note: '`url_context`: only tokens are billed.' },
  { provider: 'gemini', call: 'code_interpreter', usd: '0', source: GOOGLE, note: 'Only tokens are billed.' },
  { provider: 'gemini', call: 'file_search', usd: '0', source: GOOGLE, note: 'Only tokens are billed.' },
  { provider: 'xai', call: 'web_search', usd: '0.005', source: XAI },
  { provider: 'xai', call: 'x_search', usd: '0.005', source: XAI },
  { provider: 'xai', call: 'code_interpreter', usd: '0.005', source: XAI },
  { provider: 'xai', call: 'file_search', usd: '0.0025', source: XAI, note: 'Searches of collections.' },
  {
    provider: 'xai',
    call: 'document_search',
    usd: '0.01',
    source: XAI,
    note: 'Searches of files attached to a message.',
  },
  {
    provider: 'perplexity',
    models: ['sonar-deep-research', /^sonar-deep-research/],
    call: 'web_search',
    usd: '0.005',
    source: PERPLEXITY,
  },
  { provider: 'moonshot', call: 'web_search', usd: '0.005', source: KIMI },
  {
    provider: 'groq',
    models: ['gpt-oss', /gpt-oss/],
    call: 'web_search',
    usd: '0.005',
    source: GROQ,
    note: 'As in LiteLLM.',
  },
]

type Entry = ShippedPricesFile['providers'][string][string]
type Fees = { readonly [Kind in CallKind]?: string }

/** Models without tools: those that answer no conversation, and the oldest of OpenAI's. */
const WITHOUT_TOOLS =
  /embed|tts|whisper|transcri|speech|voice|audio|realtime|live|dall-e|image|imagen|veo|moderation|ocr|rerank|aqa|gemma|learnlm|^(?:ft:)?(?:gpt-3\.5|gpt-4(?:-|$)|davinci|babbage)/
/** Models that draw pictures and search. */
const DRAWS_AND_SEARCHES = /^gemini-.*image/

/** The fees for calls of a model's tools, by their kinds; a kind that this version does not count is left out. */
export function feesFor(provider: string, name: string): Fees {
  if (WITHOUT_TOOLS.test(name) && !DRAWS_AND_SEARCHES.test(name)) return {}
  const found = TOOL_FEES.filter((fee) => fee.provider === provider && (fee.models?.[1].test(name) ?? true))
  return Object.fromEntries(
    CALL_KINDS.flatMap((kind) => {
      const fee = found.find(({ call }) => call === kind)
      return fee === undefined ? [] : [[kind, fee.usd]]
    }),
  )
}

/** An entry of the list with the fees that its provider publishes; those that the list alone has stay. */
export function withFees(provider: string, name: string, entry: Entry): Entry {
  const fees = feesFor(provider, name)
  const { web_search: search, grounded_prompt: grounded, ...others } = entry.price.per_call ?? {}
  // A search is charged either by itself or by the prompt.
  const isKnown = fees.web_search !== undefined || fees.grounded_prompt !== undefined
  const listed = isKnown ? others : { web_search: search, grounded_prompt: grounded, ...others }
  const all: { readonly [Kind in CallKind]?: string | undefined } = { ...listed, ...fees }
  const perCall = CALL_KINDS.flatMap((kind) => (all[kind] === undefined ? [] : [[kind, all[kind]] as const]))
  return perCall.length === 0 ? entry : { ...entry, price: { ...entry.price, per_call: Object.fromEntries(perCall) } }
}

/** The sources of the fees, as they stand in the list. */
export function feeSources(): ShippedPrices['fees'] {
  return TOOL_FEES.flatMap(({ provider, models, call, usd, source, note }) => {
    const kind = CALL_KINDS.find((each) => each === call)
    if (kind === undefined) return []
    const fee = { provider, models: models?.[0] ?? '*', call: kind, usd, source, read: FEES_READ }
    return [note === undefined ? fee : { ...fee, note }]
  })
}
