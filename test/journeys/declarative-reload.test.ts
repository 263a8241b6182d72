import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { runTollgate } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite } from '../support/run/suite.ts'
import { migratedPostgres } from '../support/test-servers.ts'

// The declarative file is applied again while the gateway runs: by a signal, and by the command line.

const ADMIN_TOKEN = 'an-admin-token-that-is-only-for-tests'
const KEY = 'reload-journey-2f9c61d07b3e'

function declaration(models: readonly string[], extra = ''): string {
  const entries = models.map(
    (name) =>
      `  - { name: ${name}, price: { input: "0", output: "0" }, targets: [{ upstream: demo, model: demo/echo }] }`,
  )
  return `upstreams:
  - { name: demo, protocol: demo }
models:
${entries.join('\n')}
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: ada@example.test, balance: "1" }
keys:
  - { account: ada@example.test, name: laptop, group: default, custom_key: ${KEY} }
${extra}`
}

async function modelsAt(origin: string): Promise<readonly string[]> {
  const answer = await fetch(`${origin}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } })
  const { data } = (await answer.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

test('SIGHUP applies the file again, a wrong file changes nothing, and the command line says what would change', async () => {
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0' })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, declaration(['first']))
  const configured = { ...environment, TOLLGATE_CONFIG: path, TOLLGATE_LOG_LEVEL: 'info' }
  const gateway = await startGateway(configured)
  expect(await modelsAt(gateway.origin)).toEqual(['first'])

  const streaming = fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'first', stream: true, messages: [{ role: 'user', content: 'word '.repeat(200) }] }),
  })
  await writeFile(path, declaration(['first', 'second']))
  process.kill(gateway.processId, 'SIGHUP')
  await expect.poll(() => modelsAt(gateway.origin), { timeout: PATIENCE_MS }).toEqual(['first', 'second'])
  expect(await (await streaming).text()).toContain('[DONE]')

  await writeFile(path, declaration(['first', 'second'], 'colour: blue\n'))
  process.kill(gateway.processId, 'SIGHUP')
  await expect.poll(() => gateway.printed(), { timeout: PATIENCE_MS }).toContain('colour')
  expect(await modelsAt(gateway.origin)).toEqual(['first', 'second'])

  await writeFile(path, declaration(['first', 'second', 'third']))
  const trial = await runHere(environment, ['apply', path, '--dry-run'])
  expect(trial).toMatchObject({ code: 0, stdout: 'would change: model third (new)\n' })
  expect(await modelsAt(gateway.origin)).toEqual(['first', 'second'])
  const applied = await runTollgate(environment, ['apply', path])
  expect(applied).toMatchObject({ code: 0, stdout: 'changed: model third (new)\n' })
  await expect.poll(() => modelsAt(gateway.origin), { timeout: PATIENCE_MS }).toEqual(['first', 'second', 'third'])
  expect(await runHere(environment, ['apply', path])).toMatchObject({ code: 0, stdout: 'Nothing is different.\n' })
  expect(await gateway.stop()).toBe(0)
})

test('a hang-up drains where there is no file, and a trial on no installation makes none', async () => {
  const environment = await freshEnvironment()
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, declaration(['first']))
  const { code, stderr } = await runHere(environment, ['apply', path, '--dry-run'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('holds no database')
  const gateway = await startGateway(environment)
  process.kill(gateway.processId, 'SIGHUP')
  await expect
    .poll(
      () =>
        fetch(`${gateway.origin}/healthz`).then(
          () => 'up',
          () => 'down',
        ),
      { timeout: PATIENCE_MS },
    )
    .toBe('down')
})

test('the command line disables a key of the file, which stays so, and refuses to enable or delete it as the API does', async () => {
  const environment = await freshEnvironment({ TOLLGATE_DEMO: '0' })
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  const saying = declaration(['first']).replace(`custom_key: ${KEY}`, `custom_key: ${KEY}, status: active`)
  await writeFile(path, saying)
  expect((await runHere(environment, ['apply', path])).code).toBe(0)
  const change = (verb: string) => runHere(environment, ['key', verb, '--name', 'laptop'])
  const statusNow = async () => JSON.parse((await runHere(environment, ['key', 'list', '--json'])).stdout)[0]?.status

  expect((await change('disable')).stderr).toContain(
    'It stays disabled when that is applied again, until the file says',
  )
  expect((await runHere(environment, ['apply', path])).stdout).toBe('Nothing is different.\n')
  expect(await statusNow()).toBe('disabled')
  await writeFile(path, saying.replace('status: active', 'status: disabled'))
  expect((await runHere(environment, ['apply', path])).code).toBe(0)
  const enabled = await change('enable')
  expect({ code: enabled.code, stderr: enabled.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('The declarative file disables Key laptop'),
  })
  expect(await statusNow()).toBe('disabled')
  await writeFile(path, saying)
  expect((await runHere(environment, ['apply', path])).code).toBe(0)
  expect(await statusNow()).toBe('active')
  expect((await change('disable')).code).toBe(0)
  expect((await change('enable')).code).toBe(0)
  expect(await statusNow()).toBe('active')

  const deleted = await change('delete')
  expect({ code: deleted.code, stderr: deleted.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('take it out there and apply the file'),
  })
  expect(await statusNow()).toBe('active')
  await writeFile(path, saying.slice(0, saying.indexOf('keys:')))
  expect((await runHere(environment, ['apply', path])).code).toBe(0)
  expect((await change('delete')).code).toBe(0)
  expect(await statusNow()).toBeUndefined()
})

describe.each(inSuite({ long: ['sqlite', 'postgres'] as const, short: ['sqlite'] as const }))(
  'a key and an account of the file, on %s,',
  (engine) => {
    test('are disabled at once by the API, stay so at SIGHUP and apply, and come back when the file says so anew', async () => {
      const database =
        engine === 'postgres' ? { DATABASE_URL: (await migratedPostgres()).url, TOLLGATE_SECRET: 'x'.repeat(32) } : {}
      const environment = await freshEnvironment({ TOLLGATE_DEMO: '0', TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN, ...database })
      const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
      const saying = (status: string, more: readonly string[] = []) =>
        declaration(['first', ...more])
          .replace(`custom_key: ${KEY}`, `custom_key: ${KEY}, status: ${status}`)
          .replace('balance: "1"', `balance: "1", status: ${status}`)
      await writeFile(path, saying('active'))
      const gateway = await startGateway({ ...environment, TOLLGATE_CONFIG: path, TOLLGATE_LOG_LEVEL: 'info' })
      const status = async () =>
        (await fetch(`${gateway.origin}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } })).headers.get(
          'x-tollgate-fault',
        )
      const ask = async (method: string, to: string, body?: object) => {
        const answer = await fetch(gateway.origin + to, {
          method,
          headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        // oxlint-disable-next-line typescript/no-explicit-any
        return { status: answer.status, body: (await answer.json()) as any }
      }
      expect(await status()).toBeNull()
      const [key] = (await ask('GET', '/api/keys?account_id=*')).body.data
      const [account] = (await ask('GET', '/api/accounts?search=ada')).body.data
      expect((await ask('PATCH', `/api/keys/${key.id}`, { status: 'disabled' })).status).toBe(200)
      expect(await status()).toBe('key_disabled')

      await writeFile(path, saying('active', ['second']))
      process.kill(gateway.processId, 'SIGHUP')
      await expect.poll(() => gateway.printed(), { timeout: PATIENCE_MS }).toContain('read the declarative file again')
      expect(await status()).toBe('key_disabled')
      expect(await runHere(environment, ['apply', path])).toMatchObject({ stdout: 'Nothing is different.\n' })
      expect(await status()).toBe('key_disabled')

      expect((await ask('PATCH', `/api/keys/${key.id}`, { status: 'active' })).status).toBe(200)
      expect((await ask('PATCH', `/api/accounts/${account.id}`, { status: 'disabled' })).status).toBe(200)
      expect(await status()).toBe('account_disabled')
      expect(await runHere(environment, ['apply', path])).toMatchObject({ stdout: 'Nothing is different.\n' })
      expect(await status()).toBe('account_disabled')

      await writeFile(path, saying('disabled', ['second']))
      expect((await runHere(environment, ['apply', path])).code).toBe(0)
      expect((await ask('PATCH', `/api/keys/${key.id}`, { status: 'active' })).body).toMatchObject({ code: 'managed' })
      expect((await ask('PATCH', `/api/accounts/${account.id}`, { status: 'active' })).body).toMatchObject({
        code: 'managed',
      })
      await writeFile(path, saying('active', ['second']))
      process.kill(gateway.processId, 'SIGHUP')
      await expect.poll(status, { timeout: PATIENCE_MS }).toBeNull()
      expect(await gateway.stop()).toBe(0)
    })
  },
)
