/** Installs the packed package by npm in a fresh Debian, as its users do, and asks what it starts for an answer. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { packTollgate } from '../support/pack-tollgate.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { furnishRoot, makeRoot, ROOT_USER, spawnIn, type UserOfRoot as User } from './debian-root.ts'
import { runTool } from './run-tool.ts'

const READY_WITHIN_MS = 600_000
/** The package and all that it depends on, from a registry that may be slow. */
const INSTALLED_WITHIN_MS = 900_000
const KEY = 'packed-journey-5d0a2f7c81be'
const PACKAGE = '/opt/tollgate.tgz'
const ADA = { name: 'ada', id: 23_457, home: '/home/ada' }
const BOB = { name: 'bob', id: 23_458, home: '/home/bob' }

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...fields })}\n\n`
const WORD = chunk({ choices: [{ index: 0, delta: { content: 'hello from upstream' }, finish_reason: null }] })
const END =
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  `${chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`

let folder = ''
let root = ''
let upstream: ScriptedUpstream
/** The stream under way goes on to its end. */
let finish: () => void = () => {}
let registry = ''
beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('Another root directory needs root: run the packaging tests as root.')
  folder = await mkdtemp('/var/tmp/tollgate-npm-')
  await chmod(folder, 0o755)
  root = join(folder, 'root')
  const archive = join(folder, 'root.tar')
  console.log(`Root: ${await makeRoot(archive)}.`)
  await mkdir(root)
  await runTool('tar', '--extract', '--file', archive, '--directory', root)
  await furnishRoot(root)
  for (const user of [ADA, BOB]) await addUser(user)
  const [copy, packed] = [join(folder, 'copy'), join(folder, 'packed')]
  for (const path of [copy, packed]) await mkdir(path)
  await mkdir(join(root, 'opt'), { recursive: true })
  await copyFile(await packTollgate(copy, packed), join(root, PACKAGE))
  await rm(copy, { recursive: true })
  registry = (await runTool('npm', 'config', 'get', 'registry')).stdout.trim()
  upstream = await scriptedUpstream((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(WORD)
    finish = () => response.end(END)
  })
})
const started = new Set<ChildProcess>()
afterEach(() => {
  finish()
  for (const { pid, exitCode, signalCode } of started) {
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
  started.clear()
})
afterAll(async () => {
  upstream.close()
  await rm(folder, { recursive: true, force: true })
})

async function addUser({ name, id, home }: User): Promise<void> {
  await appendFile(join(root, 'etc/passwd'), `${name}:x:${id}:${id}::${home}:/bin/sh\n`)
  await appendFile(join(root, 'etc/group'), `${name}:x:${id}:\n`)
  await mkdir(join(root, home), { recursive: true, mode: 0o755 })
  await chown(join(root, home), id, id)
}

/** What the user has in a file of their own: one key, and the upstream of this test on loopback. */
async function declare({ home, id }: User): Promise<string> {
  const base_url = `http://127.0.0.1:${upstream.port}/v1`
  const declaration = {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url, credential: 'sk-up' }],
    models: [{ name: 'slow', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '1' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
  const path = join(home, 'tollgate.yaml')
  await writeFile(join(root, path), JSON.stringify(declaration), { mode: 0o600 })
  await chown(join(root, path), id, id)
  return path
}

/** A program in that root, which is ended with the test. */
function within(user: User, more: Readonly<Record<string, string>>, command: readonly string[]): ChildProcess {
  const child = spawnIn(root, { user, more: { npm_config_registry: registry, ...more } }, command)
  started.add(child)
  return child
}

function printedBy(child: ChildProcess): () => string {
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  return () => printed
}

/** Starts it, asks it over the fake upstream, and ends it while that answer is under way. */
async function answersAndDrains(user: User, command: readonly string[]): Promise<void> {
  const TOLLGATE_CONFIG = await declare(user)
  const child = within(user, { PORT: '0', TOLLGATE_CONFIG }, command)
  const printed = printedBy(child)
  const ended = once(child, 'close')
  const origin = () => /"origin":"(http:[^"]+)"/.exec(printed())?.[1] ?? ''
  const isStarted = () => ({ origin: origin(), printed: child.exitCode === null ? '' : printed() })
  await expect
    .poll(isStarted, { timeout: READY_WITHIN_MS, interval: 200 })
    .toEqual({ origin: expect.stringMatching(/^http/), printed: '' })
  const data = join(user.home, '.local/share/tollgate')
  expect(printed()).toContain(`"dataDirectory":"${data}"`)
  const names = await readdir(join(root, data))
  expect(names).toEqual(expect.arrayContaining(['secret', 'tollgate.db']))
  for (const name of ['secret', 'tollgate.db']) {
    const { uid, mode } = await stat(join(root, data, name))
    expect({ name, uid, mode: (mode & 0o777).toString(8) }).toEqual({ name, uid: user.id, mode: '600' })
  }

  const address = origin()
  const answer = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'slow', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(answer.status).toBe(200)
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  const readiness = () => fetch(`${address}/readyz`).then(({ status }) => status)
  await expect.poll(readiness, { timeout: READY_WITHIN_MS }).toBe(503)
  finish()
  const text = await answer.text()
  expect(text).toContain('hello from upstream')
  expect(text).toMatch(/data: \[DONE\]\s*$/)
  await ended
  await expect.poll(printed, { timeout: READY_WITHIN_MS }).toContain('"msg":"stopped"')
}

test(
  'npx starts it for an ordinary user, with the data in the data home, to a first answer, and SIGTERM drains',
  { timeout: INSTALLED_WITHIN_MS },
  async () => {
    // Once it is published, its name stands in place of the package's file.
    await answersAndDrains(ADA, ['npx', '--yes', '--package', PACKAGE, 'tollgate', 'start'])
  },
)

test(
  'installed for all by npm, it starts by its name for another user, to a first answer, and SIGTERM drains',
  { timeout: INSTALLED_WITHIN_MS },
  async () => {
    const install = within(ROOT_USER, {}, ['npm', 'install', '--global', '--no-audit', '--no-fund', PACKAGE])
    const printed = printedBy(install)
    const [code] = await once(install, 'close')
    expect({ code, printed: code === 0 ? '' : printed() }).toEqual({ code: 0, printed: '' })
    await answersAndDrains(BOB, ['tollgate', 'start'])

    // Of another owner, as after a start by root.
    const data = join(BOB.home, '.local/share/tollgate')
    await runTool('chown', '-R', '0:0', join(root, data))
    await chmod(join(root, data), 0o700)
    const refused = within(BOB, { PORT: '0' }, ['tollgate', 'start'])
    const said = printedBy(refused)
    expect((await once(refused, 'close'))[0]).toBe(1)
    expect(said()).toMatch(/^TOLLGATE_DATA_DIR is .* belongs to uid 0 and gid 0 .*\n$/)
  },
)
