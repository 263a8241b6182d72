import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { DeskAnswer } from './server-desk.ts'

/** Longer than any hook: an installation that a first question waits for ends with its own, better, message. */
const ANSWER_TIMEOUT_MS = 900_000

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * A fresh, empty PostgreSQL database. The server behind it is started by the first call of a test run (and its package
 * installed, where it is missing): call it in `beforeAll`, whose time limit allows for that.
 */
export function testPostgres(): Promise<TestDatabase> {
  return newDatabase('empty-database')
}

/** A database with all tables, and nothing in them: as a gateway leaves an empty one that it opened and closed. */
export function migratedPostgres(): Promise<TestDatabase> {
  return newDatabase('migrated-database')
}

async function newDatabase(kind: 'empty-database' | 'migrated-database'): Promise<TestDatabase> {
  const url = await ask(kind)
  const name = new URL(url).pathname.slice(1)
  return {
    url,
    drop: async () => {
      await ask('drop-database', name)
    },
  }
}

/** The Redis server of this test run, shared by all its tests: write below a key prefix of your own, never flush. */
export async function testRedis(): Promise<{ url: string }> {
  return { url: await ask('redis') }
}

/** The address of the browser of this test run, for Playwright to connect to; the console that gateways serve is built by then. */
export async function testBrowser(): Promise<string> {
  const [url] = await Promise.all([ask('browser'), testConsole()])
  return url
}

/** The folder of the console, built from the sources as they are. */
export function testConsole(): Promise<string> {
  return ask('console')
}

/** The `node_modules` folder with the real clients, installed where they are missing: see test/clients. */
export function testClients(): Promise<string> {
  return ask('clients')
}

/** Builds what gateways of this checkout serve at `/client.tgz`, from the sources as they are. */
export async function testClientPackage(): Promise<void> {
  await ask('client-package')
}

/** A fresh, empty directory, removed at the end of the test run. */
export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(await ask('directory'), 'test-'))
}

/** A data directory with the embedded database in it: all tables, and nothing in them. Removed at the end of the test run. */
export function migratedDirectory(): Promise<string> {
  return ask('migrated-directory')
}

/** Asks over bare `node:http`, because a test may have put its own agent behind the global `fetch`. */
async function ask(counter: string, subject = ''): Promise<string> {
  const url = `${inject('testServers')}/${counter}/${encodeURIComponent(subject)}`
  const answered = Promise.withResolvers<string>()
  const outgoing = request(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), agent: false }, (response) => {
    text(response).then(answered.resolve, answered.reject)
  })
  outgoing.once('error', answered.reject)
  outgoing.end()
  const answer: DeskAnswer = JSON.parse(await answered.promise)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}
