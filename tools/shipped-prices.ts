import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CatalogueEntry } from '../console/pages/admin/prices/import/catalogue-entry.ts'
import { readLitellm } from '../console/pages/admin/prices/import/read-litellm.ts'
import type { ShippedPricesFile } from '../src/contract/price-catalogue.ts'
import { type CloudEntry, cloudEntry, withRegionalClaude } from './cloud-prices.ts'
import { feeSources, withFees } from './tool-fees.ts'

const OUT = join(import.meta.dirname, '..', 'docs', 'prices.json')

/** Providers whose models people connect directly; for resellers with hundreds of models each, a file of your own is better. */
const PROVIDERS: ReadonlySet<string> = new Set([
  'openai',
  'azure',
  'anthropic',
  'gemini',
  'xai',
  'mistral',
  'deepseek',
  'moonshot',
  'zai',
  'minimax',
  'dashscope',
  'volcengine',
  'tencent',
  'groq',
  'cerebras',
  'cohere_chat',
  'perplexity',
  'together_ai',
  'ai21',
  'voyage',
])

/**
 * Writes the catalogue of prices that is shipped (docs/prices.json) from a file in the form of LiteLLM:
 * `node tools/shipped-prices.ts FILE --dated 2026-11-23 --source 'LiteLLM 1.109.1'`. With `--fees` alone, the fees of
 * `tool-fees.ts` are set anew in the list as it is.
 */
async function writeShippedPrices(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { dated: { type: 'string' }, source: { type: 'string' }, fees: { type: 'boolean' } },
  })
  const [file] = positionals
  const { dated, source } = values
  if (values.fees === true) return write(JSON.parse(await readFile(OUT, 'utf8')) as ShippedPricesFile)
  if (file === undefined || dated === undefined || source === undefined) {
    throw new Error('usage: node tools/shipped-prices.ts FILE --dated YYYY-MM-DD --source NAME, or --fees')
  }
  const document = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, object>>
  const { entries } = readLitellm(document) ?? { entries: [] }
  const own = entries.filter(({ provider }) => PROVIDERS.has(provider))
  const clouds = entries.flatMap((entry) => cloudEntry(entry, regionalFactorIn(document, entry)) ?? [])
  const kept: readonly CloudEntry[] = [...own, ...withRegionalClaude(clouds)].filter(({ price }) => price.input != null)
  const providers = [...Map.groupBy(kept, ({ provider }) => provider)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([provider, models]) => [provider, Object.fromEntries(models.toSorted(byName).map(entryOf))] as const)
  return write({ dated, source, providers: Object.fromEntries(providers), fees: [] })
}

/** What LiteLLM's list says that a region costs, as a factor; undefined: nothing. */
function regionalFactorIn(
  document: Readonly<Record<string, object>>,
  { provider, name }: CatalogueEntry,
): string | undefined {
  const fields = document[name] ?? document[`${provider}/${name}`] ?? {}
  const factor =
    'regional_endpoint_uplift_multiplier' in fields ? fields.regional_endpoint_uplift_multiplier : undefined
  return typeof factor === 'number' && factor > 1 && factor < 2 ? String(factor) : undefined
}

async function write({ dated, source, providers }: ShippedPricesFile): Promise<void> {
  const lines = Object.entries(providers).map(([provider, models]) => {
    const rows = Object.entries(models).map(([name, entry]) => line(name, withFees(provider, name, entry)))
    return `    ${JSON.stringify(provider)}: {\n${rows.join(',\n')}\n    }`
  })
  const fees = feeSources().map((fee) => `    ${JSON.stringify(fee)}`)
  const head = `  "dated": ${JSON.stringify(dated)},\n  "source": ${JSON.stringify(source)},`
  const body = `  "providers": {\n${lines.join(',\n')}\n  },\n  "fees": [\n${fees.join(',\n')}\n  ]`
  await writeFile(OUT, `{\n${head}\n${body}\n}\n`)
  const count = Object.values(providers).reduce((sum, models) => sum + Object.keys(models).length, 0)
  console.log(`${count} prices of ${lines.length} providers, ${fees.length} sources of fees`)
}

function line(name: string, entry: object): string {
  return `      ${JSON.stringify(name)}: ${JSON.stringify(entry)}`
}

/** Keeps of the parts that this gateway does not have only those that may cost more. */
function entryOf({ name, price, contextTokens, maxOutputTokens, left, regionalFactor }: CloudEntry) {
  const all = left.filter(({ isDearer }) => isDearer)
  // A field for a class of service or a long prompt says no more than the one that it is a variant of.
  const dearer = all.filter(({ field }) => !all.some((other) => field.startsWith(`${other.field}_`)))
  const entry = {
    price,
    context_tokens: contextTokens,
    max_output_tokens: maxOutputTokens,
    ...(regionalFactor === undefined ? {} : { regional_factor: regionalFactor }),
    ...(dearer.length === 0
      ? {}
      : { left_out: dearer.map(({ field, because, isDearer }) => ({ field, because, dearer: isDearer })) }),
  }
  return [name, entry] as const
}

function byName(one: CatalogueEntry, other: CatalogueEntry): number {
  return one.name < other.name ? -1 : 1
}

await writeShippedPrices()
