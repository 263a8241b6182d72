import { hash } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalKey } from '../../src/access/imported-keys.ts'
import { keyedHash } from '../../src/core/secret-box.ts'
import { runHere } from '../support/command-here.ts'
import { type GatewayUnderTest, gatewayUnderTest, TEST_SECRET } from '../support/gateway-under-test.ts'
import {
  OLD_MODELS,
  OLD_OPTIONS,
  type OldModel,
  type OldUsage,
  oldUnits,
  unitsNear,
} from '../support/import-sources/new-api-charges.ts'
import { broughtBalances, runWhileMoving } from '../support/import-sources/moving-source.ts'
import { makeNewApi, type NewApiRows, SOURCE_PASSWORD } from '../support/import-sources/new-api-source.ts'
import {
  mysqlSource,
  postgresSource,
  type SourceDatabase,
  sqliteSource,
} from '../support/import-sources/source-database.ts'
import { HAS_MARIADB, startMariadbServer } from '../support/mariadb-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../support/scripted-upstream.ts'
import { migratedDirectory, migratedPostgres, testPostgres } from '../support/test-servers.ts'

const USERS = 1_000
const PATHS = ['/v1/chat/completions', '/v1/messages']
/** Units for a USD: that of nearly every installation, and one that an admin has set. */
const PER_USD = { sqlite: 500_000n, postgres: 500_000n, mysql: 1_000_000n } as const
/** What the groups of users pay: their own ratio, but for those of svip, whose keys are in default at a ratio of their own. */
const PAID: Readonly<Record<string, string>> = { default: '1.2', vip: '0.8', svip: '0.35' }

if (!HAS_MARIADB) console.info('MariaDB is not on this machine: new-api on MySQL is not tried (mariadb-server-core).')
const ENGINES = HAS_MARIADB ? (['sqlite', 'postgres', 'mysql'] as const) : (['sqlite', 'postgres'] as const)

let upstream: ScriptedUpstream
beforeAll(async () => {
  upstream = await scriptedUpstream((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { model } = JSON.parse(body) as { model: string }
      const usage = OLD_MODELS.find(({ name }) => name === model)?.usage ?? { input: 1, output: 1 }
      response.writeHead(200, { 'content-type': 'application/json' })
      const isAnthropic = request.url?.endsWith('/messages') === true
      response.end(JSON.stringify(isAnthropic ? anthropicAnswer(usage) : chatAnswer(usage)))
    })
  })
})
afterAll(() => upstream.close())

function chatAnswer({ input, output, cached = 0, pictures = 0, soundIn = 0, soundOut = 0 }: OldUsage) {
  const [prompt_tokens, completion_tokens] = [input + cached + pictures + soundIn, output + soundOut]
  const usage = {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: cached, image_tokens: pictures, audio_tokens: soundIn },
    completion_tokens_details: { audio_tokens: soundOut },
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  return { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage }
}

function anthropicAnswer({ input, output, cached = 0, written = 0, writtenForAnHour = 0 }: OldUsage) {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written + writtenForAnHour,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: writtenForAnHour },
  }
  const content = [{ type: 'text', text: 'hello' }]
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  return { id: 'msg_x', type: 'message', role: 'assistant', model: 'm', content, ...end, usage }
}

/** SQLite and MySQL are imported into the embedded database, and PostgreSQL into PostgreSQL. */
describe.for(ENGINES)('new-api on %s', (engine) => {
  const opened: { close(): Promise<unknown> }[] = []
  const perUsd = PER_USD[engine]
  let source: SourceDatabase
  let rows: NewApiRows
  let gateway: GatewayUnderTest
  let environment: Record<string, string> = {}

  beforeAll(async () => {
    const directory = await migratedDirectory()
    environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
    if (engine === 'sqlite') {
      source = sqliteSource(`${directory}/new-api.db`)
      // One that is written to while it is read.
      await source.run('pragma journal_mode = wal')
    } else if (engine === 'postgres') {
      const [from, into] = [await testPostgres(), await migratedPostgres()]
      opened.push({ close: () => from.drop() }, { close: () => into.drop() })
      source = await postgresSource(from.url)
      environment['DATABASE_URL'] = into.url
    } else {
      const server = await startMariadbServer()
      opened.push({ close: () => server.stop() })
      source = await mysqlSource(server.url, 'new_api')
    }
    opened.unshift(source)
    const channel = { models: '', group: 'default,vip,svip', key: 'sk-upstream' }
    const servedBy = (kind: OldModel['upstream']) =>
      OLD_MODELS.flatMap((model) => (model.upstream === kind ? [model.name] : [])).join(',')
    const base_url = `http://127.0.0.1:${upstream.port}`
    rows = await makeNewApi(source, {
      users: USERS,
      seed: 11,
      passwordHash: await hash(SOURCE_PASSWORD, 4),
      options: {
        ...OLD_OPTIONS,
        ...(engine === 'mysql' ? { QuotaPerUnit: String(perUsd) } : {}),
        GroupRatio: '{"default":1.2,"vip":0.8,"svip":0.5}',
        GroupGroupRatio: '{"svip":{"default":0.35}}',
        UserUsableGroups: '{"default":"all"}',
      },
      channels: [
        { ...channel, id: 1, type: 1, name: 'chat', base_url, models: servedBy('openai') },
        { ...channel, id: 2, type: 14, name: 'messages', base_url, models: servedBy('anthropic') },
      ],
    })
    const group = source.quoted('group')
    await source.run(
      `update tokens set ${group} = 'default' where user_id in (select id from users where ${group} = 'svip')`,
    )
    gateway = await gatewayUnderTest({ environment })
  }, 900_000)
  afterAll(async () => {
    await gateway.close()
    for (const each of opened) await each.close()
  })

  const run = (...more: string[]) =>
    runHere(environment, ['import', 'new-api', source.url, '--admins', 'keep', ...more])

  /** Active users with something left and a key without a quota; each is called for once. */
  function* payers(group: string) {
    for (const user of rows.users) {
      const token = rows.tokens.find(({ user_id }) => user_id === user.id)
      const isRich = user.status === 1 && user.group === group && user.quota > 1_000_000
      if (token?.unlimited_quota === true && isRich) yield { user, key: token.key }
    }
  }

  async function call(key: string, { model, path }: { model: string; path: string }) {
    const answer = await fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 500, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()
    return { status: answer.status, fault: answer.headers.get('x-tollgate-fault') }
  }

  async function balanceOf(key: string): Promise<bigint> {
    const found = await gateway.store.keys.findByHash(keyedHash(TEST_SECRET)(canonicalKey(key) ?? ''))
    if (found === null) throw new Error('the key was not imported')
    return gateway.store.ledger.balance(found.account.id)
  }

  test('each key calls each model over both protocols and is charged what the source takes, to its last unit', async () => {
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toContain(`account: ${USERS} created`)
    const balances = rows.users.reduce((all, { quota }) => all + BigInt(quota), 0n)
    expect(stdout).toContain(`(${(balances * 1_000_000_000n) / perUsd} nano-USD)`)
    const asked = OLD_MODELS.flatMap((model) => PATHS.map((path) => ({ model, path })))
    for (const [group, groupRatio] of Object.entries(PAID)) {
      const own = payers(group)
      for (const { model, path } of asked) {
        const payer = own.next().value
        if (payer === undefined) throw new Error('too few were drawn')
        const before = await balanceOf(payer.key)
        const said = { group, model: model.name, path }
        const answer = await call(payer.key, { model: model.name, path })
        expect({ ...said, ...answer }).toEqual({ ...said, status: 200, fault: null })
        await expect
          .poll(async () => ({ ...said, units: unitsNear(before - (await balanceOf(payer.key)), perUsd) }), {
            timeout: PATIENCE_MS,
          })
          .toEqual({ ...said, units: oldUnits(model, { groupRatio, perUsd }) })
      }
    }
  }, 300_000)

  test('a second run changes nothing', async () => {
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
  }, 120_000)

  test('a run while the source moves brings it as it was at one moment, and the next run what came after that', async () => {
    const { outcome, moved } = await runWhileMoving(run, (turn) =>
      source.run(`update users set quota = quota + 1 where id = ${1 + (turn % USERS)}`),
    )
    expect(outcome).toMatchObject({ code: 0 })
    expect(moved).toBeGreaterThan(0)
    expect(await run()).toMatchObject({ code: 0 })
    const drawn = rows.users.reduce((all, { quota }) => all + BigInt(quota), 0n)
    expect(await broughtBalances(gateway.store, USERS + 1)).toBe(((drawn + BigInt(moved)) * 1_000_000_000n) / perUsd)
    expect((await run()).stdout).toContain('Nothing is different from the last import.')
    expect(await runHere(environment, ['check-ledger'])).toMatchObject({ code: 0 })
  }, 300_000)
})
