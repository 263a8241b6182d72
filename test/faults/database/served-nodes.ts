/** Two gateways on one PostgreSQL database, clients that ask both of them all the time, and what came of each request. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import pg from 'pg'
import { startFakeUpstream } from '../../../tools/fake-upstream/fake-upstream.ts'
import {
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../../support/gateway-process.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { temporaryDirectory } from '../../support/test-servers.ts'
import { declared, MODEL, SECRET_KEY } from './declared.ts'

export interface Answer {
  /** When it was asked, by `performance.now()`. */
  readonly askedAt: number
  /** 0: the connection broke. */
  readonly status: number
  readonly fault: string | null
  readonly requestId: string | null
  readonly text: string
}

export interface ServedNodes {
  readonly answers: readonly Answer[]
  /** Each of the nodes answers so many requests in a row as it should, all of them asked after this was called. */
  whenServed(inARow: number): Promise<void>
  /** Asks both nodes so many requests at once. */
  burst(count: number): Promise<void>
  printed(): string
  /** Stops the load and the nodes, and holds the books to what clients saw. `booksUrl`: the database itself. */
  audit(booksUrl: string): Promise<void>
}

const NODES = 2
const CLIENTS_PER_NODE = 3
const BETWEEN_MS = 50

/** Starts both, and their clients. `databaseUrl`: by which they find the database. */
export async function servedNodes(
  databaseUrl: string,
  { onEnd, environment = {} }: { onEnd: (end: () => Promise<unknown>) => void; environment?: Record<string, string> },
): Promise<ServedNodes> {
  const fake = await startFakeUpstream()
  onEnd(() => fake.close())
  const directory = await temporaryDirectory()
  const variables = gatewayEnvironment(directory, {
    DATABASE_URL: databaseUrl,
    TOLLGATE_CONFIG: await declared(fake.url),
    TOLLGATE_DEMO: '0',
    TOLLGATE_SECRET: 'only for tests: 32 bytes and more',
    ...environment,
  })
  const nodes: GatewayProcess[] = []
  for (let index = 0; index < NODES; index++) {
    const node = await startGatewayProcess(variables)
    nodes.push(node)
    onEnd(() => node.kill())
  }
  const answers: Answer[][] = nodes.map(() => [])
  const load = { isOver: false }
  const client = async (node: number): Promise<void> => {
    while (!load.isOver) {
      answers[node]?.push(await ask(nodes[node]?.origin ?? ''))
      await pause(BETWEEN_MS)
    }
  }
  const clients = nodes.flatMap((_, node) => Array.from({ length: CLIENTS_PER_NODE }, () => client(node)))
  const end = async (): Promise<void> => {
    load.isOver = true
    await Promise.all(clients)
  }
  onEnd(end)
  return {
    get answers() {
      return answers.flat()
    },
    async whenServed(inARow) {
      const from = performance.now()
      const isServed = (each: readonly Answer[]): boolean => {
        const last = each.filter(({ askedAt }) => askedAt >= from).slice(-inARow)
        return last.length === inARow && last.every(({ status }) => status === 200)
      }
      await expect.poll(() => answers.every(isServed), { timeout: PATIENCE_MS, interval: 50 }).toBe(true)
    },
    async burst(count) {
      const asked = nodes.map((node) => Promise.all(Array.from({ length: count }, () => ask(node.origin))))
      for (const [node, each] of (await Promise.all(asked)).entries()) answers[node]?.push(...each)
    },
    printed: () => nodes.map((node) => node.printed()).join('\n'),
    async audit(booksUrl) {
      await end()
      expect(await Promise.all(nodes.map((node) => node.stop()))).toEqual(nodes.map(() => 0))
      await holdBooks(booksUrl, answers.flat())
      const proof = await runTollgate({ ...variables, DATABASE_URL: booksUrl }, ['check-ledger'])
      expect([proof.code, proof.stdout.trimEnd().split('\n').at(-1)], proof.stderr + proof.stdout).toEqual([
        0,
        expect.stringMatching(/^ok/),
      ])
    },
  }
}

async function ask(origin: string): Promise<Answer> {
  const askedAt = performance.now()
  try {
    const response = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Who goes there?' }] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    const { headers, status } = response
    return { askedAt, status, fault: headers.get('x-tollgate-fault'), requestId: headers.get('x-request-id'), text }
  } catch (error) {
    return { askedAt, status: 0, fault: null, requestId: null, text: String(error) }
  }
}

/** What a withheld answer says where its charge may stand in the books all the same. */
const UNCONFIRMED = /unless the database recorded it without confirming/

/** Each answer that was given is charged once; one that was withheld is not, or its words said that it may be. */
async function holdBooks(url: string, answers: readonly Answer[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string; cost: string; entries: string }>(
    `select id, cost_nano::text as cost,
       (select count(*) from ledger_entries where request_id = usage_records.id)::text as entries from usage_records`,
  )
  await client.end()
  const records = new Map(rows.map((row) => [row.id, row]))
  const given = answers.filter(({ status }) => status === 200)
  const notCharged = given.filter(({ requestId }) => records.get(requestId ?? '')?.entries !== '1')
  expect(
    notCharged.map(({ requestId }) => requestId),
    'answers that are not in the books once',
  ).toEqual([])
  const charged = answers.filter(
    ({ status, requestId, text }) =>
      status !== 200 && (records.get(requestId ?? '')?.cost ?? '0') !== '0' && !UNCONFIRMED.test(text),
  )
  expect(charged, 'withheld, charged, and not said').toEqual([])
}
