import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { price } from '../../src/app/declarative/price-fields.ts'
import { shippedPrices } from '../../src/contract/price-catalogue.ts'
import { toolFeeDocs } from '../../tools/tool-fee-docs.ts'
import { feesFor, feeSources, withFees } from '../../tools/tool-fees.ts'
import { readProjectFile } from './source-files.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the page, to be read before it is committed. */
const WRITES = process.env['TOLLGATE_WRITE_DOCS'] === '1'
const PAGE = 'docs/tool-fees.md'

const shipped = shippedPrices.parse(JSON.parse(await readProjectFile('docs/prices.json')))
const entries = Object.entries(shipped.providers).flatMap(([provider, models]) =>
  Object.entries(models).map(([name, entry]) => ({ provider, name, entry })),
)

test('docs/tool-fees.md says what the table of fees says', async () => {
  if (WRITES) await writeFile(new URL(`../../${PAGE}`, import.meta.url), toolFeeDocs())
  else expect(await readProjectFile(PAGE), `${PAGE} is stale: TOLLGATE_WRITE_DOCS=1`).toBe(toolFeeDocs())
})

describe('the list prices that are shipped', () => {
  test('have the fees of the table, each with its source: node tools/shipped-prices.ts --fees', () => {
    expect(shipped.fees).toEqual(feeSources())
    const others = entries.filter(({ provider, name, entry }) => {
      return JSON.stringify(withFees(provider, name, entry)) !== JSON.stringify(entry)
    })
    expect(others.map(({ provider, name }) => `${provider}/${name}`)).toEqual([])
  })

  test('can all be set as the price of a model', () => {
    const refused = entries.flatMap(({ provider, name, entry }) => {
      const { error } = price.safeParse(entry.price)
      return error === undefined
        ? []
        : [`${provider}/${name}: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`]
    })
    expect(refused).toEqual([])
  })

  test('charge a search once, either by itself or by the prompt', () => {
    const twice = entries.filter(
      ({
        entry: {
          price: { per_call: fees },
        },
      }) => fees?.web_search !== undefined && fees.grounded_prompt !== undefined,
    )
    expect(twice.map(({ name }) => name)).toEqual([])
  })
})

// Read by hand from the providers' pages, not from the table.
test.for([
  ['openai', 'gpt-5.4', { web_search: '0.01', file_search: '0.0025', code_interpreter: '0.03' }],
  ['openai', 'o4-mini', { web_search: '0.01', file_search: '0.0025', code_interpreter: '0.03' }],
  ['openai', 'gpt-4.1-mini', { web_search: '0.025', file_search: '0.0025', code_interpreter: '0.03' }],
  ['openai', 'text-embedding-3-large', {}],
  ['openai', 'gpt-3.5-turbo', {}],
  ['anthropic', 'claude-haiku-4-5', { web_search: '0.01', web_fetch: '0', code_interpreter: '0.004167' }],
  [
    'gemini',
    'gemini-2.5-pro',
    { web_fetch: '0', file_search: '0', code_interpreter: '0', grounded_prompt: '0.035', maps_grounding: '0.025' },
  ],
  [
    'gemini',
    'gemini-3-flash-preview',
    { web_search: '0.014', web_fetch: '0', file_search: '0', code_interpreter: '0', maps_grounding: '0.014' },
  ],
  ['gemini', 'gemma-3-27b-it', {}],
  ['xai', 'grok-4.5', { web_search: '0.005', file_search: '0.0025', code_interpreter: '0.005' }],
  ['moonshot', 'kimi-k3', { web_search: '0.005' }],
  ['mistral', 'mistral-large-latest', {}],
] as const)('the tools of %s %s cost %j', ([provider, name, fees]) => {
  expect(feesFor(provider, name)).toMatchObject(fees)
  if (Object.keys(fees).length === 0) expect(feesFor(provider, name)).toEqual({})
})
