import type { AnsweringServer } from '../../control/parts.ts'
import { LOCAL_SERVER_NAMES, LOCAL_SERVERS, type LocalServer } from '../../core/local-servers.ts'
import { parseShallow } from '../../core/shallow-json.ts'
import { HttpUpstream } from '../../upstreams/http-upstream.ts'
import { askOnce } from './ask-once.ts'
import { readListAnswer } from './model-list-answer.ts'

/** The time for a server on this machine to answer. */
const LOOK_MS = 1_000
/** A longer list is none of a machine's own. */
const MOST_BYTES = 256 * 1024

/**
 * The servers of models that answer on this machine without a credential: a closed list of loopback ports is asked, all at
 * once, and nothing else ever. `ports`: in place of the servers' own.
 */
export async function findLocalServers(
  ports: Readonly<Partial<Record<LocalServer, number>>> = {},
): Promise<readonly AnsweringServer[]> {
  const found = await Promise.all(
    LOCAL_SERVER_NAMES.map((server) => askServer(server, ports[server] ?? LOCAL_SERVERS[server].port)),
  )
  return found.filter((each) => each !== null)
}

async function askServer(listening: LocalServer, port: number): Promise<AnsweringServer | null> {
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const client = new HttpUpstream({
    baseUrl,
    headers: {},
    connectTimeoutMs: LOOK_MS,
    maxConcurrency: null,
  })
  try {
    const bounds = { limitMs: LOOK_MS, limitBytes: MOST_BYTES }
    const answer = await askOnce(client, { path: '/models', headers: {} }, bounds)
    if (answer.kind !== 'answered') return null
    const { listed } = readListAnswer(answer, { protocol: 'openai-chat', secrets: [] })
    if (listed === null) return null
    const server = signedBy(answer.body) ?? listening
    return { server, baseUrl, models: listed.names.length }
  } finally {
    await client.close()
  }
}

/** Who signs the models of a list; null: none of those that are known. Any of them may listen on the port of another. */
function signedBy(body: Buffer): LocalServer | null {
  const list: unknown = parseShallow(body)
  const entries: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, 'data') : null
  const first: unknown = Array.isArray(entries) ? entries[0] : null
  const owner: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'owned_by') : null
  return LOCAL_SERVER_NAMES.find((name) => LOCAL_SERVERS[name].owner === owner) ?? null
}
