/** Two gateway processes on one database behind a load balancer, which are restarted one after the other under load. */
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type EngineName, newPlace } from '../conformance/store-under-test.ts'
import {
  type Environment,
  gatewayEnvironment,
  type GatewayProcess,
  runTollgate,
  startGatewayProcess,
} from '../support/gateway-process.ts'
import { freePort } from '../support/kept-process.ts'
import { type Script, scriptedUpstream } from '../support/scripted-upstream.ts'
import { type BalancerName, SERVED_HOST, startShippedBalancer } from './shipped-balancer.ts'

const KEY = 'restarted-under-load-6b1f90c4d7'
const SHORT_CLIENTS = 6
const STREAM_CLIENTS = 3
/** The pause between two requests of a client, so that a load lasts for a restart and leaves some of the processor. */
const PAUSE_MS = 20
const STREAM_PARTS = 12
const PART_MS = 250

export interface RestartOptions {
  readonly engine: EngineName
  /** Variables of each gateway, beside those that every gateway of a test has. */
  readonly environment?: Environment
  /** How many of the two are restarted. */
  readonly restarts: 1 | 2
  /** So many short requests are sent at least. */
  readonly requests: number
}

export interface RestartOutcome {
  /** What came of the short requests: how many of each status or error. */
  readonly short: Readonly<Record<string, number>>
  readonly shortCount: number
  /** What came of the streams: `whole`, or what else. */
  readonly streams: Readonly<Record<string, number>>
  readonly streamCount: number
  /** Contents of requests that the upstream was asked more than once. */
  readonly askedTwice: readonly string[]
  /** What `check-ledger` prints afterwards. */
  readonly ledger: string
}

/** Restarts gateways behind the shipped example for this load balancer, and returns what its clients saw. */
export async function restartUnderLoad(balancerName: BalancerName, options: RestartOptions): Promise<RestartOutcome> {
  const { engine, environment = {}, restarts, requests } = options
  const asked = new Map<string, number>()
  const upstream = await scriptedUpstream(countingScript(asked))
  const place = await newPlace(engine)
  const path = join(place.directory, 'tollgate.yaml')
  await writeFile(path, JSON.stringify(declaration(upstream.port)))
  const ports = [await freePort(), await freePort()]
  const environments = ports.map((port) =>
    gatewayEnvironment(place.directory, {
      TOLLGATE_CONFIG: path,
      TOLLGATE_DEMO: '0',
      TOLLGATE_SECRET: 'the same secret for both nodes of this test',
      TOLLGATE_TRUSTED_PROXIES: '127.0.0.1',
      ...(place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }),
      ...environment,
      PORT: String(port),
    }),
  )
  const gateways: GatewayProcess[] = []
  for (const each of environments) gateways.push(await startGatewayProcess(each))
  const balancer = await startShippedBalancer(balancerName, ports)
  try {
    const load = startLoad(balancer.port)
    await load.reaches(requests / 4)
    for (const [at, each] of environments.slice(0, restarts).entries()) {
      await gateways[at]?.stop()
      gateways[at] = await startGatewayProcess(each)
    }
    await load.reaches(requests)
    const counts = await load.end()
    const { stdout } = await runTollgate(environments[0] ?? {}, ['check-ledger'])
    return { ...counts, askedTwice: [...asked].filter(([, times]) => times > 1).map(([id]) => id), ledger: stdout }
  } finally {
    await balancer.stop()
    await Promise.all(gateways.map((gateway) => gateway.kill()))
    upstream.close()
    await place.leave()
  }
}

/** Answers each chat, in parts where a stream was asked for, and counts how often each content was asked. */
function countingScript(asked: Map<string, number>): Script {
  const answer = async (...[incoming, response]: Parameters<Script>) => {
    const body = (await json(incoming)) as { stream?: boolean; messages: { content: string }[] }
    const content = body.messages[0]?.content ?? ''
    asked.set(content, (asked.get(content) ?? 0) + 1)
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    if (body.stream !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices, usage }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...fields })}\n\n`,
      )
    for (let part = 0; part < STREAM_PARTS && !response.destroyed; part++) {
      write({ choices: [{ index: 0, delta: { content: `part ${part} ` }, finish_reason: null }] })
      await pause(PART_MS)
    }
    write({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    write({ usage })
    response.end('data: [DONE]\n\n')
  }
  return (...exchange) => void answer(...exchange).catch(() => exchange[1].destroy())
}

function declaration(port: number): object {
  return {
    upstreams: [{ name: 'up', protocol: 'openai-chat', base_url: `http://127.0.0.1:${port}/v1`, credential: 'sk-up' }],
    models: [{ name: 'm', price: { input: '1', output: '1' }, targets: [{ upstream: 'up' }] }],
    groups: [{ name: 'default', models: ['*'] }],
    accounts: [{ email: 'ada@example.test', balance: '1000' }],
    keys: [{ account: 'ada@example.test', name: 'laptop', group: 'default', custom_key: KEY }],
  }
}

/** Clients that send one request after the other, until the load ends. */
function startLoad(port: number) {
  const short: Record<string, number> = {}
  const streams: Record<string, number> = {}
  const load = { shortCount: 0, streamCount: 0, isOver: false }
  const shortClient = async (name: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let n = 0; !load.isOver; n++) {
      // Every fourth comes on a connection of its own.
      const outcome = await chat(port, { content: `short ${name} ${n}`, agent: n % 4 === 0 ? false : agent })
      short[outcome] = (short[outcome] ?? 0) + 1
      load.shortCount += 1
      await pause(PAUSE_MS)
    }
    agent.destroy()
  }
  const streamClient = async (name: number) => {
    for (let n = 0; !load.isOver; n++) {
      const outcome = await chat(port, { content: `stream ${name} ${n}`, isStream: true, agent: false })
      streams[outcome] = (streams[outcome] ?? 0) + 1
      load.streamCount += 1
    }
  }
  const clients = [
    ...Array.from({ length: SHORT_CLIENTS }, (_, name) => shortClient(name)),
    ...Array.from({ length: STREAM_CLIENTS }, (_, name) => streamClient(name)),
  ]
  return {
    async reaches(count: number) {
      while (load.shortCount < count) await pause(PAUSE_MS)
    },
    async end() {
      load.isOver = true
      await Promise.all(clients)
      const { shortCount, streamCount } = load
      return { short, shortCount, streams, streamCount }
    },
  }
}

interface Chat {
  readonly content: string
  readonly agent: Agent | false
  readonly isStream?: boolean
}

/** Resolves with the status of a short answer, `whole` for a stream that came to its end, or what failed. Never rejects. */
function chat(port: number, { content, agent, isStream = false }: Chat): Promise<string> {
  const order = {
    host: '127.0.0.1',
    port,
    path: '/v1/chat/completions',
    method: 'POST',
    servername: SERVED_HOST,
    rejectUnauthorized: false,
    agent,
    headers: { host: SERVED_HOST, authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
  }
  return new Promise((resolve) => {
    const outgoing = request(order, (response) => {
      const { statusCode: status = 0 } = response
      text(response).then(
        (body) => resolve(status === 200 && isStream ? (isWhole(body) ? 'whole' : 'cut') : `${status}`),
        (error: NodeJS.ErrnoException) => resolve(`${status} ${error.code ?? error.message}`),
      )
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end(JSON.stringify({ model: 'm', stream: isStream, messages: [{ role: 'user', content }] }))
  })
}

function isWhole(body: string): boolean {
  return body.includes(`part ${STREAM_PARTS - 1} `) && /data: \[DONE\]\s*$/.test(body)
}
