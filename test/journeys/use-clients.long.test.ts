import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handHost, type HandHost } from '../support/client-host.ts'
import { type FakeSignIn, startFakeSignIn } from '../support/fake-sign-in.ts'
import { runCommandLine } from '../../client/command-line.ts'

let gateway: FakeSignIn
beforeEach(async () => {
  gateway = await startFakeSignIn()
  gateway.approval = 'approved'
})
afterEach(() => gateway.close())

async function signedIn(chosen: Parameters<typeof handHost>[0] = {}): Promise<HandHost> {
  const host = handHost({ env: { SHELL: '/bin/bash' }, ...chosen })
  expect(await runCommandLine(host, ['login', gateway.origin]), host.remarked()).toBe(0)
  return host
}

/** Runs a command and returns what it says. */
async function say(host: HandHost, ...args: readonly string[]) {
  const [out, err] = [host.printed().length, host.remarked().length]
  const code = await runCommandLine(host, args)
  return { code, out: host.printed().slice(out), err: host.remarked().slice(err) }
}

/** Every file of the home directory outside the folder of this program, with its bytes. */
function filesOf({ home }: HandHost): Record<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(home, '.local')) && !path.endsWith('fetched.cjs'))
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]))
}

function put({ home }: Pick<HandHost, 'home'>, path: string, text: string): string {
  const full = join(home, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text, { mode: 0o644 })
  return full
}

const ODD = [
  ['nothing', null],
  ['an empty file', ''],
  ['one line', '{"theme": "dark"}'],
  ['Windows', '\ufeff{\r\n\t"theme": "dark", // mine\r\n\t"env": {\r\n\t\t"A": "1",\r\n\t},\r\n}'],
  ['comments', '// head\n{\n  /* none */\n}\n\n'],
  [
    'what is in the way',
    '{\n  "env": { "ANTHROPIC_API_KEY": "sk-ant-0123456789abcdef", "B": "2" },\n  "apiKeyHelper": "old"\n}\n',
  ],
] as const

test.each(ODD)('use and unuse of Claude Code leave equal bytes: %s', async (_, text) => {
  const host = await signedIn()
  if (text !== null) put(host, '.claude/settings.json', text)
  const before = filesOf(host)
  for (const flags of [[], ['--token-command', '--status-line']]) {
    const used = await say(host, 'use', 'claude-code', '--yes', ...flags)
    expect(used, used.err).toMatchObject({ code: 0, err: '' })
    expect(used.out).not.toContain('sk-ant-')
    expect(filesOf(host)).not.toEqual(before)
    // A second time changes nothing.
    expect((await say(host, 'use', 'claude-code', '--yes', ...flags)).out).toContain('It is set up already.')
  }
  expect((await say(host, 'unuse', '--yes')).code).toBe(0)
  expect(filesOf(host)).toEqual(before)
  expect(existsSync(join(host.home, '.claude'))).toBe(text !== null)
})

test('Claude Code signs in by itself at a private address, and runs the command for its token where that is wanted', async () => {
  const host = await signedIn()
  expect((await say(host, 'use', 'claude', '--yes')).out).toContain('type /login')
  const path = join(host.home, '.claude/settings.json')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    forceLoginMethod: 'gateway',
    forceLoginGatewayUrl: gateway.origin,
  })
  gateway.device = { models: ['claude-sonnet-4-5', 'gpt-5.2'] }
  await say(host, 'use', 'claude', '--yes', '--token-command')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    apiKeyHelper: `/usr/bin/node ${host.home}/.local/share/tollgate-client/tollgate.cjs token --gateway ${gateway.origin}`,
    env: {
      ANTHROPIC_BASE_URL: gateway.origin,
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-sonnet-4-5',
    },
  })
})

test('where Claude Code is managed, that is said and nothing is changed', async () => {
  const host = await signedIn()
  put(host, 'root/etc/claude-code/managed-settings.json', '{}')
  const before = filesOf(host)
  const { code, err } = await say(host, 'use', 'claude-code', '--yes')
  expect([code, err]).toEqual([1, expect.stringContaining('managed on this computer by')])
  expect(filesOf(host)).toEqual(before)
})

test('Codex, pi, opencode and Copilot are given the command, no secret, and their files back', async () => {
  const host = await signedIn()
  put(host, '.codex/config.toml', '# mine\nmodel = "gpt-4"\n\n[tools]\nweb = true')
  put(host, '.bashrc', 'alias l=ls')
  put(host, '.config/opencode/opencode.json', '{\n  "theme": "x", // y\n}\n')
  const before = filesOf(host)
  const used = await say(host, 'use', 'codex', 'pi', 'opencode', 'copilot', '--yes')
  expect(used, used.err).toMatchObject({ code: 0, err: '' })
  const secrets = [gateway.accessToken(), gateway.refreshToken()]
  expect(Object.entries(filesOf(host)).filter(([, text]) => secrets.some((each) => text.includes(each)))).toEqual([])
  expect(parseToml(readFileSync(join(host.home, '.codex/config.toml'), 'utf8'))).toMatchObject({
    model: 'gpt-5.2',
    model_provider: 'tollgate',
    model_providers: {
      tollgate: { base_url: `${gateway.origin}/v1`, auth: { command: '/usr/bin/node', refresh_interval_ms: 0 } },
    },
    tools: { web: true },
  })
  expect(readFileSync(join(host.home, '.bashrc'), 'utf8')).toContain("COPILOT_PROVIDER_API_KEY_COMMAND='/usr/bin/node ")
  expect(new Set(gateway.seen.filter(({ path }) => path.startsWith('/v1')).map(({ path }) => path))).toEqual(
    new Set(['/v1/responses', '/v1/messages', '/v1/chat/completions']),
  )
  expect((await say(host, 'status')).out).toContain('Codex: set up\n')
  expect((await say(host, 'unuse', '--yes')).code).toBe(0)
  expect(filesOf(host)).toEqual(before)
})

test('the stored form writes a secret that is never shown, for its owner alone, and unuse ends it', async () => {
  const host = await signedIn()
  const path = put(host, '.gemini/.env', 'GEMINI_API_KEY=AIzaSyOldSecretOfMine\n')
  const before = filesOf(host)
  const { code, out } = await say(host, 'use', 'gemini', 'aider', 'qwen', 'kilo', 'continue', '--yes')
  expect(code).toBe(0)
  expect([...gateway.secrets.values(), 'AIzaSyOldSecretOfMine'].filter((secret) => out.includes(secret))).toEqual([])
  expect(out).toContain('GEMINI_API_KEY=••••••••')
  expect(readFileSync(path, 'utf8')).toContain('GEMINI_API_KEY=sk-tg-sec_1-')
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  expect(gateway.secrets.size).toBe(5)
  await say(host, 'use', 'gemini', '--yes')
  expect([...gateway.secrets.keys()]).toEqual(['sec_2', 'sec_3', 'sec_4', 'sec_5', 'sec_6'])
  expect((await say(host, 'unuse', '--yes')).code).toBe(0)
  expect(gateway.secrets.size).toBe(0)
  expect(filesOf(host)).toEqual(before)
  expect((statSync(path).mode & 0o777).toString(8)).toBe('644')
})

test('what is changed later stays and is named, and the rest is taken back', async () => {
  const host = await signedIn()
  const path = put(host, '.codex/config.toml', '# mine\nmodel = "gpt-4"\n')
  await say(host, 'use', 'codex', '--yes')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"gpt-5.2"', '"own"') + '\n[later]\nx = 1\n')
  expect((await say(host, 'status')).out).toContain(`Codex: model in ${path} was changed since\n`)
  const { out } = await say(host, 'unuse', 'codex', '--yes')
  expect(out).toContain(`Changed since, so it stays as it is: model in ${path}`)
  expect(readFileSync(path, 'utf8')).toBe('# mine\nmodel = "own"\n\n[later]\nx = 1\n')
})

test('of new files, what others added stays, and one client that cannot be taken back keeps none of the others', async () => {
  const host = await signedIn()
  await say(host, 'use', 'pi', 'opencode', 'claude-code', '--yes')
  const [pi, claude] = ['.pi/agent/models.json', '.claude/settings.json'].map((name) => join(host.home, name))
  writeFileSync(pi ?? '', readFileSync(pi ?? '', 'utf8').replace('{', '{\n  "own": 1,'))
  writeFileSync(claude ?? '', '{ broken')
  const { code, err } = await say(host, 'unuse', '--yes')
  expect([code, err]).toEqual([1, `Claude Code: ${claude} is not valid JSON (line 1): nothing is changed.\n`])
  expect(filesOf(host)).toEqual({ [pi ?? '']: '{\n  "own": 1\n}\n', [claude ?? '']: '{ broken' })
  expect((await say(host, 'status')).out).toContain(`Claude Code: ${claude} is not valid JSON (line 1)\n`)
})

test('a link stays a link, and the file behind it is named and changed', async () => {
  const host = await signedIn()
  const target = put(host, 'dotfiles/claude.json', '{}\n')
  mkdirSync(join(host.home, '.claude'))
  const link = join(host.home, '.claude/settings.json')
  symlinkSync(target, link)
  const { out } = await say(host, 'use', 'claude-code', '--yes')
  expect(out).toContain(`${link} (a link to ${target}, which is changed)`)
  expect([lstatSync(link).isSymbolicLink(), readFileSync(target, 'utf8').includes('forceLogin')]).toEqual([true, true])
  await say(host, 'unuse', '--yes')
  expect([lstatSync(link).isSymbolicLink(), readFileSync(target, 'utf8')]).toEqual([true, '{}\n'])
})

test.each([
  [
    'a broken file',
    (path: string) => writeFileSync(path, '{"a": '),
    /settings\.json is not valid JSON \(line 1\): nothing is changed\.\n$/,
  ],
  ['a list', (path: string) => writeFileSync(path, '[]'), /settings\.json has no JSON object: nothing is changed\.\n$/],
  [
    'bytes that are not text',
    (path: string) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x7b])),
    /is not text in UTF-8/,
  ],
  ['a link to nowhere', (path: string) => symlinkSync('/nowhere/at/all', path), /is a link that leads to no file/],
  [
    'a read-only file',
    (path: string) => writeFileSync(path, '{}', { mode: 0o444 }),
    /is read-only: nothing is changed/,
  ],
  ['a folder', (path: string) => mkdirSync(path), /is not a file: nothing is changed/],
  [
    'env of another kind',
    (path: string) => writeFileSync(path, '{"env": []}'),
    /something else than an object in "env"/,
  ],
] as const)('nothing is written for %s', async (_, make, sentence) => {
  const host = await signedIn()
  mkdirSync(join(host.home, '.claude'))
  make(join(host.home, '.claude/settings.json'))
  const { code, err } = await say(host, 'use', 'claude-code', '--yes', '--token-command')
  expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
  expect(readdirSync(join(host.home, '.claude'))).toEqual(['settings.json'])
})

test('a second file that cannot be written leaves the first as it was, and no secret behind', async () => {
  const host = await signedIn()
  const env = put(host, '.gemini/.env', 'A=1\n')
  put(host, '.gemini/settings.json', '{}\n')
  // The name of the new file is taken by a folder.
  const draw = host.draw
  let draws = 0
  const failing = { ...host, draw: () => (++draws > 0 ? 'fixed' : draw()) }
  mkdirSync(join(host.home, '.gemini/settings.json.fixed.tmp'))
  writeFileSync(join(host.home, '.gemini/settings.json.fixed.tmp', 'x'), '')
  expect(await runCommandLine(failing, ['use', 'gemini', '--yes'])).toBe(1)
  expect([readFileSync(env, 'utf8'), gateway.secrets.size]).toEqual(['A=1\n', 0])
})

test('without an agreement, or a terminal to ask in, nothing is written', async () => {
  const no = await signedIn({ answer: false })
  const before = filesOf(no)
  expect((await say(no, 'use', 'codex')).out).toContain('Nothing is changed.')
  const mute = await signedIn({ answer: null })
  expect((await say(mute, 'use', 'codex')).err).toContain('Add --yes')
  expect([filesOf(no), Object.keys(filesOf(mute))]).toEqual([before, []])
})

test.each([
  [401, 'key_expired', 'sign-in'],
  [403, 'group_forbidden', 'group'],
  [404, 'model_not_in_group', 'model'],
  [402, 'balance_exhausted', 'money'],
  [429, 'key_quota_exhausted', 'money'],
  [503, 'upstream_rate_limited', 'upstream'],
  [502, '', 'upstream'],
] as const)('an answer %i %s to the message is named %s', async (status, fault, stage) => {
  const host = await signedIn()
  gateway.instead.set('/v1/responses', (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-tollgate-fault': fault })
    response.end('{"error":{"message":"What is wrong, and what to do."}}')
  })
  const { code, err } = await say(host, 'use', 'codex', '--yes')
  expect([code, err]).toEqual([1, `A message to gpt-5.2 fails at ${stage}: What is wrong, and what to do.\n`])
})

test('a client that is installed is sent a message too, and its own failure is named', async () => {
  const folder = handHost().home
  put({ home: folder }, 'bin/codex', '')
  let code: number | null = 0
  const host = await signedIn({
    env: { PATH: `/nowhere:${folder}/bin`, SHELL: '/bin/bash' },
    run: () => ({ code, stdout: 'OK \u001b[31mred\n', stderr: code === 0 ? '' : 'config: no\u0007 such thing' }),
  })
  expect((await say(host, 'use', '--yes')).out).toContain('Codex answers: OK [31mred\n')
  expect(host.calls.at(-1)).toMatchObject({
    program: `${folder}/bin/codex`,
    args: ['exec', '--skip-git-repo-check', 'Reply with OK.'],
  })
  code = 3
  const failed = await say(host, 'use', 'codex', '--yes')
  expect([failed.code, failed.err]).toEqual([
    1,
    'A message fails at client: Codex ended with 3. It says: config: no such thing\n',
  ])
})

test('run gives a client a token in its environment alone', async () => {
  const folder = handHost().home
  put({ home: folder }, 'bin/gemini', '')
  const host = await signedIn({ env: { PATH: `${folder}/bin` }, run: () => ({ code: 7 }) })
  expect((await say(host, 'run', 'gemini')).err).toContain('gemini-api-key as security.auth.selectedType')
  put(host, '.gemini/settings.json', '{"security": {"auth": {"selectedType": "gemini-api-key"}}}')
  const before = filesOf(host)
  expect((await say(host, 'run', 'gemini', '--', '-p', 'Hello', '--yes')).code).toBe(7)
  expect(host.calls.at(-1)).toMatchObject({
    args: ['-p', 'Hello', '--yes'],
    env: { GEMINI_API_KEY: gateway.accessToken(), GOOGLE_GEMINI_BASE_URL: gateway.origin },
  })
  expect(filesOf(host)).toEqual(before)
  expect((await say(host, 'run', 'codex')).err).toContain('tollgate use codex')
  expect((await say(host, 'use', 'cursor')).err).toContain('Override OpenAI Base URL')
})
