import { afterAll, beforeAll, test } from 'vitest'
import { Pool } from 'pg'
import { inSuite } from '../support/run/suite.ts'
import { temporaryDirectory } from '../support/test-servers.ts'
import { roundsOfRun, seedOfRun } from './chance.ts'
import { chaptersOf, playChapter } from './chapter.ts'
import { type CrashableServer, crashableServer } from './crashable-server.ts'
import { jumps, kill, serverCrash } from './rounds.ts'

/* The rounds of `rounds.test.ts` that another engine may take differently, half as many, and a crash of the server itself. */

const KINDS = inSuite({ long: [kill, jumps, serverCrash], short: [kill] })
const CHAPTERS = chaptersOf(
  {
    rounds: Math.ceil(roundsOfRun(process.env, 2 * KINDS.length) / 2),
    seed: seedOfRun(process.env, 'rounds on PostgreSQL'),
  },
  KINDS.length,
)
const CHAPTER_MS = 900_000

let server: CrashableServer

beforeAll(async () => {
  server = await crashableServer()
})
afterAll(() => server.stop())

test.for(CHAPTERS)(
  'on PostgreSQL nothing is lost or double and no limit is passed, whatever breaks in $rounds rounds (seed $seed)',
  { timeout: CHAPTER_MS },
  async (chapter) => {
    const place = { dataDirectory: await temporaryDirectory(), databaseUrl: await newDatabase(chapter.seed) }
    await playChapter(chapter, { place, kinds: KINDS, means: server })
  },
)

async function newDatabase(seed: number): Promise<string> {
  const pool = new Pool({ connectionString: server.url, max: 1 })
  const name = `rounds_${seed}`
  await pool.query(`create database "${name}" template template0`)
  await pool.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}
