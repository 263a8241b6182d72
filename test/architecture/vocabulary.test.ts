import { describe, expect, test } from 'vitest'
import { listFiles, printed, readProjectFile, readSources, type SourceFile } from './source-files.ts'
import { checkCalls, checkDocument, checkFileName, checkWords } from './vocabulary-rules.ts'

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md']
/** What was written then stays as it was written. */
const RECORDS = 'docs/history/'

const sources = await readSources('src', /\.tsx?$/)
const console = await readSources('console', /\.tsx?$/)
const client = await readSources('client', /\.ts$/)

describe('this project', () => {
  test('has sources to read', () => {
    expect(sources.length).toBeGreaterThan(20)
  })

  test('says its own words in the code', () => {
    expect(printed([...sources, ...console, ...client].flatMap(checkWords))).toEqual([])
  })

  test('says its own words in the documents', async () => {
    const front = await Promise.all(DOCUMENTS.map(async (path) => ({ path, text: await readProjectFile(path) })))
    const pages = (await readSources('docs', /\.md$/)).filter(({ path }) => !path.startsWith(RECORDS))
    const documents = [...front, ...pages]
    expect(printed(documents.flatMap(checkDocument))).toEqual([])
  })

  test('names its files for what they hold', async () => {
    const folders = ['src', 'console', 'client', 'test', 'tools', 'bench', 'docs']
    const paths = (await Promise.all(folders.map(listFiles))).flat()
    expect(printed(paths.flatMap(checkFileName))).toEqual([])
  })

  test('reads no money as a float, and clock, chance and environment only where they belong', () => {
    expect(printed(sources.flatMap(checkCalls))).toEqual([])
  })
})

function source(text: string, path = 'src/gateway/a.ts'): SourceFile {
  return { path, text }
}

test.each([
  ['const relay = 1', '"relay": say gateway'],
  ['function startProxyServer() {}', '"proxy": say gateway'],
  ['class A { readonly #dashboardUrl = 1 }', '"dashboard": say console'],
  ['const a = { customer_id: 1 }', '"customer": say account'],
  ['const apiToken = 1', '"api token": say API key'],
  ['function a(b: PlatformName) {}', '"platform": say provider'],
  ['const a = b().channel', '"channel": say upstream'],
  ['const MODEL_MAPPING = 1', '"mapping": say route or target'],
  ['const groupRatio = 1', '"ratio": say price or multiplier'],
  ['const groupRate = 1', '"group rate": say multiplier'],
  ['function preConsume() {}', '"pre consume": say reservation'],
  ['const usage_log = 1', '"usage log": say usage record'],
  ['throw new Error(`your remaining credits: ${a}`)', '"remaining credits": say balance'],
  ['class UpstreamException {}', '"upstream exception": say fault'],
  [`const a = 'go to the dashboard'`, '"dashboard": say console'],
  ['// the customer pays', '"customer": say account'],
])('%s is reported', (text, complaint) => {
  expect(printed(checkWords(source(`\n${text}`)))).toEqual([`src/gateway/a.ts:2 ${complaint}`])
})

test.each([
  `const rate_limit = 'rate limited, too many requests: the rate is 5 a minute'`,
  `const tokens = 'the Bearer token', tokensPerMinute = countTokens(), accessToken = 1`,
  `const trustedProxies = env['TOLLGATE_TRUSTED_PROXIES'], a = 'http-proxy', b = 'X-Forwarded-For'`,
  `if (process.platform === 'darwin') fetch('https://platform.openai.com/')`,
  `const { port1 } = new MessageChannel()`,
  `const tiers = [{ above_input_tokens: 1 }]; body.service_tier = 'flex'`,
  `process.on('uncaughtException', () => {}) // with one exception`,
  `import { Panel } from 'a-package-that-says-panel'`,
  `log.info('account create|credit', { logLevel, quotaLimit, creditedNanoUsd })`,
])('%s is allowed', (text) => {
  expect(printed(checkWords(source(text)))).toEqual([])
})

test('a word inside a long comment is reported on its own line', () => {
  expect(printed(checkWords(source('/**\n * A first line.\n * Then a relay.\n */')))).toEqual([
    'src/gateway/a.ts:3 "relay": say gateway',
  ])
})

test('documents are read line by line, and may list the words they rule out', () => {
  const text = 'One.\nThe proxy answers.\nA console, never called dashboard.\nBehind a reverse proxy.'
  expect(printed(checkDocument({ path: 'docs/a.md', text }))).toEqual(['docs/a.md:2 "proxy": say gateway'])
})

test.each(['util', 'helpers', 'key-manager', 'usage-service', 'common', 'misc', 'index', 'proxy'])(
  'a file named %s is reported',
  (name) => {
    expect(checkFileName(`src/core/${name}.ts`)).toHaveLength(1)
    expect(checkFileName(`src/core/${name}/a.ts`)).toHaveLength(1)
  },
)

test.each([
  ['Number(row.cost_nano_usd)', 'reads "cost_nano_usd" as a float: money is bigint nano-USD'],
  [`parseFloat(row['price'])`, 'reads "price" as a float: money is bigint nano-USD'],
  ['const a = +heldUsd', 'reads "heldUsd" as a float: money is bigint nano-USD'],
  ['const a = Date.now()', 'Date.now outside core: it comes in as an argument'],
  ['start({ now: Date.now })', 'Date.now outside core: it comes in as an argument'],
  ['const a = new Date()', 'new Date() outside core: it comes in as an argument'],
  ['globalThis.Math.random()', 'globalThis.Math.random outside core: it comes in as an argument'],
  ['const a = performance.now()', 'performance.now outside core: it comes in as an argument'],
  [`const a = process.env['HOST']`, 'reads the environment outside app'],
  [`const a = process['env'].HOST`, 'reads the environment outside app'],
  [`import { env } from 'node:process'`, 'reads the environment outside app'],
  [`import { createHash, randomUUID } from 'node:crypto'`, 'randomUUID outside core: ids come in as arguments'],
  [`import { randomBytes as draw } from 'crypto'`, 'randomBytes outside core: ids come in as arguments'],
  ['const id = crypto.randomUUID()', 'randomUUID outside core: ids come in as arguments'],
  ['globalThis.crypto.getRandomValues(bytes)', 'getRandomValues outside core: ids come in as arguments'],
])('%s is reported', (text, complaint) => {
  expect(printed(checkCalls(source(`\n${text}`)))).toEqual([`src/gateway/a.ts:2 ${complaint}`])
})

test.each([
  ['src/gateway/a.ts', `Number(row.attempts); parseFloat(weight); new Date(row.created_at_ms); clock.now()`],
  ['src/core/clock.ts', 'Date.now(); Math.random()'],
  ['src/app/join-control.ts', `import { randomBytes } from 'node:crypto'; crypto.randomUUID()`],
  ['src/access/a.ts', `import { createHash } from 'node:crypto'; newSecret(randomBytes)`],
  ['src/app/environment.ts', 'Date.now(); process.env.HOST'],
  ['src/main.ts', 'Date.now(); process.env.HOST'],
  ['src/gateway/a.test.ts', 'performance.now(); process.env'],
])('in %s, %s is allowed', (path, text) => {
  expect(printed(checkCalls(source(text, path)))).toEqual([])
})
