import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CatalogueEntry } from '../console/pages/admin/prices/import/catalogue-entry.ts'
import { readLitellm } from '../console/pages/admin/prices/import/read-litellm.ts'

const OUT = join(import.meta.dirname, '..', 'docs', 'prices.json')

/** Those whose models people connect directly; of resellers with hundreds of models each, a file of your own is better. */
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
 * `node tools/shipped-prices.ts FILE --dated 2026-11-23 --source 'LiteLLM 1.109.1'`.
 */
async function writeShippedPrices(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { dated: { type: 'string' }, source: { type: 'string' } },
  })
  const [file] = positionals
  const { dated, source } = values
  if (file === undefined || dated === undefined || source === undefined) {
    throw new Error('usage: node tools/shipped-prices.ts FILE --dated YYYY-MM-DD --source NAME')
  }
  const entries = readLitellm(JSON.parse(await readFile(file, 'utf8'))) ?? []
  const kept = entries.filter(({ provider, price }) => PROVIDERS.has(provider) && price.input != null)
  const lines = [...Map.groupBy(kept, ({ provider }) => provider)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([provider, models]) => `    ${JSON.stringify(provider)}: {\n${linesOf(models)}\n    }`)
  const head = `  "dated": ${JSON.stringify(dated)},\n  "source": ${JSON.stringify(source)},`
  await writeFile(OUT, `{\n${head}\n  "providers": {\n${lines.join(',\n')}\n  }\n}\n`)
  console.log(`${kept.length} prices of ${lines.length} providers`)
}

function linesOf(models: readonly CatalogueEntry[]): string {
  return models
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, price, contextTokens, maxOutputTokens }) => {
      const entry = { price, context_tokens: contextTokens, max_output_tokens: maxOutputTokens }
      return `      ${JSON.stringify(name)}: ${JSON.stringify(entry)}`
    })
    .join(',\n')
}

await writeShippedPrices()
