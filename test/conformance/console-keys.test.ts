import { describe, expect, test } from 'vitest'
import { validate } from '../../console/pages/keys/form/key-draft-check.ts'
import {
  changeOf,
  creationOf,
  draftOf,
  KEY_FIELDS,
  newDraft,
  type KeyDraft,
} from '../../console/pages/keys/form/key-draft.ts'
import { startPlan, type StartPlan } from '../../console/pages/overview/start/start-blocks.ts'
import { keyCreate, keyPatch } from '../../src/contract/keys.ts'
import { keySetup } from '../../src/control/keys/setup/key-setup.ts'
import { keyViews } from '../support/key-views.ts'
import { setupModel } from '../support/setup-model.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')
const SECRET = 'sk-tg-0123456789'

describe('the form of a key in the console', () => {
  test('has every field of the API, but for the account and the mark of the playground’s own keys', () => {
    const roots = new Set(KEY_FIELDS.map((field) => field.split('.')[0]))
    const api = Object.keys(keyCreate.shape).filter((name) => !['account_id', 'playground'].includes(name))
    expect(roots).toEqual(new Set(api))
  })

  test.each([
    ['plain', {}],
    [
      'limited',
      {
        counts: { concurrency: '5', requests_per_minute: '', tokens_per_minute: '' },
        spend: { '5h': '5', '1d': '', '7d': '20' },
        quotaLimit: '$12.50',
      },
    ],
    ['narrow', { allowedIps: '10.0.0.0/8, ::1', allowedModels: ['gpt-5.5'], fallbackGroups: ['saver'] }],
    ['short-lived', { validity: { kind: 'days', days: 7 } }],
    ['custom', { isCustom: true, customKey: 'ada-laptop-2f9c61d07b3e' }],
  ] as const)('makes a body that the API takes of a %s draft', (_name, change) => {
    const draft = { ...newDraft('laptop', 'default'), ...change } as KeyDraft
    expect(validate(draft, NOW_MS)).toEqual({})
    expect(() => keyCreate.parse(creationOf(draft, NOW_MS))).not.toThrow()
  })

  test('makes a change that the API takes', () => {
    for (const key of keyViews(NOW_MS)) {
      const draft = draftOf(key)
      const counts = { ...draft.counts, concurrency: '2' }
      const change = changeOf({ ...draft, name: 'new', quotaLimit: '3', counts }, key, NOW_MS)
      expect(() => keyPatch.parse(change)).not.toThrow()
    }
  })
})

const wires = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const
const setup = keySetup({
  origin: 'http://127.0.0.1:8787',
  keyName: 'laptop',
  keyId: 'key_000007',
  models: [setupModel({ name: 'demo/echo', wires })],
})
const ways = setup.clients.flatMap((client) =>
  client.ways.flatMap((way) => way.systems.map((system) => ({ client, way, system }))),
)

describe('the start page', () => {
  test('has more than fifty ways to offer', () => {
    expect(ways.length).toBeGreaterThan(50)
  })

  test('has Claude Code take one block, with the message at its end', () => {
    const plan = planFor('claude-code')
    expect(plan.blocks).toHaveLength(1)
    expect(plan.blocks[0]).toMatchObject({ path: null, hasSecret: true, sends: true })
    expect(plan.blocks[0]?.text.split('\n').at(-1)).toMatch(
      /^ANTHROPIC_CUSTOM_HEADERS='x-tollgate-setup: .*' claude -p /,
    )
    expect(plan.install).toContain('claude-code')
  })

  test('has Codex take a file and one block', () => {
    expect(planFor('codex').blocks.map(({ path }) => path)).toEqual(['~/.codex/config.toml', null])
  })

  test.each(ways.map((each) => [`${each.client.id}, ${each.way.protocol}, ${each.system.system}`, each] as const))(
    'offers the secret, and no placeholder, for %s',
    (_name, { way, system }) => {
      const plan = planOf(way, system)
      const text = plan.blocks.map((block) => block.text).join('\n')
      const fields = plan.settings.flatMap((step) => step.fields.map(({ value }) => value))
      expect(text).not.toMatch(/\{(key|name|model)\}/)
      expect(text.includes(SECRET) || fields.includes('{key}')).toBe(true)
      expect(plan.blocks.some((block) => block.hasSecret)).toBe(text.includes(SECRET))
    },
  )
})

type Way = (typeof ways)[number]

function planOf(way: Way['way'], { steps }: Way['system']): StartPlan {
  const models = Object.fromEntries(way.slots.map(({ placeholder, suggested }) => [placeholder, suggested]))
  return startPlan(steps, { key: SECRET, name: 'Tollgate', models })
}

function planFor(clientId: string): StartPlan {
  const found = ways.find(({ client, system }) => client.id === clientId && system.system === 'posix')
  if (found === undefined) throw new Error(`no way for ${clientId}`)
  return planOf(found.way, found.system)
}
