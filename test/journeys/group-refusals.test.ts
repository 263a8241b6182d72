import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Group } from '../../src/access/group.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { newId } from '../../src/core/ids.ts'
import { ONE_PPM } from '../../src/core/money.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'

const FAULTS = ['group_disabled', 'group_forbidden', 'model_not_in_group'] as const

const GROUPS: Readonly<Record<(typeof FAULTS)[number], Partial<Group>>> = {
  group_disabled: { name: 'switched off', isEnabled: false },
  group_forbidden: { name: 'members only', isOpen: false },
  model_not_in_group: { name: 'without models', models: [] },
}

let gateway: GatewayUnderTest
beforeAll(async () => {
  gateway = await gatewayUnderTest()
  await gateway.model('small')
})
afterAll(() => gateway.close())

async function keyIn(fields: Partial<Group>) {
  const id = newId('grp', Date.now())
  const group = { id, name: id, multiplier: ONE_PPM, models: ['*'], isEnabled: true, isOpen: true, isManaged: false }
  await gateway.store.groups.putGroup({ ...group, ...fields })
  return { groupId: id, ...(await gateway.key(await gateway.account({ balance: '1' }), { groupId: id })) }
}

async function call(secret: string, model: string): Promise<{ fault: string | null; id: string }> {
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
  return { fault: answer.headers.get('x-tollgate-fault'), id: answer.headers.get('x-request-id') ?? '' }
}

async function doctor(secret: string): Promise<string> {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const code = await runCommandLine(['doctor', '--base-url', gateway.origin, '--key', secret], {
    environment: {},
    input: (async function* () {})(),
    print: say,
    printExactly: say,
    remark: say,
    isTerminal: false,
    openStore: () => Promise.reject(new Error('the doctor needs no database')),
    nowMs: () => Date.now(),
    randomBytes: () => Buffer.alloc(0),
    machine: 'here',
    processId: 1,
    onStopSignal: () => () => {},
    endBy: () => {},
    onHangUp: () => {},
    exit: () => {},
  })
  expect(code).toBe(1)
  return said.join('')
}

test.for(FAULTS)('the record of a request refused with %s has the group of its key', async (fault) => {
  const { groupId, secret } = await keyIn(GROUPS[fault])
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe(fault)
  const { id } = await call(secret, 'small')
  await expect
    .poll(() => gateway.store.usage.record(id))
    .toMatchObject({ fault, groupId, groupName: GROUPS[fault].name, outcome: 'refused', multiplier: null })
})

test('a key of an account whose role the group names is served, and refused once it has another', async () => {
  const { key, secret } = await keyIn({ name: 'inside', isOpen: false, openRoles: ['operator'] })
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe('group_forbidden')
  const be = async (role: 'operator' | 'user') => {
    await gateway.store.accounts.edit(key.accountId, (before) => ({ ...before, role }), null)
  }
  await be('operator')
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe(null)
  await be('user')
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe('group_forbidden')
})

test('so has the record of a request for a model that does not exist', async () => {
  const { groupId, secret } = await keyIn({ name: 'plain' })
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe(null)
  const { fault, id } = await call(secret, 'smal')
  expect(fault).toBe('model_unknown')
  await expect
    .poll(() => gateway.store.usage.record(id))
    .toMatchObject({ fault, groupId, groupName: 'plain', model: 'smal' })
  expect((await gateway.store.ledger.prove()).disagreements).toEqual([])
})

test.for(FAULTS)('the doctor names the group behind %s though no model was named', async (fault) => {
  const name = `${GROUPS[fault].name}, looked at`
  const { secret } = await keyIn({ ...GROUPS[fault], name })
  await expect.poll(async () => (await call(secret, 'small')).fault).toBe(fault)
  const said = await doctor(secret)
  expect(said).toContain(`fault      ${fault}: `)
  expect(said).toContain(`"${name}"`)
})
