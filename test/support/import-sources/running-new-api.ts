/** A new-api that runs: its database, and beside it the answers of its handlers (`controller/model.go`, `controller/pricing.go`). */
import { join } from 'node:path'
import { runHere } from '../command-here.ts'
import { TEST_SECRET } from '../gateway-under-test.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from '../scripted-upstream.ts'
import { migratedDirectory } from '../test-servers.ts'
import { makeNewApi, type NewApiRows } from './new-api-source.ts'
import { type SourceDatabase, sqliteSource } from './source-database.ts'

const MODELS = ['house-a', 'house-b']
const RATIOS = { 'house-a': 1.25, 'house-b': 0.375 }
const COMPLETION = { 'house-a': 4, 'house-b': 5 }
const CACHE = { 'house-a': 0.1, 'house-b': 0.25 }

/** What it answers otherwise than it should, by path. */
export type Otherwise = Readonly<Record<string, Script>>

export interface RunningNewApi {
  readonly rows: NewApiRows
  readonly origin: string
  /** Method and path of each request. */
  readonly asked: string[]
  otherwise: Otherwise
  /** `tollgate import new-api` of it. */
  run(...more: readonly string[]): ReturnType<typeof runHere>
  close(): Promise<void>
}

export async function runningNewApi(users: number): Promise<RunningNewApi> {
  const directory = await migratedDirectory()
  const source: SourceDatabase = sqliteSource(join(directory, 'new-api.db'))
  const rows = await makeNewApi(source, {
    users,
    seed: 7,
    passwordHash: 'x',
    options: {
      ModelRatio: JSON.stringify(RATIOS),
      CompletionRatio: JSON.stringify(COMPLETION),
      CacheRatio: JSON.stringify(CACHE),
      CreateCacheRatio: '{}',
      ImageRatio: '{}',
      AudioRatio: '{}',
      AudioCompletionRatio: '{}',
      GroupRatio: '{"default":1,"vip":0.5,"svip":0.25}',
      UserUsableGroups: '{"default":"all"}',
    },
    channels: [
      {
        id: 1,
        type: 1,
        name: 'house',
        key: 'sk-of-the-provider',
        base_url: 'http://127.0.0.1:1',
        models: MODELS.join(),
        group: 'default,vip,svip',
      },
    ],
  })
  const server: ScriptedUpstream = await scriptedUpstream((request, response) => {
    const path = request.url ?? ''
    running.asked.push(`${request.method} ${path}`)
    const script = running.otherwise[path]
    if (script !== undefined) return script(request, response)
    request.resume()
    const known = rows.tokens.some(({ key }) => request.headers.authorization === `Bearer sk-${key}`)
    const body = answerTo(path, known)
    response.writeHead(body === null ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: { message: 'invalid token' } }))
  })
  const environment = { TOLLGATE_DATA_DIR: directory, TOLLGATE_SECRET: TEST_SECRET }
  const args = ['import', 'new-api', source.url, '--negative', 'keep', '--admins', 'none']
  const running: RunningNewApi = {
    rows,
    origin: `http://127.0.0.1:${server.port}`,
    asked: [],
    otherwise: {},
    run: (...more) => runHere(environment, [...args, ...more]),
    async close() {
      server.close()
      await source.close()
    },
  }
  return running
}

function answerTo(path: string, isKnown: boolean): object | null {
  if (path === '/api/status') return { success: true, data: { quota_per_unit: 500_000 } }
  if (path === '/api/pricing') return pricing({})
  if (path !== '/v1/models' || !isKnown) return null
  return { success: true, object: 'list', data: MODELS.map((id) => ({ id, object: 'model', owned_by: 'custom' })) }
}

/** `changes`: to the last model. */
export function pricing(changes: object): object {
  const data = MODELS.map((name, i) => ({
    model_name: name,
    quota_type: 0,
    model_price: 0,
    model_ratio: RATIOS[name as 'house-a'],
    completion_ratio: COMPLETION[name as 'house-a'],
    cache_ratio: CACHE[name as 'house-a'],
    enable_groups: ['default', 'vip', 'svip'],
    ...(i === 1 ? changes : {}),
  }))
  return { success: true, data, group_ratio: { default: 1 }, usable_group: { default: 'all' } }
}

/** Answers with this text. */
export function saying(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Script {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
}
