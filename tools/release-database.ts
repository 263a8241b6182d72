import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import packageFile from '../package.json' with { type: 'json' }
import { makeReleaseDatabase } from './release/make-release-database.ts'
import { dumpPostgres, dumpSqlite } from './release/release-dump.ts'
import { type Facts, readFacts, startOnRelease } from './release/release-facts.ts'
import { DUMPS, FACTS, type ReleasePlace, RELEASES_FOLDER, restoreRelease } from './release/restore-release.ts'

/**
 * `node tools/release-database.ts`: makes a database by this version's own gateway and commands, with rows in every table, on
 * both engines, and writes it as SQL to `test/fixtures/releases/VERSION/`. To be run once for each release, at its tag: later
 * versions have to bring these databases forward (test/conformance/release-upgrade.test.ts).
 */
const release = packageFile.version
const folder = join(RELEASES_FOLDER, release)
const directory = await mkdtemp(join(tmpdir(), 'tollgate-release-'))
const server = await startPostgresServer()
try {
  await mkdir(folder, { recursive: true })
  const [embedded, beside] = await emptyPlaces('made')
  await Promise.all([makeReleaseDatabase(embedded), makeReleaseDatabase(beside)])
  await writeFile(join(folder, DUMPS.sqlite), gzipSync(dumpSqlite(embedded.directory), { level: 9 }))
  await writeFile(join(folder, DUMPS.postgres), gzipSync(await dumpPostgres(beside.databaseUrl), { level: 9 }))
  const facts = await Promise.all((await emptyPlaces('restored')).map(factsOf))
  assert.deepEqual(facts[0], facts[1], 'the API says the same of the databases of both engines')
  await writeFile(join(folder, FACTS), `${JSON.stringify(facts[0], null, 1)}\n`)
  console.log(`written to ${folder}`)
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}

async function emptyPlaces(name: string) {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const [embedded, beside] = [join(directory, name), join(directory, `${name}-beside`)]
  for (const each of [embedded, beside]) await mkdir(each)
  return [
    { databaseUrl: null, directory: embedded },
    { databaseUrl: url.href, directory: beside },
  ] as const
}

async function factsOf(place: ReleasePlace): Promise<Facts> {
  await restoreRelease(release, place)
  const gateway = await startOnRelease(place)
  try {
    return await readFacts(gateway.origin)
  } finally {
    await gateway.stop()
  }
}
