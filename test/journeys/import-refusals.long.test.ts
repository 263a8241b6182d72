import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runHere } from '../support/command-here.ts'
import { TEST_SECRET } from '../support/gateway-under-test.ts'
import { makeNewApi, makeOneApi } from '../support/import-sources/new-api-source.ts'
import {
  insertRows,
  postgresSource,
  type SourceDatabase,
  sqliteSource,
} from '../support/import-sources/source-database.ts'
import { makeSub2api } from '../support/import-sources/sub2api-source.ts'
import { migratedDirectory, testPostgres } from '../support/test-servers.ts'

const FEW = { users: 2, passwordHash: 'x', port: 9 }

let directory = ''
let environment: Record<string, string> = {}
beforeAll(async () => {
  directory = await migratedDirectory()
  environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
})

/** A database that is wrong for a product: how it is made, and what is said of it. */
type Wrong = readonly [name: string, make: (source: SourceDatabase) => Promise<unknown>, said: RegExp]

async function dropped(source: SourceDatabase, table: string, ...columns: readonly string[]): Promise<void> {
  for (const column of columns) await source.run(`alter table ${table} drop column ${source.quoted(column)}`)
}

const NEW_API: Wrong = [
  'a database of new-api',
  (source) => makeNewApi(source, FEW),
  /is a database of new-api: run "tollgate import new-api" instead/,
]
const EMPTY: Wrong = ['an empty database', async () => {}, /has no tables: name the database that the old gateway uses/]

const WRONG_FOR_ONE_API: readonly Wrong[] = [
  EMPTY,
  NEW_API,
  [
    'another database',
    (source) => source.run('create table notes (id integer)'),
    /is not known as one-api.*notes \(id\)/,
  ],
  [
    'one of one-hub, which has what one-api has',
    async (source) => {
      await makeOneApi(source, FEW)
      await insertRows(source, 'options', [{ key: 'OldTokenMaxId', value: '7' }])
    },
    /one-hub or done-hub, whose keys are encoded/,
  ],
  [
    'one of one-hub that never had a plain key',
    async (source) => {
      await makeOneApi(source, FEW)
      await dropped(source, 'tokens', 'models', 'subnet')
      await source.run('alter table tokens add column backup_group varchar(32)')
      await source.run('create table user_groups (id integer, symbol varchar(50), ratio decimal(10,2))')
    },
    /one-hub or done-hub, whose keys are encoded/,
  ],
  [
    'one whose users have no group yet',
    async (source) => {
      await makeOneApi(source, FEW)
      await dropped(source, 'users', 'group')
    },
    /one-api without users\.group: let a current one-api finish its migration first/,
  ],
  [
    'one without channels and options',
    async (source) => {
      await makeOneApi(source, FEW)
      for (const table of ['channels', 'options']) await source.run(`drop table ${table}`)
    },
    /one-api without channels\.id, .*options\.key, options\.value/,
  ],
  [
    'one from before keys had limits of models',
    async (source) => {
      await makeOneApi(source, FEW)
      await dropped(source, 'tokens', 'models', 'subnet')
    },
    /is not known as one-api, nor as another product that can be read; it has .*tokens \(/,
  ],
]

const WRONG_FOR_SUB2API: readonly Wrong[] = [
  EMPTY,
  NEW_API,
  [
    'another database',
    (source) => source.run('create table notes (id integer)'),
    /is not known as sub2api.*notes \(id\)/,
  ],
  [
    'one whose groups have no status yet, and whose keys no group',
    async (source) => {
      await makeSub2api(source, { ...FEW, nowMs: 1_760_000_000_000 })
      await dropped(source, 'groups', 'status')
      await dropped(source, 'api_keys', 'group_id')
    },
    /sub2api without api_keys\.group_id, groups\.status: let a current sub2api finish its migration first/,
  ],
  [
    'one without accounts',
    async (source) => {
      await makeSub2api(source, { ...FEW, nowMs: 1_760_000_000_000 })
      await source.run('drop table accounts')
    },
    /sub2api without accounts\.id, /,
  ],
  [
    'one from before keys were apart from users',
    async (source) => {
      await makeSub2api(source, { ...FEW, nowMs: 1_760_000_000_000 })
      await source.run('drop table api_keys')
    },
    /is not known as sub2api, nor as another product that can be read; it has /,
  ],
]

async function expectRefusal(product: string, source: SourceDatabase, said: RegExp): Promise<void> {
  for (const mode of [[], ['--dry-run']]) {
    const { code, stdout, stderr } = await runHere(environment, ['import', product, source.url, ...mode])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [sentence = '', ...more] = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith('…'))
    expect(sentence).toMatch(said)
    expect(more).toEqual([])
  }
}

test.for(WRONG_FOR_ONE_API)('for one-api, %s is refused in one sentence', async ([name, make, said]) => {
  const source = sqliteSource(join(directory, `${name}.db`))
  await make(source)
  await expectRefusal('one-api', source, said)
  await source.close()
})

describe('for sub2api', () => {
  const opened: { close(): Promise<unknown> }[] = []
  let source: SourceDatabase
  beforeEach(async () => {
    const database = await testPostgres()
    source = await postgresSource(database.url)
    opened.push(source, { close: () => database.drop() })
  })
  afterAll(async () => {
    for (const each of opened) await each.close()
  })

  test.for(WRONG_FOR_SUB2API)('%s is refused in one sentence', async ([_name, make, said]) => {
    await make(source)
    await expectRefusal('sub2api', source, said)
  })
})
