import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { BUNDLE_FOLDER, BUNDLE_RECORD, freshBundle, stateOfFile } from '../../bin/bundle.js'
import { bundleGateway } from '../../tools/bundle.ts'
import { freshEnvironment, startGateway } from '../support/gateway-for-test.ts'
import { otlpReceiver } from '../support/otlp-receiver.ts'
import { temporaryDirectory } from '../support/test-servers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const COUNTING = new URL('../../src/metering/usage/token-counter/counting-thread.ts', import.meta.url)
const SAID = 'this is the bundle'

test('the bundle is what is started: it answers, counts as the sources do and serves pages from where they are, and sends what it is to', async () => {
  const checkout = await copyOfSources()
  await bundleGateway(checkout)
  const main = join(checkout, BUNDLE_FOLDER, 'main.js')
  await writeFile(main, `console.log(${JSON.stringify(SAID)})\n${await readFile(main, 'utf8')}`)
  const command = [process.execPath, join(checkout, 'bin', 'tollgate.js')]
  const collector = await otlpReceiver()
  const more = { TOLLGATE_WORKERS: '2', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const gateway = await startGateway(await freshEnvironment(more), { command, until: /sk-tg-\w+/ })
  expect(gateway.printed()).toContain(SAID)
  const authorization = `Bearer ${/sk-tg-\w+/.exec(gateway.printed())?.[0]}`
  const body = JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { authorization, 'content-type': 'application/json' }
  const answer = await fetch(`${gateway.origin}/v1/chat/completions`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
  expect((await fetch(`${gateway.origin}/api/me`)).status).toBe(401)
  expect((await fetch(`${gateway.origin}/docs/errors/balance_exhausted`)).status).toBe(200)
  expect(await gateway.stop()).toBe(0)
  const delivered = new Set(collector.delivered.map(({ path }) => path))
  expect(delivered).toEqual(new Set(['/v1/traces', '/v1/metrics']))
  const asked = { kind: 'text', text: '数えて、ください: привет, ça va? 🙂🙃 ﬁn' }
  const counted = await answerOf(new URL(`file://${join(checkout, BUNDLE_FOLDER, 'counting-thread.js')}`), asked)
  expect(counted).toBe(await answerOf(COUNTING, asked))

  await utimes(join(checkout, 'src', 'core', 'limits.ts'), new Date(), new Date())
  const edited = await startGateway(await freshEnvironment(), { command })
  expect(edited.printed()).not.toContain(SAID)
})

test('a bundle is used only while each file that it was made of is the same', async () => {
  const root = await temporaryDirectory()
  await mkdir(join(root, BUNDLE_FOLDER), { recursive: true })
  expect(freshBundle(root)).toBe(null)
  await writeFile(join(root, 'a.ts'), 'a')
  await writeFile(join(root, 'b.ts'), 'b')
  const record = JSON.stringify([stateOfFile(root, 'a.ts'), stateOfFile(root, 'b.ts')])
  await writeFile(join(root, BUNDLE_FOLDER, BUNDLE_RECORD), record)
  expect(freshBundle(root)).toContain(BUNDLE_FOLDER)
  await writeFile(join(root, 'b.ts'), 'longer')
  expect(freshBundle(root)).toBe(null)
})

async function answerOf(thread: URL, question: object): Promise<unknown> {
  const worker = new Worker(thread)
  worker.postMessage(question)
  const [answer]: unknown[] = await once(worker, 'message')
  await worker.terminate()
  return answer
}

/** The sources elsewhere, so that the bundle of this checkout stays what it is. */
async function copyOfSources(): Promise<string> {
  const copy = await temporaryDirectory()
  for (const name of ['bin', 'src', 'docs', 'package.json']) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true, preserveTimestamps: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
