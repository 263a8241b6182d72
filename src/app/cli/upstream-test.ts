import { setTimeout as pause } from 'node:timers/promises'
import type { CredentialStateView, UpstreamTrialView, UpstreamView } from '../../contract/upstreams.ts'
import { UPSTREAM_TRIAL_MS } from '../../core/limits.ts'
import { CHAT_WIRES, type Wire } from '../../core/wire.ts'
import { SMALL_REQUEST_WIRES } from '../../protocols/small-request.ts'
import { readEnvironment } from '../installation/environment.ts'
import { listeningOrigin } from '../server/gateway-origin.ts'
import { askGateway, goodBody } from './ask-gateway.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import type { Invocation, CommandRun } from './command.ts'
import { textTable } from './print-rows.ts'

const LIST_WITHIN_MS = 10_000
/** Each costs money: more of them have to be asked for by name. */
const MOST_TESTS = 400
const PAGE = 200

/** Tests every model of an upstream with every credential over every protocol, one after the other. Returns 1 where one failed. */
export const upstreamTest: CommandRun = async (call, host) => {
  const [name] = call.operands
  if (name === undefined || call.operands.length > 1) throw new UsageError('Give the name of one upstream.')
  const wires = readWires(call)
  const baseUrl = call.text('base-url') ?? ownUrl(host)
  const upstream = await findUpstream(name, baseUrl, host)
  const models = chosen('model', call.list('model'), upstream.models)
  const credentials = await credentialsOf(upstream, { call, baseUrl, host })
  const cells = models.flatMap((model) =>
    credentials.flatMap((credential) => wires.map((protocol) => ({ model, credential, protocol }))),
  )
  if (cells.length === 0) throw new CommandFailure(`No model has a target at the upstream "${name}".`)
  if (cells.length > MOST_TESTS) {
    throw new UsageError(
      `That would be ${cells.length} requests, and ${MOST_TESTS} is the most. Name some with --model, --credential or --protocol.`,
    )
  }
  const results: UpstreamTrialView[] = []
  for (const cell of cells) {
    const result = await send(upstream.id, { ...cell, stream: call.has('stream') }, { baseUrl, host })
    results.push(result)
    if (call.has('json')) host.print(`${JSON.stringify(result)}\n`)
  }
  if (!call.has('json')) print(results, host)
  const isNamed = call.list('protocol') !== null
  return results.every((each) => each.ok || (!isNamed && isNotServed(each))) ? 0 : 1
}

/** The model is not called over this protocol (its `endpoints`): no failure where nothing asked for it by name. */
function isNotServed({ class: of, fault }: UpstreamTrialView): boolean {
  return of === 'not_sent' && fault === 'request_invalid'
}

function readWires(call: Invocation): readonly Wire[] {
  const named = call.list('protocol')
  if (named === null) return CHAT_WIRES
  return named.map((name) => {
    const wire = SMALL_REQUEST_WIRES.find((each) => each === name)
    if (wire !== undefined) return wire
    throw new UsageError(
      `--protocol is ${JSON.stringify(name)}, but it must be one of ${SMALL_REQUEST_WIRES.join(', ')}.`,
    )
  })
}

function ownUrl(host: CliHost): string {
  const { host: listensAt, port } = readEnvironment(host.environment)
  return listeningOrigin(listensAt, port)
}

async function findUpstream(name: string, baseUrl: string, host: CliHost): Promise<UpstreamView> {
  const query = new URLSearchParams({ search: name, limit: String(PAGE) })
  const path = `/api/upstreams?${query.toString()}` as const
  const answer = await askGateway(host, { baseUrl, method: 'GET', path, withinMs: LIST_WITHIN_MS })
  const { data } = goodBody(answer, baseUrl) as { readonly data: readonly UpstreamView[] }
  const found = data.find((each) => each.name === name)
  if (found === undefined) throw new CommandFailure(`There is no upstream "${name}" on this gateway.`)
  return found
}

/** Names; null where the upstream wants none. */
async function credentialsOf(
  { id, credentials }: UpstreamView,
  { call, baseUrl, host }: { readonly call: Invocation; readonly baseUrl: string; readonly host: CliHost },
): Promise<readonly (string | null)[]> {
  const named = call.list('credential')
  const names = credentials.map((each) => each.name)
  if (named !== null) return chosen('credential', named, names)
  if (names.length === 0) return [null]
  const path = `/api/upstreams/${id}/credentials` as const
  const answer = await askGateway(host, { baseUrl, method: 'GET', path, withinMs: LIST_WITHIN_MS })
  const { data } = goodBody(answer, baseUrl) as { readonly data: readonly CredentialStateView[] }
  return data.filter(({ state }) => state !== 'disabled' && state !== 'unusable').map((each) => each.name)
}

function chosen(flag: string, named: readonly string[] | null, all: readonly string[]): readonly string[] {
  for (const name of named ?? []) {
    if (!all.includes(name))
      throw new CommandFailure(`This upstream has no ${flag} "${name}". It has ${all.join(', ')}.`)
  }
  return named ?? all
}

async function send(
  id: string,
  cell: {
    readonly model: string
    readonly credential: string | null
    readonly protocol: Wire
    readonly stream: boolean
  },
  { baseUrl, host }: { readonly baseUrl: string; readonly host: CliHost },
): Promise<UpstreamTrialView> {
  const { credential, ...rest } = cell
  const body = credential === null ? rest : { ...rest, credential }
  const path = `/api/upstreams/${id}/test-request` as const
  for (let tries = 0; ; tries++) {
    const answer = await askGateway(host, { baseUrl, method: 'POST', path, body, withinMs: 2 * UPSTREAM_TRIAL_MS })
    if (answer.status !== 429 || tries >= MOST_WAITS) return goodBody(answer, baseUrl) as UpstreamTrialView
    await pause(Math.min(60, answer.retryAfterSeconds ?? 1) * 1_000)
  }
}

/** The gateway says how long to wait, a minute at most. */
const MOST_WAITS = 5

function print(results: readonly UpstreamTrialView[], host: CliHost): void {
  const rows = results.map((each) => [
    each.model,
    each.credential ?? '–',
    each.protocol + (each.translated ? ' (translated)' : ''),
    each.ok ? 'ok' : each.class,
    each.status === null ? (each.connected ? 'connected' : '–') : String(each.status),
    each.first_event_ms === null ? '–' : `${each.first_event_ms} ms`,
    each.usage_source === 'none'
      ? '–'
      : `${each.input_tokens ?? '?'}+${each.output_tokens ?? '?'} ${each.usage_source}`,
    each.provider_cost === null ? '–' : `$${each.provider_cost}`,
    `${each.total_ms} ms`,
  ])
  const head = ['MODEL', 'CREDENTIAL', 'PROTOCOL', 'RESULT', 'STATUS', 'FIRST EVENT', 'TOKENS', 'COST', 'TOOK']
  host.print(textTable([head, ...rows]))
  for (const each of results) {
    const attempt = `${each.model} ${each.credential ?? ''} ${each.protocol}`.replaceAll('  ', ' ')
    if (each.released) host.print(`${attempt}: the credential is used again\n`)
    if (each.ok) continue
    const fault = each.fault === null ? '' : ` A client gets ${each.fault} (${each.client_status ?? 'no status'}).`
    host.print(`${attempt}: ${each.detail}${fault}\n`)
  }
}
