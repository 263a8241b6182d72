import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInFile, newestUrl } from './newest-url.ts'

let folder = ''
let file = ''
let troubles: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-urls-'))
  file = join(folder, 'url')
  troubles = []
})
afterEach(() => rmSync(folder, { recursive: true }))

const FIRST = 'postgres://ada:one@db.example.test:5432/tollgate?sslmode=require'
const onTrouble = ({ message }: Error) => void troubles.push(message)

function reading(): () => string {
  writeFileSync(file, FIRST)
  return newestUrl('databaseUrl', { given: FIRST, environment: { DATABASE_URL_FILE: file }, onTrouble })
}

// from: MagicStack/asyncpg#291, brettwooldridge/HikariCP#357, FusionAuth/fusionauth-issues#1235, dropwizard/dropwizard#2388
test('a new password, and a new user, in the file are those of the next connection', () => {
  const newest = reading()
  expect(newest()).toBe(FIRST)
  const second = FIRST.replace('ada:one', 'grace:tw%40o')
  writeFileSync(file, `${second}\n`)
  expect([newest(), troubles]).toEqual([second, []])
})

test('what cannot be used is said once and without the secret, and the login from before goes on', () => {
  const newest = reading()
  const bad = ['', 'mysql://ada:secret-word@db.example.test/x', 'secret-word']
  for (const text of bad) {
    writeFileSync(file, text)
    expect([newest(), newest()]).toEqual([FIRST, FIRST])
  }
  rmSync(file)
  expect(newest()).toBe(FIRST)
  expect(troubles).toHaveLength(3)
  expect(troubles.join('\n')).not.toMatch(/secret-word|ada/)
  writeFileSync(file, FIRST.replace('one', 'two'))
  expect(newest()).toContain('ada:two')
})

test.for([
  ['db.example.test', 'other.example.test'],
  [':5432', ':5433'],
  ['/tollgate?', '/another?'],
  ['require', 'disable'],
] as const)(
  'another server, database or way to it (%s) takes a restart: nodes must not write to two of them',
  ([is, becomes]) => {
    const newest = reading()
    writeFileSync(file, FIRST.replace(is, becomes))
    expect(newest()).toBe(FIRST)
    expect(troubles).toEqual([expect.stringMatching(/another server or database .+ restart every node\.$/)])
  },
)

test('a URL in the variable itself stays as it is', () => {
  const environment = { REDIS_URL: 'redis://:one@cache.example.test' }
  expect(newestUrl('redisUrl', { given: 'redis://:one@cache.example.test', environment, onTrouble })()).toBe(
    'redis://:one@cache.example.test',
  )
  expect([isInFile('redisUrl', environment), isInFile('redisUrl', { REDIS_URL_FILE: file })]).toEqual([false, true])
})
