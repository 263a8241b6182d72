import { expect, test } from 'vitest'
import { mockKeySetup } from '../../dev/mock-key-setup.ts'
import { startPlan, type StartPlan } from './start-blocks.ts'

const SECRET = 'sk-tg-0123456789'
const setup = mockKeySetup({ name: 'laptop' })

const ways = setup.clients.flatMap((client) =>
  client.ways.flatMap((way) => way.systems.map((system) => ({ client, way, system }))),
)

test('Claude Code takes one block, with the message at its end', () => {
  const plan = planFor('claude-code', 'posix')
  expect(plan.blocks).toHaveLength(1)
  expect(plan.blocks[0]).toMatchObject({ path: null, hasSecret: true, sends: true })
  expect(plan.blocks[0]?.text.split('\n').at(-1)).toMatch(/^claude -p /)
  expect(plan.install).toContain('claude-code')
})

test('Codex takes a file and one block', () => {
  const plan = planFor('codex', 'posix')
  expect(plan.blocks.map(({ path }) => path)).toEqual(['~/.codex/config.toml', null])
})

test.each(ways.map((each) => [`${each.client.id}, ${each.way.protocol}, ${each.system.system}`, each] as const))(
  'the plan for %s has the secret in it, and no placeholder',
  (_name, { way, system }) => {
    const models = Object.fromEntries(way.slots.map(({ placeholder, suggested }) => [placeholder, suggested]))
    const plan = startPlan(system.steps, { key: SECRET, name: 'Tollgate', models })
    const text = plan.blocks.map((block) => block.text).join('\n')
    expect(text).not.toMatch(/\{(key|name|model)\}/)
    const fields = plan.settings.flatMap((step) => step.fields.map(({ value }) => value))
    expect(text.includes(SECRET) || fields.includes('{key}')).toBe(true)
    expect(plan.blocks.some((block) => block.hasSecret)).toBe(text.includes(SECRET))
  },
)

function planFor(clientId: string, systemName: string): StartPlan {
  const found = ways.find(({ client, system }) => client.id === clientId && system.system === systemName)
  if (found === undefined) throw new Error(`no way for ${clientId}`)
  const models = Object.fromEntries(found.way.slots.map(({ placeholder, suggested }) => [placeholder, suggested]))
  return startPlan(found.system.steps, { key: SECRET, name: 'Tollgate', models })
}
