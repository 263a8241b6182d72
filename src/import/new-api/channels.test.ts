import { expect, test } from 'vitest'
import { rowsInMemory } from '../../../test/support/import-sources/rows-in-memory.ts'
import { ImportNotes } from '../import-notes.ts'
import type { ProductWithDatabase } from '../import-plan.ts'
import { notesReport } from '../report.ts'
import type { Row } from '../source.ts'
import { planChannels } from './channels.ts'
import { readGroups } from './groups.ts'

const CHANNEL = { key: 'sk-a', status: '1', models: 'm', group: 'default', base_url: '' }

async function planned(product: ProductWithDatabase, ...rows: readonly Row[]) {
  const notes = new ImportNotes()
  const groups = readGroups(new Map(), { product, userGroups: new Set(), notes })
  const channels = rows.map((row, i) => ({ ...CHANNEL, id: String(i + 1), name: `channel ${i + 1}`, ...row }))
  const plan = await planChannels(rowsInMemory({ channels }), { product, groups, notes })
  return { ...plan, said: notesReport(notes.notes).join('\n') }
}

/** Of each type, what it becomes where the channel names no base URL. */
const TYPES: Readonly<Record<'new-api' | 'one-api', Readonly<Record<string, string>>>> = {
  'new-api': {
    '1': 'openai https://api.openai.com/v1',
    '6': 'openai-chat https://api.openaimax.com/v1',
    '7': 'openai-chat https://api.ohmygpt.com/v1',
    '14': 'anthropic https://api.anthropic.com/v1',
    '17': 'openai-chat https://dashscope.aliyuncs.com/compatible-mode/v1',
    '20': 'openai-chat https://openrouter.ai/api/v1',
    '24': 'gemini https://generativelanguage.googleapis.com/v1beta',
    '25': 'openai-chat https://api.moonshot.cn/v1',
    '26': 'openai-chat https://open.bigmodel.cn/api/paas/v4',
    '31': 'openai-chat https://api.lingyiwanwu.com/v1',
    '35': 'openai-chat https://api.minimax.chat/v1',
    '40': 'openai-chat https://api.siliconflow.cn/v1',
    '42': 'openai-chat https://api.mistral.ai/v1',
    '43': 'openai-chat https://api.deepseek.com/v1',
    '45': 'openai-chat https://ark.cn-beijing.volces.com/api/v3',
    '46': 'openai-chat https://qianfan.baidubce.com/v2',
    '48': 'openai-chat https://api.x.ai/v1',
  },
  'one-api': {
    '1': 'openai https://api.openai.com/v1',
    '14': 'anthropic https://api.anthropic.com/v1',
    '17': 'openai-chat https://dashscope.aliyuncs.com/compatible-mode/v1',
    '20': 'openai-chat https://openrouter.ai/api/v1',
    '24': 'gemini https://generativelanguage.googleapis.com/v1beta',
    '25': 'openai-chat https://api.moonshot.cn/v1',
    '26': 'openai-chat https://api.baichuan-ai.com/v1',
    '27': 'openai-chat https://api.minimax.chat/v1',
    '28': 'openai-chat https://api.mistral.ai/v1',
    '29': 'openai-chat https://api.groq.com/openai/v1',
    '30': 'openai-chat http://localhost:11434/v1',
    '31': 'openai-chat https://api.lingyiwanwu.com/v1',
    '32': 'openai-chat https://api.stepfun.com/v1',
    '36': 'openai-chat https://api.deepseek.com/v1',
    '39': 'openai-chat https://api.together.xyz/v1',
    '40': 'openai-chat https://ark.cn-beijing.volces.com/api/v3',
    '44': 'openai-chat https://api.siliconflow.cn/v1',
    '45': 'openai-chat https://api.x.ai/v1',
    '49': 'openai-chat https://dashscope.aliyuncs.com/compatible-mode/v1',
    '51': 'openai-chat https://generativelanguage.googleapis.com/v1beta/openai',
  },
}

test.for(['new-api', 'one-api'] as const)('each type of %s speaks its protocol at its own address', async (product) => {
  const types = Object.keys(TYPES[product])
  const { upstreams } = await planned(product, ...types.map((type) => ({ type })))
  expect(Object.fromEntries(upstreams.map(({ protocol, baseUrl }, i) => [types[i], `${protocol} ${baseUrl}`]))).toEqual(
    TYPES[product],
  )
})

test('a channel’s own base URL has the path of its type behind it, and one of an OpenAI-compatible API of one-api none', async () => {
  const base_url = 'https://house.example.test/'
  const given = await planned('new-api', ...['1', '8', '14', '24', '26'].map((type) => ({ type, base_url })))
  expect(given.upstreams.map(({ baseUrl }) => baseUrl.replace('https://house.example.test', ''))).toEqual([
    '/v1',
    '/v1',
    '/v1',
    '/v1beta',
    '/api/paas/v4',
  ])
  const compatible = await planned('one-api', { type: '50', base_url: 'https://house.example.test/openai' })
  expect(compatible.upstreams).toMatchObject([
    { protocol: 'openai-chat', baseUrl: 'https://house.example.test/openai' },
  ])
})

test('types that speak no protocol of this gateway are named, with disabled credentials, and personal ones are refused', async () => {
  const base_url = 'https://cloud.example.test'
  const { upstreams, served, said } = await planned(
    'new-api',
    ...['3', '33', '41'].map((type) => ({ type, base_url })),
    { type: '57', base_url },
  )
  expect(upstreams.map(({ credentials: [only] }) => only?.isDisabled)).toEqual([true, true, true])
  expect(served).toEqual([])
  for (const [i, type] of ['3', '33', '41'].entries())
    expect(said).toContain(`channels ${i + 1}: are of type ${type}, which is not carried`)
  expect(said).toContain('channels 4: are personal subscriptions')
})

test('chains of a map of models are followed to their end, and models that lead back to themselves are not served', async () => {
  const mapping = { a: 'b', b: 'c', c: '', one: 'two', two: 'three', three: 'one', self: 'self', into: 'one' }
  const model_mapping = JSON.stringify(mapping)
  const { served, said } = await planned(
    'new-api',
    { type: '1', models: 'a,b,plain,one,into,self', model_mapping },
    { type: '1', models: 'one' },
  )
  expect(served.map(({ name, target }) => `${name} → ${target.model} at ${target.upstream}`)).toEqual([
    'a → c at channel 1',
    'b → c at channel 1',
    'plain → plain at channel 1',
    'self → self at channel 1',
    'one → one at channel 2',
  ])
  expect(said).toContain('channels 1: map models in a circle: those are not served')
})
