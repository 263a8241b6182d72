import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { runTollgate } from '../support/gateway-process.ts'
import { PATIENCE_MS } from '../support/patience.ts'

// The declarative file is applied again while the gateway runs: by a signal, and by the command line.

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
  const trial = await runTollgate(environment, ['apply', path, '--dry-run'])
  expect(trial).toMatchObject({ code: 0, stdout: 'would change: model third\n' })
  expect(await modelsAt(gateway.origin)).toEqual(['first', 'second'])
  const applied = await runTollgate(environment, ['apply', path])
  expect(applied).toMatchObject({ code: 0, stdout: 'changed: model third\n' })
  await expect.poll(() => modelsAt(gateway.origin), { timeout: PATIENCE_MS }).toEqual(['first', 'second', 'third'])
  expect(await runTollgate(environment, ['apply', path])).toMatchObject({ code: 0, stdout: 'Nothing is different.\n' })
  expect(await gateway.stop()).toBe(0)
})

test('a hang-up drains where there is no file, and a trial on no installation makes none', async () => {
  const environment = await freshEnvironment()
  const path = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'tollgate.yaml')
  await writeFile(path, declaration(['first']))
  const { code, stderr } = await runTollgate(environment, ['apply', path, '--dry-run'])
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
