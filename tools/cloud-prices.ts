import type { CatalogueEntry } from '../console/pages/admin/prices/import/catalogue-entry.ts'
import { vertexProtocol } from '../src/import/cloud-addresses.ts'
import { regionalPrice } from '../src/price-lists/regional-price.ts'

/** A model's price as a cloud has it. */
export interface CloudEntry extends CatalogueEntry {
  /** What it costs in a region, as a factor on the price in `global`; undefined: the same. */
  readonly regionalFactor?: string
}

/** The names that the shipped list has for the clouds, by those of LiteLLM's list. */
const CLOUDS: readonly (readonly [RegExp, string])[] = [
  [/^bedrock(?:_converse)?$/, 'bedrock'],
  [/^vertex_ai(?:-.+)?$/, 'vertex_ai'],
  [/^azure_ai$/, 'azure_ai'],
]

/** An id of Bedrock, or one behind its region: `us.anthropic.claude-…`, `eu-west-1/qwen.qwen3-…`. */
const BEDROCK_ID = /^(?:[a-z]{2}-[a-z-]{2,20}-\d\/)?(?:[a-z-]{2,6}\.)?[a-z0-9]{2,20}\.[a-z0-9][a-z0-9.:-]{2,80}$/
/** Models of Foundry that answer conversations, by what they are not. */
const NOT_CHATTING = /embed|rerank|flux|image|ocr|document|doc-intelligence|parse|whisper|decision/i

/** An entry under the name that the cloud has for it; undefined: it is not of a cloud, or not served from here. */
export function cloudEntry(entry: CatalogueEntry, regionalFactor: string | undefined): CloudEntry | undefined {
  const cloud = CLOUDS.find(([named]) => named.test(entry.provider))?.[1]
  const name = entry.name.replace(/^(?:bedrock|vertex_ai|azure_ai)\/(?:converse\/|invoke\/)?/, '')
  if (cloud === undefined || !IS_SERVED[cloud]?.(name)) return undefined
  return {
    ...entry,
    price: withoutStrays(entry.price),
    provider: cloud,
    name,
    ...(regionalFactor === undefined ? {} : { regionalFactor }),
  }
}

/** LiteLLM's list has Gemini's price of writing to the cache for long prompts alone, where nothing is charged for it. */
function withoutStrays(price: CatalogueEntry['price']): CatalogueEntry['price'] {
  if (price.cache_write != null) return price
  return JSON.parse(
    JSON.stringify(price, (name, value: unknown) => (name === 'cache_write' ? undefined : value)),
  ) as typeof price
}

const IS_SERVED: Readonly<Record<string, (name: string) => boolean>> = {
  bedrock: (name) =>
    BEDROCK_ID.test(name) && !/canvas|reel|sonic|embed|rerank|stability|titan-image|marengo|pegasus/.test(name),
  vertex_ai: (name) => !name.includes('/image') && vertexProtocol(name) !== null,
  azure_ai: (name) => !name.includes('/') && !NOT_CHATTING.test(name),
}

/** Models of Claude's from before the first that is dearer in a region, and in the regions of a profile: Sonnet 4.5. */
const SAME_EVERYWHERE = /claude-(?:3|opus-4-(?:1-)?2025|sonnet-4-2025|instant|v\d)/
/**
 * https://aws.amazon.com/bedrock/pricing/,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/global-cross-region-inference.html,
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
const IN_A_REGION = '1.1'

/**
 * Entries of Bedrock with the price that its regions have. LiteLLM's list has the ids without a prefix, which are asked in one
 * region, at the price of `global.`, and of some profiles as well (BerriAI/litellm#42679, anomalyco/models.dev#6595).
 */
export function withRegionalClaude(entries: readonly CloudEntry[]): readonly CloudEntry[] {
  const global = new Map(
    entries.flatMap(({ name, price }) =>
      name.startsWith('global.') ? [[name.slice('global.'.length), price] as const] : [],
    ),
  )
  return entries.filter(isFirst).map((entry) => {
    const { provider, name, price } = entry
    const anywhere = global.get(name.replace(/^[a-z-]{2,6}\.(?=anthropic\.)/, ''))
    const isOfRegion = provider === 'bedrock' && /anthropic\./.test(name) && !name.startsWith('global.')
    if (!isOfRegion || anywhere === undefined || SAME_EVERYWHERE.test(name) || anywhere.input !== price.input)
      return entry
    return { ...entry, price: regionalPrice(price, IN_A_REGION) }
  })
}

/** Some models stand there under two names that are one here: the entry that says what a region costs counts. */
function isFirst(entry: CloudEntry, _index: number, all: readonly CloudEntry[]): boolean {
  const same = all.filter(({ provider, name }) => provider === entry.provider && name === entry.name)
  return entry === (same.find(({ regionalFactor }) => regionalFactor !== undefined) ?? same[0])
}
